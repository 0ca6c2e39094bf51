"""Functions on Connect Four boards; `returns` says what one gives.

over     whether the game is over, True or False
moves    the boards after each possible move
score    one exact score, of a game that is over
bounds   a score of a game that is over, on the right side of a bound; several can be compared
estimate the same where the game goes on: a score between two bounds
"""

import functools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from api import INF, ConnectFourBoard
from boards.built import board_of
from boards.cases import Call, Case, Function
from boards.excerpts import Excerpt, name_of_excerpt, read_excerpt, rows_of
from grader.judging.verdict import NOTHING, RIGHT, Finding
from grader.kinds.board.drawing import draw_board, written_board
from grader.kinds.kind import Kind
from grader.protocol.plain import alike, is_number, value_of
from grader.protocol.words import ordinal, plural, returned, show


class Board(Kind[Any]):
    """A function from a board, and perhaps a flag, to what the kit's encoding makes of its answer."""

    calls = ("board", "search")
    read = staticmethod(value_of)

    def judge(self, function: Function, call: Call, answer: Any) -> Finding:
        return JUDGES[function.returns](call, answer)

    def judge_together(self, case: Case, answers: Sequence[Any]) -> Iterable[tuple[int, Finding]]:
        """The order of the scores of several calls, and which are opposite; with the call at fault."""
        scores = {call.name: score for call, score in zip(case.calls, answers, strict=True)}
        names = [call.name for call in case.calls]
        for one, other in pairwise(case.order):
            if not scores[one] > scores[other]:
                equal = "; both score the same" if scores[one] == scores[other] else ""
                rows = ((one, "the higher score", show(scores[one])), (other, "the lower score", show(scores[other])))
                said = f"`{one}` should score higher than `{other}`{equal}."
                yield names.index(other), Finding(NOTHING, said, rows, beside=names.index(one))
        for one, other in zip(case.opposite[::2], case.opposite[1::2], strict=True):
            if not _are_opposite(scores[one], scores[other]):
                equal = "; they are the same" if scores[one] == scores[other] else ""
                rows = ((one, "the opposite", show(scores[one])), (other, "the opposite", show(scores[other])))
                said = f"These two scores should be each other's negative{equal}."
                yield names.index(other), Finding(NOTHING, said, rows, beside=names.index(one))

    def gist(self, function: Function, call: Call, answer: Any) -> str:
        """The answer; of one that may be right in many ways, on which side of the bounds and of 0 it lies."""
        if function.returns not in ("bounds", "estimate") or not is_number(answer):
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
        known = [[_name_of(at), fact] for at, fact in facts.items()]
        return {"returns": function.returns, "known": known}


@functools.cache
def _name_of(board: ConnectFourBoard) -> str:
    return name_of_excerpt(rows_of(board))


def _judge_over(call: Call, value: Any) -> Finding:
    """Exactly True or False."""
    wanted = call.expect["value"]
    if value is wanted:
        return RIGHT
    rows = (("is the game over?", str(wanted), show(value)),)
    if type(value) is not bool:
        return Finding(NOTHING, f"It {returned(value)}; it should return True or False.", rows, malformed=True)
    longest, free = measured(call.inputs)
    said = f"the longest chain has {plural(longest, 'piece')}, and {plural(free, 'square is', 'squares are')} free."
    return Finding(NOTHING, f"The game is {'over' if wanted else 'not over'} here: {said}", rows)


def measured(inputs: Mapping[str, Any]) -> tuple[int, int]:
    """The length of the longest chain on a board, and how many squares are free."""
    board = board_of(inputs)
    return max(map(len, board.get_all_chains()), default=0), "".join(rows_of(board)).count(".")


def _judge_moves(call: Call, boards: Any) -> Finding:
    """The boards after each possible move, in the order of the columns."""
    columns = call.expect["columns"]
    if not isinstance(boards, list):
        return Finding(NOTHING, f"It {returned(boards)}; it should return a list of boards.", malformed=True)
    given = board_of(call.inputs)
    known = {tuple(rows_of(given.add_piece(column))): column for column in columns}
    yours = [known.get(tuple(board["$board"])) if _is_board(board) else None for board in boards]
    if yours == columns:
        return RIGHT
    rows = (("columns of the moves", _show_columns(columns), _show_given(boards, yours)),)
    wrong, malformed = _what_is_wrong(rows_of(given), boards, yours, columns), not all(map(_is_board, boards))
    return Finding(NOTHING, wrong, rows, malformed=malformed)


def _show_columns(columns: Sequence[int | None]) -> str:
    return ", ".join("?" if column is None else str(column) for column in columns) or "none"


def _show_given(boards: list[Any], yours: list[int | None]) -> str:
    """What came back, in the width of a row: columns, or how many boards or other things there are."""
    if strangers := [show(board)[:12] for board in boards if not _is_board(board)]:
        some = ", ".join([*strangers[:3], *(["…"] if len(strangers) > 3 else [])])
        return f"{some} (no board{'s' if len(strangers) > 1 else ''})"
    if boards and (len(boards) > 7 or set(yours) == {None}):
        return plural(len(boards), "board")
    return f"{_show_columns(yours)}{' (?: another board)' if None in yours else ''}"


def _is_board(board: Any) -> bool:
    return isinstance(board, dict) and "$board" in board


def _what_is_wrong(given: list[str], boards: list[Any], yours: list[int | None], columns: list[int]) -> str:
    for stranger in boards:
        if not _is_board(stranger):
            return f"The list holds {show(stranger)}, which is not a board."
    if not columns:
        return f"No move is possible on this board, but it returned {plural(len(boards), 'board')}."
    if None in yours:
        at = yours.index(None)
        more = "".join(given).count(".") - "".join(boards[at]["$board"]).count(".")
        if more == 0 or more > 1:
            said = f"The {ordinal(at + 1)} board in the list has {more or 'no'} piece{'s' if more else ''} more than"
            return f"{said} the given one; add_piece returns a new board with one more, and leaves its own as it is."
        return "One of the boards is not the given board with the current player's piece in a column that is open."
    if sorted(map(str, yours)) == sorted(map(str, columns)):
        return "The moves are right, but they should come in the order of the columns, from left to right."
    if twice := [column for column in columns if yours.count(column) > 1]:
        return f"Column {twice[0]} has more than one board in the list."
    wanted = plural(len(columns), "board")
    are = "is" if len(yours) == 1 else "are"
    return f"There should be {wanted}, one for each column that is not full; there {are} {len(yours)}."


def _judge_score(call: Call, score: Any) -> Finding:
    """One exact score."""
    wanted = call.expect["score"]
    if is_number(score) and score == wanted:
        return RIGHT
    rows = (("score", show(wanted), show(score)),)
    if not is_number(score):
        return Finding(NOTHING, f"It {returned(score)}; it should return a plain number.", rows, malformed=True)
    if score == -wanted:
        return Finding(NOTHING, "The sign is wrong: who made the last move, and is that the maximizer?", rows)
    longest, free = measured(call.inputs)
    if score == 0 and longest >= 4:
        return Finding(NOTHING, "The score is wrong: somebody has won here, so it is no tie.", rows)
    if wanted == 0 and longest < 4 and not free:  # of other boards a case of one's own may be wrong
        return Finding(NOTHING, "The score is wrong: nobody has won here, so it is a tie.", rows)
    return Finding(NOTHING, "The score is wrong.", rows)


def _judge_bounds(call: Call, score: Any) -> Finding:
    """A score on the right side of a bound, or strictly between two."""
    if not is_number(score):
        return Finding(NOTHING, f"It {returned(score)}; it should return a plain number.", malformed=True)
    bounds = call.expect.get("between")
    low, high = bounds or (call.expect.get("at_least", -INF), call.expect.get("at_most", INF))
    fits, turned = (low < x < high if bounds else low <= x <= high for x in (score, -score))
    if fits:
        return RIGHT
    wanted = f"strictly between {low} and {high}" if bounds else f"{low} or more" if high == INF else f"{high} or less"
    sign = "; with the other sign it would be. Who is better off here, and is that the maximizer?" if turned else "."
    return Finding(NOTHING, f"The score should be {wanted}{sign}", (("score", wanted, show(score)),))


def _are_opposite(one: float, other: float) -> bool:
    """Whether two scores add up to nothing, but for rounding; exactly, since a whole number may be huge."""
    if not all(type(score) is int or math.isfinite(score) for score in (one, other)):
        return one == -other
    x, y = Fraction(one), Fraction(other)
    return abs(x + y) <= max(abs(x), abs(y)) / 10**9


JUDGES: dict[str, Callable[[Call, Any], Finding]] = {
    "over": _judge_over,
    "moves": _judge_moves,
    "score": _judge_score,
    "bounds": _judge_bounds,
    "estimate": _judge_bounds,
}

KNOWN: dict[str, Callable[[Excerpt], Mapping[ConnectFourBoard, Any]]] = {
    "over": lambda excerpt: dict.fromkeys(excerpt.columns, False) | dict.fromkeys(excerpt.scores, True),
    "moves": lambda excerpt: {**excerpt.columns, **dict.fromkeys(excerpt.scores, ())},
    "score": lambda excerpt: excerpt.scores,
}

KIND = Board()
