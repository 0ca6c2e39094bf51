"""What a search that deepens step by step did wrong first: by the searches that it calls at the root, or by what it
does itself each time that it comes to the root."""

import dataclasses
import re
from collections.abc import Sequence
from typing import NamedTuple

from api import INF
from boards.cases import Case
from grader.kinds.search.answer import Called, Evaluated, Event, Expanded, Result, Returned, SearchAnswer, evaluated
from grader.kinds.search.faults import Fault, wrong_evaluation
from grader.kinds.search.judge import as_result
from grader.kinds.search.nodes import Ground, Walk, number, window_of
from grader.kinds.search.outcome import wrong_search
from grader.protocol.plain import is_count, is_number
from grader.protocol.words import ordinal, plural, show


class Step(NamedTuple):
    """A search that was called by the outermost call: how, what came back, and all that happened in between."""

    called: Called
    returned: Returned
    events: Sequence[Event]

    @property
    def made(self) -> list[Evaluated]:
        """Its static evaluations."""
        return [event for event in self.events if isinstance(event, Evaluated)]


def wrong_step(ground: Ground, case: Case, at: int, answer: SearchAnswer, events: Sequence[Event]) -> Fault | None:
    """The first search that was called wrongly, or whose result was not kept."""
    all_steps, asked = _steps(events), _steps(ground.walk.events)
    steps = [(nth, step) for nth, step in enumerate(all_steps, start=1) if step.called.place == ()]
    wanted = list(map(as_result, case.calls[at].expect.get("history", ())))
    kept = answer.results if answer.is_history else wanted
    if not steps:
        is_blind = len(all_steps) > 1 and all(window_of(step.called) == (-INF, INF) for step in all_steps)
        fault = _wrong_estimate(ground, [event for event in events if isinstance(event, Evaluated)])
        fault = fault or (_begun_elsewhere(ground, all_steps) if is_blind else None)
        return fault or (None if all_steps else _by_itself(ground, case, at, kept, events, asked))
    if any(step.called.more or step.called.place is None for step in all_steps):
        return None
    said = f"{plural(len(all_steps), 'search was', 'searches were')} made in this call"
    made = Fault((), f"{said}; the history holds {plural(len(kept), 'result')}.")
    if len(wanted) == len(steps) != len(kept):
        return made
    limit = f"depth_limit = {number(ground.limit)}, so"
    for depth, (order, step) in enumerate(steps, start=1):
        limit_given, nth = step.called.depth_limit, f"Your {ordinal(order)} search"
        if step.called.odd:
            return Fault((), f"{nth} has {step.called.odd}; is each of its arguments in its place?")
        if depth > len(wanted):
            reach = "is one too many" if limit_given is None else f"goes to depth {number(limit_given)}"
            return Fault((), f"{nth} {reach}; {limit} the last one goes there.")
        if limit_given not in (None, depth):
            said = "the first one goes to depth 1, and each goes one ply deeper."
            return Fault((), f"{nth} has depth_limit = {number(limit_given or 0)}; {said}")
        right, back = wanted[depth - 1], step.returned
        if (back.path, back.score, back.evaluations) != (right.path, right.score, right.evaluations):
            return _wrong_search(ground, case, depth, step, asked[depth - 1])
        if depth > len(kept):
            return made
        if kept[depth - 1] != right:
            return _not_kept(ground, depth, right, kept[depth - 1])
    if len(steps) == len(wanted):
        return None
    last = Fault((), f"Your last search went to depth {len(steps)}; {limit} that is where the last one goes.")
    return _begun_elsewhere(ground, all_steps) or last


def _begun_elsewhere(ground: Ground, steps: Sequence[Step]) -> Fault | None:
    """The first search that was not called at the root."""
    for order, step in enumerate(steps, start=1):
        if place := step.called.place:
            said = f"Your {ordinal(order)} search begins at {ground.name(place)}; each begins at {ground.name(())}."
            return Fault(place, said)
    return None


def _wrong_search(ground: Ground, case: Case, depth: int, step: Step, asked: Step) -> Fault | None:
    """Why a search did not find what it should have, by what it was given; None where it is to blame itself."""
    which, called, others = f"Your search to depth {depth}", step.called, case.graded.may_call
    if called.maximize not in (None, ground.maximizes(())):
        said = f"{which} has maximize = {called.maximize}"
        return Fault((), f"{said}; the {ground.player()} is to move at {ground.name(())}.")
    bounds = zip(("alpha", "beta"), window_of(called), (-INF, INF), strict=True)
    given = [f"{name} = {number(bound)}" for name, bound, full in bounds if bound != full]
    if given:
        return Fault((), f"{which} was called with {' and '.join(given)}; each begins with a full window.")
    if ground.is_given and called.heuristic == "default":
        return Fault((), f"{which} was not given the heuristic, so that always_zero stood in for it.")
    if ground.is_given and called.heuristic == "other":
        if any(each.estimated for each in asked.made) and not any(each.estimated for each in step.made):
            return Fault((), f"{which} got no score from the heuristic that was given.")
        if fault := _wrong_estimate(ground, step.made):
            return fault
    took, takes = step.returned.evaluations or 0, asked.returned.evaluations or 0
    if not others or called.function in others or took <= takes:
        return None
    said = f"{which} was made by {called.function}, and took {took} static evaluations; {others[0]} takes {takes}."
    return Fault((), said)


def _wrong_estimate(ground: Ground, made: Sequence[Evaluated]) -> Fault | None:
    """The heuristic asked where the game is over, or with the wrong flag where that makes a difference."""
    estimates = (event for event in made if event.estimated and event.place is not None)
    return next((fault for event in estimates if (fault := wrong_evaluation(ground, event, at_limit=True))), None)


def _not_kept(ground: Ground, depth: int, found: Result, kept: object) -> Fault | None:
    if not isinstance(kept, Result):
        return None
    said = f"Your search to depth {depth} returned"
    for name in ("score", "evaluations"):
        one, other = getattr(found, name), getattr(kept, name)
        if one != other:
            return Fault((), f"{said} {name} = {one}; the history holds {show(other)}.")
    return Fault((), f"{said} the path {ground.path(found.path.indices)}; the history holds another.")


def _by_itself(
    ground: Ground, case: Case, at: int, kept: Sequence[object], events: Sequence[Event], asked: Sequence[Step]
) -> Fault | None:
    """What the first wrong search did, where all were made without a call that is known: each begins at the root."""
    seen = [event for event in events if isinstance(event, Expanded | Evaluated)]
    begins = [nth for nth, event in enumerate(seen) if event == Expanded(())]
    wanted, before = case.calls[at].expect.get("history", ()), 0
    if not len(begins) == len(kept) == len(wanted) == len(asked) == len(ground.walk.deeper):
        return None
    for depth, (begin, end) in enumerate(zip(begins, [*begins[1:], len(seen)], strict=True), start=1):
        step, result, made = asked[depth - 1], kept[depth - 1], seen[begin:end]
        right = as_result(wanted[depth - 1])
        is_same = {*evaluated(made)} == {*evaluated(step.made)}
        others = (right.evaluations + before, depth) if is_same else ()  # which are no counts of this search alone
        if result not in [dataclasses.replace(right, evaluations=count) for count in (right.evaluations, *others)]:
            if not isinstance(result, Result) or not is_number(result.score) or result in map(as_result, wanted):
                return None  # what is told of the result says it: another depth finds this, say
            count = result.evaluations if is_count(result.evaluations) else None
            back = Returned(None if result.path.problem else result.path, result.score, count)
            called = dataclasses.replace(step.called, function=case.function)
            below = Ground(case, at, Walk(tuple(step.events), ground.walk.deeper[depth - 1]), depth)
            if fault := wrong_search(below, wanted[depth - 1], result, [called, *made, back], ()):
                said = re.sub("(It|your call|your search) returned", "the history holds", fault.sentence)
                return dataclasses.replace(fault, sentence=f"For depth {depth}: {said[:1].lower()}{said[1:]}")
        before += right.evaluations
        if not is_same:
            return None  # it may have come to the root once more
    return None


def _steps(events: Sequence[Event]) -> list[Step]:
    """The searches that were called by the outermost call, or by those that it makes of its own function."""
    steps: list[Step] = []
    open_calls: list[tuple[int, Called]] = []
    for nth, event in enumerate(events):
        if isinstance(event, Called):
            open_calls.append((nth, event))
        elif isinstance(event, Returned):
            begun, called = open_calls.pop()
            own = {each.function for _, each in open_calls}
            if len(own) == 1 and called.function not in own:
                steps.append(Step(called, event, events[begun : nth + 1]))
    return steps
