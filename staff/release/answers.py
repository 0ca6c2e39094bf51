"""Does anything that ships answer the lab?  `python -m staff.release.answers`, a step
of `make check`.

leaks.py looks for lines of the solution; this looks at what code does.
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
    """Try out all that a release of this master copy contains; the exit status."""
    with tempfile.TemporaryDirectory(prefix="release-") as folder:
        write_tree(release_tree(read_course()), Path(folder))
        found = found_in(Path(folder))
    if found:
        tell(
            f"no file that ships may answer the lab: {', '.join(found)}; move it to staff/"
        )
    return int(bool(found))


def found_in(release: Path) -> list[str]:
    """What answers the lab in a release, each with the function that it answers."""
    environment = {**os.environ, "PYTHONPATH": str(release)}
    words = [sys.executable, "-B", "-P", str(STAND_INS), str(release)]
    return subprocess.run(
        words, stdout=subprocess.PIPE, text=True, check=True, env=environment
    ).stdout.splitlines()


if __name__ == "__main__":
    sys.exit(main())
