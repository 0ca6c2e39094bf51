"""`make classroom50`: build/classroom50/, to be copied into the folder of an assignment
in the repository classroom50.

autograder.py     what Classroom 50 starts
requirements.txt  what that installs
kit/              of a release, what grades: without lab.py, the handout and hidden cases
kit/reports/      what grades there

Classroom 50 serves all of it on public pages.  So the kit is a release's, which is
public already, and nothing else.
"""

import sys
from pathlib import Path

from grader.cli import enter
from grader.grading.sheet import shown
from grader.parser import refuse_words
from grader.protocol.words import plural
from grader.refusal import tell
from staff.bundles import KIT_IN_BUNDLE, prove_bundle, reports_with
from staff.course import Course, read_course
from staff.release.folder import replace_folder
from staff.release.leaks import check_for_leaks
from staff.release.shares import course_bank
from staff.release.tree import KIT, Tree, release_tree
from staff.strict.bank import check_everything

HERE, OUT = Path(__file__).parent, KIT / "build" / "classroom50"
GRADES = (
    "api/",
    "boards/",
    "grader/",
    "LICENSE",
    "Makefile",
)  # cases of make run type that


def main(words: list[str]) -> int:
    """Write a proved bundle; 0, or 2 if a mistake is in the way."""
    refuse_words("classroom50", words)
    check_everything()
    course = read_course()
    bank = course_bank(course)
    tree = bundle(course)
    prove_bundle(tree, KIT / "lab.py")
    replace_folder(OUT, tree)
    print(
        f"{OUT}: {plural(len(tree), 'file')}, none of them secret; the model solution gets everything"
    )
    later = sum(bank.worth(case) for case in bank.cases if case.hidden)
    if later:
        tell(
            f"note: hidden cases are not in it: {shown(later)} points wait for make grade"
        )
    print(
        "1. Copy this folder into your organization's repository classroom50, as CLASSROOM/autograders/ASSIGNMENT."
    )
    print(
        "2. Commit and push it there, and name report.html under Submission release files."
    )
    print(
        "3. Push lab.py of the master copy in a test student's repository: it gets everything."
    )
    return 0


def bundle(course: Course) -> Tree:
    """The files of the bundle, by name.

    Raises BadFile for a mistake in what it is made of, and for what must not be in it.
    """
    kit = {
        name: data
        for name, data in release_tree(course).items()
        if name.startswith(GRADES)
    }
    kit |= reports_with("classroom50.py", "classroom50.schema.json")
    tree = {f"{KIT_IN_BUNDLE}/{name}": data for name, data in kit.items()}
    tree |= {
        name: (HERE / name).read_bytes()
        for name in ("autograder.py", "requirements.txt")
    }
    check_for_leaks(tree, KIT / "lab.py")
    return tree


if __name__ == "__main__":
    sys.exit(enter(["classroom50", *sys.argv[1:]]))
