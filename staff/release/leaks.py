"""What a release must not contain: a line of the solution, a roster, grades.

Lines are compared without white space and comments, and only from 25 characters on:
shorter ones stand in any program.  may_stand.txt lists the lines that a person has
looked at and found harmless.  Whether something that ships answers the lab in other
words is tried by answers.py.
"""

import re
from pathlib import Path

from boards.reading import BadFile
from staff.release.regions import solutions

SHORTEST = 25
MAY_STAND = Path(__file__).with_name("may_stand.txt")
_PRIVATE_NAMES = re.compile(
    r"(^|/)((roster|grades|gradebook)[^/]*\.(json|ya?ml|txt)|results\.json|[^/]*\.(csv|tsv|xlsx?|ods))$"
    r"|(^|/)(grades|submissions|rosters?)/",
    re.IGNORECASE,
)


def check_for_leaks(tree: dict[str, bytes], lab: Path) -> int:
    """The number of solution lines that were searched for, none of which was found.

    Raises BadFile, which names the first file with a line that must not stand in it.
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
                "this looks like a roster or grades, which no release contains; move it out",
            )
        squeezed = b"".join(data.split())
        for line in secret:
            if line.encode() in squeezed:
                raise BadFile(
                    Path(name),
                    _line_with(line, data),
                    f"a line of the solution stands here: `{line}`; take it out, or, if that is no secret, add it to "
                    f"staff/release/{MAY_STAND.name}",
                )
    return len(secret)


def solution_lines(text: str, file: Path) -> set[str]:
    """The lines of all solutions, without white space and comments, that are long
    enough to tell.

    >>> text = "# BEGIN SOLUTION\\nbest = max(values) * 100  # the best\\nworst = 1\\n# END SOLUTION\\n"
    >>> solution_lines(text.replace("best", "best_of_all"), Path("lab.py"))
    {'best_of_all=max(values)*100'}
    """
    lines = (
        line.partition("  # ")[0]
        for solution in solutions(text, file)
        for line in solution.lines
    )
    squeezed = (
        "".join(line.split()) for line in lines if not line.lstrip().startswith("#")
    )
    return {line for line in squeezed if len(line) >= SHORTEST}


def _line_with(line: str, data: bytes) -> int:
    """The number of the line in which a text begins that was found without white
    space.
    """
    rows = data.split(b"\n")
    for number in range(len(rows), 0, -1):
        if line.encode() in b"".join(b"".join(rows[number - 1 :]).split()):
            return number
    return 1
