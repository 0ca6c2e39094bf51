"""Screen: what play and trace write to the terminal, and read from it."""

import io
import sys
import textwrap
from typing import TextIO

from api.players import Quit
from grader.protocol.words import harmless
from grader.showing.style import Style, within

WIDTH = 79


class Screen:
    """The terminal, or whatever takes its place: lines that fit, in characters that it
    can show.
    """

    def __init__(self, stream: TextIO, keyboard: TextIO, style: Style) -> None:
        self.stream, self.keyboard, self.style = stream, keyboard, style

    @classmethod
    def of_terminal(cls) -> "Screen":
        """Standard output and input, as they are now."""
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        return cls(sys.stdout, sys.stdin, Style.of_terminal())

    def say(self, text: str, indent: str = "") -> None:
        """Write sentences, wrapped; `indent` stands before every line but the first."""
        words = self.style.finish(self.style.typed(text))
        self.tell(
            "\n".join(
                textwrap.wrap(
                    words, WIDTH, subsequent_indent=indent, break_on_hyphens=False
                )
            )
        )

    def tell(self, text: str) -> None:
        """Write lines as they are."""
        self._write(f"{self.style.finish(text)}\n")

    def tell_within(self, text: str) -> None:
        """Write lines as they are; one that is too wide goes on in the next, and no
        word is broken.
        """
        self.tell(
            "\n".join(
                part for line in text.splitlines() for part in within(line, WIDTH)
            )
        )

    def wait(self, text: str) -> None:
        """On a terminal, write a line which the next one replaces, since that is
        longer.
        """
        if self.stream.isatty():
            self._write(f"{text}\r")

    def ask(self, question: str) -> str:
        """A line that somebody types.  Raises Quit at the end of the input, and for
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
