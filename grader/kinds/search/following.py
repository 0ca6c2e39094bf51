"""The first thing that a search did wrong, event by event beside the asked one (algorithmic debugging: Shapiro, 1982).

A call that is handed something wrong; a static evaluation that is asked wrongly, or cannot matter, or is missing; an
answer that is wrong although the call was made rightly, and all that it rests on is right.  What is said is a fact
about that place; where nothing can be told for sure, nothing is.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from api import INF
from grader.kinds.search.answer import Called, Evaluated, Event, Path, Place, Returned, evaluated
from grader.kinds.search.faults import Fault, call_of, handed_over, wrong_evaluation
from grader.kinds.search.nodes import Ground, number, window_of

BOUNDS = ("alpha", "beta")
NEEDLESS = ("not needed", "was looked at, which cannot matter.")
MISSING = ("should be looked at", "was left out, which could matter.")
FLAWS = {"empty": "is empty", "none": "is None", "type": "is no list", "not a state": "holds what is no state",
         "another root": "does not begin with it", "not a child": "does not lead down step by step"}  # fmt: skip


@dataclass
class Frame:
    """A call that is open, and what came back for its children so far, by index; for those in `calls` by calls.

    It is `unsure` where something in it cannot be followed.
    """

    called: Called
    found: dict[int, Returned] = field(default_factory=dict)
    calls: set[int] = field(default_factory=set)
    unsure: bool = False

    def note(self, place: Place | None, result: Returned, by_call: bool) -> None:
        """Take in what came back for a place."""
        own = self.called.place
        if own is None or not place or place[:-1] != own or place[-1] in self.found or result.score is None:
            self.unsure = True
            return
        self.found[place[-1]] = result
        if by_call:
            self.calls.add(place[-1])
            self.unsure |= result.evaluations is None


def first_wrong(ground: Ground, events: Sequence[Event], compares: bool, right: Collection[str]) -> Fault | None:
    """The first thing that went wrong.  What is evaluated is compared with the asked search only where it `compares`;
    the result is `right` in its score, with its path, or in its evaluations."""
    follower = _Follower(ground, own_calls(events), compares, right)
    return next((fault for event in follower.events if (fault := follower.follow(event))), None)


def own_calls(events: Sequence[Event]) -> Sequence[Event]:
    """The same events, without the inner calls where these speak another language than the lab's: where they are
    given more, or answer in the view of the player to move."""
    inside: list[list[float]] = [[]]
    is_foreign = any(isinstance(event, Called) and event.more for event in events)
    for event in events:
        if isinstance(event, Called):
            inside.append([])
        elif isinstance(event, Returned):
            scores = inside.pop()
            if event.score is not None:
                inside[-1].append(event.score)
                negated = [-score for score in scores]
                best = max(negated, default=None)
                is_foreign |= event.score == best and event.score not in (max(scores), min(scores))
    if not is_foreign:
        return events
    return [*events[:1], *(event for event in events if not isinstance(event, Called | Returned)), *events[-1:]]


class _Follower:
    """Follows a search, event by event, as long as all is right.

    Where its own result is right, or its own count, it is nobody's business what its inner calls answer there.
    """

    def __init__(self, ground: Ground, events: Sequence[Event], compares: bool, right: Collection[str]) -> None:
        self.ground, self.events, self.right, self.open = ground, events, right, list[Frame]()
        self.asked, self.seen = evaluated(ground.walk.events), set[Place]()
        made, scored = evaluated(events), [event for event in events if isinstance(event, Evaluated)]
        self.made = frozenset(made)
        in_order = not ground.prunes or made == sorted(made)  # another order of visits is nobody's mistake
        self.compares = compares and in_order and all(event.place is not None for event in scored)
        self.rightly = {event.place for event in scored if not wrong_evaluation(ground, event)}

    def follow(self, event: Event) -> Fault | None:
        """What is wrong with an event; None where nothing is, or nothing is known."""
        fault = None
        match event:
            case Called():
                fault = handed_over(self.ground, event, self.open[-1].called) if self.open else None
                self.open.append(Frame(event))
            case Evaluated(place=place):
                if place not in self.rightly:
                    fault = wrong_evaluation(self.ground, event)
                if place is not None:
                    fault = fault or self._needless(place)
                    self.seen.add(place)
                if self.open and place != self.open[-1].called.place:
                    self.open[-1].note(place, Returned(Path(()), event.value, 1), by_call=False)
            case Returned():
                fault = self._answered(self.open[-1], event)
                closed = self.open.pop()
                if self.open:
                    self.open[-1].note(closed.called.place, event, by_call=True)
        return fault

    # --- what is evaluated ------------------------------------------------------------------------

    def _wrong_window(self, leaf: Place, is_needless: bool) -> Fault | None:
        """The first call on the way down to a leaf whose window is wider than that of the asked search, where the leaf
        is needless, or narrower, where it is missing."""
        ground, (mark, outcome) = self.ground, NEEDLESS if is_needless else MISSING
        for called in [frame.called for frame in self.open[1:]] if ground.prunes else ():
            place = called.place
            asked = ground.calls.get(place) if place else None
            if not place or asked is None or leaf[: len(place)] != place:
                continue
            yours = f"Your {call_of(ground, called)} on {ground.name(place)}"
            below = f"Below it, {ground.name(leaf)} {outcome}"
            if is_needless and called.alpha is None and called.function != ground.function:
                said = f"{yours} takes no alpha and no beta. {below}"
                return Fault(place, said, {place: called.function, leaf: mark})
            given, wanted = window_of(called), window_of(asked)
            wider = given[0] < wanted[0] or given[1] > wanted[1]
            narrower = given[0] > wanted[0] or given[1] < wanted[1]
            if None not in (called.alpha, called.beta) and (wider if is_needless else narrower):
                names = [at for at in (0, 1) if given[at] != wanted[at]]
                has = " and ".join(f"{BOUNDS[at]} = {number(given[at])}" for at in names)
                should = " and ".join(f"{BOUNDS[at]} should be {number(wanted[at])}" for at in names)
                said = f"At {ground.name(place[:-1])} {should} by then; y{yours[1:]} has {has}. {below}"
                return Fault(place, said, {place: has, leaf: mark})
        return None

    def _needless(self, leaf: Place) -> Fault | None:
        """A place that was scored, and cannot matter: the asked search has cut off above it."""
        ground = self.ground
        if not self.compares or not ground.prunes or leaf in self.asked:
            return None
        missing = next((place for place in self.asked if place < leaf and place not in self.made), None)
        if missing is not None:
            return self._missing(missing)
        way = (leaf[:ply] for ply in range(1, len(leaf) + 1))
        child = next((place for place in way if place not in ground.calls), None)
        if child is None:
            return None
        place = child[:-1]
        alpha, beta = ground.window(place, child)
        if alpha < beta:
            return None
        return self._wrong_window(leaf, is_needless=True) or self._cut_off(place, child)

    def _cut_off(self, place: Place, child: Place) -> Fault:
        """A child that was looked at although nothing below its parent matters any more."""
        ground, (alpha, beta) = self.ground, self.ground.window(place, child)
        bounds = ("alpha", "beta") if ground.maximizes(place) else ("beta", "alpha")
        (own, other), (reached, bound) = bounds, (alpha, beta) if ground.maximizes(place) else (beta, alpha)
        reason = next(one for one in ground.entered(place) if ground.walk.values[one] == reached)
        frame = next((frame for frame in self.open if frame.called.place == place), None)
        result = frame.found.get(reason[-1]) if frame and reason[-1] in frame.calls else None
        if result and result.score is not None:
            reached = result.score
        here, first = ground.name(place), ground.name(reason)
        given = ", as the search was given" if bound == getattr(ground.asked, other) and abs(bound) < INF else ""
        gave = f"your call on {first} returned" if result else f"{first} gave"
        moves = "rise" if own == "alpha" else "fall"
        if given or (frame and None not in (frame.called.alpha, frame.called.beta)):
            why = f"{other} = {number(bound)}{given}: {gave} {number(reached)}, so {own} {moves}s"
        else:
            why = f"{other} should be {number(bound)} by then: {gave} {number(reached)}, so {own} should {moves}"
        said = f"At {here}, {ground.aim(place)}, {why} to {number(reached)} there and nothing more below {here} "
        said += f"matters; you went on to {ground.name(child)}."
        return Fault(place, said, {reason: "cut here", child: NEEDLESS[0]})

    def _missing(self, place: Place) -> Fault | None:
        """A place that was not scored, and matters."""
        ground = self.ground
        has_forgotten = place and (*place[:-1], place[-1] - 1) in self.seen  # the leaf before it, scored in this call
        mark, same = MISSING[0], any(ground.state(place) == ground.state(one) for one in self.seen)
        may_be_known = same or (ground.again and not has_forgotten)  # as its score may be remembered
        fault = self._wrong_window(place, is_needless=False)
        if fault and not (may_be_known and "score" in self.right):
            return fault
        if may_be_known:
            return None
        how = "get_endgame_score" if ground.is_over(place) else "the heuristic"
        inner = self.open[-1].called if self.open else ground.asked
        is_above = inner.place is not None and inner.place == place[: len(inner.place)]
        whose = call_of(ground, inner if is_above else ground.asked, "search")
        said = f"Your {whose} never got a score for {ground.name(place)} from {how}"
        if not ground.prunes:
            return Fault(place, f"{said}; without cut-offs every leaf counts.", {place: mark})
        alpha, beta = ground.window(place[:-1], place) if place else window_of(ground.asked)
        said += f". When its turn comes at {ground.name(place[:-1])}, alpha should be {number(alpha)} and beta"
        return Fault(place, f"{said} {number(beta)}, so it could matter.", {place: mark})

    # --- what a call answers ----------------------------------------------------------------------

    def _answered(self, frame: Frame, result: Returned) -> Fault | None:
        ground, place = self.ground, frame.called.place
        if place is None:
            return None
        left_out = (leaf for leaf in self.asked if leaf[: len(place)] == place and leaf not in self.made)
        if self.compares and (leaf := next(left_out, None)) is not None:
            return self._missing(leaf)
        value = ground.value(place)
        if frame.unsure or result.raised or result.path is None or value is None:
            return None
        is_leaf, children = ground.is_leaf(place), range(len(ground.below(place)))
        needed = [child[-1] for child in ground.entered(place)] if self.compares else children
        if not is_leaf and not (frame.found and frame.found.keys() >= set(needed)):
            return None
        alpha, beta = window_of(frame.called)
        if fault := self._wrong_score(frame, place, result, value):
            return fault
        if result.path.problem and "score" not in self.right and alpha < value < beta:
            said = f"The path that your {call_of(ground, frame.called)} on {ground.name(place)} returned"
            return Fault(place, f"{said} {FLAWS[result.path.problem]}.")
        return self._wrong_count(frame, place, result)

    def _wrong_score(self, frame: Frame, place: Place, result: Returned, value: float) -> Fault | None:
        ground, name = self.ground, self.ground.name(place)
        if "score" in self.right or result.score is None or is_possible(result.score, value, window_of(frame.called)):
            return None
        if ground.is_leaf(place):
            how = "get_endgame_score" if ground.is_over(place) else "the heuristic"
            said = f"At {name}, {ground.aim(place)}, {how} gives {number(value)}; your"
            return Fault(place, f"{said} {call_of(ground, frame.called)} on it returned {number(result.score)}.")
        *others, last = (number(inner.score or 0) for inner in frame.found.values())
        listed = f"{', '.join(others)} and {last}" if others else last
        calls, which = ("calls", "its children") if others else ("call", "its child")
        given = f"your {calls} on {which} returned {listed}" if frame.calls else f"{which} gave {listed}"
        returned = f"returned {number(result.score)}"
        said = f"At {name}, {ground.aim(place)}, {given}; your {call_of(ground, frame.called)} {returned}."
        return Fault(place, said, {place: returned})

    def _wrong_count(self, frame: Frame, place: Place, result: Returned) -> Fault | None:
        name, counts = self.ground.name(place), [inner.evaluations or 0 for inner in frame.found.values()]
        is_leaf = self.ground.is_leaf(place)
        total = 1 if is_leaf else sum(counts)
        if "evaluations" in self.right or result.evaluations in (None, total) or not (is_leaf or frame.calls):
            return None
        terms = f"{' + '.join(map(str, counts))} = {total}" if counts[1:] else str(total)
        said = f"the counts that came from its children make {terms}"
        if is_leaf:
            said = "there is one static evaluation to make"
        yours = f"your {call_of(self.ground, frame.called)} on it"
        return Fault(place, f"At {name} {said}; {yours} returned a count of {result.evaluations}.",
                     {place: f"counted {result.evaluations}, not {total}"})  # fmt: skip


def is_possible(score: float, value: float, window: tuple[float, float]) -> bool:
    """Whether a search with this window may answer this score for what is worth `value`: fail-soft or fail-hard."""
    alpha, beta = window
    return score <= alpha if value <= alpha else score >= beta if value >= beta else score == value
