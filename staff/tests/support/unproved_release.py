"""Writes the release of the master copy in the working directory, without its proof.

    python -P staff/tests/support/unproved_release.py FOLDER

It prints what `make release` says to do next.  The proof takes long, and most tests do
without it.
"""

import sys
from pathlib import Path

sys.path.insert(0, ".")  # the kit in the working directory, and not that of this file

from staff.course import read_course
from staff.release.__main__ import next_steps
from staff.release.folder import check_folder, replace_folder
from staff.release.tree import release_tree


def main(out: Path) -> None:
    """Write the release into a folder."""
    course = read_course()
    check_folder(out, course.version)
    replace_folder(out, release_tree(course))
    print(*next_steps(out, course), sep="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
