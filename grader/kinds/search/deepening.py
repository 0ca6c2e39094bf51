"""Where a search that deepens step by step leaves its reference trace: by the searches that it makes one by one."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from api import INF
from grader.kinds.search.answer import Called, Evaluated, Event, Odd, Result, Returned
from grader.kinds.search.divergence import Parting
from grader.kinds.search.nodes import Reference, number, window_of
from grader.protocol.words import plural, show


class Step(NamedTuple):
    """A search that was called by the outermost call, what came back, and the events in between."""

    called: Called
    returned: Returned
    events: Sequence[Event]


def first_wrong_step(reference: Reference, events: Sequence[Event], kept: Sequence[Result | Odd]) -> Parting | None:
    """The first search that is called otherwise than the reference's, finds something else, or is not kept as it is."""
    yours, expected = list(_steps(events)), list(_steps(reference.events))
    if not yours:
        return _scores_otherwise(reference, events, reference.events)
    strays = [step.called for step in yours if step.called.place]
    is_own_search = any(window_of(called) != (-INF, INF) for called in strays)  # which begins with the children
    if is_own_search or any(step.called.more or step.called.place is None for step in yours):
        return None
    for nth, (one, other) in enumerate(zip(yours, expected, strict=False), start=1):
        for name, mine, its in _arguments(reference, one.called, other.called):
            if mine != its:
                return Parting(one.called.place or (), f"search {nth} has {name} = {mine}", f"it has {name} = {its}")
        if found := _found_otherwise(reference, nth, one, other) or _kept_otherwise(
            nth, one.returned, kept[nth - 1 : nth]
        ):
            return found
    if len(yours) == len(expected) == len(kept):
        return None
    made = [f"makes {plural(len(steps), 'search', 'searches')}" for steps in (yours, expected)]
    return Parting((), f"{made[0]} and keeps {plural(len(kept), 'result')}", f"{made[1]} and keeps {len(expected)}")


def _arguments(reference: Reference, one: Called, other: Called) -> Iterator[tuple[str, str, str]]:
    """The arguments of two searches: their names, and what they are."""
    odd, _, value = one.odd.partition(" = ")
    if odd:
        yield odd, value, number(getattr(other, odd))
    yield "state", reference.name(one.place or ()), reference.name(())
    for name in ("depth_limit", "maximize", "alpha", "beta"):
        if getattr(one, name) is not None and getattr(other, name) is not None:
            yield name, number(getattr(one, name)), number(getattr(other, name))
    if one.heuristic == "default" and reference.is_given:
        yield "heuristic_fn", "always_zero", "the one that was given"


def _found_otherwise(reference: Reference, nth: int, one: Step, other: Step) -> Parting | None:
    """A search that was called rightly, and finds something else."""
    if one.returned == other.returned:
        return None
    if one.called.function != other.called.function:
        return Parting((), f"search {nth} is made by {one.called.function}", f"it is made by {other.called.function}")
    return _scores_otherwise(reference, one.events, other.events)


def _scores_otherwise(reference: Reference, yours: Sequence[Event], expected: Sequence[Event]) -> Parting | None:
    """The first static evaluation that is not the reference's."""
    scored = ([event for event in events if isinstance(event, Evaluated)] for events in (yours, expected))
    for one, other in zip(*scored, strict=False):
        if one.place is None or other.place is None:
            return None
        if (one.place, one.value) != (other.place, other.value):
            mine, its = (
                reference.evaluation_in_words(at.place or (), at.value, at.estimated, at.flag) for at in (one, other)
            )
            there = "" if one.place == other.place else f"at {reference.name(other.place)} "
            return Parting(one.place, mine, f"{there}{its}")
    return None


def _kept_otherwise(nth: int, returned: Returned, kept: Sequence[Result | Odd]) -> Parting | None:
    """A result that is not kept as it came back."""
    for name in ("score", "evaluations", "path"):
        for found, held in [
            (getattr(returned, name), getattr(result, name)) for result in kept if isinstance(result, Result)
        ]:
            if found != held:
                words = (
                    ("another path", "this path") if name == "path" else (f"{name} = {show(held)}", f"{name} = {found}")
                )
                return Parting((), f"keeps {words[0]} of search {nth}", f"keeps {words[1]}, as found")
    return None


def _steps(events: Sequence[Event]) -> Iterator[Step]:
    """The searches that are called by the outermost call, or by those that it makes of its own function."""
    open_calls: list[tuple[int, Called]] = []
    for nth, event in enumerate(events):
        if isinstance(event, Called):
            open_calls.append((nth, event))
        elif isinstance(event, Returned):
            begun, called = open_calls.pop()
            if {each.function for _, each in open_calls} == {called.function} or not open_calls:
                continue
            if len({each.function for _, each in open_calls}) == 1:
                yield Step(called, event, events[begun:nth])
