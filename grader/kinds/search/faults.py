"""Faults: what is wrong with a call, a static evaluation or the choice of a child, as a sentence of facts."""

from dataclasses import dataclass, field

from grader.kinds.search.nodes import Ground, number
from grader.kinds.search.path import Place
from grader.kinds.search.trace import Called, Evaluated
from grader.pipe.words import plural


@dataclass(frozen=True)
class Fault:
    """A fact about a place, and remarks for the drawing."""

    place: Place
    sentence: str
    marks: dict[Place, str] = field(default_factory=dict)


def wrong_default(ground: Ground, called: Called) -> Fault | None:
    """An argument that the outermost call was not given, and that has another default than the asked one."""
    for name in ("maximize", "alpha", "beta"):
        own, asked = getattr(called, name), getattr(ground.asked, name)
        if name in ground.names and own is not None and own in (not asked, -asked) and own != asked:
            said = f"Your search takes {name} = {number(own)} where it is called without {name}"
            return Fault((), f"{said}; it should be {number(asked)} then.")
    return None


def handed_over(ground: Ground, called: Called) -> Fault | None:
    """An inner call with a wrong depth, player or heuristic."""
    place, depth = called.place, called.depth_limit
    if place is None:
        return None
    name, root, left = ground.name(place), ground.name(()), ground.limit - len(place)
    ends = [end for end in ground.walk.values if end[: len(place)] == place]
    is_short = depth is not None and any(len(place) + depth < len(end) for end in ends)
    is_open = any(len(end) == ground.limit and not ground.is_over(end) for end in ends)
    estimated = [event.place for event in ground.walk.events if isinstance(event, Evaluated) and event.estimated]
    checks = (
        (
            "depth_limit" in ground.names and (is_short or (depth is not None and is_open and depth > left)),
            f"depth_limit = {number(ground.limit)} at {root} leaves {number(left)} for {name}; "
            f"your call on it has depth_limit = {number(depth or 0)}.",
        ),
        (
            called.maximize not in (None, ground.maximizes(place)) and ground.plays,
            f"Your call on {name} has maximize = {called.maximize}; the {ground.player(place)} is to move there.",
        ),
        (
            called.heuristic == "default" and ground.estimates and not set(ends).isdisjoint(estimated),
            f"Your call on {name} is not given the heuristic that {root} was given: always_zero stands in for it "
            "there.",
        ),
    )
    return next((Fault(place, said) for is_wrong, said in checks if is_wrong), None)


def wrong_evaluation(ground: Ground, event: Evaluated, at_limit: bool = False) -> Fault | None:
    """A static evaluation of the wrong kind, or in the wrong place, unless it is known to be `at_limit`; or with the
    wrong flag, where that makes a difference."""
    place, estimated = event.place, event.estimated
    if place is None:
        return None
    name, down, limit = ground.name(place), plural(len(place), "ply", "plies"), number(ground.limit)
    is_over, gave = ground.is_over(place), number(event.value)
    right = ground.evaluation(place, ground.maximizes(place), estimated and not is_over)
    how = "the heuristic" if estimated else "get_endgame_score"
    default = "this search leaves the flag at its default"
    end = f"the {ground.player(place)} is to move there" if ground.plays else default
    checks = (
        (
            len(place) > ground.limit and not at_limit,
            f"Your search scored {name}, which is {down} down; depth_limit = {limit}, so nothing deeper counts.",
            "too deep",
        ),
        (
            estimated and is_over,
            f"At {name} the game is over, and your search asked the heuristic, which gave {gave}; "
            f"get_endgame_score gives {number(right or 0)}.",
            "the game is over",
        ),
        (
            estimated and not ground.is_leaf(place) and not at_limit,
            f"At {name}, {down} down, your search asked the heuristic; depth_limit = {limit}, so its children count.",
            "above the limit",
        ),
        (
            event.flag not in (None, ground.maximizes(place)) and right not in (None, event.value),
            f"At {name} {how} was asked with flag {event.flag} and gave {gave}, not {number(right or 0)}; {end}.",
            f"flag {event.flag}",
        ),
    )
    return next((Fault(place, said, {place: mark}) for is_wrong, said, mark in checks if is_wrong), None)


def wrong_choice(ground: Ground, wanted: Place, taken: Place, score: float) -> Fault:
    """A path to this score that takes another child than the best."""
    place, one, other = wanted[:-1], ground.walk.values[wanted], ground.walk.values[taken]
    here, first, second = (ground.name(each) for each in (place, wanted, taken))
    if one == other:
        said = f"At {here} both {first} and {second} are worth {number(one)}, and the earlier one is to be taken; your"
    else:
        said = f"At {here}, {ground.aim(place)}, {first} is worth {number(one)} and {second} {number(other)}; "
        said += f"your search returned {number(score)}, and its"
    return Fault(place, f"{said} path goes to {second}.", {taken: "your path", wanted: "best"})
