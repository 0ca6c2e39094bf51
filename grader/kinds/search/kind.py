"""Searches of a tree: dfs, minimax, alpha-beta, and those that deepen step by step.

`arguments` of the function are those that it takes besides the state; one that
`returns: history` gives an AnytimeValue with a result for each depth.
"""

import dataclasses
from typing import Any

from grader.bank.cases import Call
from grader.bank.points import Function
from grader.judging.verdict import RIGHT
from grader.kinds.kind import Divergence, Kind
from grader.kinds.playback import Playback
from grader.kinds.search.answer import Returned, SearchAnswer, read_answer
from grader.kinds.search.divergence import Comparison, of_history
from grader.kinds.search.drawing import draw_state, pasted, signature
from grader.kinds.search.judge import HISTORY, judge_search
from grader.kinds.search.nodes import reference_of
from grader.kinds.search.playback import play_back
from grader.protocol.plain import alike

MOST_EVENTS = 10_000  # that are gone through, whatever a child sends


class Search(Kind[SearchAnswer]):
    """A function from a state, and perhaps more, to (path, score, evaluations)."""

    calls = ("search",)
    most_traced = 2_000

    read = staticmethod(read_answer)
    judge = staticmethod(judge_search)
    signature = staticmethod(signature)
    pasted = staticmethod(pasted)
    picture = staticmethod(draw_state)

    def divergence(self, call: Call, answer: SearchAnswer) -> Divergence | None:
        reference = reference_of(call)
        events = answer.events
        if (
            reference is None
            or events is None
            or not answer.is_complete
            or len(events) > MOST_EVENTS
        ):
            return None
        if call.function.returns == HISTORY:
            return of_history(reference, answer, call.expect.get(HISTORY, ()))
        return Comparison(reference, events, answer.results[0], call.expect).first(
            sees_all=answer.record.watched
        )

    def fingerprint(self, call: Call, answer: SearchAnswer) -> str:
        """The results, whether a state was scored again, and whether a count is that of
        what was scored; of results of which any path will do, and any score on the
        right side of a bound, the count alone.
        """
        counts = [getattr(result, "evaluations", None) for result in answer.results]
        seen = [answer.record.repeated > 0, counts == [answer.record.total]]
        if call.expect.keys() & {"path", "history", "last"}:
            return alike([*seen, *map(dataclasses.astuple, answer.results)])
        return alike([*seen, judge_search(call, answer).credit > 0, counts])

    def plays_back(self, call: Call) -> bool:
        return bool(call.inputs.get("watched", True))

    def playback(self, call: Call, answer: SearchAnswer) -> Playback | None:
        has_failed = call.expect and self.judge(call, answer) != RIGHT
        divergence = None
        if has_failed and not _has_raised(answer):
            divergence = self.divergence(call, answer)
        return play_back(call, answer, divergence)

    def stand_in(self, function: Function, call: Call) -> dict[str, Any]:
        """What the search should have found at each depth, out of what a deepening one
        is expected to find.
        """
        results = [
            [entry["path"], entry["score"], entry["evaluations"]]
            for entry in call.expect["history"]
        ]
        arguments = {"heuristic": "always_zero", "maximize": True} | call.inputs.get(
            "arguments", {}
        )
        return {**arguments, "state": call.inputs["state"], "results": results}


def _has_raised(answer: SearchAnswer) -> bool:
    """Whether a traced search ended with an exception, which says more than a place
    does.
    """
    last = answer.events[-1] if answer.events else None
    return isinstance(last, Returned) and bool(last.raised)


KIND = Search()
