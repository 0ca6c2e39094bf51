"""What a search did wrong; what a wrong result has to do with the asked search, and with evaluations that are all
right."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from grader.kinds.search.answer import Evaluated, Event, Expanded, Place, Result, Returned, evaluated, returned_by
from grader.kinds.search.faults import Fault, wrong_choice
from grader.kinds.search.following import first_wrong
from grader.kinds.search.judge import judge_path_and_score
from grader.kinds.search.nodes import Ground, number, window_of
from grader.protocol.plain import is_number
from grader.protocol.words import plural

FEW_NODES, FEW_COUNTED = 7, 3  # below which numbers are alike by chance


def wrong_search(
    ground: Ground, expect: dict[str, Any], result: object, events: Sequence[Event], before: Sequence[int]
) -> Fault | None:
    """What one search did wrong first: by its own calls, else by its evaluations and its result.  `before` are the
    counts that were asked of the earlier calls of the case."""
    if not isinstance(result, Result):
        return first_wrong(ground, events, compares=True, right=()) if evaluated(events) else None
    other = _other_player(ground, events, result)
    right = [] if judge_path_and_score(expect, result) else ["score"]
    right += ["evaluations"] if result.evaluations == expect["evaluations"] else []
    stops_unseen = not ground.sees and not result.path.problem and not ground.is_leaf(result.path.indices)
    fault = first_wrong(ground, events, not (stops_unseen or (other and ground.prunes)), right)
    return fault or other or _wrong_result(ground, events, result, before)


def _other_player(ground: Ground, events: Sequence[Event], result: Result) -> Fault | None:
    """A result which is that of the other player's moving first, as all that was scored is; on a tree on which that is
    no coincidence."""
    path, found = result.path.indices, [list(result.path.indices), result.score, result.evaluations]
    if len(path) < 2 or len(ground.walk.values) < FEW_NODES or ground.walk.swapped != found:
        return None
    made = [(place, one.value) for one in events if isinstance(one, Evaluated) and (place := one.place) is not None]
    is_other = all(gave == ground.evaluation(place, not ground.maximizes(place)) for place, gave in made)
    if ground.value(()) in (None, result.score) or not is_other:
        return None
    said = f"Path and score are those of a search in which the {ground.player((0,))}"
    return Fault((), f"{said} moves first; at {ground.name(())} the {ground.player(())} does.")


def _wrong_result(ground: Ground, events: Sequence[Event], result: Result, before: Sequence[int]) -> Fault | None:
    """What is wrong with a result."""
    made = [event for event in events if isinstance(event, Evaluated)]
    if not made and ground.sees:
        nor = ", nor from the heuristic that it was given" if ground.is_given else ""
        return Fault((), f"In this call your search got no score from get_endgame_score{nor}. Where is its own from?")
    return (
        _wrong_path(ground, events, made, result)
        or _wrong_count(ground, events, made, result, before)
        or _counted_once(ground, made, result.evaluations)
        or _other_order(ground, evaluated(events))
    )


def _wrong_path(ground: Ground, events: Sequence[Event], made: Sequence[Evaluated], result: Result) -> Fault | None:
    """A score that nothing gave, or a path that does not lead where it should."""
    path, score, value, (alpha, beta) = result.path.indices, result.score, ground.value(()), window_of(ground.asked)
    if value is None or not alpha < value < beta or not is_number(score):
        return None
    if made and ground.is_watched and score not in [event.value for event in made]:
        return Fault((), f"It returned {number(score)} as the score, and none of its static evaluations gave that.")
    if result.path.problem:
        return None
    if not ground.is_leaf(path):
        limit = f", and depth_limit = {number(ground.limit)}" if "depth_limit" in ground.names else ""
        said = f"Your path ends at {ground.name(path)}, {plural(len(path), 'ply', 'plies')} down"
        return Fault(path, f"{said}; the game goes on there{limit}.")
    wrong: list[tuple[Place, Place]] = []
    for ply in range(len(path)):
        children = [(*path[:ply], at) for at in range(len(ground.below(path[:ply])))]
        worth = {child: ground.walk.values[child] for child in children if child in ground.walk.values}
        if path[: ply + 1] not in worth:
            return None
        best = (max if ground.maximizes(path[:ply]) else min)(worth.values())
        wanted = next(child for child in worth if worth[child] == best)
        if wanted != path[: ply + 1]:
            wrong.append((wanted, path[: ply + 1]))
    # With cut-offs, what is below a wrong choice may be a mere bound; without them the innermost one is the cause.
    worse = [(one, other) for one, other in wrong if not ground.prunes and ground.value(one) != ground.value(other)]
    if not wrong:
        return None
    best_one, taken = worse[-1] if worse else wrong[0]
    is_bound = ground.prunes and returned_by(events).get(taken) == score == ground.walk.values[best_one]
    return wrong_choice(ground, best_one, taken, score, is_bound)


def _wrong_count(
    ground: Ground, events: Sequence[Event], made: Sequence[Evaluated], result: Result, before: Sequence[int]
) -> Fault | None:
    """What a wrong count is made of, where that can be told in one way only."""
    places, asked = {event.place for event in made}, ground.walk.events[-1]
    own, count = len(places), result.evaluations
    if type(count) is not int or None in places or count == own or own < 2:
        return None
    if not ground.is_watched and not (isinstance(asked, Returned) and asked.evaluations == own):
        return None
    expanded = len({event.place for event in events if isinstance(event, Expanded)})
    scored = len({event.place for event in made if not event.estimated})
    again, _ = Counter(event.place for event in made).most_common(1)[0]
    goes_on = len(before) == 1 and FEW_COUNTED <= before[0] == count - own
    all_nodes = count == own + expanded > own + 1
    ends_alone = FEW_COUNTED <= count == scored < own
    root, all_count = ground.name(()), "every state that is scored counts"
    are_children = FEW_COUNTED <= count == len(ground.below(()))
    are_on_the_path = FEW_COUNTED <= count == len(result.path.indices) + 1
    checks = {
        f" = {sum(before)} of the call before + {own}.": goes_on,
        f" = {own} + {expanded}: {plural(expanded, 'state')} were expanded, and only scores count.": all_nodes,
        f"; {scored} were made by get_endgame_score and {own - scored} by the heuristic, and all count.": ends_alone,
        f" = 2 * {own}; each state that is scored counts once.": count == 2 * own >= 2 * FEW_COUNTED,
        f", as many as {root} has children; {all_count}.": are_children,
        f", as many as there are states in the path; {all_count}.": are_on_the_path,
        f", and scored {own} different states: {ground.name(again or ())} more than once.": count == len(made) > own,
    }
    told = [said for said, is_so in checks.items() if is_so]
    return Fault((), f"It returned a count of {count}{told[0]}") if len(told) == 1 else None


def _counted_once(ground: Ground, made: Sequence[Evaluated], count: object) -> Fault | None:
    """A position that is to be scored again, as it is reached in another way; nothing else is wrong with the count."""
    places, asked = {event.place for event in made}, evaluated(ground.walk.events)
    first = {ground.state(place): place for place in reversed(asked)}
    again = next((place for place in asked if first[ground.state(place)] != place), None)
    known = {ground.state(place) for place in places if place is not None}
    if again is None or None in places or not known.issuperset(first):
        return None
    if count == len(known) or count == len(asked) > len(places) == len(known):
        did, does = ("counted", "counts") if count == len(known) else ("scored", "is to be scored")
        said = f"Your search {did} {plural(len(known), 'position')}, each once; {ground.name(again)} is one of them"
        return Fault(again, f"{said}, reached in another way, and {does} again.")
    missed = next((place for place in asked if place not in places), None)
    if missed is None or not count == len(made) < len(asked):
        return None
    said = f"Your search did not score {ground.name(missed)}"
    return Fault(missed, f"{said}; it scored this position where it is reached in another way, and it counts again.")


def _other_order(ground: Ground, places: Sequence[Place]) -> Fault | None:
    """Children that were looked at in another order than their own, where that makes a difference."""
    for one, other in pairwise(places):
        if ground.prunes and other < one:
            said = f"Your search came to {ground.name(one)} before {ground.name(other)}"
            return Fault(one, f"{said}; the asked count is that of going through the children in their order.")
    return None
