"""Where a search that deepens step by step leaves its reference trace: by the searches that it makes one by one."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from api import INF
from grader.kinds.kind import Divergence
from grader.kinds.search.answer import Called, Evaluated, Event, Odd, Result, Returned
from grader.kinds.search.nodes import Reference, number, window_of
from grader.protocol.words import plural, show


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
    if is_own_search or any(step.called.more or step.called.place is None for step in yours):
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
