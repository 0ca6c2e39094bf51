"""Does anything that ships answer the lab?  `python -m staff.release.answers`, a step of `make check`.

It looks by what code does for what leaks.py looks for by its letters.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from grader.refusal import tell
from staff.course import read_course
from staff.release.proof import Unproved, write_tree
from staff.release.tree import release_tree

STAND_INS = Path(__file__).with_name("stand_ins.py")


def main() -> int:
    """Try out all that a release of this master copy contains; the exit status."""
    with tempfile.TemporaryDirectory(prefix="release-") as folder:
        write_tree(release_tree(read_course()), Path(folder))
        try:
            prove_nothing_answers(Path(folder))
        except Unproved as error:
            tell(error)
            return 1
    return 0


def prove_nothing_answers(copy: Path) -> None:
    """Raise Unproved where something in a release answers the lab; only where there is fork."""
    if not hasattr(os, "fork"):
        return
    done = subprocess.run(
        [sys.executable, "-B", "-P", str(STAND_INS), str(copy)], capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(copy)},
    )  # fmt: skip
    if done.returncode:
        raise Unproved(f"what ships could not be tried out: {' '.join(done.stderr.split())[-300:]}")
    answers = [" answers ".join(json.loads(line)) for line in done.stdout.splitlines()]
    if answers:
        raise Unproved(f"no file that ships may answer the lab: {', '.join(answers)}; move it to staff/")


if __name__ == "__main__":
    sys.exit(main())
