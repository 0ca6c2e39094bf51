"""`make classroom50`: build/classroom50.zip, an autograder for Classroom 50.

Everybody can read what is uploaded there, so hidden cases are refused.
"""

import sys
from pathlib import Path

from grader.refusal import tell
from staff.bundles.archive import prove, write_zip
from staff.bundles.contents import bundle, hidden_cases
from staff.course import read_course
from staff.parser import refuse_words
from staff.release.shares import course_bank, notes_on_cases
from staff.release.tree import KIT
from staff.strict.bank import check_everything

FILE = KIT / "build" / "classroom50.zip"


def main(words: list[str]) -> int:
    """Write a proved bundle; 0, or 2 if a mistake or a hidden case is in the way."""
    refuse_words("classroom50", words)
    try:
        check_everything()
        course = read_course()
        if hidden := hidden_cases(course):
            names = ", ".join(sorted(Path(name).name for name in hidden))
            settings = "hidden_share: 0 and show_answers: true in staff/course.yaml"
            raise ValueError(
                f"everybody can read a Classroom 50 bundle, and {names} would be hidden cases in it; set {settings}"
            )
        tree = bundle("classroom50", course)
        prove(tree, KIT / "lab.py")
    except (ValueError, OSError) as error:
        tell(error)
        return 2
    write_zip(tree, FILE)
    for note in notes_on_cases(course_bank(course)):
        tell(f"note: {note}")
    print(f"{FILE}: {len(tree)} files, none of them secret; the model solution gets everything")
    print("Unpack it where Classroom 50 takes an assignment's autograder: autograder.py at the top, kit/ beside it.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
