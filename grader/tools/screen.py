"""Screen: the terminal.  The tools write on it, and a person answers on it."""

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
    """The terminal, or a pipe that takes its place.

    `say` and `tell_within` write lines of at most 79 columns.  `say`, `tell` and
    `tell_within` replace the characters that the terminal cannot show.
    """

    stream: TextIO
    keyboard: TextIO
    style: Style

    @classmethod
    def of_terminal(cls) -> "Screen":
        """Return the screen that writes to standard output and reads from standard
        input.
        """
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        return cls(sys.stdout, sys.stdin, Style.of_terminal())

    def say(self, text: str, indent: str = "") -> None:
        """Write sentences, folded into lines.  Every line but the first begins with
        `indent`.
        """
        words = self.style.finish(self.style.typed(text))
        lines = textwrap.wrap(
            words, COLUMNS, subsequent_indent=indent, break_on_hyphens=False
        )
        self.tell("\n".join(lines))

    def tell(self, text: str) -> None:
        """Write lines without folding them."""
        self._write(f"{self.style.finish(text)}\n")

    def tell_within(self, text: str) -> None:
        """Write lines.  A line that is too wide is folded.

        A word is broken only if it alone is wider than a line.
        """
        lines = [part for line in text.splitlines() for part in within(line, COLUMNS)]
        self.tell("\n".join(lines))

    def wait(self, text: str) -> None:
        """On a terminal, write a line that the next line overwrites.  If the stream is
        not a terminal, do nothing.

        The next line must not be shorter.  Otherwise the end of this line would stay on
        the screen.
        """
        if self.stream.isatty():
            self._write(f"{text}\r")

    def ask(self, question: str) -> str:
        """Ask a question, and return the line that somebody types as the answer.

        Raises Quit if the answer is `q`, or if there is no more input.
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
