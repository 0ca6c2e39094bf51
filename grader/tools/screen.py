"""Screen: what play writes to the terminal, and reads from it."""

import io
import sys
import textwrap
from typing import TextIO

from api.players import Quit
from grader.protocol.words import harmless
from grader.showing.style import Style

WIDTH = 79


class Screen:
    """The terminal, or whatever stands in its place: lines that fit, in colour where there is colour."""

    def __init__(self, stream: TextIO, keyboard: TextIO, style: Style) -> None:
        self.stream, self.keyboard, self.style = stream, keyboard, style
        self._waiting = 0

    @classmethod
    def of_terminal(cls) -> "Screen":
        """Standard output, as it is now; whatever is typed can be read."""
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        return cls(sys.stdout, sys.stdin, Style.of_terminal())

    def say(self, text: str, indent: str = "") -> None:
        """Write sentences, wrapped; `indent` stands before every line but the first."""
        words = self.style.finish(self.style.typed(text))
        self.show(textwrap.wrap(words, WIDTH, subsequent_indent=indent, break_on_hyphens=False))

    def show(self, lines: list[str]) -> None:
        """Write lines as they are."""
        self._write("\n".join([*lines, ""]))

    def wait(self, text: str) -> None:
        """Write what the next line will take the place of; on a terminal only."""
        if self.stream.isatty():
            self._write(text)
            self._waiting = len(text)

    def ask(self, question: str) -> str:
        """A line that somebody types.  Raises Quit at the end of the input."""
        self._write(question)
        text = self.keyboard.readline()
        if not self.keyboard.isatty():  # at a terminal the line stands there already
            self._write(f"{self.style.finish(harmless(text.strip(), 20))}\n")
        if not text:
            raise Quit(0)
        return text.strip()

    def _write(self, text: str) -> None:
        over = f"\r{' ' * self._waiting}\r" if self._waiting else ""
        self._waiting = 0
        self.stream.write(over + text)
        self.stream.flush()
