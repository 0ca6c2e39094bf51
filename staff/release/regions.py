"""The regions of the master copy's text: solutions, which are cut out, and parts, which
a course may drop.

    # BEGIN SOLUTION ... # END SOLUTION     becomes a stub; `### BEGIN SOLUTION` is the same
    # STUB: text                            inside a solution: a line of the stub that it becomes
    # BEGIN PART 2 ... # END PART 2         stays only if part 2 is chosen; parts may nest

Without a STUB line, a solution in a function becomes `raise NotImplementedError`, and
one elsewhere becomes nothing.  `# STUB:` alone asks for nothing.
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
    """A solution: the lines between its markers, and the indices of the markers."""

    begin: int
    end: int
    lines: tuple[str, ...]


def solutions(text: str, file: Path) -> list[Solution]:
    """The solutions in a text.  BadFile if one is nested, unclosed or empty."""
    found: list[Solution] = []
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
                    f"a solution in the solution of line {begin + 1}; end that one first",
                )
            begin = number
        elif begin is None:
            raise BadFile(
                file,
                number + 1,
                "this solution ends here, but it has not begun; write `# BEGIN SOLUTION`",
            )
        else:
            inside = tuple(lines[begin + 1 : number])
            if all(
                not line.strip() or line.lstrip().startswith("#") for line in inside
            ):
                raise BadFile(
                    file,
                    begin + 1,
                    "this solution is empty; write the solution, or take the markers out",
                )
            found.append(Solution(begin, number, inside))
            begin = None
    if begin is not None:
        raise BadFile(
            file, begin + 1, "this solution has no end; write `# END SOLUTION`"
        )
    return found


def without_solutions(text: str, file: Path) -> str:
    r"""The text that students get: each solution is replaced by its stub.  Raises BadFile.

    >>> source = "def one():\n    # BEGIN SOLUTION\n    return 1\n    # END SOLUTION\n"
    >>> print(without_solutions(source, Path("lab.py")), end="")
    def one():
        raise NotImplementedError
    """
    lines = text.splitlines()
    for solution in reversed(solutions(text, file)):
        stubs = [match for line in solution.lines if (match := _STUB.match(line))]
        stub = [match[1] + match[2] for match in stubs if match[2]]
        if not stubs and _is_in_function(solution, text, file):
            marker = lines[solution.begin]
            stub = [
                marker[: len(marker) - len(marker.lstrip())]
                + "raise NotImplementedError"
            ]
        lines[solution.begin : solution.end + 1] = stub
    return "\n".join(lines) + "\n"


def _is_in_function(solution: Solution, text: str, file: Path) -> bool:
    """Whether a solution stands in a function's body, and not in a class's or at the
    top.
    """
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        raise BadFile(file, error.lineno or 1, f"not Python: {error.msg}") from None
    definitions = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    ]
    around = [
        node
        for node in definitions
        if node.lineno <= solution.begin < (node.end_lineno or 0)
    ]
    return bool(around) and isinstance(
        max(around, key=lambda node: node.lineno), ast.FunctionDef
    )


def only_parts(text: str, parts: Collection[int], file: Path) -> str:
    r"""The text without the parts that are not chosen, and without the markers of parts.

    >>> only_parts("# BEGIN PART 1\none\n# END PART 1\ntwo\n", [2], Path("lab.py"))
    'two\n'
    """
    kept = []
    inside: list[int] = []
    for number, line in enumerate(text.splitlines(), 1):
        marker = _PART.match(line)
        if not marker:
            kept += [line] if set(inside) <= set(parts) else []
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
