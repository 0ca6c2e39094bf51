"""Functions on Connect Four boards; `returns` says what one gives.

over     whether the game is over, True or False
moves    the boards after each possible move
score    one exact score
bounds   a score that lies on the right side of a bound, or between two; several can be compared
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from api import INF, ConnectFourBoard
from boards.built import board_of
from boards.cases import Call, Case
from boards.excerpts import Excerpt, name_of_excerpt, read_excerpt, rows_of
from boards.points import Function
from grader.judging.verdict import Finding
from grader.kinds.board.drawing import draw_board, written_board
from grader.kinds.board.judge import judge_bounds, judge_moves, judge_over, judge_relations, judge_score
from grader.kinds.kind import Kind
from grader.pipe.plain import alike, is_number, value_of

JUDGES: dict[str, Callable[[Call, Any], Finding]] = {
    "over": judge_over,
    "moves": judge_moves,
    "score": judge_score,
    "bounds": judge_bounds,
}


class Board(Kind[Any]):
    """A function from a board, and perhaps a flag, to what the kit's encoding makes of its answer."""

    calls_others = True

    def read(self, outcome: dict[str, Any]) -> Any:
        return value_of(outcome)

    def judge(self, function: Function, call: Call, answer: Any) -> Finding:
        return JUDGES[function.returns](call, answer)

    def judge_together(self, case: Case, answers: Sequence[Any]) -> tuple[int, Finding]:
        return judge_relations(case, answers)

    def gist(self, function: Function, call: Call, answer: Any) -> str:
        """The answer; of one that may be right in many ways, on which side of the bounds and of 0 it lies."""
        if function.returns != "bounds" or not is_number(answer):
            return alike(answer)
        bounds = call.expect
        if "between" in bounds and abs(answer) >= max(map(abs, bounds["between"])):
            return "out of range"
        too_low = answer < bounds.get("at_least", -INF) or answer <= bounds.get("between", (-INF, INF))[0]
        return f"{'too low' if too_low else 'too high'}, {(answer > 0) - (answer < 0)}"

    def signature(self, function: Function, call: Call, board: str = "board") -> str:
        flag = f", {call.inputs['maximizer']}" if "maximizer" in call.inputs else ""
        return f"{function.name}({board}{flag})"

    def pasted(self, function: Function, call: Call) -> str:
        return self.signature(function, call, written_board(call.inputs))

    def picture(self, function: Function, call: Call, answer: Any) -> list[str]:
        return draw_board(call.inputs)

    def stand_in(self, function: Function, call: Call) -> dict[str, Any]:
        """What a rule says of the boards of the call's excerpt: [[board, what it says], ...]."""
        facts = KNOWN[function.returns](read_excerpt(board_of(call.inputs), call.excerpt))
        return {
            "returns": function.returns,
            "known": [[name_of_excerpt(rows_of(at)), fact] for at, fact in facts.items()],
        }


KNOWN: dict[str, Callable[[Excerpt], Mapping[ConnectFourBoard, Any]]] = {
    "over": lambda excerpt: dict.fromkeys(excerpt.columns, False) | dict.fromkeys(excerpt.scores, True),
    "moves": lambda excerpt: {**excerpt.columns, **dict.fromkeys(excerpt.scores, ())},
    "score": lambda excerpt: excerpt.scores,
}

KIND = Board()
