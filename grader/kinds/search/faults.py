"""Faults: what is wrong with a call, a static evaluation or the choice of a child, as a sentence of facts."""

from dataclasses import dataclass, field

from api import INF
from grader.kinds.search.answer import Called, Evaluated, Place
from grader.kinds.search.nodes import Ground, number
from grader.protocol.words import plural


@dataclass(frozen=True)
class Fault:
    """A fact about a place, and remarks for the drawing."""

    place: Place
    sentence: str
    marks: dict[Place, str] = field(default_factory=dict)


def first_of(place: Place, checks: dict[str, bool]) -> Fault | None:
    """The first sentence on a place that is true."""
    return next((Fault(place, said) for said, is_so in checks.items() if is_so), None)


def call_of(ground: Ground, called: Called, own: str = "call") -> str:
    """The words for a call: whose it is, where it is none of the function that was asked."""
    return own if called.function == ground.function else f"call of {called.function}"


def handed_over(ground: Ground, called: Called, caller: Called) -> Fault | None:
    """An inner call with a wrong depth, player or heuristic, or with an argument that cannot be one; the `caller` is
    the call that made it."""
    place = called.place
    if place is None:
        return None
    name, root, left = ground.name(place), ground.name(()), ground.limit - len(place)
    yours, is_limited = f"Your {call_of(ground, called)} on {name}", called.heuristic is not None
    is_endless = called.maximize is not None and (called.heuristic, called.depth_limit) == (None, None)
    depth = called.depth_limit if is_limited and called.depth_limit is not None else INF if is_endless else left
    ends = [end for end in ground.walk.values if end[: len(place)] == place]
    is_open = any(len(end) == ground.limit and not ground.is_over(end) for end in ends)
    is_wrong_depth = (is_open and depth > left) or any(len(place) + depth < len(end) for end in ends)
    estimated = [event.place for event in ground.walk.events if isinstance(event, Evaluated) and event.estimated]
    is_default = called.heuristic == "default" and ground.estimates and not set(ends).isdisjoint(estimated)
    is_wrong_player = ground.plays and called.maximize not in (None, ground.maximizes(place))
    checks = {
        f"{yours} has {called.odd}; is each of its arguments in its place?": called.odd != "",
        f"{yours} made another one on {name} itself, with depth_limit = {number(depth)}; its children "
        "are next.": is_wrong_depth and (caller.place, caller.function) == (place, called.function),
        f"{yours} has depth_limit = {number(depth)}, and the game goes on below that; this search has no "
        "limit.": is_wrong_depth and "depth_limit" not in ground.names,
        f"{yours} knows no depth limit; depth_limit = {number(ground.limit)} at {root} leaves {number(left)} for "
        f"{name}.": is_wrong_depth and is_endless,
        f"depth_limit = {number(ground.limit)} at {root} leaves {number(left)} for {name}; "
        f"your call on it has depth_limit = {number(depth)}.": is_wrong_depth,
        f"{yours} has maximize = {called.maximize}; the {ground.player(place)} is to move there.": is_wrong_player,
        f"{yours} is not given the heuristic that {root} was given: always_zero stands in for it there.": is_default,
    }
    return first_of(place, checks)


def wrong_evaluation(ground: Ground, event: Evaluated, at_limit: bool = False) -> Fault | None:
    """A static evaluation of the wrong kind, or in the wrong place, unless it is known to be `at_limit`; or with the
    wrong flag, where that makes a difference."""
    place = event.place
    if place is None:
        return None
    name, down = ground.name(place), plural(len(place), "ply", "plies")
    right, gave = ground.evaluation(place, wanted := ground.maximizes(place)), number(event.value)
    how = "the heuristic" if event.estimated else "get_endgame_score"
    mover = f"the {ground.player(place)} is to move there"
    reason = mover if ground.plays else "this search leaves the flag at its default"
    limit = f"depth_limit = {number(ground.limit)}"
    too_deep = not at_limit and len(place) > ground.limit
    too_late = event.estimated and ground.is_over(place)
    too_early = event.estimated and not (at_limit or ground.is_leaf(place))
    is_turned = event.value != right and event.flag is not wanted
    flag = f"not given the flag {wanted}" if event.flag is None else f"asked with flag {event.flag}"
    checks = {
        f"Your search scored {name}, which is {down} down; {limit}, so nothing deeper counts.": too_deep,
        f"At {name} the game is over, and your search asked the heuristic, which gave {gave}; "
        f"get_endgame_score gives {number(right)}.": too_late,
        f"At {name}, {down} down, your search asked the heuristic; {limit}, so its children count.": too_early,
        f"At {name} {how} was {flag} and gave {gave}, not {number(right)}; {reason}.": is_turned,
    }
    return first_of(place, checks)


def wrong_choice(ground: Ground, wanted: Place, taken: Place, score: float, is_bound: bool) -> Fault:
    """A path to this score that takes another child than the best, of which a call returned the same score where it
    `is_bound`."""
    place, one, other = wanted[:-1], ground.walk.values[wanted], ground.walk.values[taken]
    here, first, second = (ground.name(each) for each in (place, wanted, taken))
    if one == other:
        said = f"At {here} both {first} and {second} are worth {number(one)}, and the earlier one is to be taken; your"
    else:
        said = f"At {here}, {ground.aim(place)}, {first} is worth {number(one)} and {second} {number(other)}"
        if is_bound:
            bound = f"Your call on {second} was cut off, and its {number(score)} is a bound"
            said += f". {bound}: no reason to leave {first}. Your"
        else:
            said += f"; your search returned {number(score)}, and its"
    return Fault(place, f"{said} path goes to {second}.", {taken: "your path", wanted: "best"})
