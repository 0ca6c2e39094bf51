"""Places in a tree, and paths down it."""

from dataclasses import dataclass
from typing import Literal

Place = tuple[int, ...]
Problem = Literal["", "none", "type", "empty", "another root", "not a state", "not a child"]


@dataclass(frozen=True)
class Path:
    """A path as child indices from the root; or what keeps it from being a way down, and at which step.

    Of what is no way down, `places` are those of its first states, each where it is known for sure.
    """

    indices: Place
    problem: Problem = ""
    step: int = 0
    type: str = ""
    places: tuple[Place | None, ...] = ()
