"""Trace: what a search did, event by event, read and typed.

Where a call was run with `traced` in its inputs, `read_answer(outcome).trace` is that of the student's
search; walk.py has that of the asked one.  grader/calls/recorder.py says what each event means.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from grader.kinds.search.path import Path, Place, read_path, read_place
from grader.pipe.packed import unpack
from grader.pipe.plain import Garbled, is_count, is_number

MOST_EVENTS = 100_000
HEURISTICS = ("given", "default", "other")


@dataclass(frozen=True)
class Called:
    """A graded search was called by its name.  What it was not given, and has no default for, is None; it
    was given `more` where it takes what the lab does not ask for."""

    function: str
    place: Place | None
    depth_limit: float | None = None
    maximize: bool | None = None
    alpha: float | None = None
    beta: float | None = None
    heuristic: str | None = None
    more: bool = False


@dataclass(frozen=True)
class Returned:
    """The innermost open call returned; the path leads down from its own place.

    What is no path, no number or no count is None; where it raised something, `raised` is the name of that.
    """

    path: Path | None = None
    score: float | None = None
    evaluations: int | None = None
    raised: str = ""


@dataclass(frozen=True)
class Expanded:
    """The successors were asked for."""

    place: Place | None


@dataclass(frozen=True)
class Evaluated:
    """A static evaluation: by the heuristic where it is `estimated`, else by get_endgame_score.

    `flag` is None where none was given, or one that is neither True nor False.
    """

    place: Place | None
    flag: bool | None
    value: float
    estimated: bool


Event = Called | Returned | Expanded | Evaluated


@dataclass(frozen=True)
class Trace:
    """The events in their order; all of them, where it is `complete`."""

    events: tuple[Event, ...]
    complete: bool = True


def evaluated(events: Iterable[Event]) -> list[Place]:
    """The places that were scored, in their order, each of them once; without what stands nowhere for sure."""
    places = (event.place for event in events if isinstance(event, Evaluated))
    return list(dict.fromkeys(place for place in places if place is not None))


def read_trace(text: Any) -> Trace:
    """The trace that the child packed.  Raises Garbled for what it would not send."""
    match unpack(text):
        case {"events": list(events), "complete": bool(complete), **more} if not more:
            return Trace(read_events(events), complete)
    raise Garbled


def read_events(events: list[Any]) -> tuple[Event, ...]:
    """Events as they are sent, or stored.  Raises Garbled.

    >>> read_events([["expand", []], ["score", [0], True, 3]])
    (Expanded(place=()), Evaluated(place=(0,), flag=True, value=3, estimated=False))
    """
    if len(events) > MOST_EVENTS:
        raise Garbled
    read = tuple(map(_event, events))
    is_open = 0
    for event in read:
        is_open += isinstance(event, Called) - isinstance(event, Returned)
        if is_open < 0:
            raise Garbled
    return read


def _event(event: Any) -> Event:
    match event:
        case ["call", str(function), place, dict(arguments)] if function.isidentifier() and len(function) <= 80:
            return _called(function, _place(place), arguments)
        case ["return", dict(result)]:
            return _returned(result)
        case ["expand", place]:
            return Expanded(_place(place))
        case ["score" | "estimate" as what, place, bool() | None as flag, value] if is_number(value):
            return Evaluated(_place(place), flag, value, what == "estimate")
    raise Garbled


_ARGUMENTS: dict[str, Callable[[Any], bool]] = {
    "depth_limit": is_number,
    "maximize": lambda value: type(value) is bool,
    "alpha": is_number,
    "beta": is_number,
    "heuristic": lambda value: value in HEURISTICS,
    "more": lambda value: value is True,
}


def _called(function: str, place: Place | None, arguments: dict[str, Any]) -> Called:
    if not arguments.keys() <= _ARGUMENTS.keys() or not all(_ARGUMENTS[name](arguments[name]) for name in arguments):
        raise Garbled
    return Called(function, place, **arguments)


def _returned(result: dict[str, Any]) -> Returned:
    if "raised" in result:
        name = result["raised"]
        return Returned(raised=name if isinstance(name, str) and name.isidentifier() else "an exception")
    if not isinstance(result.get("path"), dict):
        return Returned()
    score, evaluations = result.get("score"), result.get("evaluations")
    return Returned(
        read_path(result["path"]),
        score if is_number(score) else None,
        evaluations if is_count(evaluations) else None,
    )


def _place(place: Any) -> Place | None:
    return None if place is None else read_place(place)
