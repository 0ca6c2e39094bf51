"""Frame: a call of a search while it is open, with its window, and the cut-off that is due in it."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from api import INF
from grader.kinds.search.faults import Fault
from grader.kinds.search.nodes import Ground, number
from grader.kinds.search.path import Place
from grader.kinds.search.trace import Called, Event, Returned


@dataclass
class Frame:
    """A call that is open: its window by now, and what came back for the children so far, by index.

    `calls` are those of them that were looked at by calls.  It is `unsure` where something in it cannot be followed.
    """

    called: Called
    place: Place
    alpha: float
    beta: float
    found: dict[int, Returned] = field(default_factory=dict)
    calls: set[int] = field(default_factory=set)
    counted: int = 0
    unsure: bool = False

    @staticmethod
    def of(called: Called) -> "Frame":
        """A call that has just begun; one that was given `more` cannot be followed."""
        frame = Frame(called, called.place or (), -INF, INF, unsure=called.place is None or called.more)
        frame.alpha, frame.beta = frame.window
        return frame

    @property
    def window(self) -> tuple[float, float]:
        """The window that the call was given."""
        alpha, beta = self.called.alpha, self.called.beta
        return -INF if alpha is None else alpha, INF if beta is None else beta

    def note(self, child: int, result: Returned, maximizes: bool) -> None:
        """Take in what came back for a child."""
        again = child in self.found
        self.found.setdefault(child, result)
        if result.score is None or again:
            self.unsure = True
        elif maximizes:
            self.alpha = max(self.alpha, result.score)
        else:
            self.beta = min(self.beta, result.score)
        self.counted += result.evaluations or 0


def cut_off(ground: Ground, frame: Frame, child: Place) -> Fault | None:
    """A child that was looked at although nothing below its parent matters any more."""
    place, maximizes = frame.place, ground.maximizes(frame.place)
    own, other = ("alpha", "beta") if maximizes else ("beta", "alpha")
    bound = frame.beta if maximizes else frame.alpha
    given = ", as the search was given" if bound == getattr(ground.asked, other) and abs(bound) < INF else ""
    reached = frame.alpha if maximizes else frame.beta
    reason = next((at for at, result in frame.found.items() if result.score == reached), None)
    if reason is None:
        return None
    first = ground.full_name((*place, reason))
    gave = f"your call on {first} returned" if reason in frame.calls else f"{first} gave"
    said = f"At {ground.name(place)}, {ground.mover(place)} to move, {other} = {number(bound)}{given}: {gave} "
    said += f"{number(reached)}, so {own} = {number(reached)} and nothing more below {ground.name(place)} matters; "
    said += f"you went on to {ground.full_name(child)}."
    return Fault(place, said, {(*place, reason): "cut here", child: "not needed"})


def is_possible(score: float, value: float, window: tuple[float, float]) -> bool:
    """Whether a search with this window may answer this score for what is worth `value`: fail-soft or fail-hard."""
    alpha, beta = window
    return score <= alpha if value <= alpha else score >= beta if value >= beta else score == value


def is_foreign(events: Iterable[Event]) -> bool:
    """Whether the inner calls speak another language than the lab's: scores in the view of the player to move."""
    inside: list[list[float]] = [[]]
    for event in events:
        if isinstance(event, Called):
            inside.append([])
        elif isinstance(event, Returned):
            scores = inside.pop()
            if event.score is not None:
                inside[-1].append(event.score)
                negated = [-score for score in scores]
                if scores and event.score == max(negated) and event.score not in (max(scores), min(scores)):
                    return True
    return False
