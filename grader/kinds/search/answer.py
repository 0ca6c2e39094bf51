"""What comes back from a call of a search, and what a case expects of the call.

An answer holds the results, what the recorder saw of the search, and the trace of a
traced call.  A trace lists what the search did, event by event.
grader/child/recorder.py says what each event means.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from api import INF
from grader.kinds.kind import Place
from grader.protocol.plain import Data, Garbled, is_number, read_as
from grader.protocol.text import plural, show

STATE = {"$other": "an AbstractGameState"}  # as the child encodes one
Problem = Literal["", "type", "empty", "another root", "not a state", "not a child"]


@dataclass(frozen=True)
class Path:
    """A path from the root, or what keeps a list of states from being a path.

    A place is None if the recorder is not certain of it: two nodes may share the
    snapshot, or no node may have it.
    """

    indices: Place  # the place where the path ends; () if it has a problem
    problem: Problem = ""  # empty if the states lead down from the root
    step: int = 0  # the index of the first state with the problem
    # The type of what came in place of the path, or of the state at `step`, in words.
    type: str = ""
    # The places of the first states, if the path has a problem.
    places: tuple[Place | None, ...] = ()

    def place_of(self, step: int) -> Place | None:
        """The place of the state at a step; None if it is not known or was not sent."""
        return dict(enumerate(self.places)).get(step)


@dataclass(frozen=True)
class Result:
    """The three parts of a result."""

    path: Path
    score: Any  # plain data, whatever it is
    evaluations: Any  # plain data, whatever it is


@dataclass(frozen=True)
class NotAResult:
    """What came back in place of a result."""

    other: Any = None  # what came back, as plain data; not used if there is a `length`
    # The number of parts, if a list or tuple does not have three.
    length: int | None = None


@dataclass(frozen=True)
class Evidence:
    """What the recorder saw of a search."""

    # Whether the recorder can see every evaluation of this call.  If not, the other
    # fields prove nothing.
    watched: bool
    evaluated: int  # how many known places were evaluated
    repeated: int  # how many further evaluations those places had
    unattributed: int  # how many evaluations were of no known place
    # How many more evaluations the search may report if it remembers the results of
    # equal positions.
    alike: int
    # The evaluated places in the order of their first evaluation; the recorder sends
    # only the first few hundred.
    order: tuple[Place, ...]

    @property
    def total(self) -> int:
        """How many evaluations the recorder saw."""
        return self.evaluated + self.repeated + self.unattributed


NOTHING_SEEN = Evidence(False, 0, 0, 0, 0, ())


@dataclass(frozen=True)
class OddArgument:
    """An argument of the wrong type."""

    name: str
    value: str  # in words


@dataclass(frozen=True)
class Called:
    """The search called a graded function by its name.

    An argument is None if it was not given and has no default, or if it has the wrong
    type.
    """

    function: str
    place: Place | None
    depth_limit: float | None = None
    maximize: bool | None = None
    alpha: float | None = None
    beta: float | None = None
    odd: OddArgument | None = None  # the first argument of the wrong type


@dataclass(frozen=True)
class Returned:
    """The innermost call that was open returned a result or raised an exception."""

    path: Path | None = None  # from the call's own place; None if no result came back
    score: float | None = None  # None if the score is not a number
    evaluations: int | None = None  # None if what came back is not a count
    raised: str = ""  # the name of the exception; empty if the call returned
    odd: str = ""  # what came back in place of a result or of its score, in words


@dataclass(frozen=True)
class Expanded:
    """The search asked for the next states."""

    place: Place | None


@dataclass(frozen=True)
class Evaluated:
    """The search evaluated a state statically."""

    place: Place | None
    flag: bool | None  # None if no flag was given, or one that is not True or False
    value: float
    # Whether the heuristic gave the value; if not, get_endgame_score did.
    estimated: bool


Event = Called | Returned | Expanded | Evaluated


@dataclass
class Frame:
    """A call of a search that has not returned yet."""

    called: Called
    event: int  # the number of the event in the trace
    # What has come back to this call so far: the result of each call or evaluation that
    # it made, with the place of that call or evaluation.
    results: list[tuple[Place | None, Returned]] = field(default_factory=list)


@dataclass(frozen=True)
class SearchAnswer:
    """The answer to a call of a search."""

    # All results of a history, or the one result.
    results: tuple[Result | NotAResult, ...]
    is_history: bool  # whether an AnytimeValue came back
    record: Evidence
    # The events in the order in which they happened.  There are none without a trace.
    events: tuple[Event, ...] = ()
    is_complete: bool = False  # whether `events` holds all events of the search


@dataclass(frozen=True)
class Trace:
    """The trace of a search as the child sends it."""

    events: tuple[Any, ...]
    complete: bool  # whether these are all events


NO_TRACE = {"events": [], "complete": False}


def read_answer(outcome: Data) -> SearchAnswer:
    """The answer that the child sent.  Raises Garbled if the child would not send
    it.
    """
    is_history = "history" in outcome
    sent = outcome["history"] if is_history else [outcome.get("result")]
    results = tuple(map(_read_result, read_as(tuple[Data, ...], sent)))
    record = read_as(Evidence, outcome.get("record"))
    trace = read_as(Trace, outcome.get("trace", NO_TRACE))
    events = read_events(trace.events)
    return SearchAnswer(results, is_history, record, events, trace.complete)


def _read_result(data: Data) -> Result | NotAResult:
    form = Result if "path" in data else NotAResult
    result: Result | NotAResult = read_as(form, data)
    return result


def is_list_of_states(value: Any) -> bool:
    """Whether a value that should be a number is a list of states."""
    return (
        isinstance(value, list) and bool(value) and all(item == STATE for item in value)
    )


def show_part(value: Any) -> str:
    """What came back as a score or a count, in words."""
    if is_list_of_states(value):
        return f"a list of {plural(len(value), 'state')}"
    return show(value)


def evaluated(events: Iterable[Event]) -> list[Place]:
    """The known places that were evaluated, each once, in the order of first
    evaluation.
    """
    places = (event.place for event in events if isinstance(event, Evaluated))
    return list(dict.fromkeys(place for place in places if place is not None))


def walk(events: Iterable[Event]) -> Iterator[tuple[int, Event, list[Frame]]]:
    """Yield each event with its number and the open calls, innermost last.

    A call is open from its own event to its return.  A return without an open call is
    left out, because lab.py may have forged it.
    """
    frames: list[Frame] = []
    for index, event in enumerate(events):
        if isinstance(event, Called):
            frames.append(Frame(event, index))
        if isinstance(event, Returned) and not frames:
            continue
        yield index, event, frames
        match event, frames:
            case Evaluated(place, _, score), [*_, frame] if place != frame.called.place:
                frame.results.append((place, Returned(None, score, 1)))
            case Returned(), [*_, caller, frame]:
                caller.results.append((frame.called.place, event))
        if isinstance(event, Returned):
            frames.pop()


def read_events(events: Iterable[Any]) -> tuple[Event, ...]:
    """Read events from plain data, which the child sends or a reference trace stores.

    Raises Garbled for an event that the child would not send.

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
        case ["score" | "estimate" as rule, place, flag, value]:
            estimated = rule == "estimate"
            return read_as(
                Evaluated,
                {"place": place, "flag": flag, "value": value, "estimated": estimated},
            )
    raise Garbled


# --- what is expected; it stays in the grader's process ------------------------------


@dataclass(frozen=True)
class ExpectedResult:
    """What a case expects of one result.

    If the value lies outside the window that the search is given, any path is right,
    and so is any score on the right side of the window.
    """

    # How many static evaluations the search should make and report.  They are not
    # judged if the case judges only the last result.
    evaluations: int = 0
    path: Place | None = None  # None if any path is right
    lowest: float = -INF  # the lowest score that is right
    highest: float = INF  # the highest score that is right; often the same
    # How many evaluations plain minimax makes; None if the search need not prune.
    unpruned: int | None = None

    def allows(self, result: Result | NotAResult) -> bool:
        """Whether path and score of a result are right."""
        if isinstance(result, NotAResult) or not is_number(result.score):
            return False
        path = result.path
        if self.path is not None and (path.problem or path.indices != self.path):
            return False
        return bool(self.lowest <= result.score <= self.highest)

    def is_met_by(self, result: Result) -> bool:
        """Whether path, score and count of a result are right."""
        return self.allows(result) and bool(result.evaluations == self.evaluations)

    @property
    def score_in_words(self) -> str:
        """The score, or the side of the window on which it should be."""
        if self.lowest == self.highest:
            return show(self.lowest)
        if self.lowest == -INF:
            return f"at most {self.highest}"
        return f"at least {self.lowest}"


@dataclass(frozen=True)
class Expected:
    """What a case expects of one call."""

    # A result for each depth from depth 1, if the function returns a history; otherwise
    # one result.
    results: tuple[ExpectedResult, ...]
    # Whether the search itself decides when to end.  Then only the last result of the
    # history is judged, and only its path and score.
    is_last_alone: bool = False


def read_expected(expect: Mapping[str, Any]) -> Expected:
    """Read the `expect` of a case.

    >>> read_expected({"path": [1, 0], "score": 4, "evaluations": 13}).results[0].path
    (1, 0)
    >>> read_expected({"at_most": 4, "evaluations": 2}).results[0].highest
    4
    """
    if "last" in expect:
        return Expected((_read_expected_result(expect["last"]),), is_last_alone=True)
    return Expected(tuple(map(_read_expected_result, expect.get("history", [expect]))))


def _read_expected_result(data: Mapping[str, Any]) -> ExpectedResult:
    return ExpectedResult(
        data.get("evaluations", 0),
        tuple(data["path"]) if "path" in data else None,
        lowest=data.get("score", data.get("at_least", -INF)),
        highest=data.get("score", data.get("at_most", INF)),
        unpruned=data.get("unpruned"),
    )
