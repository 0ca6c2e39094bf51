"""What a terminal can show: text in its width, 80 columns of which the last stays free,
and colours; and how a command is typed there.
"""

import math
import os
import re
import sys
import textwrap

from grader.judging.verdict import Status
from grader.refusal import as_typed, prefix, typed_beside

COLUMNS, ROWS = 80, 24  # of a terminal
WIDTH = 78
COMMAND = re.compile(r"\b(?:make|python grader) \w+(?: [A-Z]+=\S+)*")
HARD_SPACE = "\u00a0"
_COLOURED = re.compile(r"\x1b\[\d+m")
_COLOURS = {
    Status.PASS: "32",
    Status.PARTIAL: "33",
    Status.WAITS: "33",
    Status.NOT_STARTED: "2",
}


def table(rows: tuple[tuple[str, str, str], ...]) -> list[str]:
    """What was expected beside what came back; if a screen is too narrow for that, row
    by row.
    """
    lines = [("", "expected", "yours"), *rows]
    first, second, third = (
        max(len(row[column]) for row in lines) for column in (0, 1, 2)
    )
    if first + second + third + 10 <= WIDTH:
        return [
            f"    {what:<{first}}   {expected:<{second}}   {yours}".rstrip()
            for what, expected, yours in lines
        ]
    below = []
    for what, expected, yours in rows:
        line = f"    {what}: expected {expected}, yours {yours}"
        below += (
            [line]
            if len(line) <= WIDTH
            else facts(what, expected=expected, yours=yours)
        )
    return below


def facts(about: str, **values: str) -> list[str]:
    """Some facts about the same thing below each other, each with its word; one that is
    not known is left out.
    """
    lines = indented(about)
    for word, value in values.items():
        first, *others = wrapped(value, WIDTH - 17)
        lines += (
            [f"      {word:<8}   {first}", *(f"{'':17}{other}" for other in others)]
            if value
            else []
        )
    return lines


def rows_of(lines: list[str]) -> int:
    """How many rows of a terminal with 80 columns the lines take.

    >>> rows_of(["", "x" * 80, "x" * 81])
    4
    """
    lengths = [len(_COLOURED.sub("", line)) for line in lines]
    return sum(max(1, math.ceil(length / COLUMNS)) for length in lengths)


def apart(*blocks: list[str]) -> list[str]:
    """The lines of some blocks, with an empty line between two."""
    return [line for block in blocks if block for line in ("", *block)][1:]


def wrapped(text: str, width: int = WIDTH - 4) -> list[str]:
    """The text in lines that fit a terminal; a word that is longer than a line is
    broken, and a command is not.
    """
    unbroken = COMMAND.sub(lambda command: command[0].replace(" ", HARD_SPACE), text)
    lines = textwrap.wrap(unbroken, width, break_on_hyphens=False)
    return [line.replace(HARD_SPACE, " ") for line in lines] or [""]


def indented(text: str, by: int = 4) -> list[str]:
    """The text in lines that begin with so many blanks; none when there is no text."""
    return (
        [f"{'':{by}}{line}" for line in wrapped(text, WIDTH - max(by, 4))]
        if text
        else []
    )


def within(line: str, width: int = WIDTH - 4) -> list[str]:
    """A line of a picture; what is too wide to be one (a call with many arguments) goes
    on in the next.
    """
    if len(line) <= width:
        return [line]
    indent = " " * min(len(line) - len(line.lstrip(" ")), width // 2)
    rest = f"{indent}    "
    return textwrap.wrap(
        line.strip(),
        width,
        initial_indent=indent,
        subsequent_indent=rest,
        break_on_hyphens=False,
    )


def code(text: str, width: int = WIDTH - 4) -> list[str]:
    """Python in lines that fit, of which one that is too long goes on behind a
    comma.
    """
    held = [line.replace(" ", "\0").replace(",\0", ", ") for line in text.splitlines()]
    return [part.replace("\0", " ") for line in held for part in within(line, width)]


def has_escapes() -> bool:
    """Whether standard output is a terminal that knows the sequences of ECMA-48."""
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


class Style:
    """Colour if the terminal has it, plain ASCII if it has nothing else, and commands
    that can be typed: those of make below make, or if `make` says so.

    >>> Style(colour=False, ascii_only=True).finish("0x…")
    '0x...'
    >>> Style(colour=False, ascii_only=True, make=True).command(k="alphabeta")
    'make test K=alphabeta'
    """

    def __init__(self, colour: bool, ascii_only: bool, make: bool = False) -> None:
        self._colour, self._ascii_only = colour, ascii_only
        self._prefix, self._beside = (
            ("make", []) if make else (prefix(), typed_beside())
        )

    @classmethod
    def of_terminal(cls) -> "Style":
        """What standard output can show."""
        encoding = (sys.stdout.encoding or "").lower().replace("-", "")
        ascii_only = not sys.stdout.isatty() or encoding != "utf8"
        return cls(has_escapes() and not os.environ.get("NO_COLOR"), ascii_only)

    def paint(self, text: str, status: Status) -> str:
        """The text in the colour of a status."""
        return self.tint(text, _COLOURS.get(status, "31"))

    def tint(self, text: str, colour: str) -> str:
        """The text in a colour, which is one of ECMA-48's numbers: 31 red, 33 yellow, 1
        bold, 2 faint, 7 inverse.
        """
        return f"\x1b[{colour}m{text}\x1b[0m" if self._colour else text

    def finish(self, text: str) -> str:
        """The text as this terminal can show it."""
        return (
            text.replace("…", "...").encode("ascii", "backslashreplace").decode()
            if self._ascii_only
            else text
        )

    def command(self, verb: str = "test", **words: str) -> str:
        """The command that runs some cases, or does something else with them."""
        is_make = self._prefix == "make"
        given = [
            f"{name.upper()}={value}" if is_make else f"--{name} {value}"
            for name, value in words.items()
        ]
        return " ".join([self._prefix, verb, *given, *self._beside])

    def typed(self, sentence: str) -> str:
        """A sentence in which the commands of make are as they are typed here."""
        return sentence if self._prefix == "make" else as_typed(sentence)
