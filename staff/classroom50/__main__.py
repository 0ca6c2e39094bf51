"""`make classroom50`: writes build/classroom50/, an autograder for Classroom 50.

autograder.py     the program that Classroom 50 starts
requirements.txt  the packages that autograder.py installs
kit/              the part of a release that grades: no lab.py, handout or hidden cases
kit/reports/      the program that grades a submission on Classroom 50

An instructor copies the folder into the repository classroom50.  Classroom 50 shows
that repository on public pages.  So the folder holds nothing that must stay secret.
"""

import sys
from pathlib import Path

from grader.cli import enter
from grader.grading.sheet import as_points
from grader.parser import Parser
from grader.protocol.text import plural
from grader.refusal import tell
from staff.bundles import KIT_IN_BUNDLE, prove_bundle, reports_with
from staff.course import Course, read_course
from staff.release.folder import replace_folder
from staff.release.leaks import check_for_leaks
from staff.release.questions import model_for
from staff.release.shares import course_bank
from staff.release.tree import KIT, Tree, release_tree
from staff.strict.bank import check_everything

HERE = Path(__file__).parent
OUT = KIT / "build" / "classroom50"
GRADES = ("api/", "boards/", "grader/", "LICENSE", "Makefile")
"""The part of a release that grades.  It has the Makefile, because cases type `make
run`.
"""

# Classroom 50 starts the first file, and that file installs what the second one lists.
STARTED = ("autograder.py", "requirements.txt")
NEXT_STEPS = (
    "1. Copy this folder into your organization's repository classroom50, as "
    "CLASSROOM/autograders/ASSIGNMENT.",
    "2. Commit and push it there, and name report.html under Submission release files.",
    "3. Push lab.py of the master copy in a test student's repository: it gets "
    "everything.",
)


def main(words: list[str]) -> int:
    """Make a bundle, let it grade the model solution, and say what to do next.

    Return 0.  Raises Refusal.
    """
    Parser("classroom50", "make classroom50 takes no words").read(words)
    check_everything()
    course = read_course()
    bank = course_bank(course)
    tree = bundle(course)
    with model_for(course) as model:
        prove_bundle(tree, model)
    replace_folder(OUT, tree)
    files = plural(len(tree), "file")
    print(f"{OUT}: {files}, none of them secret; the model solution gets everything")
    later = sum(bank.worth(case) for case in bank.cases if case.hidden)
    if later:
        tell(
            f"note: hidden cases are not in it: {as_points(later)} points wait for "
            "make grade"
        )
    print(*NEXT_STEPS, sep="\n")
    return 0


def bundle(course: Course) -> Tree:
    """Return the files of the bundle.  The keys are their names.

    Raises BadFile for a mistake in the master copy, and for a file that must not be in
    the bundle.
    """
    kit = {
        name: data
        for name, data in release_tree(course).items()
        if name.startswith(GRADES)
    }
    kit |= reports_with("classroom50.py", "classroom50.schema.json")
    tree = {f"{KIT_IN_BUNDLE}/{name}": data for name, data in kit.items()}
    tree |= {name: (HERE / name).read_bytes() for name in STARTED}
    check_for_leaks(tree, KIT / "lab.py")
    return tree


if __name__ == "__main__":
    sys.exit(enter(["classroom50", *sys.argv[1:]]))
