"""What a search that deepens step by step did wrong first, by the searches that it calls at the root."""

from collections.abc import Sequence
from typing import NamedTuple

from api import INF
from boards.cases import Case
from grader.kinds.search.answer import Called, Evaluated, Event, Result, Returned, SearchAnswer
from grader.kinds.search.faults import Fault, wrong_evaluation
from grader.kinds.search.judge import as_result
from grader.kinds.search.nodes import Ground, number, window_of
from grader.pipe.words import ordinal, plural


class Step(NamedTuple):
    """A search that was called by the outermost call: how, what came back, and its static evaluations."""

    called: Called
    returned: Returned
    made: list[Evaluated]


def wrong_step(ground: Ground, case: Case, at: int, answer: SearchAnswer, events: Sequence[Event]) -> Fault | None:
    """The first search that was called wrongly, or whose result was not kept."""
    all_steps, asked = _steps(events), _steps(ground.walk.events)
    steps = [(nth, step) for nth, step in enumerate(all_steps, start=1) if step.called.place == ()]
    wanted = list(map(as_result, case.calls[at].expect.get("history", ())))
    kept = answer.results if answer.is_history else wanted
    if not steps:
        is_blind = len(all_steps) > 1 and all(window_of(step.called) == (-INF, INF) for step in all_steps)
        fault = _wrong_estimate(ground, [event for event in events if isinstance(event, Evaluated)])
        return fault or (_begun_elsewhere(ground, all_steps) if is_blind else None)
    if any(step.called.more or step.called.place is None for step in all_steps):
        return None
    said = f"{plural(len(all_steps), 'search was', 'searches were')} made in this call"
    made = Fault((), f"{said}; the history holds {plural(len(kept), 'result')}.")
    if len(wanted) == len(steps) != len(kept):
        return made
    limit = f"depth_limit = {number(ground.limit)}, so"
    for depth, (order, step) in enumerate(steps, start=1):
        limit_given, nth = step.called.depth_limit, f"Your {ordinal(order)} search"
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
            return _not_kept(depth, right, kept[depth - 1])
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


def _not_kept(depth: int, found: Result, kept: object) -> Fault | None:
    for name in ("score", "evaluations"):
        one, other = getattr(found, name), getattr(kept, name, None)
        if other not in (None, one):
            return Fault((), f"Your search to depth {depth} returned {name} = {one}; the history holds {other}.")
    return None


def _steps(events: Sequence[Event]) -> list[Step]:
    """The searches that were called by the outermost call."""
    steps: list[Step] = []
    open_calls: list[Called] = []
    made: list[Evaluated] = []
    for event in events:
        if isinstance(event, Called):
            open_calls.append(event)
            made = [] if len(open_calls) == 2 else made
        elif isinstance(event, Returned):
            called = open_calls.pop()
            if len(open_calls) == 1:
                steps.append(Step(called, event, made))
        elif isinstance(event, Evaluated):
            made.append(event)
    return steps
