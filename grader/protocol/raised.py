"""Raised: an exception from lab.py as plain data."""

from dataclasses import dataclass

from grader.protocol.words import harmless

Frames = tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class Raised:
    """An exception: its type, the names of that and of all its bases, its text, and where it came from.

    `frames` are lines of lab.py, each with its function, innermost last; `in_heuristic` says that a heuristic of the
    kit raised it.
    """

    type: str
    bases: tuple[str, ...]
    text: str
    frames: Frames
    in_heuristic: bool = False


def inside(frames: Frames) -> str:
    """The function of the innermost of these lines; empty if there is none."""
    return harmless(frames[-1][1], 60) if frames else ""
