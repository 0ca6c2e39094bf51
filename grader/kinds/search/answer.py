"""What comes back from a call of a search, and what a case expects of the call.

An answer holds the results, what the recorder saw of the search, and the trace of a
traced call.  A trace is a list of events: what the search did, one thing after the
other.  grader/child/recorder.py says what each event means.
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
    """The path of a result.

    A path should begin with the state that the search was given.  From each state it
    should go on to a child of this state.  If a path does not do so, `problem` says
    what is wrong.
    """

    indices: Place  # the place where the path ends; () if it has a problem
    problem: Problem = ""  # empty if the states lead down from the root
    step: int = 0  # the index of the first state with the problem
    # If something came back in place of the whole path, or in place of the state at
    # `step`, its type in words.  Otherwise empty.
    type: str = ""
    # If the path has a problem, the places of its first states in the tree, as far as
    # the child has sent them.  Otherwise empty.  The place of a state is None if the
    # recorder is not certain of it.
    places: tuple[Place | None, ...] = ()

    def place_of(self, step: int) -> Place | None:
        """Return where in the tree a state of the path is, as the indices of the
        children on the way down to it.

        `step` is the index of the state in the path.  Return None if the recorder is
        not certain where the state is, or if the child has not sent it.
        """
        return dict(enumerate(self.places)).get(step)


@dataclass(frozen=True)
class Result:
    """The result of a search: a path, a score, and a count of evaluations."""

    path: Path
    score: Any  # plain data, whatever it is
    evaluations: Any  # plain data, whatever it is


@dataclass(frozen=True)
class NotAResult:
    """Something that a search returned although it is no result."""

    other: Any = None  # what came back, as plain data; not used if there is a `length`
    # If a list or tuple came back that does not have three parts, the number of its
    # parts.  Otherwise None.
    length: int | None = None


@dataclass(frozen=True)
class Evidence:
    """What the recorder saw of a search."""

    # Whether the recorder can see every evaluation of this call.  If it cannot, the
    # other fields prove nothing.
    watched: bool
    evaluated: int  # how many known places were evaluated
    repeated: int  # how many further evaluations those places had
    unattributed: int  # how many evaluations were of no known place
    # How many more evaluations the search may report than it makes.  It may do so
    # because it may remember the result of a position, and use this result where an
    # equal position occurs.
    alike: int
    # The places that were evaluated, in the order of their first evaluations.  The
    # recorder sends only the first few hundred of them.
    order: tuple[Place, ...]

    @property
    def total(self) -> int:
        """How many evaluations the recorder saw."""
        return self.evaluated + self.repeated + self.unattributed


NOTHING_SEEN = Evidence(False, 0, 0, 0, 0, ())


@dataclass(frozen=True)
class OddArgument:
    """An argument whose value has the wrong type."""

    name: str
    value: str  # in words


@dataclass(frozen=True)
class Called:
    """An event: the search called a graded function.

    An argument is None in three cases: if it has the wrong type, if the function does
    not take it, or if it was not given and has no default.
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
    """An event: the innermost call that was open returned a result or raised an
    exception.
    """

    path: Path | None = None  # from the call's own place; None if no result came back
    score: float | None = None  # None if the score is not a number
    evaluations: int | None = None  # None if what came back is not a count
    raised: str = ""  # the name of the exception; empty if the call returned
    odd: str = ""  # what came back in place of a result or of its score, in words


@dataclass(frozen=True)
class Expanded:
    """An event: the search asked a state for its next states."""

    place: Place | None


@dataclass(frozen=True)
class Evaluated:
    """An event: the search evaluated a state statically."""

    place: Place | None
    flag: bool | None  # None if no flag was given, or one that is not True or False
    value: float
    # Whether the value came from the heuristic.  If it did not, it came from
    # get_endgame_score.
    estimated: bool


Event = Called | Returned | Expanded | Evaluated


@dataclass
class Frame:
    """A call of a graded function that has not returned yet."""

    called: Called
    event: int  # the number of the event in the trace
    # What has come back to this call so far: the results of the calls that it made, and
    # the values of the states that it evaluated.  The value of its own state is left
    # out.  Before each result is the place in the tree to which the result belongs.
    results: list[tuple[Place | None, Returned]] = field(default_factory=list)


@dataclass(frozen=True)
class SearchAnswer:
    """The answer to a call of a search."""

    # If a history came back, all its results.  Otherwise the one result that came back.
    results: tuple[Result | NotAResult, ...]
    is_history: bool  # whether an AnytimeValue came back
    record: Evidence
    # The events in the order in which they happened.  Empty if the call was not traced.
    events: tuple[Event, ...] = ()
    is_complete: bool = False  # whether `events` holds all events of the search


@dataclass(frozen=True)
class Trace:
    """The trace of a search as the child sends it."""

    events: tuple[Any, ...]
    complete: bool  # whether these are all events


NO_TRACE = {"events": [], "complete": False}


def read_answer(outcome: Data) -> SearchAnswer:
    """Return the answer that the child has sent.

    Raises Garbled for data that the child would never send.
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
    """Whether `value`, which should be a number, is a list of states instead."""
    return (
        isinstance(value, list) and bool(value) and all(item == STATE for item in value)
    )


def show_part(value: Any) -> str:
    """Say in words what came back as a score or as a count."""
    if is_list_of_states(value):
        return f"a list of {plural(len(value), 'state')}"
    return number(value) if is_number(value) else show(value)


def number(value: float) -> str:
    """Return a number as a student writes it in lab.py, such as INF."""
    return show(value).replace("inf", "INF")


def evaluated(events: Iterable[Event]) -> list[Place]:
    """Return the places in the tree at which states were evaluated.

    Each place is listed once, in the order of the first evaluations.  If the place of
    an evaluation is not known, it is left out.
    """
    places = (event.place for event in events if isinstance(event, Evaluated))
    return list(dict.fromkeys(place for place in places if place is not None))


def walk(events: Iterable[Event]) -> Iterator[tuple[int, Event, list[Frame]]]:
    """Yield each event, with its number and with the calls that are open at that
    moment, the innermost call last.

    A call is open from the event of the call to the event of its return.  If no call is
    open, a return is left out, because lab.py may have forged it.
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
    """Read events from plain data.  The child sends such data, and a reference trace
    stores it.

    Raises Garbled for an event that the child would never send.

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

    The search may get a window, from alpha to beta.  If the minimax value of the given
    state lies outside of this window, every path is right, and so is every score on the
    same side of the window.
    """

    # How many static evaluations the search should make and report.  If the case judges
    # only the last result of a history, it does not judge this number.
    evaluations: int = 0
    path: Place | None = None  # None if any path is right
    lowest: float = -INF  # the lowest score that is right
    highest: float = INF  # the highest score that is right; often the same
    # How many evaluations plain minimax makes.  None if the search need not prune.
    unpruned: int | None = None

    def allows(self, result: Result | NotAResult) -> bool:
        """Whether the path and the score of a result are right.  The count may be
        wrong.
        """
        if isinstance(result, NotAResult) or not is_number(result.score):
            return False
        path = result.path
        if self.path is not None and (path.problem or path.indices != self.path):
            return False
        return bool(self.lowest <= result.score <= self.highest)

    def is_met_by(self, result: Result) -> bool:
        """Whether the path, the score and the count of a result are right."""
        return self.allows(result) and bool(result.evaluations == self.evaluations)

    @property
    def score_in_words(self) -> str:
        """The score in words.  If several scores are right, this names the bound, such
        as `at least 4`.
        """
        if self.lowest == self.highest:
            return show(self.lowest)
        if self.lowest == -INF:
            return f"at most {self.highest}"
        return f"at least {self.lowest}"


@dataclass(frozen=True)
class Expected:
    """What a case expects of one call."""

    # If the case judges a whole history, what is expected for depth 1, depth 2 and so
    # on.  Otherwise what is expected of the one result that the case judges.
    results: tuple[ExpectedResult, ...]
    # True if the search itself decides at which depth it ends.  Then the case judges
    # only the path and the score of the last result of the history.
    is_last_alone: bool = False


def read_expected(expect: Mapping[str, Any]) -> Expected:
    """Read the field `expect` of a call.

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
