"""What a terminal can show, and how a command is typed there."""

import os
import sys

from grader.judging.verdict import Status
from grader.refusal import is_below_make
from grader.showing.layout import plain_ascii

_COLOURS = {Status.PASS: "32", Status.PARTIAL: "33", Status.WAITS: "33", Status.NOT_STARTED: "2"}


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
        self._make = make or is_below_make()

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
        if self._make:
            return " ".join([f"make {verb}", *(f"{name.upper()}={value}" for name, value in words.items())])
        return " ".join([f"python grader {verb}", *(f"--{name} {value}" for name, value in words.items())])
