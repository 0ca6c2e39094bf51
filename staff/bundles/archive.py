"""A bundle as a zip with the same bytes every time, and the proof that it grades."""

import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from grader.sandbox.user import GRADER_USER
from staff.release.folder import write_tree
from staff.release.proof import Unproved
from staff.release.tree import Tree

_FIRST_MOMENT = (1980, 1, 1, 0, 0, 0)
_UNIX = 3


def write_zip(tree: Tree, file: Path) -> None:
    """Write the files of a tree, sorted, with fixed times; what starts with #! is executable."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in sorted(tree.items()):
            entry = zipfile.ZipInfo(name, _FIRST_MOMENT)
            entry.create_system = _UNIX
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if data.startswith(b"#!") else 0o100644) << 16
            archive.writestr(entry, data)


# As a service does it: the session is asked, and no tests/ or pytest comes into it.  Nobody need keep hidden cases from
# the model, so that a bundle can also be made on a machine that could not keep them from a student's lab.py.
_GRADE = """
import sys
from dataclasses import replace
from pathlib import Path
sys.path.insert(0, ".")
from boards.cases import Bank, load_bank
from grader.grading.session import grade
bank = load_bank()
parts = tuple(replace(part, hidden={}) for part in bank.parts)
sheet = grade(Path(sys.argv[1]), Bank(parts, tuple(replace(case, hidden=False) for case in bank.cases)))
lost = [verdict for verdict in sheet.verdicts.values() if not verdict.passed]
said = [f"the model solution gets `{verdict.status.value}` in {verdict.case}: {verdict.message}" for verdict in lost]
sys.exit(None if sheet.is_full else said[0])
"""


def prove(tree: Tree, model: Path) -> None:
    """Grade the model solution with the kit of a bundle.  Raises Unproved unless it gets everything."""
    kept_out = ("LAB", "PYTHONPATH", GRADER_USER)
    environment = {name: value for name, value in os.environ.items() if name not in kept_out}
    with tempfile.TemporaryDirectory(prefix="bundle-") as folder:
        write_tree(tree, Path(folder))
        done = subprocess.run(
            [sys.executable, "-B", "-P", "-c", _GRADE, str(model.resolve())], cwd=Path(folder, "kit"),
            env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
    if done.returncode:
        raise Unproved(f"with the kit of this bundle, {' '.join((done.stderr or done.stdout).split())[-300:]}")
