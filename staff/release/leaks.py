"""Looks for what a release must not contain: a line of the solution, a roster, grades.

Lines are compared without white space and comments.  Lines of fewer than 25 characters
are not compared, because any program may contain them.  may_stand.txt has lines that a
person has read and found harmless.  answers.py checks whether code of the release
solves the assignment although no line of it is a line of the solution.
"""

import re
from pathlib import Path

from boards.reading import BadFile
from staff.release.regions import solutions

SHORTEST = 25  # characters of a line that is compared
MAY_STAND = Path(__file__).with_name("may_stand.txt")
_PRIVATE_NAMES = re.compile(
    r"(^|/)((roster|grades|gradebook)[^/]*\.(json|ya?ml|txt)"
    r"|results\.json|[^/]*\.(csv|tsv|xlsx?|ods))$"
    r"|(^|/)(grades|submissions|rosters?)/",
    re.IGNORECASE,
)


def check_for_leaks(tree: dict[str, bytes], lab: Path) -> int:
    """Look for lines of the solution in a release; return how many lines were looked
    for.

    Raises BadFile for the first file that contains such a line, or that has a name like
    that of a roster or of grades.  Also raises BadFile if a solution in `lab` is empty
    or not marked correctly.
    """
    harmless = {
        "".join(line.split()) for line in MAY_STAND.read_text("utf-8").splitlines()
    }
    secret = sorted(solution_lines(lab.read_text("utf-8"), lab) - harmless)
    for name, data in tree.items():
        if _PRIVATE_NAMES.search(name):
            raise BadFile(
                Path(name),
                1,
                "this looks like a roster or grades, which no release contains; "
                "move it out",
            )
        squeezed = b"".join(data.split())
        for line in secret:
            if line.encode() in squeezed:
                raise BadFile(
                    Path(name),
                    _line_with(line, data),
                    f"this line is part of the solution: `{line}`; take it out, or, "
                    f"if it is not secret, add it to staff/release/{MAY_STAND.name}",
                )
    return len(secret)


def solution_lines(text: str, file: Path) -> set[str]:
    """The long lines of all solutions, without white space and comments.

    Raises BadFile if a solution is empty or not marked correctly.

    >>> text = "# BEGIN SOLUTION\\nbest = max(all_values)  # of all\\n# END SOLUTION\\n"
    >>> solution_lines(text.replace("best", "best_of_them"), Path("lab.py"))
    {'best_of_them=max(all_values)'}
    """
    long_lines = set()
    for solution in solutions(text, file):
        for line in solution.lines:
            code = line.partition("  # ")[0].lstrip()
            squeezed = "".join(code.split())
            if len(squeezed) >= SHORTEST and not code.startswith("#"):
                long_lines.add(squeezed)
    return long_lines


def _line_with(line: str, data: bytes) -> int:
    """The number of the line in `data` where `line` begins, ignoring white space."""
    rows = data.split(b"\n")
    for number in range(len(rows), 0, -1):
        if line.encode() in b"".join(b"".join(rows[number - 1 :]).split()):
            return number
    return 1
