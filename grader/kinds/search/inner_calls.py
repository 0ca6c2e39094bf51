"""The first thing that a search did wrong, by its own calls (algorithmic debugging: Shapiro, 1982).

Event by event: a call that is handed something wrong, a static evaluation that is asked wrongly, or an
answer that is wrong although the call was made rightly and all its inner calls answered rightly.  What
is said is a fact about that place; where nothing can be told for sure, nothing is.
"""

from grader.kinds.search.faults import Fault, is_right, wrong_choice, wrong_evaluation
from grader.kinds.search.frame import Frame, cut_off, is_foreign, is_possible
from grader.kinds.search.nodes import Ground, number
from grader.kinds.search.path import Path, Place
from grader.kinds.search.trace import Called, Evaluated, Event, Returned, evaluated


def first_wrong(ground: Ground, events: tuple[Event, ...]) -> Fault | None:
    """The first thing that went wrong in a search, as far as its own calls tell."""
    if is_foreign(events):
        return None
    follower = _Follower(ground, events)
    return next((fault for event in events if (fault := follower.follow(event))), None)


class _Follower:
    """Follows a search through its calls, event by event, as long as all is right.

    Where its own result is right, or its own count, it is nobody's business what its inner calls answer there.
    """

    def __init__(self, ground: Ground, events: tuple[Event, ...]) -> None:
        self.ground, self.open = ground, list[Frame]()
        places = {event.place for event in events if not isinstance(event, Returned)}
        self.visited = {place for place in places if place is not None}
        self.seen, self.asked = set(evaluated(events)), evaluated(ground.walk.events)
        self.rightly = {event.place for event in events if isinstance(event, Evaluated) and is_right(ground, event)}
        own, wanted, value = events[-1], ground.walk.events[-1], ground.value(())
        self.result_is_right = self.count_is_right = False
        if isinstance(own, Returned) and isinstance(wanted, Returned) and value and own.score is not None:
            alpha, beta = Frame.of(ground.asked).window
            is_same = own.path == wanted.path or not alpha < value.score < beta
            self.result_is_right = is_same and is_possible(own.score, value.score, (alpha, beta))
            self.count_is_right = own.evaluations == wanted.evaluations

    def follow(self, event: Event) -> Fault | None:
        """What is wrong with an event; None where nothing is, or nothing is known."""
        frame = self.open[-1] if self.open else None
        match event:
            case Called():
                if fault := self._handed_over(frame, event) if frame else self._by_default(event):
                    return fault
                self.open.append(Frame.of(event))
            case Evaluated(place=place) if place is not None:
                if place not in self.rightly and (fault := wrong_evaluation(self.ground, event)):
                    return fault
                if frame and place[:-1] == frame.place and place:
                    if fault := self._visited(frame, place):
                        return fault
                    frame.note(place[-1], Returned(Path(), event.value, 1), self.ground.maximizes(frame.place))
                elif frame and place != frame.place:
                    frame.unsure = True
            case Returned():
                closed = self.open.pop()
                if not closed.unsure and not event.raised and (fault := self._answered(closed, event)):
                    return fault
                self._take_in(closed, event)
        return None

    def _take_in(self, closed: Frame, result: Returned) -> None:
        if not self.open:
            return
        caller = self.open[-1]
        if closed.place[:-1] == caller.place and closed.place:
            caller.note(closed.place[-1], result, self.ground.maximizes(caller.place))
            caller.calls.add(closed.place[-1])
            caller.unsure |= result.evaluations is None or closed.called.more
        else:
            caller.unsure = True

    # --- what a call is handed --------------------------------------------------------------------

    def _by_default(self, called: Called) -> Fault | None:
        """An argument that the outermost call was not given, and that has another default than the asked one."""
        for name in ("maximize", "alpha", "beta"):
            own, asked = getattr(called, name), getattr(self.ground.asked, name)
            if name in self.ground.names and own is not None and own in (not asked, -asked) and own != asked:
                said = f"Your search takes {name} = {number(own)} where it is called without {name}"
                return Fault((), f"{said}; it should be {number(asked)} then.")
        return None

    def _handed_over(self, frame: Frame, called: Called) -> Fault | None:
        ground, place = self.ground, called.place
        if place is None or called.more or frame.called.more:
            return None
        name = ground.full_name(place)
        if called.depth_limit is not None and "depth_limit" in ground.names:
            left = ground.limit - len(place)
            height = ground.height(place)
            if min(max(called.depth_limit, 0), height) != min(max(left, 0), height):
                said = f"depth_limit = {number(ground.limit)} at {ground.name(())} leaves {number(left)} for {name}"
                return Fault(place, f"{said}; your call on it has depth_limit = {number(called.depth_limit)}.")
        if called.maximize is not None and ground.plays and called.maximize is not ground.maximizes(place):
            said = f"Your call on {name} has maximize = {called.maximize}"
            return Fault(place, f"{said}; the {ground.player(place)} is to move there.")
        if called.heuristic == "default" and ground.estimates and self._is_estimated_below(place):
            said = f"Your call on {name} is not given the heuristic that {ground.name(())} was given"
            return Fault(place, f"{said}: always_zero stands in for it there.")
        if place[:-1] != frame.place or not place:
            return None
        return self._visited(frame, place) or self._wrong_window(frame, called, place)

    def _is_estimated_below(self, place: Place) -> bool:
        return any(isinstance(event, Evaluated) and event.estimated and event.place is not None
                   and event.place[: len(place)] == place for event in self.ground.walk.events)  # fmt: skip

    def _visited(self, frame: Frame, child: Place) -> Fault | None:
        """A child that is looked at after a cut-off was due."""
        if frame.alpha < frame.beta or frame.unsure or not self.ground.prunes or child[-1] in frame.found:
            return None
        return cut_off(self.ground, frame, child)

    def _wrong_window(self, frame: Frame, called: Called, place: Place) -> Fault | None:
        """A window that is not that of the caller, where it leads to a leaf too many or too few."""
        if called.alpha is None or called.beta is None or frame.unsure or not self.ground.prunes:
            return None
        if (called.alpha, called.beta) == (frame.alpha, frame.beta):
            return None
        below = {leaf for leaf in self.seen if leaf[: len(place)] == place}
        asked = [leaf for leaf in self.asked if leaf[: len(place)] == place]
        more, fewer = sorted(below.difference(asked)), [leaf for leaf in asked if leaf not in below]
        if not (more or fewer):
            return None
        ground = self.ground
        wrong = ["alpha"] * (called.alpha != frame.alpha) + ["beta"] * (called.beta != frame.beta)
        wanted = " and ".join(f"{bound} = {number(getattr(frame, bound))}" for bound in wrong)
        given = " and ".join(f"{bound} = {number(getattr(called, bound))}" for bound in wrong)
        said = f"At {ground.name(frame.place)} {wanted} by then; your call on {ground.full_name(place)} has {given}"
        if more:
            end = f". Below it, {ground.full_name(more[0])} was looked at, which cannot matter."
            return Fault(place, said + end, {place: given, more[0]: "not needed"})
        return Fault(place, f"{said}. Below it, {ground.full_name(fewer[0])} was left out, which could matter.",
                     {place: given, fewer[0]: "should be looked at"})  # fmt: skip

    # --- what a call answers ----------------------------------------------------------------------

    def _answered(self, frame: Frame, result: Returned) -> Fault | None:
        ground, place = self.ground, frame.place
        value = ground.value(place)
        if value is None or result.path is None:
            return None
        if ground.is_leaf(place):
            return self._answered_leaf(frame, result)
        if not frame.found:
            return None
        children = len(ground.below(place))
        left_out = next((at for at in range(children) if at not in frame.found), None)
        if left_out is not None and (frame.alpha < frame.beta or not ground.prunes):
            return self._left_out(frame, (*place, left_out))
        fault = None if self.result_is_right else self._wrong_score(frame, result) or self._wrong_path(frame, result)
        return fault or self._wrong_count(frame, result)

    def _answered_leaf(self, frame: Frame, result: Returned) -> Fault | None:
        ground, place = self.ground, frame.place
        value = ground.walk.values[place].score
        name = ground.full_name(place)
        is_wrong = result.score is not None and not is_possible(result.score, value, frame.window)
        if is_wrong and not self.result_is_right:
            how = "get_endgame_score" if ground.is_over(place) else "the heuristic"
            said = f"At {name}, where {ground.mover(place)} is to move, {how} gives {number(value)}"
            return Fault(place, f"{said}; your call on it returned {number(result.score or 0)}.")
        if result.evaluations not in (None, 1) and not self.count_is_right:
            said = f"At {name} there is one static evaluation to make"
            return Fault(place, f"{said}; your call on it returned a count of {result.evaluations}.")
        return None if self.result_is_right else self._no_path(place, result.path)

    def _no_path(self, place: Place, path: Path | None) -> Fault | None:
        """A path that is no way down from its place."""
        name = self.ground.full_name(place)
        said = {
            "empty": f"The path that your call on {name} returned is empty; it begins with {name} itself.",
            "another root": f"The path that your call on {name} returned does not begin with {name}.",
            "not a child": f"The path that your call on {name} returned is no way down: one of its states is no child "
            "of the one before it.",
        }.get(path.problem if path else "")
        return Fault(place, said) if said else None

    def _left_out(self, frame: Frame, child: Place) -> Fault | None:
        ground, place = self.ground, frame.place
        alike = (ground.state(child) == ground.state(seen) for seen in self.visited if len(seen) == len(child))
        if not ground.is_watched or any(alike):
            return None
        said = f"At {ground.name(place)} your search left out {ground.full_name(child)}"
        if ground.prunes:
            why = f"alpha = {number(frame.alpha)} is below beta = {number(frame.beta)} there, so it could matter."
            return Fault(place, f"{said}; {why}", {child: "should be looked at"})
        return Fault(place, f"{said}; without cut-offs every child counts.", {child: "should be looked at"})

    def _wrong_score(self, frame: Frame, result: Returned) -> Fault | None:
        ground, place = self.ground, frame.place
        value = ground.walk.values[place].score
        if result.score is None or is_possible(result.score, value, frame.window):
            return None
        scores = [inner.score for inner in frame.found.values() if inner.score is not None]
        *others, last = map(number, scores)
        listed = f"{', '.join(others)} and {last}" if others else last
        calls, which = ("calls", "its children") if others else ("call", "its child")
        given = f"your {calls} on {which} returned {listed}" if frame.calls else f"{which} gave {listed}"
        said = f"At {ground.name(place)}, {ground.aim(place)}, {given}; your call returned {number(result.score)}."
        return Fault(place, said, {place: f"returned {number(result.score)}"})

    def _wrong_path(self, frame: Frame, result: Returned) -> Fault | None:
        ground, place, path = self.ground, frame.place, result.path
        value, (alpha, beta) = ground.walk.values[place].score, frame.window
        if path is None or not alpha < value < beta:
            return None
        if path.problem:
            return self._no_path(place, path)
        best = [at for at in frame.found if ground.walk.values[*place, at].score == value]
        if not best:
            return None
        wanted, here = (*place, min(best)), ground.name(place)
        if not path.indices:
            return Fault(
                place,
                f"The path that your call on {here} returned ends there; it goes on to {ground.full_name(wanted)}.",
            )
        taken = (*place, path.indices[0])
        if taken != wanted:
            return wrong_choice(ground, place, wanted, taken)
        inner = frame.found[wanted[-1]].path
        if inner and not inner.problem and inner.indices != path.indices[1:]:
            said = f"The path that your call on {here} returned goes to {ground.full_name(wanted)}, and from there on"
            return Fault(place, f"{said} otherwise than the path which your call on that one returned.")
        return None

    def _wrong_count(self, frame: Frame, result: Returned) -> Fault | None:
        ground, place = self.ground, frame.place
        if self.count_is_right or result.evaluations in (None, frame.counted) or not frame.calls:
            return None
        counts = [inner.evaluations or 0 for inner in frame.found.values()]
        total = f"{' + '.join(map(str, counts))} = {sum(counts)}" if counts[1:] else str(counts[0])
        said = f"At {ground.name(place)} the counts that came from its children make {total}"
        return Fault(place, f"{said}; your call on it returned a count of {result.evaluations}.",
                     {place: f"counted {result.evaluations}, not {sum(counts)}"})  # fmt: skip
