"""Screen: the terminal on which the tools write, and on which a person answers."""

import io
import sys
import textwrap
from dataclasses import dataclass
from typing import TextIO

from api.players import Quit
from grader.protocol.text import harmless
from grader.showing.style import Style, within

COLUMNS = 79  # of a line; style.py leaves one column more free


@dataclass
class Screen:
    """The terminal, or a pipe that replaces it.

    A Screen writes lines of at most 79 columns, and only characters that can be shown.
    """

    stream: TextIO
    keyboard: TextIO
    style: Style

    @classmethod
    def of_terminal(cls) -> "Screen":
        """The screen for the current standard output and standard input."""
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        return cls(sys.stdout, sys.stdin, Style.of_terminal())

    def say(self, text: str, indent: str = "") -> None:
        """Write sentences, folded.  `indent` comes before every line but the first."""
        words = self.style.finish(self.style.typed(text))
        lines = textwrap.wrap(
            words, COLUMNS, subsequent_indent=indent, break_on_hyphens=False
        )
        self.tell("\n".join(lines))

    def tell(self, text: str) -> None:
        """Write lines as they are."""
        self._write(f"{self.style.finish(text)}\n")

    def tell_within(self, text: str) -> None:
        """Write lines, and fold those that are too wide.

        No word is broken.
        """
        lines = [part for line in text.splitlines() for part in within(line, COLUMNS)]
        self.tell("\n".join(lines))

    def wait(self, text: str) -> None:
        """On a terminal, write a line that the next line overwrites.

        The next line must be longer.
        """
        if self.stream.isatty():
            self._write(f"{text}\r")

    def ask(self, question: str) -> str:
        """Ask a question, and return the line that somebody types.

        Raises Quit for `q`, and at the end of the input.
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
