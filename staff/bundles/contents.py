"""What a bundle is made of.

kit/          a release without its lab.py: the pristine files that a submission is graded with
kit/reports/  the writers, from staff/reports/
beside them   what the service starts, from programs/

A bundle with a line of the solution, a roster or grades is refused, as a release is.
"""

from pathlib import Path

from staff.course import Course
from staff.release.leaks import check_for_leaks
from staff.release.shares import functions_of, hidden_shares
from staff.release.tree import KIT, Tree, release_tree
from staff.strict.bank import case_files, hidden_files

PROGRAMS = Path(__file__).parent / "programs"


def bundle(service: str, course: Course) -> Tree:
    """The files of a service's bundle, by name, with hidden cases if the course has any.

    Raises BadFile for a mistake in what it is made of, and for what must not be in it.
    """
    kit = release_tree(course) | hidden_cases(course)
    del kit["lab.py"]
    kit |= {f"reports/{file.name}": file.read_bytes() for file in (KIT / "staff" / "reports").glob("*.py")}
    tree = {f"kit/{name}": data for name, data in kit.items()}
    tree |= {file.name: file.read_bytes() for file in (PROGRAMS / service).iterdir() if file.is_file()}
    check_for_leaks(tree, KIT / "lab.py")
    return dict(sorted(tree.items()))


def hidden_cases(course: Course) -> Tree:
    """The case files that decide what a release leaves open: those of staff/hidden/, and the questions if their
    answers are not shown."""
    shares = hidden_shares(course)
    tree = {}
    for file in hidden_files() if course.hidden_share else []:
        if functions_of(file) & shares.keys():
            tree[f"boards/cases/{file.name}"] = file.read_bytes()
    for file in case_files():
        if all(shares.get(function) == 1 for function in functions_of(file)):
            tree[f"boards/cases/{file.name}"] = b"hidden: true\n" + file.read_bytes()
    return tree
