"""`make gradescope`: build/gradescope.zip, to be uploaded as the autograder of an assignment there."""

import sys
from fractions import Fraction

from grader.grading.sheet import shown
from grader.protocol.words import plural
from grader.refusal import tell
from staff.bundles.archive import prove, write_zip
from staff.bundles.contents import bundle, hidden_cases
from staff.course import read_course
from staff.parser import refuse_words
from staff.release.shares import course_bank, notes_on_cases
from staff.release.tree import KIT
from staff.strict.bank import check_everything

FILE = KIT / "build" / "gradescope.zip"


def main(words: list[str]) -> int:
    """Write a proved bundle; 0, or 2 if a mistake is in the way."""
    refuse_words("gradescope", words)
    try:
        check_everything()
        course = read_course()
        bank = course_bank(course)
        tree = bundle("gradescope", course)
        prove(tree, KIT / "lab.py")
    except (ValueError, OSError) as error:
        tell(error)
        return 2
    write_zip(tree, FILE)
    hidden = len(hidden_cases(course))
    cases = f"{plural(hidden, 'file')} of hidden cases: keep it private" if hidden else "no hidden cases"
    print(f"{FILE}: {len(tree)} files, {cases}; the model solution gets everything")
    for note in notes_on_cases(bank):
        tell(f"note: {note}")
    points = sum((part.points for part in bank.parts), Fraction(0))
    print(f"1. On Gradescope, make a Programming Assignment with {shown(points)} points.")
    print("2. Upload this file under Configure Autograder, with a base image of Ubuntu 22.04 or newer.")
    print("3. Run Test Autograder with lab.py of the master copy: it gets everything.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
