"""What the bundles for all services have in common.

A bundle holds the program that grades on a service such as Gradescope.  Before a bundle
is written, the model solution has to earn all points with the kit in the bundle.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from boards.refusal import Refusal
from grader.sandbox.process import GRADER_USER
from staff.release.folder import write_tree
from staff.release.proof import end_of_output
from staff.release.tree import Tree

HERE = Path(__file__).parent
REPORTS = HERE / "reports"
PROOF = HERE / "bundle_proof.py"
KIT_IN_BUNDLE = "kit"
# Environment variables that could change how the bundle grades.  The process that
# grades the model solution does not get them.
KEPT_OUT = ("LAB", "PYTHONPATH", GRADER_USER)


def reports_with(*names: str) -> Tree:
    """Return the files of the package `reports` in a bundle.

    They are the files that every service needs, and the files in `names`, which only
    one service needs.
    """
    return {
        f"reports/{name}": (REPORTS / name).read_bytes()
        for name in ("__init__.py", "submission.py", *names)
    }


def prove_bundle(tree: Tree, model: Path) -> None:
    """Grade the model solution with the kit of a bundle.

    Raises Refusal unless the model solution earns all points.
    """
    environment = {
        name: value for name, value in os.environ.items() if name not in KEPT_OUT
    }
    command = [sys.executable, "-B", "-P", str(PROOF), str(model.resolve())]
    with tempfile.TemporaryDirectory(prefix="bundle-") as folder:
        write_tree(tree, Path(folder))
        done = subprocess.run(
            command,
            cwd=Path(folder, KIT_IN_BUNDLE),
            env=environment,
            capture_output=True,
            text=True,
        )
    if done.returncode:
        raise Refusal(f"with the kit of this bundle, {end_of_output(done)}")
