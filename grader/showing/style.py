"""What a terminal can show: text in its width, 80 columns of which the last stays free, and colours; and how a command
is typed there."""

import os
import sys

from grader.judging.sentences import Status
from grader.refusal import as_typed, door, typed_beside

WIDTH = 78
_COLOURS = {Status.PASS: "32", Status.PARTIAL: "33", Status.WAITS: "33", Status.NOT_STARTED: "2"}


def plain_ascii(text: str) -> str:
    """The text as a terminal shows it that has nothing but ASCII."""
    return text.replace("…", "...").encode("ascii", "backslashreplace").decode()


def table(rows: tuple[tuple[str, str, str], ...]) -> list[str]:
    """What was wanted beside what came back; below each other where a screen is too narrow for that."""
    lines = [("", "wanted", "yours"), *rows]
    first, second, third = (max(columns(row[column]) for row in lines) for column in (0, 1, 2))
    if first + second + third + 10 <= WIDTH:
        return [f"    {what:<{first}}   {wanted:<{second}}   {yours}".rstrip() for what, wanted, yours in lines]
    below: list[str] = []
    for what, *values in rows:
        below += indented(what)
        for word, value in zip(("wanted", "yours"), values, strict=True):
            beginning, *others = wrapped(value, WIDTH - 16)
            below += [f"      {word:<6}   {beginning}", *(f"{'':15}{line}" for line in others)]
    return below


def wrapped(text: str, width: int = WIDTH - 4) -> list[str]:
    """The text in lines that fit a terminal; a word that is longer than a line is broken."""
    lines = [""]
    for word in text.split(" "):
        for piece in _pieces(word, width - 1):
            if lines[-1] and columns(lines[-1]) + columns(piece) >= width:
                lines.append("")
            lines[-1] += f" {piece}" if lines[-1] else piece
    return lines


def indented(text: str, by: int = 4) -> list[str]:
    """The text in lines that begin with so many blanks; none where there is no text."""
    return [f"{'':{by}}{line}" for line in wrapped(text, WIDTH - max(by, 4))] if text else []


def _pieces(word: str, width: int) -> list[str]:
    """A word in pieces of this width."""
    if columns(word) <= width:
        return [word]
    if word.isascii():
        return [word[start : start + width] for start in range(0, len(word), width)]
    pieces = [""]
    for character in word:
        if columns(pieces[-1]) + columns(character) > width:
            pieces.append("")
        pieces[-1] += character
    return pieces


def within(line: str, width: int = WIDTH - 4) -> list[str]:
    """A line of a picture; what is too wide to be one (a call with many arguments) goes on in the next."""
    if columns(line) <= width:
        return [line]
    indent = " " * min(len(line) - len(line.lstrip(" ")), width // 2)
    first, *others = wrapped(line.strip(" "), width - len(indent))
    return [indent + first, *(f"{indent}    {other}" for other in wrapped(" ".join(others), width - len(indent) - 4))]


def code(text: str, width: int = WIDTH - 4) -> list[str]:
    """Python in lines that fit, of which one that is too long goes on behind a comma."""
    held = [line.replace(" ", "\0").replace(",\0", ", ") for line in text.splitlines()]
    return [part.replace("\0", " ") for line in held for part in within(line, width)]


def cut(line: str, width: int) -> str:
    """A line that fits into so many columns, with a mark where it was cut."""
    return line if columns(line) <= width else f"{_pieces(line, width - 3)[0]}…"


def columns(text: str) -> int:
    """How many columns a text takes at most: those of its plain ASCII form.

    >>> columns("0x…"), columns("é")
    (5, 4)
    """
    return len(text) if text.isascii() else len(plain_ascii(text))


def has_escapes() -> bool:
    """Whether standard output is a terminal that knows the sequences of ECMA-48."""
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


class Style:
    """Colour where the terminal has it, plain ASCII where it has nothing else, and commands that
    can be typed: those of make where this runs below it, or where `make` says so.

    >>> Style(colour=False, ascii_only=True).finish("0x…")
    '0x...'
    >>> Style(colour=False, ascii_only=True, make=True).command(k="alphabeta")
    'make test K=alphabeta'
    """

    def __init__(self, colour: bool, ascii_only: bool, make: bool = False) -> None:
        self._colour, self._ascii_only = colour, ascii_only
        self._door, self._beside = ("make", []) if make else (door(), typed_beside())

    @classmethod
    def of_terminal(cls) -> "Style":
        """What standard output can show."""
        terminal = sys.stdout.isatty()
        encoding = (sys.stdout.encoding or "").lower().replace("-", "")
        return cls(has_escapes() and not os.environ.get("NO_COLOR"), not terminal or encoding != "utf8")

    def paint(self, text: str, status: Status) -> str:
        """The text in the colour of a status."""
        return self.tint(text, _COLOURS.get(status, "31"))

    def tint(self, text: str, colour: str) -> str:
        """The text in a colour, which is one of ECMA-48's numbers: 31 red, 33 yellow, 1 bold, 2 faint, 7 inverse."""
        return f"\x1b[{colour}m{text}\x1b[0m" if self._colour else text

    def finish(self, text: str) -> str:
        """The text as this terminal can show it."""
        return plain_ascii(text) if self._ascii_only else text

    def command(self, verb: str = "test", **words: str) -> str:
        """The command that runs some cases, or does something else with them."""
        is_make = self._door == "make"
        given = (f"{name.upper()}={value}" if is_make else f"--{name} {value}" for name, value in words.items())
        return " ".join([self._door, verb, *given, *self._beside])

    def typed(self, sentence: str) -> str:
        """A sentence in which the commands of make are as they are typed here."""
        return sentence if self._door == "make" else as_typed(sentence)
