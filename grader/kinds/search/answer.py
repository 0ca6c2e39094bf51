"""What came back from a search, read and typed: results, what was seen of it, and its
trace where it was traced.

A trace is what a search did, event by event; grader/calls/recorder.py says what each
event means.  That of the student's search comes with the answer, and a Reference
(nodes.py) holds the stored one.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from grader.protocol.plain import Garbled, read_as

Place = tuple[int, ...]
Problem = Literal[
    "", "none", "type", "empty", "another root", "not a state", "not a child"
]


@dataclass(frozen=True)
class Path:
    """A path as child indices from the root; or what keeps it from being a way down,
    and at which step.

    Of what is no way down, `places` are those of its first states, each where it is
    known for sure.
    """

    indices: Place
    problem: Problem = ""
    step: int = 0
    type: str = ""
    places: tuple[Place | None, ...] = ()


@dataclass(frozen=True)
class Result:
    """(path, score, evaluations); the last two as plain data, whatever they are."""

    path: Path
    score: Any
    evaluations: Any


@dataclass(frozen=True)
class Odd:
    """What is no result: something else, or a tuple of another length."""

    other: Any = None
    length: int | None = None


@dataclass(frozen=True)
class Evidence:
    """What the recorder saw of a search: evaluations of places that are `evaluated`,
    all different and known for sure, `repeated` ones of the same, and `unattributed`
    ones that may have been of any place or of none.

    `alike` are the evaluations at and below other places with the same positions, which
    a search may remember; `order` has the places that were evaluated, each once, in
    their order.  Nothing of that holds where the search was called in a way that cannot
    be `watched`.
    """

    watched: bool
    evaluated: int
    repeated: int
    unattributed: int
    alike: int
    order: tuple[Place, ...]

    @property
    def total(self) -> int:
        """All evaluations that were seen."""
        return self.evaluated + self.repeated + self.unattributed


@dataclass(frozen=True)
class Called:
    """A graded search was called by its name.  What it was not given, and has no
    default for, is None, and so is what has another type: `odd` is the first such
    argument.
    """

    function: str
    place: Place | None
    depth_limit: float | None = None
    maximize: bool | None = None
    alpha: float | None = None
    beta: float | None = None
    odd: str = ""


@dataclass(frozen=True)
class Returned:
    """The innermost open call returned; the path leads down from its own place.

    What is no path, no number or no count is None.  `odd` says what came back instead
    of a result or of its score, and `raised` is the name of what the call raised.
    """

    path: Path | None = None
    score: float | None = None
    evaluations: int | None = None
    raised: str = ""
    odd: str = ""


@dataclass(frozen=True)
class Expanded:
    """The successors were asked for."""

    place: Place | None


@dataclass(frozen=True)
class Evaluated:
    """A static evaluation: by the heuristic where it is `estimated`, else by
    get_endgame_score.

    `flag` is None where none was given, or one that is neither True nor False.
    """

    place: Place | None
    flag: bool | None
    value: float
    estimated: bool


Event = Called | Returned | Expanded | Evaluated


@dataclass(frozen=True)
class SearchAnswer:
    """One result, or a history of them; the events in their order if the call was
    traced, all if it `is_complete`.
    """

    results: tuple[Result | Odd, ...]
    is_history: bool
    record: Evidence
    events: tuple[Event, ...] | None = None
    is_complete: bool = False


def read_answer(outcome: dict[str, Any]) -> SearchAnswer:
    """The answer that the child sent.  Raises Garbled for what it would not send."""
    history = outcome.get("history", [outcome.get("result")])
    if not isinstance(history, list) or not all(
        isinstance(result, dict) for result in history
    ):
        raise Garbled
    results = tuple(
        read_as(Result if "path" in result else Odd, result) for result in history
    )
    record = read_as(Evidence, outcome.get("record"))
    if "trace" not in outcome:
        return SearchAnswer(results, "history" in outcome, record)
    match outcome["trace"]:
        case {"events": list(events), "complete": bool(is_complete), **more} if (
            not more
        ):
            return SearchAnswer(
                results, "history" in outcome, record, read_events(events), is_complete
            )
    raise Garbled


def evaluated(events: Iterable[Event]) -> list[Place]:
    """The places that were scored, in their order, each of them once; without what
    stands nowhere for sure.
    """
    places = (event.place for event in events if isinstance(event, Evaluated))
    return list(dict.fromkeys(place for place in places if place is not None))


def read_events(events: list[Any]) -> tuple[Event, ...]:
    """Events as they are sent, or stored.  Raises Garbled.

    >>> read_events([["expand", []], ["score", [0], True, 3]])
    (Expanded(place=()), Evaluated(place=(0,), flag=True, value=3, estimated=False))
    """
    return tuple(map(_event, events))


def _event(event: Any) -> Any:
    match event:
        case ["call", str(function), place, dict(arguments)] if (
            function.isidentifier() and len(function) <= 80
        ):
            return read_as(Called, {**arguments, "function": function, "place": place})
        case ["return", result]:
            return read_as(Returned, result)
        case ["expand", place]:
            return read_as(Expanded, {"place": place})
        case ["score" | "estimate" as what, place, flag, value]:
            estimated = what == "estimate"
            return read_as(
                Evaluated,
                {"place": place, "flag": flag, "value": value, "estimated": estimated},
            )
    raise Garbled
