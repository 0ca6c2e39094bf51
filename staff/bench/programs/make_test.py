"""`make test` as in a release, without what staff/ adds to it.

python -m staff.bench.programs.make_test [words of make test]
python -m staff.bench.programs.make_test --short     without the cases that take long
"""

import sys
from pathlib import Path

from grader.bank.cases import Bank
from grader.bank.reading import load_bank
from grader.commands.testing import main

LAB = Path("lab.py")
LONG_FUNCTION = "make_run"
LONG_CASE = "solve/a-hundred-thousand-steps"


def short_bank() -> Bank:
    """Return the bank of the kit without the cases that take long."""
    bank = load_bank()
    cases = [
        case
        for case in bank.cases
        if case.function != LONG_FUNCTION and case.id != LONG_CASE
    ]
    return Bank(bank.parts, tuple(cases))


if __name__ == "__main__":
    words = sys.argv[1:]
    if "--short" in words:
        sys.exit(main([], LAB, short_bank()))
    sys.exit(main(words, LAB))
