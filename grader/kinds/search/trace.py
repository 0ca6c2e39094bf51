"""Trace: what a search did, event by event, read and typed.

Where a call was run with `traced` in its inputs, `read_answer(outcome).trace` is that of the student's
search; walk.py has that of the asked one.  grader/calls/recorder.py says what each event means.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from grader.kinds.search.path import Path, Place
from grader.kinds.typed import read_as
from grader.pipe.packed import unpack
from grader.pipe.plain import Garbled

MOST_EVENTS = 100_000


@dataclass(frozen=True)
class Called:
    """A graded search was called by its name.  What it was not given, and has no default for, is None, and so is
    what is none of its kind: `odd` is the first such argument.  It was given `more` where it takes what the lab does
    not ask for."""

    function: str
    place: Place | None
    depth_limit: float | None = None
    maximize: bool | None = None
    alpha: float | None = None
    beta: float | None = None
    heuristic: Literal["given", "default", "other"] | None = None
    odd: str = ""
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


def returned_by(events: Iterable[Event]) -> dict[Place | None, float | None]:
    """The score that came back of the last call on each place.

    >>> called = ["call", "dfs_maximizing", [0], {}]
    >>> returned_by(read_events([called, ["return", {"path": {"indices": [0]}, "score": 3, "evaluations": 1}]]))
    {(0,): 3}
    """
    found, open_calls = dict[Place | None, float | None](), list[Place | None]()
    for event in events:
        if isinstance(event, Called):
            open_calls.append(event.place)
        elif isinstance(event, Returned):
            found[open_calls.pop()] = event.score
    return found


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
    read: Event
    match event:
        case ["call", str(function), place, dict(arguments)] if function.isidentifier() and len(function) <= 80:
            read = read_as(Called, {**arguments, "function": function, "place": place})
        case ["return", result]:
            read = read_as(Returned, result)
        case ["expand", place]:
            read = read_as(Expanded, {"place": place})
        case ["score" | "estimate" as what, place, flag, value]:
            estimated = what == "estimate"
            read = read_as(Evaluated, {"place": place, "flag": flag, "value": value, "estimated": estimated})
        case _:
            raise Garbled
    return read
