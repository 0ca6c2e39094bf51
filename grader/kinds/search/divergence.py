"""Finds where a search leaves its reference trace.

This is algorithmic debugging (Shapiro, 1982).  The module looks for the first place
where the search goes wrong in one of these ways:

    It makes a call with a wrong argument.
    It evaluates a state in a wrong way, or a state that it should not evaluate.
    It leaves out an evaluation.
    It returns a wrong answer, although all answers that this one was made from are
    right.

If the search does none of these, the path of its result may still go to a wrong child.

A divergence is two facts about one place: what the search does there, and what the
reference does.  If a divergence is not certain, this module says nothing.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from grader.kinds.kind import Divergence, Place
from grader.kinds.search.answer import (
    Called,
    Evaluated,
    Event,
    Expected,
    ExpectedResult,
    Frame,
    Result,
    Returned,
    SearchAnswer,
    evaluated,
    number,
    walk,
)
from grader.kinds.search.nodes import (
    ROOT,
    Reference,
    arguments_of,
    bounds,
    way_to,
    window_of,
)

Facts = tuple[str, str]  # what the search does, and what the reference does


class TraceComparison:
    """Compares the events of a search with the events of the reference.

    If the whole search returns the right path and score, the paths and scores that its
    calls return are not compared.  If the whole search returns the right count, the
    counts are not compared.
    """

    def __init__(
        self, reference: Reference, answer: SearchAnswer, expected: ExpectedResult
    ) -> None:
        self.reference = reference
        self.events = answer.events
        self.result = answer.results[0]
        # Whether the recorder can see all evaluations of the search.
        self.sees_all = answer.record.watched
        self.now = 0  # the number of the event that is looked at
        self.open: Sequence[Frame] = ()  # the open calls, innermost last
        evaluations = [event for event in self.events if isinstance(event, Evaluated)]
        # The places in the tree at which the search evaluates a state, as far as the
        # places are known.
        self.scored = evaluated(self.events)
        self.missing = [place for place in reference.scored if place not in self.scored]
        # The places at which at least one evaluation of the search is right.
        self.rightly = {
            event.place for event in evaluations if not self._should_have(event)
        }
        # Whether the nodes that the search evaluates can be compared with those of the
        # reference.  The places of all these nodes must be known.  If the reference
        # prunes, the search must also evaluate each node only once, and go through the
        # children in their given order.  In another order, a right search prunes other
        # nodes.
        places = [event.place for event in evaluations]
        self.compares = None not in places
        if reference.prunes:
            self.compares = places == sorted(self.scored)
        self.score_is_right = expected.allows(self.result)
        self.count_is_right = (
            isinstance(self.result, Result)
            and self.result.evaluations == expected.evaluations
        )

    def first(self) -> Divergence | None:
        """Return the first place where the search leaves the reference; None if that
        place is not certain.
        """
        for now, event, frames in walk(self.events):
            self.now = now
            self.open = frames
            if divergence := self._follow(event):
                return divergence
        if not isinstance(self.result, Result):
            return None
        if not self.score_is_right:
            return self._wrong_choice(self.result)
        if not self.count_is_right and self.sees_all:
            return self._left_out(may_be_known=True)
        return None

    # --- the events, one after the other --------------------------------------------

    def _follow(self, event: Event) -> Divergence | None:
        match event:
            case Called() if len(self.open) > 1:
                return self._wrong_argument(event)
            case Called():
                return self._wrong_default(event)
            case Evaluated(place=tuple(place)) if place in self.rightly:
                return self._no_cut_off(place)
            case Evaluated(place=tuple(place)):
                yours = f"scores it {self.reference.in_words(event)}"
                return self._at(place, yours, self._should_have(event))
            case Returned():
                return self._wrong_return(self.open[-1], event)
        return None

    def _at(self, place: Place, yours: str, expected: str) -> Divergence:
        """Return the divergence at `place`, a node of the tree.  The current event,
        which has the number `now`, shows the divergence.
        """
        where = self.reference.where(place)
        return Divergence(where, yours, expected, place, event=self.now)

    # --- calls ----------------------------------------------------------------------

    def _wrong_default(self, called: Called) -> Divergence | None:
        """Return a divergence if the search begins with a window that is too narrow.

        The window of the first call comes from the default values of alpha and beta.
        The window is too narrow if it is not the window of the reference, and if the
        value of some node of the tree is not inside it.
        """
        if called.place != () or None in (called.alpha, called.beta):
            return None
        alpha, beta = window_of(called)
        right = window_of(self.reference.calls[()])
        values = self.reference.values.values()
        if (alpha, beta) == right or all(alpha < value < beta for value in values):
            return None
        yours = f"begins with {bounds(alpha, beta)}"
        return self._at((), yours, f"begins with {bounds(*right)}")

    def _wrong_argument(self, called: Called) -> Divergence | None:
        """Return a divergence if an inner call has a wrong `depth_limit` or `maximize`.

        There is also a divergence if the called function takes no such argument, but
        cannot be right without it here.
        """
        place = called.place
        if place is None or len(place) > self.reference.limit:
            return None
        for name, value in self.reference.arguments_at(place).items():
            facts = None
            if name in arguments_of(called.function):
                facts = _argument(called, name, value)
            elif self.reference.matters(name, place):
                yours = f"is searched by {called.function}, which takes no {name}"
                facts = yours, f"is searched with {name} = {number(value)}"
            if facts:
                return self._at(place, *facts)
        return None

    def _window_given(self, place: Place) -> str:
        """Say which alpha and beta were given to the open call at the node `place`.

        The text is empty if no call at this node is open, or if no such call has an
        alpha.
        """
        for frame in self.open:
            if frame.called.place == place and frame.called.alpha is not None:
                return bounds(*window_of(frame.called))
        return ""

    # --- evaluations ----------------------------------------------------------------

    def _should_have(self, event: Evaluated) -> str:
        """Say what the search should have done instead of this evaluation.

        The text is empty if the evaluation is right, or if its place is not known.  An
        evaluation is wrong if the state is below the depth limit, or is no leaf.  The
        evaluation of a leaf is wrong if the wrong function gave the value, or if the
        flag and the value are both wrong.
        """
        reference = self.reference
        place = event.place
        if place is None:
            return ""
        if len(place) > reference.limit:
            return f"does not come here: depth_limit = {number(reference.limit)}"
        if not reference.is_leaf(place):
            return "goes on to its children"
        right = reference.evaluation(place)
        is_right = event.flag is right.flag or event.value == right.value
        if is_right and event.estimated is right.estimated:
            return ""
        return f"scores it {reference.in_words(right)}"

    def _no_cut_off(self, leaf: Place) -> Divergence | None:
        """Return a divergence if the search evaluates a leaf that the reference never
        comes to, because the reference cuts off above it.
        """
        reference = self.reference
        if not (self.compares and reference.prunes) or leaf in reference.scored:
            return None
        child = next(place for place in way_to(leaf) if place not in reference.calls)
        yours = f"goes on to {reference.name(child)}"
        if given := self._window_given(child):
            yours += f" with {given}"
        divergence = self._at(
            child[:-1], yours, f"cuts off: {bounds(*reference.window(child))}"
        )
        for frame in self.open:
            if frame.called.place == child:
                return replace(divergence, event=frame.event)
        return divergence

    def _left_out(
        self, below: Place = (), may_be_known: bool = False
    ) -> Divergence | None:
        """Return a divergence if the search leaves out an evaluation that the reference
        makes.

        Only evaluations at the node `below` or under it count.  The search may know a
        score without evaluating, from an earlier call or from an equal state.  Then
        there is a divergence only if `may_be_known` is True.
        """
        reference = self.reference
        missing = [leaf for leaf in self.missing if leaf[: len(below)] == below]
        if not missing or not self.compares:
            return None
        leaf = missing[0]
        if not may_be_known and (reference.call.again or self._has_scored_equal(leaf)):
            return None
        rule = "get_endgame_score" if reference.is_over(leaf) else "the given heuristic"
        yours = f"does not call {rule} here"
        expected = f"scores it {reference.in_words(reference.evaluation(leaf))}"
        if leaf and reference.prunes:
            parent = leaf[:-1]
            node = reference.name(parent)
            if given := self._window_given(parent):
                yours += f"; {node} is searched with {given}"
            expected += f"; no cut-off at {node}: {bounds(*reference.window(leaf))}"
        return Divergence(reference.where(leaf), yours, expected, leaf)

    def _has_scored_equal(self, leaf: Place) -> bool:
        """Whether the search evaluates, at another place, a state that equals the state
        of `leaf`.  The reference must evaluate that other place too.
        """
        state = self.reference.state
        rightly_scored = set(self.scored) & set(self.reference.scored)
        return any(state(place) == state(leaf) for place in rightly_scored)

    # --- answers --------------------------------------------------------------------

    def _wrong_return(self, frame: Frame, returned: Returned) -> Divergence | None:
        """Return a divergence if a call that returns has left out an evaluation, or if
        its answer is wrong although everything that came back to it is right.
        """
        place = frame.called.place
        if place is None or returned.raised:
            return None  # the message of an exception says more
        if missing := self._left_out(place):
            return missing
        is_right = self.score_is_right and self.count_is_right
        if returned.odd and not is_right:
            expected = self._right_answer(place, frame) if returned.path else ""
            expected = expected or "returns (path, score, evaluations)"
            return self._at(place, f"returns {returned.odd}", expected)
        return self._wrong_answer(place, frame, returned)

    def _wrong_answer(
        self, place: Place, frame: Frame, returned: Returned
    ) -> Divergence | None:
        """Return a divergence if a call returns a wrong score, a path that does not
        lead down the tree, or a wrong count.

        The right count is the sum of the counts that came back to the call, or 1 if
        none came back.  Return None if the trace does not show which scores the call
        made its answer from.
        """
        value = self.reference.values.get(place)
        path = returned.path
        score = returned.score
        if value is None or path is None or score is None:
            return None
        if not self._is_followed(place, frame):
            return None
        window = window_of(frame.called)
        if not (self.score_is_right or _may_return(score, value, *window)):
            yours = f"returns {number(score)}{self._of_children(frame)}"
            return self._at(place, yours, self._right_answer(place, frame))
        if not self.score_is_right and path.problem and window[0] < value < window[1]:
            flaw = self.reference.flaw(path, root="state at this node")
            expected = "returns a path from here to the scored state"
            return self._at(place, f"returns a path that {flaw}", expected)
        counts = [result.evaluations or 0 for _, result in frame.results] or [1]
        total = sum(counts)
        if self.count_is_right or returned.evaluations in (None, total):
            return None
        terms = str(total)
        if len(counts) > 1:
            terms = f"{' + '.join(map(str, counts))} = {total}"
        yours = f"returns a count of {returned.evaluations}"
        return self._at(place, yours, f"returns a count of {terms}")

    def _is_followed(self, place: Place, frame: Frame) -> bool:
        """Whether the trace shows which scores a call made its answer from.

        That is so if one score came back for each child that the call has to search,
        and if nothing else came back to the call.
        """
        needed: list[Place] = []
        if not self.reference.is_leaf(place):
            needed = self.reference.children(place)
        if self.compares:
            needed = [child for child in needed if child in self.reference.calls]
        scored = {child for child, result in frame.results if result.score is not None}
        return len(scored) == len(frame.results) and scored == set(needed)

    def _right_answer(self, place: Place, frame: Frame) -> str:
        """Say which score a call should return, or which scores it may return; empty if
        that is not known.
        """
        value = self.reference.values.get(place)
        alpha, beta = window_of(frame.called)
        if value is None or alpha >= beta:
            return ""
        if alpha < value < beta:
            return f"returns {number(value)}"
        side = f"{number(beta)} or more"
        if value <= alpha:
            side = f"{number(alpha)} or less"
        return f"returns {side}, as its window is {bounds(alpha, beta)}"

    def _of_children(self, frame: Frame) -> str:
        """Say which scores came back to a call for the children of its node; empty if
        none did.
        """
        scores = {
            self.reference.label(place or ()): number(returned.score or 0)
            for place, returned in frame.results
        }
        listed = [
            score if label == score else f"{score} ({label})"
            for label, score in scores.items()
        ]
        return f"; its children returned {', '.join(listed)}" if listed else ""

    # --- the result -----------------------------------------------------------------

    def _wrong_choice(self, result: Result) -> Divergence | None:
        """Return a divergence if the path of a wrong result goes to a child that is not
        the best one.

        The path may go to a wrong child at several nodes.  Below the first wrong child,
        a search that prunes may know only bounds of the scores.  So if the reference
        prunes, the first of these nodes is reported, and otherwise the last one.
        """
        reference = self.reference
        values = reference.values
        _, *way = way_to(result.path.indices)
        if result.path.problem or not values.keys() >= {(), *way}:
            return None
        alpha, beta = window_of(reference.calls[()])
        wrong = [child for child in way if reference.best(child[:-1]) != child]
        if not wrong or not alpha < values[()] < beta:
            return None
        taken = wrong[0 if reference.prunes else -1]
        parent = taken[:-1]
        best = reference.best(parent)
        expected = self._taking(best)
        if values[taken] == values[best]:
            expected += " too, but earlier"
        yours = self._taking(taken)
        return Divergence(reference.where(parent), yours, expected, parent)

    def _taking(self, child: Place) -> str:
        value = number(self.reference.values[child])
        return f"takes {self.reference.name(child)}, worth {value}"


def _argument(called: Called, name: str, value: Any) -> Facts | None:
    """Say what the argument `name` of a call is, and what it should be.

    Return None if the argument is right, or if its value is not known.
    """
    given = getattr(called, name)
    yours = number(given)
    if called.odd and called.odd.name == name:
        yours = called.odd.value
    elif given in (None, value):
        return None
    return (
        f"is called with {name} = {yours}",
        f"is called with {name} = {number(value)}",
    )


def _may_return(score: float, value: float, alpha: float, beta: float) -> bool:
    """Whether a call with the window from alpha to beta may return this score for a
    node that is really worth `value`.

    If `value` is outside of the window, every score on the same side of the window is
    right.  If the window is empty, every score is right.
    """
    if alpha >= beta:
        return True
    return max(alpha, min(score, beta)) == max(alpha, min(value, beta))


# --- a history ----------------------------------------------------------------------


def of_history(
    reference: Reference, answer: SearchAnswer, expected: Expected
) -> Divergence | None:
    """Return a divergence if a wrong result of a history comes from a search that was
    called wrongly.

    Look at the first wrong result that has the score and the number of evaluations that
    its search returned.  If another function than the right one searched, the
    divergence names both.  Otherwise the divergence is about the first wrong argument.
    Return None if the search was called rightly, or if there is no such result.  Also
    return None if an entry of the history is no result, or if the events or the
    reference do not have just one search for each result.
    """
    yours = _searches(answer.events)
    theirs = _searches(reference.events)
    results = [result for result in answer.results if isinstance(result, Result)]
    if not len(yours) == len(theirs) == len(results) == len(answer.results):
        return None
    for index, result in enumerate(results):
        search, returned = yours[index]
        returned_parts = (returned.score, returned.evaluations)
        is_its_own = (result.score, result.evaluations) == returned_parts
        if expected.results[index].is_met_by(result) or not is_its_own:
            continue
        facts = _first_difference(search.called, theirs[index][0].called)
        if facts is None:
            return None
        where = f"In search {index + 1}, from the {ROOT}"
        return Divergence(where, *facts, place=(), event=search.event)
    return None


def _searches(events: Sequence[Event]) -> list[tuple[Frame, Returned]]:
    """Return each search that a deepening function began from the given state, with
    what this search returned.
    """
    searches = []
    for _, event, frames in walk(events):
        match event, frames:
            case Returned(), [_, Frame(called=Called(place=())) as search]:
                searches.append((search, event))
    return searches


def _first_difference(called: Called, right: Called) -> Facts | None:
    """Say how the call of a search differs from `right`, the call that the reference
    makes.

    Only the first difference is returned.  Return None if the two calls do not differ.
    """
    if called.function != right.function:
        return f"calls {called.function}", f"calls {right.function}"
    for name in ("depth_limit", "maximize"):
        if facts := _argument(called, name, getattr(right, name)):
            return facts
    window = f"is called with {bounds(*window_of(called))}"
    right_window = f"is called with {bounds(*window_of(right))}"
    return None if window == right_window else (window, right_window)
