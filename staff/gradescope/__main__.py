"""`make gradescope`: writes build/gradescope.zip, an autograder for Gradescope.

kit/          a release without its lab.py, with hidden cases
kit/reports/  the program that grades a submission on Gradescope
beside kit/   the programs that Gradescope starts
"""

import sys
import zipfile
from pathlib import Path

from grader.bank.cases import Bank
from grader.cli import enter
from grader.grading.sheet import as_points
from grader.parser import Parser
from grader.protocol.text import plural
from grader.refusal import tell
from staff.bundles import KIT_IN_BUNDLE, prove_bundle, reports_with
from staff.course import Course, read_course
from staff.release.leaks import check_for_leaks
from staff.release.questions import case_files_of, model_for
from staff.release.shares import (
    course_bank,
    functions_of,
    hidden_shares,
    notes_on_cases,
)
from staff.release.tree import KIT, Tree, release_tree
from staff.strict.bank import case_files, check_everything, hidden_files

HERE = Path(__file__).parent
FILE = KIT / "build" / "gradescope.zip"
STARTED = ("setup.sh", "run_autograder")  # Gradescope starts these two programs
FIRST_MOMENT = (1980, 1, 1, 0, 0, 0)  # the earliest time that a zip file can hold
UNIX = 3  # the code of the system on which the mode of a file counts


def main(words: list[str]) -> int:
    """Make a bundle, let it grade the model solution, and say what to do next.

    Return 0.  Raises Refusal.
    """
    Parser("gradescope", "make gradescope takes no words").read(words)
    check_everything()
    course = read_course()
    bank = course_bank(course)
    hidden = hidden_cases(course)
    tree = bundle(course, hidden)
    with model_for(course) as model:
        prove_bundle(tree, model)
    write_zip(tree, FILE)
    cases = "no hidden cases"
    if hidden:
        cases = f"{plural(len(hidden), 'file')} of hidden cases: keep it private"
    print(f"{FILE}: {len(tree)} files, {cases}; the model solution gets everything")
    for note in notes_on_cases(bank):
        tell(f"note: {note}")
    print(*next_steps(bank, course), sep="\n")
    return 0


def next_steps(bank: Bank, course: Course) -> list[str]:
    """Say what an instructor should do next, in three lines."""
    points = as_points(sum(part.points for part in bank.parts))
    score = "everything"
    if course.questions:
        score = "everything but the points of part 3, whose questions are your own"
    return [
        f"1. On Gradescope, make a Programming Assignment with {points} points.",
        "2. Upload this file under Configure Autograder, with a base image of Ubuntu "
        "22.04 or newer.",
        f"3. Run Test Autograder with lab.py of the master copy: it gets {score}.",
    ]


def bundle(course: Course, hidden: Tree) -> Tree:
    """Return the files of the bundle.  The keys are their names.

    Raises BadFile for a mistake in the master copy, and for a file that must not be in
    the bundle.
    """
    kit = release_tree(course) | hidden
    del kit["lab.py"]
    kit |= reports_with("gradescope.py")
    tree = {f"{KIT_IN_BUNDLE}/{name}": data for name, data in kit.items()}
    tree |= {name: (HERE / name).read_bytes() for name in STARTED}
    check_for_leaks(tree, KIT / "lab.py")
    return tree


def hidden_cases(course: Course) -> Tree:
    """Return the case files with the cases that students do not have.

    If the course has hidden cases, these are the files of staff/hidden/ for functions
    of the course.  If the course does not show the answers to its questions, the
    questions are among them.
    """
    shares = hidden_shares(course)
    tree = {}
    if course.hidden_share:
        for file in hidden_files():
            if functions_of(file) & shares.keys():
                tree[f"boards/cases/{file.name}"] = file.read_bytes()
    with case_files_of(course, case_files()) as files:
        for file in files:
            if all(shares.get(function) == 1 for function in functions_of(file)):
                data = b"hidden: true\n" + file.read_bytes()
                tree[f"boards/cases/{file.name}"] = data
    return tree


def write_zip(tree: Tree, file: Path) -> None:
    """Write the files of a bundle into a zip file.  Equal files always give equal
    bytes.

    A file that starts with #! is executable.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in sorted(tree.items()):
            entry = zipfile.ZipInfo(name, FIRST_MOMENT)
            entry.create_system = UNIX
            entry.compress_type = zipfile.ZIP_DEFLATED
            mode = 0o100644
            if data.startswith(b"#!"):
                mode = 0o100755
            entry.external_attr = mode << 16
            archive.writestr(entry, data)


if __name__ == "__main__":
    sys.exit(enter(["gradescope", *sys.argv[1:]]))
