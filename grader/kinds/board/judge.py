"""Judges the functions on Connect Four boards."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from boards.built import board_of
from boards.cases import Call, Case
from boards.excerpts import rows_of
from grader.judging.verdict import NOTHING, RIGHT, Finding
from grader.pipe.plain import is_number
from grader.pipe.words import plural, returned, show


def judge_over(call: Call, value: Any) -> Finding:
    """Exactly True or False."""
    wanted = call.expect["value"]
    if value is wanted:
        return RIGHT
    rows = (("is the game over?", str(wanted), show(value)),)
    if type(value) is not bool:
        return Finding(NOTHING, f"It {returned(value)}; it should return True or False.", rows)
    return Finding(NOTHING, "The game is over here." if wanted else "The game is not over here.", rows)


def judge_moves(call: Call, boards: Any) -> Finding:
    """The boards after each possible move, in the order of the columns."""
    columns = call.expect["columns"]
    if not isinstance(boards, list):
        return Finding(NOTHING, f"It {returned(boards)}; it should return a list of boards.")
    given = board_of(call.inputs)
    known = {tuple(rows_of(given.add_piece(column))): column for column in columns}
    yours = [known.get(tuple(board["$board"])) if _is_board(board) else None for board in boards]
    if yours == columns:
        return RIGHT
    rows = (("columns of the moves", _show_columns(columns), _show_given(boards, yours)),)
    return Finding(NOTHING, _what_is_wrong(boards, yours, columns), rows)


def _show_columns(columns: Sequence[int | None]) -> str:
    return ", ".join("?" if column is None else str(column) for column in columns) or "none"


def _show_given(boards: list[Any], yours: list[int | None]) -> str:
    """What came back, in the width of a row: columns, or how many boards or other things there are."""
    strangers = [board for board in boards if not _is_board(board)]
    if strangers:
        some = ", ".join(show(stranger)[:12] for stranger in strangers[:3])
        more = ", …" if len(strangers) > 3 else ""
        return f"{some}{more} (no board{'s' if len(strangers) > 1 else ''})"
    if boards and (len(boards) > 7 or set(yours) == {None}):
        return plural(len(boards), "board")
    return f"{_show_columns(yours)}{' (?: another board)' if None in yours else ''}"


def _is_board(board: Any) -> bool:
    return isinstance(board, dict) and "$board" in board


def _what_is_wrong(boards: list[Any], yours: list[int | None], columns: list[int]) -> str:
    for stranger in boards:
        if not _is_board(stranger):
            return f"The list holds {show(stranger)}, which is not a board."
    if not columns:
        return f"No move is possible on this board, but it returned {plural(len(boards), 'board')}."
    if None in yours:
        return "One of the boards is not the given board with the current player's piece in a column that is open."
    if sorted(map(str, yours)) == sorted(map(str, columns)):
        return "The moves are right, but they should come in the order of the columns, from left to right."
    wanted = plural(len(columns), "board")
    are = "is" if len(yours) == 1 else "are"
    return f"There should be {wanted}, one for each column that is not full; there {are} {len(yours)}."


def judge_score(call: Call, score: Any) -> Finding:
    """One exact score."""
    wanted = call.expect["score"]
    if is_number(score) and score == wanted:
        return RIGHT
    rows = (("score", show(wanted), show(score)),)
    if not is_number(score):
        return Finding(NOTHING, f"It {returned(score)}; it should return a number.", rows)
    if score == -wanted:
        return Finding(NOTHING, "The sign is wrong: who made the last move, and is that the maximizer?", rows)
    return Finding(NOTHING, "The score is wrong.", rows)


def judge_bounds(call: Call, score: Any) -> Finding:
    """A score on the right side of a bound, or strictly between two."""
    expect = call.expect
    if not is_number(score):
        return Finding(NOTHING, f"It {returned(score)}; it should return a number.")
    if "at_least" in expect:
        right, wanted = score >= expect["at_least"], f"{expect['at_least']} or more"
    elif "at_most" in expect:
        right, wanted = score <= expect["at_most"], f"{expect['at_most']} or less"
    else:
        low, high = expect["between"]
        right, wanted = low < score < high, f"between {low} and {high}"
    return RIGHT if right else Finding(NOTHING, f"The score should be {wanted}.", (("score", wanted, show(score)),))


def judge_relations(case: Case, answers: Sequence[Any]) -> tuple[int, Finding]:
    """The order of the scores of several calls, and which are opposite; with the call at fault."""
    scores = {call.name: score for call, score in zip(case.calls, answers, strict=True)}
    names = [call.name for call in case.calls]
    for better, worse in zip(case.order, case.order[1:], strict=False):
        rows = ((better, "the higher score", show(scores[better])), (worse, "the lower score", show(scores[worse])))
        if not scores[better] > scores[worse]:
            equal = "; both score the same" if scores[better] == scores[worse] else ""
            message = f"`{better}` should score higher than `{worse}`{equal}."
            return names.index(worse), Finding(NOTHING, message, rows, beside=names.index(better))
    for one, other in zip(case.opposite[::2], case.opposite[1::2], strict=True):
        rows = ((one, "the opposite", show(scores[one])), (other, "the opposite", show(scores[other])))
        if not _are_opposite(scores[one], scores[other]):
            equal = "; they are the same" if scores[one] == scores[other] else ""
            message = f"These two scores should be each other's negative{equal}."
            return names.index(other), Finding(NOTHING, message, rows, beside=names.index(one))
    return 0, RIGHT


def _are_opposite(one: float, other: float) -> bool:
    """Whether two scores add up to nothing, but for rounding; exactly, since a whole number may be huge."""
    if not all(type(score) is int or math.isfinite(score) for score in (one, other)):
        return one == -other
    x, y = Fraction(one), Fraction(other)
    return abs(x + y) <= max(abs(x), abs(y)) / 10**9
