"""Where a search leaves its reference trace: the first event of its own that the reference would not have.

This is algorithmic debugging (Shapiro, 1982): a call that is handed something wrong, a state that is scored wrongly,
for nothing or not at all, or an answer that is wrong although all that it rests on is right.  It is told as two facts
about one place, what the search does there and what the reference does.  What is not sure is not said.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from api import INF
from grader.kinds.kind import Divergence
from grader.kinds.search.answer import Called, Evaluated, Event, Odd, Place, Result, Returned, evaluated
from grader.kinds.search.judge import judge_path_and_score
from grader.kinds.search.nodes import Reference, bounds, number, window_of
from grader.protocol.plain import is_number
from grader.protocol.words import plural, show


@dataclass
class Frame:
    """An open call, with what came back for the children of its place; it is `unsure` if it cannot be followed."""

    called: Called
    found: dict[Place, Returned] = field(default_factory=dict)
    unsure: bool = False

    def note(self, place: Place | None, returned: Returned) -> None:
        """Take in what came back for a place."""
        if not place or place[:-1] != self.called.place or place in self.found or returned.score is None:
            self.unsure = True
        else:
            self.found[place] = returned


class Comparison:
    """A search beside its reference.  What is right in its result is nobody's business in its inner calls.

    It `compares` which states are scored if all of them are known.  A search with cut-offs scores each of them once,
    in the order of the children: one that goes another way scores other states.
    """

    def __init__(self, reference: Reference, events: Sequence[Event], result: Any, expect: dict[str, Any]) -> None:
        self.reference, self.events, self.result, self.expect = reference, events, result, expect
        self.open: list[Frame] = []
        self.evaluations = [event for event in events if isinstance(event, Evaluated)]
        self.scored = evaluated(events)
        self.missing = [place for place in reference.scored if place not in self.scored]
        self.is_known = all(event.place is not None for event in self.evaluations)
        is_in_order = self.scored == sorted(self.scored) and len(self.scored) == len(self.evaluations)
        self.compares = self.is_known and (is_in_order or not reference.prunes)
        self.rightly = {event.place for event in self.evaluations if not self._scores(event)}
        is_result = isinstance(result, Result)
        self.score_is_right = is_result and judge_path_and_score(expect, result) is None
        self.count_is_right = is_result and result.evaluations == expect["evaluations"]

    def first(self) -> Divergence | None:
        """The first place where the search leaves the reference: by its events, else by its result."""
        for event in self.events:
            if found := self._follow(event):
                return found
        is_result = isinstance(self.result, Result)
        return (self._counted() if self.score_is_right else self._chosen()) if is_result else None

    def _follow(self, event: Event) -> Divergence | None:
        found = None
        match event:
            case Called():
                found = self._calls(event) if self.open else None
                self.open.append(Frame(event))
            case Evaluated(place=place, value=value):
                found = self._scores(event) if place not in self.rightly else None
                found = found or self._goes_on(place)
                if self.open and place != self.open[-1].called.place:
                    self.open[-1].note(place, Returned(score=value, evaluations=1))
            case Returned() if self.open:
                found = self._returns(self.open[-1], event)
                closed = self.open.pop()
                if self.open:
                    self.open[-1].note(closed.called.place, event)
        return found

    # --- calls and scores -------------------------------------------------------------------------

    def _calls(self, called: Called) -> Divergence | None:
        """An inner call with another argument than the reference gives."""
        place = called.place
        return None if place is None else self.reference.first_of(place, self._arguments(called, place))

    def _arguments(self, called: Called, place: Place) -> Iterator[tuple[str, str]]:
        """The arguments of an inner call that make a difference, as they are and as the reference gives them."""
        reference = self.reference
        odd, given = called.odd.partition(" = ")[0], "is called with"
        if odd and place in reference.calls:
            yield f"{given} {called.odd}", f"{given} {odd} = {number(getattr(reference.calls[place], odd))}"
        if reference.plays and called.maximize is not None:
            yield f"{given} maximize = {called.maximize}", f"{given} maximize = {reference.maximizes(place)}"
        left, depth = reference.limit - len(place), called.depth_limit
        if depth is None:
            depth = INF if called.maximize is not None else left
        if reference.tells_apart(place, depth):
            yield f"{given} depth_limit = {number(depth)}", f"{given} depth_limit = {number(left)}"

    def _scores(self, event: Evaluated) -> Divergence | None:
        """A state that is scored where the search should go on, or too deep, or by the wrong rule or flag."""
        reference, place = self.reference, event.place
        if place is None:
            return None
        expected, flag = "", reference.maximizes(place)
        is_wrong_flag = event.flag is not flag and event.value != reference.evaluation(place, flag)
        if len(place) > reference.limit:
            expected = f"does not come here: depth_limit = {number(reference.limit)}"
        elif not reference.is_leaf(place):
            expected = "goes on to its children"
        elif is_wrong_flag or event.estimated is reference.is_over(place):
            expected = reference.leaf_in_words(place)
        return reference.at(place, f"scores it {reference.in_words(event)}", expected) if expected else None

    def _goes_on(self, leaf: Place | None) -> Divergence | None:
        """A state that is scored although the reference has cut off above it."""
        reference = self.reference
        if leaf is None or not self.compares or not reference.prunes or leaf in reference.scored:
            return None
        way = (leaf[:ply] for ply in range(1, len(leaf) + 1))
        child = next((place for place in way if place not in reference.calls), leaf)
        alpha, beta = reference.window(child)
        if alpha < beta:
            return None
        given = self._given(child)
        yours = f"goes on to {reference.name(child)}{given and f' with {given}'}"
        return reference.at(child[:-1], yours, f"cuts off: {bounds(alpha, beta)}")

    def _left_out(self, below: Place = (), may_be_known: bool = False) -> Divergence | None:
        """A state at a place or below it that the reference scores, and this search never does.

        Its score may be known from an earlier call, or from an equal state.
        """
        reference = self.reference
        leaf = next((leaf for leaf in self.missing if leaf[: len(below)] == below), None)
        if leaf is None or not self.compares:
            return None
        seen = (reference.state(one) for one in self.scored if one in reference.scored)
        if not may_be_known and (reference.again or reference.state(leaf) in seen):
            return None
        yours, expected = "never scores it", reference.leaf_in_words(leaf)
        if leaf and reference.prunes:
            given = self._given(leaf[:-1])
            yours += given and f"; {reference.name(leaf[:-1])} is called with {given}"
            expected += f", as {bounds(*reference.window(leaf))}"
        return reference.at(leaf, yours, expected)

    def _given(self, place: Place) -> str:
        """The bounds that an open call on a place was given; empty if there is none."""
        calls = (frame.called for frame in self.open if frame.called.place == place)
        return next((bounds(*window_of(called)) for called in calls if called.alpha is not None), "")

    # --- answers ----------------------------------------------------------------------------------

    def _returns(self, frame: Frame, returned: Returned) -> Divergence | None:
        """An answer that is wrong although the answers that it rests on are right."""
        reference, place = self.reference, frame.called.place
        if place is None:
            return None
        if missing := self._left_out(place):
            return missing
        value, (alpha, beta) = reference.values.get(place), window_of(frame.called)
        children = [] if reference.is_leaf(place) else reference.children(place)
        needed = [child for child in children if child in reference.calls or not self.compares]
        is_followed = not frame.unsure and frame.found.keys() >= set(needed)
        if value is None or returned.raised or returned.path is None or not is_followed:
            return None
        if alpha < value < beta and not self.score_is_right:
            if returned.score not in (None, value):
                yours = f"returns {number(returned.score or 0)}{self._heard(frame)}"
                return reference.at(place, yours, f"returns {number(value)}")
            if returned.path.problem:
                return reference.at(place, "returns a path that does not lead down from here", "returns one that does")
        counts = [each.evaluations or 0 for each in frame.found.values()] or [1]
        if self.count_is_right or returned.evaluations in (None, sum(counts)):
            return None
        terms = f"{' + '.join(map(str, counts))} = {sum(counts)}" if counts[1:] else str(sum(counts))
        return reference.at(place, f"returns a count of {returned.evaluations}", f"returns a count of {terms}")

    def _heard(self, frame: Frame) -> str:
        """What came back for the children."""
        heard = [(self.reference.label(child), number(each.score or 0)) for child, each in frame.found.items()]
        listed = ", ".join(score if label == score else f"{label}: {score}" for label, score in heard)
        return f" of {listed}" if listed else ""

    # --- the result -------------------------------------------------------------------------------

    def _counted(self) -> Divergence | None:
        """What is wrong with the count of a search that finds the right path and score."""
        reference, count, scored = self.reference, self.result.evaluations, len(self.scored)
        if self.count_is_right or not self.is_known or not reference.sees:
            return None
        if missing := self._left_out(may_be_known=True):
            return missing
        if count == scored or scored != self.expect["evaluations"]:
            return None
        yours = f"returns a count of {number(count)}, and scored {plural(scored, 'state')}"
        return reference.at((), yours, f"returns a count of {scored}")

    def _chosen(self) -> Divergence | None:
        """Where the path of a wrong result takes another child than the best, or what is wrong with its end.

        With cut-offs, what is below a wrong choice may be a mere bound; without them the innermost one is the cause.
        """
        reference, path = self.reference, self.result.path.indices
        values, (alpha, beta) = reference.values, window_of(reference.calls[()])
        ways = [path[:ply] for ply in range(1, len(path) + 1)]
        is_known = all(place in values for place in ((), *ways))
        if self.result.path.problem or not is_known or not alpha < values[()] < beta:
            return None
        wrong = [taken for taken in ways if reference.best(taken[:-1]) != taken]
        worse = [taken for taken in wrong if values[taken] != values[taken[:-1]]]
        if wrong:
            taken = worse[-1] if worse and not reference.prunes else wrong[0]
            children = taken, reference.best(taken[:-1])
            to = [f"takes {reference.name(child)}, worth {number(values[child])}" for child in children]
            return reference.at(taken[:-1], to[0], to[1] if taken in worse else f"{to[1]} too, and earlier")
        if not reference.is_leaf(path):
            return reference.at(path, "ends its path", "goes on")
        gave = next((event.value for event in self.evaluations if event.place == path), None)
        score = self.result.score
        if gave is None or gave == score or not is_number(score):
            return None
        return reference.at(path, f"scores it {number(gave)} and returns {number(score)}", f"returns {number(gave)}")


# --- histories: the searches that one which deepens step by step makes one by one ---------------------------


class Step(NamedTuple):
    """A search that was called by the outermost call, what came back, and the events in between."""

    called: Called
    returned: Returned
    events: Sequence[Event]


def first_wrong_step(reference: Reference, events: Sequence[Event], kept: Sequence[Result | Odd]) -> Divergence | None:
    """The first search that is called otherwise than the reference's, finds something else, or is not kept as it is.

    In which order they are made is nobody's business.
    """
    yours = sorted(_steps(events), key=lambda step: step.called.depth_limit or 0)
    expected = list(_steps(reference.events))
    if not yours:
        return _scores_otherwise(reference, events, reference.events)
    begin_elsewhere = [step.called for step in yours if step.called.place]
    is_own_search = any(window_of(called) != (-INF, INF) for called in begin_elsewhere)
    if is_own_search or any(step.called.place is None for step in yours):
        return None
    for nth, (one, other) in enumerate(zip(yours, expected, strict=False), start=1):
        if found := reference.first_of(one.called.place or (), _made(reference, nth, one, other)):
            return found
        if one.returned != other.returned:
            return _scores_otherwise(reference, one.events, other.events)
        if found := reference.first_of((), _kept(reference, nth, other.returned, kept[nth - 1 : nth])):
            return found
    if len(yours) == len(expected) == len(kept):
        return None
    made = [f"makes {plural(len(steps), 'search', 'searches')} and keeps" for steps in (yours, expected)]
    return reference.at((), f"{made[0]} {plural(len(kept), 'result')}", f"{made[1]} {len(expected)}")


def _made(reference: Reference, nth: int, one: Step, other: Step) -> Iterator[tuple[str, str]]:
    """How a search is made, and how the reference's is."""
    called, expected, search = one.called, other.called, f"makes search {nth}"
    if odd := called.odd.partition(" = ")[0]:
        yield f"{search} with {called.odd}", f"{search} with {odd} = {number(getattr(expected, odd))}"
    yield f"{search} begin at {reference.name(called.place or ())}", f"{search} begin at {reference.name(())}"
    for name in ("depth_limit", "maximize", "alpha", "beta"):
        values = getattr(called, name), getattr(expected, name)
        if None not in values:
            yield f"{search} with {name} = {number(values[0])}", f"{search} with {name} = {number(values[1])}"
    if one.returned != other.returned:
        yield f"{search} by {called.function}", f"{search} by {expected.function}"


def _kept(reference: Reference, nth: int, found: Returned, kept: Sequence[Result | Odd]) -> Iterator[tuple[str, str]]:
    """What the history holds of a search, and what that has found."""
    for result in kept:
        if isinstance(result, Result) and found.path:
            yours, expected = (
                f"score {show(one.score)}, evaluations {show(one.evaluations)}, path {reference.path(one.path)}"
                for one in (result, Result(found.path, found.score, found.evaluations))
            )
            yield f"keeps {yours} of search {nth}", f"keeps {expected} of search {nth}"


def _scores_otherwise(reference: Reference, yours: Sequence[Event], expected: Sequence[Event]) -> Divergence | None:
    """The first static evaluation that is not the reference's."""
    scored = ([event for event in events if isinstance(event, Evaluated)] for events in (yours, expected))
    for one, other in zip(*scored, strict=False):
        if one.place is None or other.place is None:
            return None
        if (one.place, one.value) != (other.place, other.value):
            there = "" if one.place == other.place else f"goes on to {reference.name(other.place)} and "
            facts = f"scores it {reference.in_words(one)}", f"{there}scores it {reference.in_words(other)}"
            return reference.at(one.place, *facts)
    return None


def _steps(events: Sequence[Event]) -> Iterator[Step]:
    """The searches that are called by the outermost call, or by those that it makes of its own function."""
    open_calls: list[tuple[int, Called]] = []
    for nth, event in enumerate(events):
        if isinstance(event, Called):
            open_calls.append((nth, event))
        elif isinstance(event, Returned):
            begun, called = open_calls.pop()
            callers = {each.function for _, each in open_calls}
            if len(callers) == 1 and called.function not in callers:
                yield Step(called, event, events[begun:nth])
