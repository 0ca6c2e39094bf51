"""`make gradescope`: build/gradescope.zip, to be uploaded as the autograder of an assignment there."""

import sys
from fractions import Fraction
from pathlib import Path

from grader.grading.rounding import shown
from grader.protocol.words import plural
from grader.refusal import Refusal, tell
from staff.bundles.archive import prove, write_zip
from staff.bundles.contents import bundle, hidden_cases
from staff.course import read_course
from staff.release.notes import notes_on_cases
from staff.release.proof import prove_hidden
from staff.release.shares import course_bank
from staff.release.tree import KIT

FILE = KIT / "build" / "gradescope.zip"


def main(file: Path = FILE) -> int:
    """Write a proved bundle; 0, or 2 where a mistake is in the way."""
    try:
        course = read_course()
        bank = course_bank(course)
        prove_hidden(bank, KIT / "lab.py")
        hidden = hidden_cases(course)
        tree = bundle("gradescope", course, hidden)
        prove(tree, KIT / "lab.py")
    except (ValueError, OSError) as error:
        tell(error)
        return 2
    write_zip(tree, file)
    cases = f"{plural(len(hidden), 'file')} of hidden cases: keep it private" if hidden else "no hidden cases"
    print(f"{file}: {len(tree)} files, {cases}; the model solution gets everything")
    for note in notes_on_cases(bank):
        tell(f"note: {note}")
    points = shown(sum((part.points for part in bank.parts), Fraction(0)))
    print(f"1. On Gradescope, make a Programming Assignment with {points} points.")
    print("2. Upload this file under Configure Autograder, with a base image of Ubuntu 22.04 or newer.")
    print("3. Run Test Autograder with lab.py of the master copy: it gets everything.")
    return 0


if __name__ == "__main__":
    if sys.argv[1:]:
        raise Refusal(f"make gradescope takes no words, but got {sys.argv[1][:40]!r}")
    sys.exit(main())
