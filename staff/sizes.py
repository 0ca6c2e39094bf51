"""How large the kit is, room by room: `python -m staff.sizes`, a step of `make check`.

A line counts if it is neither blank nor comment nor docstring.  The totals bind: the check fails past one of them, so
that growth is a decision.  The gradebook and its tests have totals of their own, and are in no other.  The limits of
the rooms are guides; a room that is past its own is marked.  What people read has a limit of words.
"""

import ast
import io
import subprocess
import sys
import tokenize
from pathlib import Path

from staff.release.regions import without_solutions

KIT = Path(__file__).parent.parent

ROOMS = {  # how the names of its files begin, and how many lines are enough
    "api": (("api/",), 890),
    "boards": (("boards/",), 470),
    "lab.py as a stub, tests": (("lab.py", "tests/"), 90),
    "sandbox": (("grader/protocol/", "grader/sandbox/", "grader/worker/", "grader/finder"), 720),
    "calls": (("grader/calls/",), 400),
    "kinds": (("grader/kinds/",), 1850),
    "judging": (("grader/judging/", "grader/diagnosing/"), 290),
    "grading": (("grader/grading/",), 380),
    "showing": (("grader/showing/",), 290),
    "commands": (("grader/commands/",), 310),
    "tools": (("grader/tools/",), 780),
    "entry and release": (("grader/",), 200),
}
HANDOUT = "docs/student/README.md"
WORDS = {"README.md": 1300, "CONTRIBUTING.md": 900, "CHANGELOG.md": 800, HANDOUT: 7500}
RIGHT_LABS, TESTS = "staff/right_labs/", ("staff/tests/", "staff/labs/")
GRADEBOOK, ITS_TESTS = "staff/gradebook/", "staff/tests/gradebook/"  # which have limits of their own
GENERATED = ("staff/gradebook/hidden.py", "staff/gradebook/disguise.py")
NO_CODE = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER,
}  # fmt: skip


def main() -> int:
    """Print the table; the exit status is 1 past a total."""
    names = subprocess.check_output(["git", "ls-files", "*.py", ":!docs"], cwd=KIT, text=True).split()
    texts = {name: (KIT / name).read_text("utf-8") for name in names if (KIT / name).is_file()}
    lines = {name: code_lines(text) for name, text in texts.items()}
    stub = code_lines(without_solutions(texts["lab.py"], KIT / "lab.py"))
    generated = sum(lines.pop(name, 0) for name in GENERATED)
    gradebook, its_tests = (sizes_below(lines, room) for room in (GRADEBOOK, ITS_TESTS))
    rooms = room_sizes(lines | {"lab.py": stub})
    for room, (_, guide) in ROOMS.items():
        _tell(room, rooms[room], guide, "   past its guide")
    totals = [
        ("total: a release", sum(rooms.values()), 7000),
        ("total: staff", sum(size for name, size in lines.items() if is_staff(name)), 3000),
        ("total: staff/tests", sum(size for name, size in lines.items() if name.startswith(TESTS)), 6300),
        ("total: all Python", sum(lines.values()), 18000),
        ("total: the gradebook", gradebook, 1500),
        ("total: generated cases", generated, 250),
        ("total: the gradebook's tests", its_tests, 1000),
    ]
    totals += [(f"words: {name}", len((KIT / name).read_text("utf-8").split()), limit) for name, limit in WORDS.items()]
    handout = (KIT / HANDOUT).read_text("utf-8")
    totals.append(("words before part 0", len(handout.partition("## Part 0")[0].split()), 900))
    return max([_tell(total, size, limit, "   TOO LARGE") for total, size, limit in totals])


def _tell(room: str, size: int, limit: int, complaint: str) -> bool:
    """Print a line of the table; whether the limit is passed."""
    print(f"{room:30} {size:6} of {limit:6}{complaint if size > limit else ''}")
    return size > limit


def code_lines(text: str) -> int:
    """How many lines of a Python text are neither blank nor comment nor docstring.

    >>> code_lines('# a comment\\n\\ndef one():\\n    "what it does"\\n    return 1\\n')
    2
    """
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in NO_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            docstring = node.body[0]
            lines.difference_update(range(docstring.lineno, (docstring.end_lineno or 0) + 1))
    return len(lines)


def sizes_below(lines: dict[str, int], folder: str) -> int:
    """Take the files below a folder out of the lines of all files; how many lines they have."""
    return sum(lines.pop(name) for name in sorted(lines) if name.startswith(folder))


def room_sizes(lines: dict[str, int]) -> dict[str, int]:
    """The lines of each room of a release: a file is in the first one whose beginning fits."""
    sizes = dict.fromkeys(ROOMS, 0)
    for name, size in lines.items():
        fitting = [room for room, (beginnings, _) in ROOMS.items() if name.startswith(beginnings)]
        if fitting and not is_staff(name):
            sizes[fitting[0]] += size
    return sizes


def is_staff(name: str) -> bool:
    """Whether a file is the staff's own: neither shipped, nor a test, nor a right lab."""
    if Path(name).name.startswith("staff") and name.startswith("grader/kinds/"):
        return True
    return name.startswith("staff/") and not name.startswith((RIGHT_LABS, *TESTS))


if __name__ == "__main__":
    sys.exit(main())
