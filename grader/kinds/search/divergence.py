"""Where the static evaluations of a search leave the asked ones first, and what its result has to do with them.

This is for a search whose recursion does not go by its own name: a stack, a helper, a class.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from grader.kinds.search.answer import Result
from grader.kinds.search.faults import Fault, wrong_choice
from grader.kinds.search.frame import Frame, cut_off
from grader.kinds.search.nodes import Ground, number
from grader.kinds.search.path import Place
from grader.kinds.search.trace import Called, Evaluated, Event, Expanded, Returned, evaluated
from grader.pipe.plain import is_number
from grader.pipe.words import ordinal, plural

FEW_NODES, FEW_COUNTED = 7, 3  # below which numbers are alike by chance


def first_divergence(ground: Ground, events: Sequence[Event]) -> Fault | None:
    """The first static evaluation that is too many, or before which one is missing."""
    made = [event for event in events if isinstance(event, Evaluated)]
    places = list(dict.fromkeys(event.place for event in made))
    if _estimates(ground.walk.events) and ground.estimates and not ground.again and not _estimates(events):
        return Fault((), "Your search never asked the heuristic that it was given.")
    in_order = sorted(place for place in places if place is not None)
    if not made or None in places or (ground.prunes and in_order != places):
        return None  # another order of visits is nobody's mistake
    asked = evaluated(ground.walk.events)
    missing = next((place for place in asked if place not in places), None)
    needless = next((place for place in in_order if place not in asked), None)
    if needless is not None and ground.prunes and (missing is None or needless < missing):
        return _needless(ground, needless)
    return _missing(ground, missing, in_order) if missing is not None else None


def _estimates(events: Sequence[Event]) -> bool:
    return any(isinstance(event, Evaluated) and event.estimated for event in events)


def _asked_frame(ground: Ground, place: Place, until: Place) -> Frame | None:
    """The asked call on a place, as it stands when it has come to a child, or is done with all before it.

    What came back for a child is what that is worth, and no mere bound of it.
    """
    stack: list[Frame] = []
    for event in ground.walk.events:
        if isinstance(event, Called):
            if stack and stack[-1].place == place and event.place is not None and event.place >= until:
                return stack[-1]
            stack.append(Frame.of(event))
        elif isinstance(event, Returned):
            closed = stack.pop()
            if closed.place == place:
                return closed
            if stack and closed.place[:-1] == stack[-1].place:
                worth = ground.value(closed.place)
                found = replace(event, score=worth.score) if worth else event
                stack[-1].note(closed.place[-1], found, ground.maximizes(stack[-1].place))
    return None


def _needless(ground: Ground, place: Place) -> Fault | None:
    """A place that was scored, and cannot matter: the asked search has cut off above it."""
    entered = {event.place for event in ground.walk.events if isinstance(event, Called)}
    child = next((place[:ply] for ply in range(1, len(place) + 1) if place[:ply] not in entered), None)
    if child is None:
        return None
    frame = _asked_frame(ground, child[:-1], child)
    return cut_off(ground, frame, child) if frame and frame.alpha >= frame.beta else None


def _missing(ground: Ground, place: Place, made: Sequence[Place]) -> Fault | None:
    """A place that was not scored, and matters."""
    has_forgotten = place and (*place[:-1], place[-1] - 1) in made  # the leaf before it, which was scored in this call
    if (ground.again and not has_forgotten) or any(ground.state(place) == ground.state(one) for one in made):
        return None  # its score may be remembered
    how = "get_endgame_score" if ground.is_over(place) else "the heuristic"
    marks, said = {place: "should be looked at"}, f"Your search never asked {how} for {ground.full_name(place)}"
    if not ground.prunes:
        return Fault(place, f"{said}; without cut-offs every leaf counts.", marks)
    above = place[:-1]
    frame = _asked_frame(ground, above, place)
    if frame is None or frame.alpha >= frame.beta:
        return None
    bounds = f"alpha = {number(frame.alpha)} is below beta = {number(frame.beta)}"
    return Fault(place, f"{said}. When its turn comes at {ground.name(above)}, {bounds}, so it could matter.", marks)


def wrong_result(ground: Ground, events: Sequence[Event], result: Result, before: Sequence[int]) -> Fault | None:
    """What a wrong result has to do with evaluations that are all right.

    `before` are the counts that were asked of the earlier calls of the case.
    """
    made = [event for event in events if isinstance(event, Evaluated)]
    fault = _wrong_choice(ground, made, result) or _wrong_count(ground, events, made, result.evaluations, before)
    return fault or (_other_order(ground, made) if ground.prunes else None)


def _other_order(ground: Ground, made: Sequence[Evaluated]) -> Fault | None:
    """Children that were looked at in another order than their own."""
    places = [event.place for event in made if event.place is not None]
    for one, other in pairwise(places):
        if other < one:
            said = f"Your search came to {ground.full_name(one)} before {ground.full_name(other)}"
            return Fault(one, f"{said}; the asked count is that of going through the children in their order.")
    return None


def other_player(ground: Ground, result: Result) -> Fault | None:
    """A result which is that of the other player's moving first; on a tree on which that is no coincidence."""
    path, swapped = result.path.indices, ground.walk.swapped
    if len(path) < 2 or len(ground.walk.values) < FEW_NODES or result.path.problem or swapped != (path, result.score):
        return None
    root = ground.value(())
    if root is None or root.score == result.score:
        return None
    said = f"Path and score are those of a search in which the {'minimizer' if ground.maximizes(()) else 'maximizer'}"
    return Fault((), f"{said} moves first; at {ground.name(())} the {ground.player(())} does.")


def _wrong_choice(ground: Ground, made: Sequence[Evaluated], result: Result) -> Fault | None:
    walk, path = ground.walk, result.path.indices
    root = walk.values.get(())
    alpha, beta = ground.asked.alpha, ground.asked.beta
    if root is None or (alpha is not None and root.score <= alpha) or (beta is not None and root.score >= beta):
        return None
    if result.path.problem or not is_number(result.score):
        return None
    if made and ground.is_watched and result.score not in [event.value for event in made]:
        said = f"No static evaluation in this search gave {number(result.score)}, which it returned as the score."
        return Fault((), said)
    if not ground.is_leaf(path):
        end = ground.full_name(path)
        limit = f", and depth_limit = {number(ground.limit)}" if "depth_limit" in ground.names else ""
        return Fault(
            path, f"Your path ends at {end}, {plural(len(path), 'ply', 'plies')} down; the game goes on there{limit}."
        )
    tie = None
    for ply in range(len(path)) if ground.prunes else reversed(range(len(path))):
        here, taken = path[:ply], path[: ply + 1]
        worth = {
            (*here, at): walk.values[*here, at].score
            for at in range(len(ground.below(here)))
            if (*here, at) in walk.values
        }
        if taken not in worth:
            return None
        best = (max if ground.maximizes(here) else min)(worth.values())
        wanted = next(child for child, score in worth.items() if score == best)
        if taken != wanted:
            tie = wrong_choice(ground, here, wanted, taken)
            if ground.prunes or worth[taken] != best:
                return tie
    return tie  # the highest one, where nothing else is wrong with the path


def _wrong_count(
    ground: Ground, events: Sequence[Event], made: Sequence[Evaluated], count: object, before: Sequence[int]
) -> Fault | None:
    """What a wrong count is made of, where that can be told in one way only."""
    places = {event.place for event in made}
    own = len(places)
    if type(count) is not int or None in places or not made or count == own or own < 2:
        return None
    asked = ground.walk.events[-1]
    if not ground.is_watched and not (isinstance(asked, Returned) and asked.evaluations == own):
        return None
    expanded = len({event.place for event in events if isinstance(event, Expanded)})
    scored = len({event.place for event in made if not event.estimated})
    told = []
    if len(before) == 1 and FEW_COUNTED <= before[0] == count - own:
        told.append(f"It returned a count of {count} = {before[0]} of the call before + {own}.")
    if count == own + expanded > own + 1:
        states = plural(expanded, "state")
        told.append(
            f"It returned a count of {count} = {own} + {expanded}: {states} were expanded, and only scores count."
        )
    if FEW_COUNTED <= count == scored < own:
        told.append(
            f"It returned a count of {count}, those of get_endgame_score; {own - scored} of the heuristic count too."
        )
    if count == len({ground.state(place) for place in places if place is not None}) < own:
        told.append(f"It returned a count of {count}, that of different positions; {own} were scored.")
    if count == 2 * own:
        told.append(f"It returned a count of {count}, twice the {own} that were made.")
    if count == len(made) > own:
        again, _ = Counter(event.place for event in made).most_common(1)[0]
        said = f"It returned a count of {count}, and scored {own} different states"
        told.append(f"{said}: {ground.full_name(again or ())} more than once.")
    return Fault((), told[0]) if len(told) == 1 else None


def visits(events: Sequence[Event]) -> dict[Place, str]:
    """The order in which places were scored, for the drawing."""
    return {place: f"{ordinal(at)} evaluated" for at, place in enumerate(evaluated(events), start=1)}
