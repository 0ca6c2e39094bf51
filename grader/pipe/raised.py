"""Raised: an exception of the student's as plain data."""

from dataclasses import dataclass
from typing import Any

from grader.pipe.plain import Garbled
from grader.pipe.words import harmless

Frames = tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class Raised:
    """An exception: its type, the names of that and of all its bases, its text, and where it came from.

    `frames` are lines of lab.py, each with the function that it is in, innermost last; `in_heuristic` says
    that it was raised in a heuristic of the kit's.
    """

    type: str
    bases: tuple[str, ...] = ()
    text: str = ""
    frames: Frames = ()
    in_heuristic: bool = False


def inside(frames: Frames) -> str:
    """The function of lab.py that is the innermost of these lines; empty where there is none."""
    return harmless(frames[-1][1], 60) if frames else ""


def read_raised(sent: Any) -> Raised:
    """The exception that a child process sent.  Raises Garbled where it is in no form that ours sends.

    >>> read_raised({"type": "KeyError", "bases": ["KeyError"], "text": "3", "frames": [[12, "solve"]]})
    Raised(type='KeyError', bases=('KeyError',), text='3', frames=((12, 'solve'),), in_heuristic=False)
    """
    match sent:
        case {"type": str(kind), "bases": [*bases], "text": str(text), "frames": [*frames], **more}:
            if all(isinstance(base, str) for base in bases):
                return Raised(kind, tuple(bases), text, tuple(map(_frame, frames)), more.get("in_heuristic") is True)
    raise Garbled


def _frame(sent: Any) -> tuple[int, str]:
    match sent:
        case [int(line), str(name)]:
            return line, name
    raise Garbled
