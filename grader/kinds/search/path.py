"""Places in a tree, and paths down it, read and typed."""

from dataclasses import dataclass
from typing import Any

from grader.pipe.plain import Garbled, is_count

PROBLEMS = ("none", "type", "empty", "another root", "not a state", "not a child")
Place = tuple[int, ...]


@dataclass(frozen=True)
class Path:
    """A path as child indices from the root; or what keeps it from being a way down, and at which step.

    Of what is no way down, `places` are those of its first states, each where it is known for sure.
    """

    indices: Place = ()
    problem: str = ""
    step: int = 0
    type: str = ""
    places: tuple[Place | None, ...] = ()


def read_path(path: dict[str, Any]) -> Path:
    """The path that the child sent.  Raises Garbled for what it would not send."""
    if "problem" not in path:
        return Path(read_place(path.get("indices")))
    problem, step, kind = path["problem"], path.get("step", 0), path.get("type", "")
    if problem not in PROBLEMS or not is_count(step) or not isinstance(kind, str):
        raise Garbled
    places = path.get("places", [])
    if not isinstance(places, list):
        raise Garbled
    return Path((), problem, step, kind, tuple(None if place is None else read_place(place) for place in places))


def read_place(indices: Any) -> Place:
    """The place that the child sent.  Raises Garbled for what it would not send."""
    if not isinstance(indices, list) or not all(map(is_count, indices)):
        raise Garbled
    return tuple(indices)
