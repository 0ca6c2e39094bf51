"""`make classroom50`: build/classroom50.zip, an autograder for Classroom 50.

Everybody can read what is uploaded there, so hidden cases are refused.
"""

import sys
from pathlib import Path

from grader.refusal import Refusal, tell
from staff.bundles.archive import prove, write_zip
from staff.bundles.contents import without_hidden
from staff.course import read_course
from staff.release.notes import notes_on_cases
from staff.release.shares import course_bank
from staff.release.tree import KIT

FILE = KIT / "build" / "classroom50.zip"


def main(file: Path = FILE) -> int:
    """Write a proved bundle; 0, or 2 where a mistake or a hidden case is in the way."""
    try:
        course = read_course()
        tree = without_hidden("classroom50", course, "everybody can read a Classroom 50 bundle")
        prove(tree, KIT / "lab.py")
    except (ValueError, OSError) as error:
        tell(error)
        return 2
    write_zip(tree, file)
    for note in notes_on_cases(course_bank(course)):
        tell(f"note: {note}")
    print(f"{file}: {len(tree)} files, none of them secret; the model solution gets everything")
    print("Unpack it where Classroom 50 takes an assignment's autograder: autograder.py at the top, kit/ beside it.")
    return 0


if __name__ == "__main__":
    if sys.argv[1:]:
        raise Refusal(f"make classroom50 takes no words, but got {sys.argv[1][:40]!r}")
    sys.exit(main())
