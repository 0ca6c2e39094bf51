"""What a release must not contain: a line of the solution, a roster, grades.

What answers the lab in other words is found by stand_ins.py.

Lines are compared without white space and comments, and only from 25 characters on: shorter ones
stand in any program.  may_stand.txt lists the lines that a person has looked at and found harmless.
"""

import io
import re
import tokenize
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
_PRIVATE_HEADERS = re.compile(
    rb"^\W*(Student,\s*ID|identifier,\s*github_username|Identifier,\s*Full name|SIS User ID)", re.I | re.M
)


def check_for_leaks(tree: dict[str, bytes], lab: Path, allowed: Path = MAY_STAND) -> int:
    """The number of solution lines that were searched for, none of which was found.

    Raises BadFile, which names the first file with a line that must not stand in it.
    """
    lines = solution_lines(lab.read_text("utf-8"), lab) - _allowed(allowed)
    for name, data in tree.items():
        if _PRIVATE_NAMES.search(name) or _PRIVATE_HEADERS.search(data):
            raise BadFile(Path(name), 1, "this looks like a roster or grades, which no release contains; move it out")
        squeezed = b"".join(data.split())
        for line in sorted(lines):
            if line.encode() in squeezed:
                raise BadFile(
                    Path(name),
                    _line_with(line, data),
                    f"a line of the solution stands here: `{line}`; take it out, or, where that is no "
                    f"secret, add it to staff/release/{MAY_STAND.name}",
                )
    return len(lines)


def solution_lines(text: str, file: Path) -> set[str]:
    """The lines of all solutions, without white space and comments, that are long enough to tell.

    >>> text = "# BEGIN SOLUTION\\nbest = max(values) * 100  # the best\\nworst = 1\\n# END SOLUTION\\n"
    >>> solution_lines(text.replace("best", "best_of_all"), Path("lab.py"))
    {'best_of_all=max(values)*100'}
    """
    bare = _without_comments(text).splitlines()
    found = (
        "".join(line.split()) for solution in solutions(text, file) for line in bare[solution.begin + 1 : solution.end]
    )
    return {line for line in found if len(line) >= SHORTEST}


def _without_comments(text: str) -> str:
    lines = text.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    return "\n".join(lines)


def _allowed(file: Path) -> set[str]:
    lines = (line for line in file.read_text("utf-8").splitlines() if not line.startswith("#"))
    return {"".join(line.split()) for line in lines}


def _line_with(line: str, data: bytes) -> int:
    """The number of the line in which a text begins that was found without white space."""
    for number in range(len(rows := data.split(b"\n")), 0, -1):
        if line.encode() in b"".join(b"".join(rows[number - 1 :]).split()):
            return number
    return 1
