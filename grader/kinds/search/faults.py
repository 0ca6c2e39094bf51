"""Faults: what is wrong with a static evaluation, or with the choice of a child, as a sentence of facts."""

from dataclasses import dataclass, field

from grader.kinds.search.nodes import Ground, number
from grader.kinds.search.path import Place
from grader.kinds.search.trace import Evaluated
from grader.pipe.words import plural


@dataclass(frozen=True)
class Fault:
    """A fact about a place, and remarks for the drawing."""

    place: Place
    sentence: str
    marks: dict[Place, str] = field(default_factory=dict)


def is_right(ground: Ground, event: Evaluated) -> bool:
    """Whether a static evaluation is the asked one, or at least gives the same."""
    place = event.place
    if place is None or not ground.is_leaf(place) or event.estimated is ground.is_over(place):
        return False
    if len(place) > ground.limit:
        return False
    return event.flag is ground.maximizes(place) or event.value == ground.evaluation(
        place, ground.maximizes(place), event.estimated
    )


def wrong_evaluation(ground: Ground, event: Evaluated) -> Fault | None:
    """A static evaluation of the wrong kind, with the wrong flag, or in the wrong place."""
    place = event.place
    if place is None or is_right(ground, event):
        return None
    name, how = ground.full_name(place), "the heuristic" if event.estimated else "get_endgame_score"
    down, limit = plural(len(place), "ply", "plies"), number(ground.limit)
    if len(place) > ground.limit:
        said = f"Your search scored {name}, which is {down} down; depth_limit = {limit}, so nothing deeper counts."
        return Fault(place, said, {place: "too deep"})
    if event.estimated and ground.is_over(place):
        score = ground.evaluation(place, ground.maximizes(place), estimated=False)
        said = f"At {name} the game is over, and your search asked the heuristic, which gave {number(event.value)}"
        return Fault(place, f"{said}; get_endgame_score gives {number(score or 0)}.", {place: "the game is over"})
    if event.estimated and not ground.is_leaf(place):
        said = f"At {name}, {down} down, your search asked the heuristic; depth_limit = {limit}, so its children count."
        return Fault(place, said, {place: "above the limit"})
    if event.flag is None or not ground.is_leaf(place):
        return None
    mover = f"the {ground.player(place)} is to move there"
    end = mover if ground.plays else "this search leaves the flag at its default"
    right = ground.evaluation(place, not event.flag, event.estimated)
    said = f"At {name} {how} was asked with flag {event.flag} and gave {number(event.value)}, not {number(right or 0)}"
    return Fault(place, f"{said}; {end}.", {place: f"flag {event.flag}"})


def wrong_choice(ground: Ground, place: Place, wanted: Place, taken: Place) -> Fault:
    """A path that takes another child than the best."""
    one, other = ground.walk.values[wanted].score, ground.walk.values[taken].score
    name, marks = ground.name(place), {taken: "your path", wanted: "best"}
    first, second = ground.full_name(wanted), ground.full_name(taken)
    if one == other:
        said = f"At {name} both {first} and {second} are worth {number(one)}, and the earlier one is to be taken"
        return Fault(place, f"{said}; your path goes to {second}.", marks)
    said = f"At {name}, {ground.aim(place)}, {first} is worth {number(one)} and {second} {number(other)}"
    return Fault(place, f"{said}; your path goes to {second}.", marks)
