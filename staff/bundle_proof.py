"""Grades the model solution with the kit of a bundle, as a service does it.

    python -P staff/bundle_proof.py LAB.PY     in the folder of that kit

The kit is imported from the working directory: bundles.py starts this program there.
The session is asked directly, without tests/ and pytest.  Hidden cases run as public
ones, since nothing has to be kept from the model solution: so a bundle can be made on a
machine that could not keep hidden cases from a student's lab.py.

The exit status is not 0, and the last line says why, if a case does not pass.
"""

import sys
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, ".")  # before the imports of the kit, which are the bundle's

from grader.bank.cases import Bank
from grader.bank.reading import load_bank
from grader.grading.session import grade


def main(lab: Path) -> None:
    """Grade a lab.py; exit with a message unless it passes everything."""
    hidden_bank = load_bank()
    parts = [replace(part, hidden={}) for part in hidden_bank.parts]
    cases = [replace(case, hidden=False) for case in hidden_bank.cases]
    sheet = grade(lab, Bank(tuple(parts), tuple(cases)))
    for verdict in sheet.verdicts.values():
        if not verdict.passed and not sheet.is_full:
            sys.exit(
                f"the model solution gets `{verdict.status.value}` in {verdict.case}: "
                f"{verdict.message}"
            )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
