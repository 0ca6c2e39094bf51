"""Where a search leaves its reference trace: the first event of its own that the
reference would not have.

This is algorithmic debugging (Shapiro, 1982): a call with a wrong argument, a state
that is scored wrongly, for nothing or not at all, or a wrong answer although all
answers that it rests on are right.  It is reported as two facts about one place: what
the search does there, and what the reference does.  What is not certain is left out.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from grader.kinds.kind import Divergence
from grader.kinds.search.answer import (
    Called,
    Evaluated,
    Event,
    Place,
    Result,
    Returned,
    SearchAnswer,
    evaluated,
)
from grader.kinds.search.judge import judge_path_and_score
from grader.kinds.search.nodes import (
    ROOT,
    Reference,
    arguments_of,
    bounds,
    number,
    window_of,
)

Facts = tuple[str, str]  # what the search does, and what the reference does


@dataclass
class Frame:
    """An open call, with what came back for the children of its place, unless that
    cannot be followed.
    """

    called: Called
    event: int
    results: dict[Place | None, Returned] = field(default_factory=dict)
    is_followed: bool = True

    def note(self, place: Place | None, returned: Returned) -> None:
        """Take in what came back for a place."""
        if place in self.results or returned.score is None:
            self.is_followed = False
        self.results[place] = returned


class Comparison:
    """A search beside its reference.  What is right in its result is not looked for in
    its inner calls.

    It `compares` which states are scored if all of them are known.  A search with
    cut-offs scores each of them once, in the order of the children: one that goes
    another way scores other states.
    """

    def __init__(
        self,
        reference: Reference,
        events: Sequence[Event],
        result: Any,
        expect: dict[str, Any],
    ) -> None:
        self.reference, self.events, self.result, self.expect = (
            reference,
            events,
            result,
            expect,
        )
        self.open: list[Frame] = []
        self.now = 0  # the number of the event
        self.evaluations = [event for event in events if isinstance(event, Evaluated)]
        self.scored = evaluated(events)
        self.missing = [place for place in reference.scored if place not in self.scored]
        self.is_known = all(event.place is not None for event in self.evaluations)
        is_in_order = self.scored == sorted(self.scored) and len(self.scored) == len(
            self.evaluations
        )
        self.compares = self.is_known and (is_in_order or not reference.prunes)
        self.rightly = {
            event.place for event in self.evaluations if not self._scores(event)
        }
        self.is_result = isinstance(result, Result)
        self.score_is_right = (
            self.is_result and judge_path_and_score(expect, result) is None
        )
        self.count_is_right = (
            self.is_result and result.evaluations == expect["evaluations"]
        )

    def first(self, sees_all: bool) -> Divergence | None:
        """The first place where the search leaves the reference: by its events, else by
        its result.

        `sees_all` says whether the recorder sees all that the search scores.
        """
        for number_of_event, event in enumerate(self.events):
            self.now = number_of_event
            if divergence := self._follow(event):
                return divergence
        if not self.is_result or (self.score_is_right and self.count_is_right):
            return None
        if self.score_is_right:
            return self._left_out(may_be_known=True) if sees_all else None
        return self._chosen()

    def _follow(self, event: Event) -> Divergence | None:
        divergence = None
        match event:
            case Called():
                divergence = self._calls(event) if self.open else self._defaults(event)
                self.open.append(Frame(event, self.now))
            case Evaluated(place=place, value=value):
                divergence = self._scores(event) if place not in self.rightly else None
                divergence = divergence or self._goes_on(place)
                if self.open and place != self.open[-1].called.place:
                    self.open[-1].note(place, Returned(score=value, evaluations=1))
            case Returned() if self.open:
                divergence = self._returns(self.open[-1], event)
                place = self.open.pop().called.place
                if self.open:
                    self.open[-1].note(place, event)
        return divergence

    # --- calls and scores -------------------------------------------------------------------------

    def _at(self, place: Place, yours: str, expected: str) -> Divergence:
        """A divergence at a place, which the event of now shows."""
        return replace(self.reference.at(place, yours, expected), event=self.now)

    def _first_of(self, place: Place, facts: Iterable[Facts]) -> Divergence | None:
        """The first two facts that are not the same."""
        return next(
            (
                self._at(place, yours, expected)
                for yours, expected in facts
                if yours != expected
            ),
            None,
        )

    def _defaults(self, called: Called) -> Divergence | None:
        """A bound that the outermost call has by its own default, and that shuts out a
        value of this tree.
        """
        if called.place != () or called.alpha is None or called.beta is None:
            return None
        values, given = (
            self.reference.values.values(),
            window_of(self.reference.calls[()]),
        )
        shuts_out = any(
            value <= called.alpha or value >= called.beta for value in values
        )
        if (called.alpha, called.beta) == given or not shuts_out:
            return None
        return self._at(
            (),
            f"begins with {bounds(called.alpha, called.beta)}",
            f"begins with {bounds(*given)}",
        )

    def _calls(self, called: Called) -> Divergence | None:
        """An inner call with another argument than the reference gives, or without one
        that matters below its place.
        """
        place, reference = called.place, self.reference
        if place is None or len(place) > reference.limit:
            return None
        facts = list[Facts]()
        takes = arguments_of(called.function)
        for name, value in reference.arguments_at(place).items():
            if name in takes:
                facts += _argument(called, name, value)
            elif reference.matters(name, place):
                is_called = f"is searched by {called.function}, which takes no {name}"
                facts.append((is_called, f"is searched with {name} = {number(value)}"))
        return self._first_of(place, facts)

    def _scores(self, event: Evaluated) -> Divergence | None:
        """A state that is scored where the search should go on, or too deep, or by the
        wrong rule or flag.
        """
        reference, place = self.reference, event.place
        if place is None:
            return None
        expected, flag = "", reference.maximizes(place)
        is_wrong_flag = event.flag is not flag and event.value != reference.evaluation(
            place, flag
        )
        if len(place) > reference.limit:
            expected = f"does not come here: depth_limit = {number(reference.limit)}"
        elif not reference.is_leaf(place):
            expected = "goes on to its children"
        elif is_wrong_flag or event.estimated is reference.is_over(place):
            expected = reference.leaf_in_words(place)
        return (
            self._at(place, f"scores it {reference.in_words(event)}", expected)
            if expected
            else None
        )

    def _goes_on(self, leaf: Place | None) -> Divergence | None:
        """A state that is scored although the reference has cut off above it."""
        reference = self.reference
        if (
            leaf is None
            or not self.compares
            or not reference.prunes
            or leaf in reference.scored
        ):
            return None
        way = (leaf[:ply] for ply in range(1, len(leaf) + 1))
        child = next((place for place in way if place not in reference.calls), leaf)
        alpha, beta = reference.window(child)
        if alpha < beta:
            return None
        given = self._given(child)
        yours = f"goes on to {reference.name(child)}{given and f' with {given}'}"
        divergence = self._at(child[:-1], yours, f"cuts off: {bounds(alpha, beta)}")
        began = next(
            (frame.event for frame in self.open if frame.called.place == child),
            self.now,
        )
        return replace(divergence, event=began)

    def _left_out(
        self, below: Place = (), may_be_known: bool = False
    ) -> Divergence | None:
        """A state at a place or below it that the reference scores, and this search
        never does.

        Its score may be known from an earlier call, or from an equal state.
        """
        reference = self.reference
        leaf = next(
            (leaf for leaf in self.missing if leaf[: len(below)] == below), None
        )
        if leaf is None or not self.compares:
            return None
        seen = (
            reference.state(place) for place in self.scored if place in reference.scored
        )
        if not may_be_known and (reference.again or reference.state(leaf) in seen):
            return None
        rule = "get_endgame_score" if reference.is_over(leaf) else "the given heuristic"
        yours, expected = f"does not call {rule} here", reference.leaf_in_words(leaf)
        if leaf and reference.prunes:
            given = self._given(leaf[:-1])
            yours += given and f"; {reference.name(leaf[:-1])} is called with {given}"
            expected += f"; its window is open: {bounds(*reference.window(leaf))}"
        return reference.at(leaf, yours, expected)

    def _given(self, place: Place) -> str:
        """The bounds that an open call on a place was given; empty if there is none."""
        calls = (frame.called for frame in self.open if frame.called.place == place)
        return next(
            (
                bounds(*window_of(called))
                for called in calls
                if called.alpha is not None
            ),
            "",
        )

    # --- answers ----------------------------------------------------------------------------------

    def _returns(self, frame: Frame, returned: Returned) -> Divergence | None:
        """An answer that is wrong although the answers that it rests on are right."""
        reference, place = self.reference, frame.called.place
        if (
            place is None or returned.raised
        ):  # what it has not done by then, the exception explains
            return None
        if missing := self._left_out(place):
            return missing
        if returned.odd and not (self.score_is_right and self.count_is_right):
            score = "" if returned.path is None else self._in_window(place, frame)
            return self._at(
                place,
                f"returns {returned.odd}",
                score or "returns (path, score, evaluations)",
            )
        value, (alpha, beta) = reference.values.get(place), window_of(frame.called)
        children = [] if reference.is_leaf(place) else reference.children(place)
        needed = {
            child for child in children if child in reference.calls or not self.compares
        }
        is_followed = frame.is_followed and frame.results.keys() == needed
        if (
            value is None
            or returned.path is None
            or returned.score is None
            or not is_followed
        ):
            return None
        if not self.score_is_right:
            if not _is_within(returned.score, value, alpha, beta):
                yours = f"returns {number(returned.score)}{self._heard(frame)}"
                return self._at(place, yours, self._in_window(place, frame))
            if returned.path.problem and alpha < value < beta:
                yours = f"returns a path that {reference.flaw(returned.path)}".replace(
                    "given state", "state here"
                )
                return self._at(
                    place, yours, "returns a path from here to the scored state"
                )
        counts = [result.evaluations or 0 for result in frame.results.values()] or [1]
        if self.count_is_right or returned.evaluations in (None, sum(counts)):
            return None
        terms = (
            f"{' + '.join(map(str, counts))} = {sum(counts)}"
            if counts[1:]
            else str(sum(counts))
        )
        return self._at(
            place,
            f"returns a count of {returned.evaluations}",
            f"returns a count of {terms}",
        )

    def _in_window(self, place: Place, frame: Frame) -> str:
        """What a call should return: its value, or any score on the right side of its
        window; empty if not known.
        """
        value, (alpha, beta) = self.reference.values.get(place), window_of(frame.called)
        if value is None or alpha >= beta:
            return ""
        if alpha < value < beta:
            return f"returns {number(value)}"
        side = (
            f"{number(alpha)} or less" if value <= alpha else f"{number(beta)} or more"
        )
        return f"returns {side}, as its window is {bounds(alpha, beta)}"

    def _heard(self, frame: Frame) -> str:
        """What came back for the children."""
        scores = {
            self.reference.label(place or ()): number(each.score or 0)
            for place, each in frame.results.items()
        }
        listed = ", ".join(
            score if label == score else f"{label}: {score}"
            for label, score in scores.items()
        )
        return f"; its children gave {listed}" if listed else ""

    # --- the result -------------------------------------------------------------------------------

    def _chosen(self) -> Divergence | None:
        """Where the path of a wrong result takes another child than the best.

        With cut-offs, what is below a wrong choice may be a mere bound; without them
        the innermost one is the cause.
        """
        reference, path = self.reference, self.result.path.indices
        values, (alpha, beta) = reference.values, window_of(reference.calls[()])
        ways = [path[:ply] for ply in range(1, len(path) + 1)]
        is_known = all(place in values for place in ((), *ways))
        if self.result.path.problem or not is_known or not alpha < values[()] < beta:
            return None
        wrong_steps = [child for child in ways if reference.best(child[:-1]) != child]
        if not wrong_steps:
            return None
        taken = wrong_steps[0 if reference.prunes else -1]
        best = reference.best(taken[:-1])
        yours, expected = (
            f"takes {reference.name(way)}, really worth {number(values[way])}"
            for way in (taken, best)
        )
        is_tie = values[taken] == values[best]
        return reference.at(
            taken[:-1], yours, f"{expected} too, and earlier" if is_tie else expected
        )


def _argument(called: Called, name: str, value: Any) -> list[Facts]:
    """An argument of a call, as it is and as it is expected; nothing if it was not
    given.
    """
    yours, expected = getattr(called, name), f"is called with {name} = {number(value)}"
    if name == called.odd.partition(" = ")[0]:
        return [(f"is called with {called.odd}", expected)]
    return (
        []
        if yours is None
        else [(f"is called with {name} = {number(yours)}", expected)]
    )


def _is_within(score: float, value: float, alpha: float, beta: float) -> bool:
    """Whether a score says what is known of a value within a window: the value, or on
    which side of it that lies.
    """
    if alpha >= beta:
        return True
    if alpha < value < beta:
        return score == value
    return score <= alpha if value <= alpha else score >= beta


# --- a history ------------------------------------------------------------------------------------


def of_history(
    reference: Reference, answer: SearchAnswer, expect: Sequence[dict[str, Any]]
) -> Divergence | None:
    """The first wrong result of a history whose search began with other arguments than
    the reference gives.

    Nothing is said if the results are not those of the searches that were begun, one
    after the other.
    """
    yours, expected = (
        _searches(events) for events in (answer.events or (), reference.events)
    )
    results = [result for result in answer.results if isinstance(result, Result)]
    if not len(yours) == len(expected) == len(results) == len(answer.results):
        return None
    for at, ((event, called, returned), (_, right, _)) in enumerate(
        zip(yours, expected, strict=True)
    ):
        result = results[at]
        is_its_own = (returned.score, returned.evaluations) == (
            result.score,
            result.evaluations,
        )
        is_right = (
            judge_path_and_score(expect[at], result) is None
            and result.evaluations == expect[at]["evaluations"]
        )
        if is_right or not is_its_own:
            continue
        facts = [_of_search(called), _of_search(right)] if called.alpha is None else []
        facts = facts or _beside(called, right)
        if facts:
            divergence = reference.at((), *facts)
            return replace(
                divergence, where=f"Search {at + 1} of the {ROOT}", event=event
            )
        return None
    return None


def _searches(events: Sequence[Event]) -> list[tuple[int, Called, Returned]]:
    """The searches of the given state that a function began: the number of the event,
    the call, and what came back.
    """
    began: list[tuple[int, Called]] = []
    searches: list[tuple[int, Called, Returned]] = []
    for number_of_event, event in enumerate(events):
        if isinstance(event, Called):
            began.append((number_of_event, event))
        if isinstance(event, Returned) and began:
            first, called = began.pop()
            if len(began) == 1 and called.place == ():
                searches.append((first, called, event))
    return searches


def _of_search(called: Called) -> str:
    return f"is searched by {called.function}"


def _beside(called: Called, right: Called) -> list[str]:
    """The first argument of a search that is not that of the reference's, beside that;
    nothing if there is none.
    """
    for name in ("depth_limit", "maximize"):
        for yours, expected in _argument(called, name, getattr(right, name)):
            if yours != expected:
                return [yours, expected]
    windows = [f"is called with {bounds(*window_of(each))}" for each in (called, right)]
    return windows if windows[0] != windows[1] else []
