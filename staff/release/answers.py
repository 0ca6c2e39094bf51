"""Checks that no code of a release solves the assignment: `python -m
staff.release.answers`.

This is a step of `make check`.  leaks.py looks for lines of the solution in the code of
a release.  This step runs the code of the release instead.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from grader.refusal import tell
from staff.course import read_course
from staff.release.folder import write_tree
from staff.release.tree import release_tree

STAND_INS = Path(__file__).with_name("stand_ins.py")


def main() -> int:
    """Find code of a release that solves the assignment; return the exit status.

    The release is made from this master copy.  The status is 1 if it has such code.
    """
    with tempfile.TemporaryDirectory(prefix="release-") as folder:
        write_tree(release_tree(read_course()), Path(folder))
        answers = answers_in(Path(folder))
    if answers:
        tell(
            f"no file that ships may answer the lab: {', '.join(answers)}; "
            "move it to staff/"
        )
        return 1
    return 0


def answers_in(release: Path) -> list[str]:
    """Run stand_ins.py on a release, and return the lines that it prints.

    Each line names code of the release, and a graded function that this code solves.
    """
    environment = {**os.environ, "PYTHONPATH": str(release)}
    words = [sys.executable, "-B", "-P", str(STAND_INS), str(release)]
    done = subprocess.run(
        words, stdout=subprocess.PIPE, text=True, check=True, env=environment
    )
    return done.stdout.splitlines()


if __name__ == "__main__":
    sys.exit(main())
