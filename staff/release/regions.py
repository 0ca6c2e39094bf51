"""Reads the regions in the master copy's lab.py: solutions and parts.

    # BEGIN SOLUTION ... # END SOLUTION   a release has a stub in its place
    # STUB: text                          within a solution: a line of the stub
    # BEGIN PART 2 ... # END PART 2       only in a release with part 2; parts may nest

`### BEGIN SOLUTION` means the same as `# BEGIN SOLUTION`.  If a solution in a function
has no STUB line, its stub is `raise NotImplementedError`.  Elsewhere the stub is empty.
A line `# STUB:` without a text makes the stub empty too.
"""

import ast
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from boards.reading import BadFile

_SOLUTION = re.compile(r"^\s*#+\s*(BEGIN|END)\s+SOLUTION\b", re.IGNORECASE)
_PART = re.compile(r"^\s*#+\s*(BEGIN|END)\s+PART\s+(\d+)\s*$", re.IGNORECASE)
_STUB = re.compile(r"^(\s*)#+\s*STUB:\s?(.*)$")


@dataclass(frozen=True)
class Solution:
    """A solution in a text of lab.py."""

    begin: int  # the index of the line with the first marker
    end: int  # the index of the line with the second marker
    lines: tuple[str, ...]  # the lines between the markers


def solutions(text: str, file: Path) -> list[Solution]:
    """The solutions in a text.

    Raises BadFile if a solution is nested or empty, or lacks one of its markers.
    """
    closed: list[Solution] = []
    # The index of the line with `# BEGIN SOLUTION`; None outside of a solution.
    begin = None
    lines = text.splitlines()
    for number, line in enumerate(lines):
        marker = _SOLUTION.match(line)
        if not marker:
            continue
        if marker[1].upper() == "BEGIN":
            if begin is not None:
                raise BadFile(
                    file,
                    number + 1,
                    f"a solution in the solution of line {begin + 1}; "
                    "end that one first",
                )
            begin = number
        elif begin is None:
            raise BadFile(
                file,
                number + 1,
                "this solution ends here, but it has not begun; "
                "write `# BEGIN SOLUTION`",
            )
        else:
            inside = tuple(lines[begin + 1 : number])
            if not any(map(_is_code, inside)):
                raise BadFile(
                    file,
                    begin + 1,
                    "this solution is empty; "
                    "write the solution, or take the markers out",
                )
            closed.append(Solution(begin, number, inside))
            begin = None
    if begin is not None:
        raise BadFile(
            file, begin + 1, "this solution has no end; write `# END SOLUTION`"
        )
    return closed


def _is_code(line: str) -> bool:
    """Whether a line has code, and not only spaces or a comment."""
    return bool(line.strip()) and not line.lstrip().startswith("#")


def without_solutions(text: str, file: Path) -> str:
    r"""Put a stub in place of each solution in a text.  Raises BadFile.

    >>> source = "def one():\n    # BEGIN SOLUTION\n    return 1\n    # END SOLUTION\n"
    >>> print(without_solutions(source, Path("lab.py")), end="")
    def one():
        raise NotImplementedError
    """
    lines = text.splitlines()
    for solution in reversed(solutions(text, file)):
        stub_lines = [match for line in solution.lines if (match := _STUB.match(line))]
        stub = [match[1] + match[2] for match in stub_lines if match[2]]
        if not stub_lines and _is_in_function(solution, text, file):
            marker = lines[solution.begin]
            indent = marker[: len(marker) - len(marker.lstrip())]
            stub = [f"{indent}raise NotImplementedError"]
        lines[solution.begin : solution.end + 1] = stub
    return "\n".join(lines) + "\n"


def _is_in_function(solution: Solution, text: str, file: Path) -> bool:
    """Whether the innermost definition around a solution is a function.

    Raises BadFile if the text is not Python.
    """
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        raise BadFile(file, error.lineno or 1, f"not Python: {error.msg}") from None
    innermost: ast.FunctionDef | ast.ClassDef | None = None
    for node in ast.walk(tree):  # outer definitions come before inner ones
        if not isinstance(node, ast.FunctionDef | ast.ClassDef):
            continue
        if node.lineno <= solution.begin < (node.end_lineno or 0):
            innermost = node
    return isinstance(innermost, ast.FunctionDef)


def only_parts(text: str, parts: Collection[int], file: Path) -> str:
    r"""Remove the parts that are not chosen, and all markers of parts.  Raises BadFile.

    >>> only_parts("# BEGIN PART 1\none\n# END PART 1\ntwo\n", [2], Path("lab.py"))
    'two\n'
    """
    kept = []
    inside: list[int] = []  # the parts that a line is in, the outermost first
    for number, line in enumerate(text.splitlines(), 1):
        marker = _PART.match(line)
        if not marker:
            if set(inside) <= set(parts):
                kept.append(line)
        elif marker[1].upper() == "BEGIN":
            inside.append(int(marker[2]))
        elif not inside or inside.pop() != int(marker[2]):
            raise BadFile(
                file,
                number,
                f"part {marker[2]} ends here, but it is not the part that began last",
            )
    if inside:
        raise BadFile(file, number, f"part {inside[-1]} begins and does not end")
    return "\n".join(kept) + "\n"
