"""Screen: the terminal, where make play and make trace write and a person answers."""

import io
import sys
import textwrap
from dataclasses import dataclass
from typing import TextIO

from api.players import Quit
from grader.protocol.text import harmless
from grader.showing.style import Style, within

COLUMNS = 79  # of a line; style.py leaves a column more free beside a table


@dataclass
class Screen:
    """The terminal, or a pipe in its place.

    A Screen writes lines of at most 79 columns, in characters that can be shown.
    """

    stream: TextIO
    keyboard: TextIO
    style: Style

    @classmethod
    def of_terminal(cls) -> "Screen":
        """Standard output and input, as they are now."""
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        return cls(sys.stdout, sys.stdin, Style.of_terminal())

    def say(self, text: str, indent: str = "") -> None:
        """Write sentences, wrapped; `indent` stands before every line but the first."""
        words = self.style.finish(self.style.typed(text))
        lines = textwrap.wrap(
            words, COLUMNS, subsequent_indent=indent, break_on_hyphens=False
        )
        self.tell("\n".join(lines))

    def tell(self, text: str) -> None:
        """Write lines as they are."""
        self._write(f"{self.style.finish(text)}\n")

    def tell_within(self, text: str) -> None:
        """Write lines as they are.  A line that is too wide goes on in the next one;
        no word is broken.
        """
        lines = [part for line in text.splitlines() for part in within(line, COLUMNS)]
        self.tell("\n".join(lines))

    def wait(self, text: str) -> None:
        """On a terminal, write a line that the next one replaces.  The next one must be
        longer.
        """
        if self.stream.isatty():
            self._write(f"{text}\r")

    def ask(self, question: str) -> str:
        """The line that somebody types.  Raises Quit at the end of the input and for
        `q`.
        """
        self._write(question)
        text = self.keyboard.readline()
        if not self.keyboard.isatty():  # a terminal shows the line already
            self._write(f"{self.style.finish(harmless(text.strip(), 20))}\n")
        if not text or text.strip() == "q":
            raise Quit(0)
        return text.strip()

    def _write(self, text: str) -> None:
        self.stream.write(text)
        self.stream.flush()
