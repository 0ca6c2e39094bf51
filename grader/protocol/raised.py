"""Raised: an exception of the student's as plain data."""

from dataclasses import dataclass

from grader.protocol.words import harmless

Frames = tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class Raised:
    """An exception: its type, the names of that and of all its bases, its text, and where it came from.

    `frames` are lines of lab.py, each with the function that it is in, innermost last; `in_heuristic` says
    that it was raised in a heuristic of the kit's.
    """

    type: str
    bases: tuple[str, ...]
    text: str
    frames: Frames
    in_heuristic: bool = False


def inside(frames: Frames) -> str:
    """The function of lab.py that is the innermost of these lines; empty where there is none."""
    return harmless(frames[-1][1], 60) if frames else ""
