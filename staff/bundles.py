"""What the bundles for services have in common: the reports that grade there, and the
proof that a bundle grades.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from grader.sandbox.process import GRADER_USER
from staff.release.folder import write_tree
from staff.release.proof import Unproved
from staff.release.tree import Tree

REPORTS = Path(__file__).with_name("reports")
KIT_IN_BUNDLE = "kit"

# As a service does it: the session is asked, and no tests/ or pytest comes into it.
# Nobody need keep hidden cases from the model, so that a bundle can also be made on a
# machine that could not keep them from a student's lab.py.
_GRADE = """
import sys
from dataclasses import replace
from pathlib import Path
sys.path.insert(0, ".")
from grader.bank.cases import Bank
from grader.bank.reading import load_bank
from grader.grading.session import grade
bank = load_bank()
parts = tuple(replace(part, hidden={}) for part in bank.parts)
sheet = grade(Path(sys.argv[1]), Bank(parts, tuple(replace(case, hidden=False) for case in bank.cases)))
lost = [verdict for verdict in sheet.verdicts.values() if not verdict.passed]
said = [f"the model solution gets `{verdict.status.value}` in {verdict.case}: {verdict.message}" for verdict in lost]
sys.exit(None if sheet.is_full else said[0])
"""


def reports_with(*names: str) -> Tree:
    """The package `reports` as a bundle has it: what services share, and these files of
    one service.
    """
    return {
        f"reports/{name}": (REPORTS / name).read_bytes()
        for name in ("__init__.py", "submission.py", *names)
    }


def prove_bundle(tree: Tree, model: Path) -> None:
    """Grade the model solution with the kit of a bundle.  Raises Unproved unless it
    gets everything.
    """
    kept_out = ("LAB", "PYTHONPATH", GRADER_USER)
    environment = {
        name: value for name, value in os.environ.items() if name not in kept_out
    }
    with tempfile.TemporaryDirectory(prefix="bundle-") as folder:
        write_tree(tree, Path(folder))
        command = [sys.executable, "-B", "-P", "-c", _GRADE, str(model.resolve())]
        kit = Path(folder, KIT_IN_BUNDLE)
        done = subprocess.run(
            command, cwd=kit, env=environment, capture_output=True, text=True
        )
    if done.returncode:
        raise Unproved(
            f"with the kit of this bundle, {' '.join((done.stderr or done.stdout).split())[-300:]}"
        )
