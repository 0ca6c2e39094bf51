"""Opens a sandbox in which one case runs at a time."""

from pathlib import Path

from grader.protocol.answer import Answer, Request
from grader.sandbox.sandbox import Sandbox


class OneByOne(Sandbox):
    """A sandbox that is asked case by case."""

    def answer(self, request: Request) -> Answer:
        """The Answer to one case, in a process of its own."""
        (answer,) = self.run([request])
        return answer


def open_sandbox(lab: Path, fork: bool | None = None) -> OneByOne:
    """A sandbox for this lab.py."""
    return OneByOne(lab, fork)
