"""Measures the size of each room: `python -m staff.tokens`, a step of `make check`.

Python is counted in tokens, because a limit on lines would reward dense code.
Comments, docstrings, indents and line ends do not count.  The sizes of rooms are for
information.  Only a release has a limit.
"""

import ast
import io
import sys
import tokenize
from dataclasses import dataclass
from pathlib import Path

from grader.kit import KIT
from grader.refusal import Refusal, tell
from staff.course import read_course
from staff.release.sample import SAMPLE
from staff.release.tree import release_tree

# How many tokens a release may have.  Whoever raises the limit gives the reason here
# and in the commit.  The ladder takes some 6,800 tokens.  The rest of a release takes
# 1,900 more than the goal that was set when a limit on tokens replaced the limit on
# lines.  There are four reasons.  Dense code has been written out.  A mistyped name
# gets a suggestion.  The grader starts `make run` early, before it grades the case that
# needs the output of `make run`.  The report says what a case waits for.
LIMIT = 93_750
NOT_COUNTED = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}
TITLES = (
    "room                   tokens   lines  tokens/line  conditionals/100 statements"
)
OTHER_STYLES = (
    "staff/submissions/right_labs/"  # submissions as other people would write them
)


@dataclass(frozen=True)
class Size:
    """The size of some Python code."""

    tokens: int = 0
    lines: int = 0  # lines that hold a token
    statements: int = 0  # statements, without docstrings
    conditionals: int = 0  # expressions of the form `a if b else c`

    def __add__(self, other: "Size") -> "Size":
        return Size(
            self.tokens + other.tokens,
            self.lines + other.lines,
            self.statements + other.statements,
            self.conditionals + other.conditionals,
        )

    @property
    def tokens_per_line(self) -> float:
        return self.tokens / max(self.lines, 1)

    @property
    def conditionals_per_100(self) -> float:
        """How many conditional expressions there are for every 100 statements."""
        return 100 * self.conditionals / max(self.statements, 1)


def main() -> int:
    """Print the size of each room and of a release; return the exit status.

    The status is 1 if the release is too large, and 2 if no release can be made.
    """
    print(TITLES)
    for room, size in sizes_of_rooms(texts_of_kit()).items():
        print(_row(room, size))
    try:
        release = size_of_release()
    except Refusal as error:
        tell(error)
        return 2
    print(_row("a release", release))
    total = f"a release has {release.tokens} of {LIMIT} tokens"
    if release.tokens > LIMIT:
        print(f"{total}   TOO LARGE")
        return 1
    print(total)
    return 0


def _row(name: str, size: Size) -> str:
    """Return one line of the table."""
    return (
        f"{name:20} {size.tokens:8} {size.lines:7} {size.tokens_per_line:12.1f} "
        f"{size.conditionals_per_100:28.1f}"
    )


def texts_of_kit() -> dict[str, str]:
    """Return the text of each Python file of the master copy.  The key is the path of
    the file.

    The files in OTHER_STYLES are left out.
    """
    files = [KIT / "lab.py"]
    for folder in ("api", "boards", "grader", "staff", "tests"):
        files += sorted((KIT / folder).rglob("*.py"))
    texts = {}
    for file in files:
        name = file.relative_to(KIT).as_posix()
        if not name.startswith(OTHER_STYLES):
            texts[name] = file.read_text("utf-8")
    return texts


def room_of(name: str) -> str:
    """Return the room of a file, which is the first folder in its path.

    In grader/ and staff/, the room has the second folder too.

    >>> room_of("grader/kinds/search/judge.py"), room_of("grader/cli.py")
    ('grader/kinds', 'grader')
    >>> room_of("api/board.py"), room_of("lab.py")
    ('api', 'lab.py')
    """
    outer, *inner = Path(name).parts
    if outer in ("grader", "staff") and len(inner) > 1:
        return f"{outer}/{inner[0]}"
    return outer


def sizes_of_rooms(texts: dict[str, str]) -> dict[str, Size]:
    """Return the size of each room, counting only these files."""
    sizes: dict[str, Size] = {}
    for name, text in texts.items():
        room = room_of(name)
        sizes[room] = sizes.get(room, Size()) + size_of(text)
    return dict(sorted(sizes.items()))


def size_of_release() -> Size:
    """Return the size of all Python files in a release of the sample course."""
    total = Size()
    for name, data in release_tree(read_course(SAMPLE)).items():
        if name.endswith(".py"):
            total += size_of(data.decode())
    return total


def size_of(text: str) -> Size:
    """Return the size of one Python file.

    >>> size_of('def f(n):  # why\\n    "What."\\n\\n    return 1 if n > 0 else -1\\n')
    Size(tokens=15, lines=2, statements=2, conditionals=1)
    """
    tree = ast.parse(text)
    nodes = list(ast.walk(tree))
    docstrings = [
        node for node in nodes if isinstance(node, ast.Expr) and _is_text(node.value)
    ]
    starts = {(node.lineno, node.col_offset) for node in docstrings}
    count = 0
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in NOT_COUNTED or token.start in starts:
            continue
        count += 1
        lines.update(range(token.start[0], token.end[0] + 1))
    statements = sum(isinstance(node, ast.stmt) for node in nodes) - len(docstrings)
    conditionals = sum(isinstance(node, ast.IfExp) for node in nodes)
    return Size(count, len(lines), statements, conditionals)


def _is_text(node: ast.expr) -> bool:
    """Whether an expression is a text.

    If such an expression is a whole statement, it is a docstring, or explains the line
    above.
    """
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


if __name__ == "__main__":
    sys.exit(main())
