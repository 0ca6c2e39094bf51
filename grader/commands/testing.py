"""`make test`: grades lab.py, prints the report, writes build/results.json.

The words are read here, lab.py begins to be imported, and its cases to run; all else, in tested.py, is imported
meanwhile.
"""

import argparse
import atexit
import contextlib
import gc
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from grader.grading.source import read_lab
from grader.refusal import Refusal
from grader.sandbox.opening import open_sandbox
from grader.signals import ending_in_order

if TYPE_CHECKING:
    from boards.cases import Bank, Case

OBJECTS_BETWEEN_COLLECTIONS = 500_000  # what is made here stays to the end, when nobody needs to look through it
SECONDS_A_TURN = 0.002  # of the threads that run cases, and of this one, which imports and judges meanwhile


def main(words: list[str], lab: Path, bank: "Bank | None" = None, note: str = "") -> int:
    """Grade lab.py as the words say; 0 at full marks, 1 below, 2 where there is nothing to grade.

    `bank` has other cases and points than those of this kit, and `note` stands above the report.  Raises OSError
    where lab.py cannot be read.
    """
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    atexit.register(gc.freeze)
    sys.setswitchinterval(SECONDS_A_TURN)
    options = _parse(words)
    read_lab(lab)

    def is_chosen(case: "Case") -> bool:
        name = f"{case.id} {case.function}".lower()
        in_part = not options.part or case.part in options.part
        return in_part and (not options.k or any(word in name for word in options.k))

    with ending_in_order(), contextlib.closing(open_sandbox(lab)) as sandbox:
        with contextlib.suppress(OSError):  # which is told when a case is run
            sandbox.start()
        from boards.cases import load_bank
        from grader.grading.asking import Asking

        bank = bank or load_bank()
        with contextlib.closing(Asking(lab, sandbox=sandbox)) as asking:
            asking.begin(() if options.for_pytest else filter(is_chosen, bank.cases))  # of which pytest may want fewer
            from grader.commands.tested import run

            return run(asking, bank, is_chosen, options, note)


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        raise Refusal(f"{message}; make test takes PART=2, K=alphabeta and V=1")


def _words(text: str) -> list[str]:
    return text.lower().replace(",", " ").split()


def _numbers(text: str) -> set[int]:
    try:
        return {int(word) for word in _words(text)}
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no number of a part, such as 2, or 0,1") from None


def _parse(words: list[str]) -> argparse.Namespace:
    """The kit's own options, and as `for_pytest` the words that are none of them."""
    parser = _Parser(add_help=False, allow_abbrev=False)
    parser.add_argument("--part", type=_numbers)
    parser.add_argument("--k", "--case", type=_words)
    parser.add_argument("--v", action="store_true")
    options, for_pytest = parser.parse_known_args(words)
    return argparse.Namespace(**vars(options), for_pytest=for_pytest)
