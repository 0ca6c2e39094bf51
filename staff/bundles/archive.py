"""A bundle as a zip with the same bytes every time, and the proof that it grades."""

import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from grader.sandbox.user import GRADER_USER
from staff.release.proof import Unproved, write_tree
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


def prove(tree: Tree, model: Path) -> None:
    """Grade the model solution with the kit of a bundle.  Raises Unproved unless it gets everything."""
    kept_out = ("LAB", "PYTHONPATH", GRADER_USER)
    environment = {name: value for name, value in os.environ.items() if name not in kept_out}
    with tempfile.TemporaryDirectory(prefix="bundle-") as folder:
        write_tree(tree, Path(folder))
        done = subprocess.run(
            [sys.executable, "-B", "-m", "grader", "test"], cwd=Path(folder, "kit"),
            env={**environment, "LAB": str(model)}, capture_output=True, text=True, check=False,
        )  # fmt: skip
    if done.returncode:
        said = " ".join((done.stderr or done.stdout).split())[-300:]
        raise Unproved(f"the model solution does not get everything with the kit of this bundle: {said}")
