"""What a bundle is made of.

kit/          a release without its lab.py: the pristine files that a submission is graded with
kit/reports/  the writers, from staff/reports/
beside them   what the service starts, from programs/

A bundle with a line of the solution, a roster or grades is refused, as a release is.
"""

from pathlib import Path

from staff.course import COURSE, Course
from staff.release.leaks import check_for_leaks
from staff.release.shares import functions_of, hidden_shares
from staff.release.tree import KIT, Tree, release_tree
from staff.strict.bank import case_files, checked_bank, hidden_files

PROGRAMS = Path(__file__).parent / "programs"


def bundle(service: str, course: Course, hidden: Tree) -> Tree:
    """The files of a service's bundle, by name.  `hidden` has the case files beyond the release's.

    Raises BadFile for a mistake in what it is made of, and for what must not be in it.
    """
    kit = release_tree(course)
    del kit["lab.py"]
    kit |= hidden
    kit |= {f"reports/{file.name}": file.read_bytes() for file in (KIT / "staff" / "reports").glob("*.py")}
    tree = {f"kit/{name}": data for name, data in kit.items()}
    tree |= {file.name: file.read_bytes() for file in (PROGRAMS / service).iterdir() if file.is_file()}
    check_for_leaks(tree, KIT / "lab.py")
    return dict(sorted(tree.items()))


class Public(ValueError):
    """Something is not for everybody's eyes.  Its text is one line."""


def without_hidden(service: str, course: Course, why: str) -> Tree:
    """The files of the bundle of a service that keeps no case to itself.  Raises Public if there are hidden ones."""
    if hidden := hidden_cases(course):
        names = ", ".join(sorted(Path(name).name for name in hidden))
        unless = {
            "hidden_share: 0": course.hidden_share and hidden_files(),
            "show_answers: true": not course.show_answers,
        }
        settings = " and ".join(setting for setting, changes in unless.items() if changes)
        raise Public(f"{why}, and {names} would be hidden cases in it; set {settings} in {COURSE.relative_to(KIT)}")
    return bundle(service, course, {})


def hidden_cases(course: Course) -> Tree:
    """The case files that decide what a release leaves open: those of staff/hidden/, and the
    questions where their answers are not shown."""
    shares = hidden_shares(course, checked_bank())
    tree = {}
    for file in hidden_files() if course.hidden_share else []:
        if functions_of(file) & shares.keys():
            tree[f"boards/cases/{file.name}"] = file.read_bytes()
    for file in case_files():
        if all(shares.get(function) == 1 for function in functions_of(file)):
            tree[f"boards/cases/{file.name}"] = b"hidden: true\n" + file.read_bytes()
    return tree
