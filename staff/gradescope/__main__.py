"""`make gradescope`: build/gradescope.zip, to be uploaded as the autograder of an
assignment there.

kit/          a release without its lab.py, and hidden cases: the pristine files that a submission is graded with
kit/reports/  what grades there
beside them   what Gradescope starts
"""

import sys
import zipfile
from pathlib import Path

from grader.cli import enter
from grader.grading.sheet import shown
from grader.parser import refuse_words
from grader.protocol.words import plural
from grader.refusal import tell
from staff.bundles import KIT_IN_BUNDLE, prove_bundle, reports_with
from staff.course import Course, read_course
from staff.release.leaks import check_for_leaks
from staff.release.shares import (
    course_bank,
    functions_of,
    hidden_shares,
    notes_on_cases,
)
from staff.release.tree import KIT, Tree, release_tree
from staff.strict.bank import case_files, check_everything, hidden_files

HERE, FILE = Path(__file__).parent, KIT / "build" / "gradescope.zip"
_FIRST_MOMENT, _UNIX = (1980, 1, 1, 0, 0, 0), 3


def main(words: list[str]) -> int:
    """Write a proved bundle; 0, or 2 if a mistake is in the way."""
    refuse_words("gradescope", words)
    check_everything()
    course = read_course()
    bank, hidden = course_bank(course), hidden_cases(course)
    tree = bundle(course, hidden)
    prove_bundle(tree, KIT / "lab.py")
    write_zip(tree, FILE)
    cases = (
        f"{plural(len(hidden), 'file')} of hidden cases: keep it private"
        if hidden
        else "no hidden cases"
    )
    print(f"{FILE}: {len(tree)} files, {cases}; the model solution gets everything")
    for note in notes_on_cases(bank):
        tell(f"note: {note}")
    points = sum(part.points for part in bank.parts)
    print(
        f"1. On Gradescope, make a Programming Assignment with {shown(points)} points."
    )
    print(
        "2. Upload this file under Configure Autograder, with a base image of Ubuntu 22.04 or newer."
    )
    print("3. Run Test Autograder with lab.py of the master copy: it gets everything.")
    return 0


def bundle(course: Course, hidden: Tree) -> Tree:
    """The files of the bundle, by name.

    Raises BadFile for a mistake in what it is made of, and for what must not be in it.
    """
    kit = release_tree(course) | hidden
    del kit["lab.py"]
    kit |= reports_with("gradescope.py")
    tree = {f"{KIT_IN_BUNDLE}/{name}": data for name, data in kit.items()}
    tree |= {
        name: (HERE / name).read_bytes() for name in ("setup.sh", "run_autograder")
    }
    check_for_leaks(tree, KIT / "lab.py")
    return tree


def hidden_cases(course: Course) -> Tree:
    """The case files that decide what a release leaves open: those of staff/hidden/,
    and the questions if their answers are not shown.
    """
    shares = hidden_shares(course)
    tree = {}
    for file in hidden_files() if course.hidden_share else []:
        if functions_of(file) & shares.keys():
            tree[f"boards/cases/{file.name}"] = file.read_bytes()
    for file in case_files():
        if all(shares.get(function) == 1 for function in functions_of(file)):
            tree[f"boards/cases/{file.name}"] = b"hidden: true\n" + file.read_bytes()
    return tree


def write_zip(tree: Tree, file: Path) -> None:
    """Write the files of a tree, with the same bytes every time; what starts with #! is
    executable.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in sorted(tree.items()):
            entry = zipfile.ZipInfo(name, _FIRST_MOMENT)
            entry.create_system = _UNIX
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (
                0o100755 if data.startswith(b"#!") else 0o100644
            ) << 16
            archive.writestr(entry, data)


if __name__ == "__main__":
    sys.exit(enter(["gradescope", *sys.argv[1:]]))
