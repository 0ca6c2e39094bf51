"""Fits texts to a terminal: the width of lines, the colours, and the commands as this
user types them.
"""

import math
import os
import re
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from grader.refusal import as_typed, prefix, typed_beside
from grader.verdicts.verdict import Row, Status

COLUMNS = 80  # of a terminal
ROWS = 24
WIDTH = 78  # of the lines that the kit writes
COMMAND = re.compile(r"\b(?:make|python grader) \w+(?: [A-Z]+=\S+)*")
HARD_SPACE = "\u00a0"
_COLOURED = re.compile(r"\x1b\[\d+m")
# The codes of ECMA-48 for the colours: green is 32, yellow is 33, and faint text is 2.
_COLOURS = {
    Status.PASS: "32",
    Status.PARTIAL: "33",
    Status.WAITS: "33",
    Status.NOT_STARTED: "2",
}
RED = "31"  # the colour of all other statuses


def table(rows: tuple[Row, ...]) -> list[str]:
    """Return a table of what was expected and what came back.

    If the table is too wide for the screen, each row is written as one or more lines,
    without columns.  There are no lines if there are no rows.
    """
    if not rows:
        return []
    heads = ("", "expected", "yours")
    lines = [f"    {line}" for line in in_columns([heads, *rows])]
    if max(map(len, lines)) <= WIDTH:
        return lines
    below = []
    for what, expected, yours in rows:
        line = f"    {what}: expected {expected}, yours {yours}"
        if len(line) <= WIDTH:
            below.append(line)
        else:
            below += facts(what, expected=expected, yours=yours)
    return below


def in_columns(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Return a line for each row of cells.  The cells of a column are below each other.

    >>> in_columns([("a", "3"), ("bcd", "10")])
    ['a     3', 'bcd   10']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["   ".join(map(str.ljust, row, widths)).rstrip() for row in rows]


def facts(about: str, **values: str) -> list[str]:
    """Write facts below `about`, which says what the facts are about.

    Each fact begins on a new line.  The line begins with the name of the fact, such as
    `expected`.  An empty fact is left out.
    """
    lines = indented(about)
    for word, value in values.items():
        if value:
            first, *others = wrapped(value, WIDTH - 17)
            lines.append(f"      {word:<8}   {first}")
            lines += [f"{'':17}{other}" for other in others]
    return lines


def rows_of(lines: list[str]) -> int:
    """Return how many rows these lines take on a terminal that is 80 columns wide.

    >>> rows_of(["", "x" * 80, "x" * 81])
    4
    """
    lengths = [len(_COLOURED.sub("", line)) for line in lines]
    return sum(max(1, math.ceil(length / COLUMNS)) for length in lengths)


def apart(*blocks: list[str]) -> list[str]:
    """Join blocks of lines, with an empty line between two blocks.  A block without
    lines is left out.
    """
    lines: list[str] = []
    for block in filter(None, blocks):
        lines += ["", *block]
    return lines[1:]


def wrapped(text: str, width: int = WIDTH - 4) -> list[str]:
    """Fold a text into lines of at most `width` columns.

    A word that is longer than a line is broken.  A command of the kit, such as `make
    test V=1`, counts as one word.
    """
    unbroken = COMMAND.sub(lambda command: command[0].replace(" ", HARD_SPACE), text)
    lines = textwrap.wrap(unbroken, width, break_on_hyphens=False)
    return [line.replace(HARD_SPACE, " ") for line in lines] or [""]


def indented(text: str, by: int = 4) -> list[str]:
    """Fold a text into lines that begin with `by` spaces.  There are no lines if the
    text is empty.
    """
    if not text:
        return []
    return [f"{'':{by}}{line}" for line in wrapped(text, WIDTH - by)]


def within(line: str, width: int = WIDTH - 4) -> list[str]:
    """Fold a line of a picture into lines of at most `width` columns."""
    if len(line) <= width:
        return [line]
    indent = " " * min(len(line) - len(line.lstrip(" ")), width // 2)
    return textwrap.wrap(
        line.strip(" "),
        width,
        initial_indent=indent,
        subsequent_indent=f"{indent}    ",
        break_on_hyphens=False,
    )


def code(text: str) -> list[str]:
    """Fold Python code into lines that fit on the screen.  A line that is too long is
    broken after a comma if possible.
    """
    lines = []
    for line in text.splitlines():
        unbroken = line.replace(" ", HARD_SPACE).replace(f",{HARD_SPACE}", ", ")
        lines += [part.replace(HARD_SPACE, " ") for part in within(unbroken)]
    return lines


def has_escapes() -> bool:
    """Whether standard output is a terminal that understands the escape sequences of
    ECMA-48.
    """
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


@dataclass(frozen=True)
class Style:
    """How a text looks where it is shown: its colours, its characters and its commands.

    >>> Style(colour=False, ascii_only=True).finish("0x…")
    '0x...'
    >>> Style(colour=False, ascii_only=True, make=True).command(k="alphabeta")
    'make test K=alphabeta'
    """

    colour: bool
    ascii_only: bool
    # If True, every command is shown as a command of make.  If False, it is shown as
    # this user types it.
    make: bool = False

    @classmethod
    def of_terminal(cls) -> "Style":
        """Return the style that suits standard output."""
        encoding = (sys.stdout.encoding or "").lower().replace("-", "")
        ascii_only = not sys.stdout.isatty() or encoding != "utf8"
        return cls(has_escapes() and not os.environ.get("NO_COLOR"), ascii_only)

    def paint(self, text: str, status: Status) -> str:
        """Return a text in the colour of a status."""
        if not self.colour:
            return text
        return f"\x1b[{_COLOURS.get(status, RED)}m{text}\x1b[0m"

    def finish(self, text: str) -> str:
        """Return a text in which the characters that cannot be shown are replaced."""
        if not self.ascii_only:
            return text
        return text.replace("…", "...").encode("ascii", "backslashreplace").decode()

    def command(self, verb: str = "test", **words: str) -> str:
        """Return a command of the kit, with its verb and words, in the form that this
        user types.
        """
        program = "make" if self.make else prefix()
        parts = [program, verb]
        for name, value in words.items():
            if program == "make":
                parts.append(f"{name.upper()}={value}")
            else:
                parts.append(f"--{name} {value}")
        if not self.make:
            parts += typed_beside()
        return " ".join(parts)

    def typed(self, sentence: str) -> str:
        """Return a sentence in which each command of make has the form that this user
        types.
        """
        return sentence if self.make else as_typed(sentence)
