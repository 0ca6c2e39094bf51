"""Judges searches of a tree: dfs, minimax, alpha-beta, and searches that deepen.

In points.yaml, `arguments` lists the arguments that a function takes besides the state.
If a function has `returns: history` there, it returns an AnytimeValue, which holds a
result for each depth.
"""

from grader.bank.cases import Call
from grader.bank.points import Function
from grader.kinds.kind import Divergence, Kind
from grader.kinds.playback import Playback
from grader.kinds.search import drawing
from grader.kinds.search.answer import (
    Result,
    SearchAnswer,
    read_answer,
    read_expected,
)
from grader.kinds.search.divergence import TraceComparison, of_history
from grader.kinds.search.judge import HISTORY, judge_search
from grader.kinds.search.nodes import reference_of
from grader.kinds.search.playback import play_back
from grader.protocol.plain import Data, alike
from grader.verdicts.verdict import RIGHT

# A trace with more events than this is not compared with the reference.  `make trace`
# also shows longer traces.
MOST_EVENTS = 10_000


class Search(Kind):
    """How a search is judged and shown.

    A search takes a state, and perhaps further arguments.  It returns a result (path,
    score, evaluations), or a history of such results.
    """

    calls = ("search",)
    most_traced = 2_000

    read = staticmethod(read_answer)
    judge = staticmethod(judge_search)
    signature = staticmethod(drawing.signature)
    pasted = staticmethod(drawing.pasted)
    picture = staticmethod(drawing.draw_state)

    def fingerprint(self, call: Call, answer: SearchAnswer) -> str:
        """Return the results and two facts about the evaluations, as one text.

        The facts are whether the search evaluated a state again, and whether it reports
        as many evaluations as the recorder saw.  If the case accepts any path, the text
        does not have the results.  Instead it has the reported counts, and whether the
        answer earns points.
        """
        counts = [
            result.evaluations if isinstance(result, Result) else None
            for result in answer.results
        ]
        evaluates = [answer.record.repeated > 0, counts == [answer.record.total]]
        if read_expected(call.expect).results[0].path is None:
            earns = judge_search(call, answer).credit > 0
            return alike([*evaluates, earns, counts])
        return alike([*evaluates, *answer.results])

    def divergence(self, call: Call, answer: SearchAnswer) -> Divergence | None:
        reference = reference_of(call)
        if reference is None or not answer.is_complete:
            return None
        if len(answer.events) > MOST_EVENTS:
            return None
        expected = read_expected(call.expect)
        if call.function.returns == HISTORY:
            return of_history(reference, answer, expected)
        return TraceComparison(reference, answer, expected.results[0]).first()

    def plays_back(self, call: Call) -> bool:
        return bool(call.inputs.get("watched", True))

    def playback(self, call: Call, answer: SearchAnswer) -> Playback | None:
        divergence = None
        if self.judge(call, answer) != RIGHT:
            divergence = self.divergence(call, answer)
        return play_back(call, answer, divergence)

    def stand_in(self, function: Function, call: Call) -> Data:
        """Return the state and the arguments of `call`, and what a search from this
        state should find at depth 1, at depth 2 and so on.

        `call` is a call of a deepening function.  What a search should find at each
        depth is what the case expects in the history of that function.
        """
        return {
            **call.inputs.get("arguments", {}),
            "state": call.inputs["state"],
            "results": call.expect.get(HISTORY, []),
        }


KIND = Search()
