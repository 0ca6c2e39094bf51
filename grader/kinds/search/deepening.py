"""What a search that deepens step by step did wrong first, by the searches that it calls at the root."""

from collections.abc import Sequence

from api import INF
from boards.cases import Case
from grader.kinds.search.answer import Odd, Result, SearchAnswer
from grader.kinds.search.faults import Fault
from grader.kinds.search.nodes import Ground, number
from grader.kinds.search.path import Path
from grader.kinds.search.trace import Called, Evaluated, Event, Returned
from grader.pipe.words import ordinal, plural


def wrong_step(ground: Ground, case: Case, at: int, answer: SearchAnswer, events: tuple[Event, ...]) -> Fault | None:
    """The first search that was called wrongly, or whose result was not kept."""
    steps = _steps(events)
    wanted = case.calls[at].expect.get("history", ())
    if not steps:
        return _wrong_estimate(ground, events)
    if any(called.more for called, _, _ in steps):
        return None
    if answer.is_history and len(wanted) == len(steps) != len(answer.results):
        said = f"{plural(len(steps), 'search was', 'searches were')} made in this call"
        return Fault((), f"{said}; the history holds {plural(len(answer.results), 'result')}.")
    for depth, (called, returned, inner) in enumerate(steps, start=1):
        which = f"Your search to depth {depth}"
        if depth > len(wanted):
            said = f"Your {ordinal(depth)} search goes to depth {number(called.depth_limit or 0)}"
            return Fault((), f"{said}; depth_limit = {number(ground.limit)}, so the last one goes there.")
        if called.depth_limit is not None and called.depth_limit != depth:
            said = f"Your {ordinal(depth)} search has depth_limit = {number(called.depth_limit)}"
            return Fault((), f"{said}; the first one goes to depth 1, and each goes one ply deeper.")
        expect = wanted[depth - 1]
        result = Result(Path(tuple(expect["path"])), expect["score"], expect["evaluations"])
        if (returned.path, returned.score, returned.evaluations) != (result.path, result.score, result.evaluations):
            return _wrong_call(ground, depth, called, inner) or _wrong_search(case, which, called, returned, result)
        kept = answer.results[depth - 1] if answer.is_history and depth <= len(answer.results) else None
        if answer.is_history and kept != result:
            return _not_kept(which, result, kept)
    if len(steps) < len(wanted):
        said = f"Your last search went to depth {len(steps)}"
        return Fault((), f"{said}; depth_limit = {number(ground.limit)}, so that is where the last one goes.")
    return None


def _wrong_call(ground: Ground, depth: int, called: Called, inner: list[Event]) -> Fault | None:
    """Why a search did not find what it should have, by what it was given; None where it is to blame itself."""
    which = f"Your search to depth {depth}"
    if called.maximize is not None and called.maximize is not ground.maximizes(()):
        said = f"{which} has maximize = {called.maximize}"
        return Fault((), f"{said}; the {ground.player(())} is to move at {ground.name(())}.")
    bounds = {"alpha": called.alpha, "beta": called.beta}
    given = [f"{name} = {number(bound)}" for name, bound in bounds.items() if bound is not None and abs(bound) < INF]
    if given:
        return Fault((), f"{which} was called with {' and '.join(given)}; each begins with a full window.")
    if called.heuristic == "default" and ground.heuristic:
        return Fault((), f"{which} was not given the heuristic, so that always_zero stood in for it.")
    estimates = [event for event in inner if isinstance(event, Evaluated) and event.estimated]
    if ground.heuristic and called.heuristic == "other":
        if not estimates and any(map(_is_estimate, _steps(ground.walk.events)[depth - 1][2])):
            return Fault((), f"{which} never asked the heuristic that was given.")
        return _wrong_estimate(ground, inner)
    return None


def _wrong_estimate(ground: Ground, events: Sequence[Event]) -> Fault | None:
    """The heuristic asked where the game is over, or with the wrong flag where that makes a difference."""
    for event in events:
        if not isinstance(event, Evaluated) or event.place is None or not event.estimated:
            continue
        place, name = event.place, ground.full_name(event.place)
        if ground.is_over(place):
            return Fault(place, f"At {name} the game is over, and your search asked the heuristic.", {place: "over"})
        right = ground.evaluation(place, ground.maximizes(place), estimated=True)
        if event.flag is not None and event.value != right:
            flag = f"flag {event.flag}"
            said = f"At {name} the heuristic was asked with {flag}; the {ground.player(place)} is to move there."
            return Fault(place, said, {place: flag})
    return None


def _wrong_search(case: Case, which: str, called: Called, returned: Returned, result: Result) -> Fault | None:
    """A step that was made by a search which makes more evaluations."""
    others, more = case.graded.may_call, (returned.evaluations or 0) > result.evaluations
    if called.function in others or not more or not others:
        return None
    took = f"took {returned.evaluations} static evaluations; {others[0]} takes {result.evaluations}"
    return Fault((), f"{which} was made by {called.function}, and {took}.")


def _not_kept(which: str, result: Result, kept: Result | Odd | None) -> Fault | None:
    if not isinstance(kept, Result):
        return None
    for name in ("score", "evaluations"):
        one, other = getattr(result, name), getattr(kept, name)
        if one != other:
            return Fault((), f"{which} returned {name} = {one}; the history holds {other}.")
    return None


def _is_estimate(event: Event) -> bool:
    return isinstance(event, Evaluated) and event.estimated


def _steps(events: tuple[Event, ...]) -> list[tuple[Called, Returned, list[Event]]]:
    """The searches that were called at the root by the outermost call: how, what came back, and what they did."""
    steps: list[tuple[Called, Returned, list[Event]]] = []
    depth, begun, inner = 0, None, list[Event]()
    for event in events:
        if isinstance(event, Called):
            depth += 1
            if depth == 2:
                begun, inner = event, []
        elif isinstance(event, Returned):
            depth -= 1
            if depth == 1 and begun and begun.place == ():
                steps.append((begun, event, inner))
        elif depth > 1:
            inner.append(event)
    return steps
