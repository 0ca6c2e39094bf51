"""Grades the model solution with the kit in a bundle, as a service does.

    python -P staff/bundle_proof.py LAB.PY     in the folder of that kit

A bundle is what a service such as Gradescope gets.  bundles.py starts this program in
the folder of the kit in the bundle, so that Python imports that kit.  This program uses
neither tests/ nor pytest.  It grades hidden cases as if they were public, because
nothing has to be hidden from the model solution.  So a bundle can also be made on a
machine that could not keep hidden cases from a student's lab.py.

If the model solution does not earn all points, the exit status is not 0, and the last
line names a case that it does not pass.
"""

import sys
from dataclasses import replace
from pathlib import Path

# The imports below must find the kit of the bundle, which is in the working directory.
sys.path.insert(0, ".")

from grader.bank.cases import Bank
from grader.bank.reading import load_bank
from grader.grading.session import grade


def main(lab: Path) -> None:
    """Grade a lab.py.  Exit with a message unless the lab.py earns all points."""
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
