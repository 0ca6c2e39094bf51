"""Searches of a tree: dfs, minimax, alpha-beta, and those that deepen step by step.

`arguments` of the function are those that it takes besides the state; one that `returns: history`
gives an AnytimeValue with a result for each depth.
"""

from typing import Any

from boards.cases import Call, Case
from boards.points import Function
from grader.judging.verdict import RIGHT, Finding
from grader.kinds.kind import Kind, Located
from grader.kinds.playback import Playback
from grader.kinds.search.answer import Odd, Result, SearchAnswer, read_answer
from grader.kinds.search.drawing import draw_state, pasted, signature
from grader.kinds.search.judge import judge_search
from grader.kinds.search.locating import locate
from grader.kinds.search.playback import play_back
from grader.pipe.plain import alike

LARGE = 1000  # of a game, which has no drawn tree


class Search(Kind[SearchAnswer]):
    """A function from a state, and perhaps more, to (path, score, evaluations)."""

    calls_others = True
    most_traced = 2_000

    def read(self, outcome: dict[str, Any]) -> SearchAnswer:
        return read_answer(outcome)

    def judge(self, function: Function, call: Call, answer: SearchAnswer) -> Finding:
        return judge_search(function, call, answer)

    def signature(self, function: Function, call: Call) -> str:
        return signature(function, call)

    def pasted(self, function: Function, call: Call) -> str:
        return pasted(function, call)

    def picture(self, function: Function, call: Call, answer: SearchAnswer | None) -> list[str]:
        return draw_state(function, call, answer)

    def locate(self, case: Case, at: int, answer: SearchAnswer) -> Located | None:
        return locate(case, at, answer)

    def gist(self, function: Function, call: Call, answer: SearchAnswer) -> str:
        """The results, and whether a state was scored again; of results of which any path will do, and any score on the
        right side of a bound, the count alone."""
        again = answer.record.repeated > 0
        if call.expect.keys() & {"path", "history", "last"}:
            return alike([again, *(_facts(result) for result in answer.results)])
        is_right = judge_search(function, call, answer).credit > 0
        return alike([again, is_right, getattr(answer.results[0], "evaluations", None)])

    def plays_back(self, call: Call) -> bool:
        return bool(call.inputs.get("watched", True))

    def playback(self, case: Case, at: int, answer: SearchAnswer) -> Playback | None:
        call = case.calls[at]
        failed = call.expect and self.judge(case.graded, call, answer) != RIGHT
        return play_back(case, at, answer, self.locate(case, at, answer) if failed else None)

    def size(self, call: Call) -> int:
        tree: str = call.inputs["state"].get("tree", "")
        return len(tree.splitlines()) or LARGE

    def stand_in(self, function: Function, call: Call) -> dict[str, Any]:
        """What the search should have found at each depth, out of what a deepening one is expected to find."""
        arguments = call.inputs.get("arguments", {})
        return {
            "state": call.inputs["state"],
            "heuristic": arguments.get("heuristic", "always_zero"),
            "maximize": arguments.get("maximize", True),
            "results": [[entry["path"], entry["score"], entry["evaluations"]] for entry in call.expect["history"]],
        }


def _facts(result: Result | Odd) -> list[Any]:
    """A result without what only helps to explain it."""
    if isinstance(result, Odd):
        return [result.other, result.length]
    path = result.path
    return [path.indices, path.problem, path.step, path.type, result.score, result.evaluations]


KIND = Search()
