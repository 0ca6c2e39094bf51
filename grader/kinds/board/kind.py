"""Judges the functions that take a Connect Four board: the rules and the heuristics.

In points.yaml, the word after `returns` says what a function returns, and so what its
cases expect:

    over      whether the game is over
    moves     the boards after each possible move
    score     the exact score of a finished game
    bounds    a score of a finished game; the case gives bounds for the score
    estimate  a score of a game that goes on; the case gives bounds for the score
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from api import INF, ConnectFourBoard
from boards.built import board_of
from boards.excerpts import rows_of
from grader.bank.cases import Call, Case
from grader.bank.points import Function
from grader.kinds.board.drawing import draw_board, written_board
from grader.kinds.kind import Kind, Place
from grader.protocol.plain import Data, alike, is_number, value_of
from grader.protocol.text import plural, returned, show
from grader.verdicts.verdict import RIGHT, Finding, wrong

NO_MOVE = "?"  # stands in place of a column, for a board that no move leads to
MOST_LISTED = 8


@dataclass(frozen=True)
class ExpectedOver:
    """The case expects True if the game is over, and False if the game goes on."""

    is_over: bool

    def judge(self, answer: Any) -> Finding:
        if type(answer) is not bool:
            return _of_another_type(answer, "True or False")
        if answer is self.is_over:
            return RIGHT
        row = ("value", show(self.is_over), show(answer))
        return wrong(
            f"The game is {'over' if self.is_over else 'not over'} here.", (row,)
        )


@dataclass(frozen=True)
class ExpectedMoves:
    """The case expects a list of boards: one board for each possible move, in the order
    of the columns.
    """

    board: ConnectFourBoard  # the board before the move
    columns: list[int]  # the columns in which a piece may be put

    def judge(self, answer: Any) -> Finding:
        if not isinstance(answer, list):
            return _of_another_type(answer, "a new list of boards")
        for item in answer:
            if not (isinstance(item, dict) and "$board" in item):
                return wrong(f"The list holds {show(item)}, which is not a board.")
        yours = self._columns_of(answer)
        if yours == self.columns:
            return self._judge_names(answer)
        row = ("columns of the moves", _listed(self.columns), _listed(yours))
        return wrong(self._what_is_wrong(yours), (row,))

    def _columns_of(self, boards: Sequence[Any]) -> list[Any]:
        """For each of these boards, return the column of the move that leads to it.

        If no move leads to a board, NO_MOVE stands in place of its column.
        """
        columns = {}
        for column in range(self.board.num_cols):
            if not self.board.is_column_full(column):
                columns[tuple(rows_of(self.board.add_piece(column)))] = column
        drawings = [tuple(board["$board"][:-2]) for board in boards]
        return [columns.get(drawing, NO_MOVE) for drawing in drawings]

    def _what_is_wrong(self, yours: list[Any]) -> str:
        """Say what is wrong with the student's list of boards.

        `yours` has an entry for each board of the list: the column of the move that
        leads to this board, or NO_MOVE if no move does.
        """
        if NO_MOVE in yours:
            return (
                f"A board marked {NO_MOVE} cannot be reached from the given board with "
                "one move of the current player."
            )
        if not self.columns:
            return "The game is over here, so the list of boards should be empty."
        if sorted(yours) == self.columns:
            return (
                "The moves are right, but they should come in the order of the "
                "columns, from left to right."
            )
        boards = plural(len(self.columns), "board")
        return f"There should be {boards}, one for each column that is not full."

    def _judge_names(self, boards: Sequence[Any]) -> Finding:
        """Return the finding on the names of the players.

        A move must not change the two names.  Only their order changes, because the
        player who moves next comes first.
        """
        expected = ", ".join(reversed(self.board.players))
        for board in boards:
            yours = ", ".join(board["$board"][-2:])
            if yours != expected:
                message = (
                    "The pieces are right, but the players' names are not: "
                    "each player should keep their name."
                )
                return wrong(message, (("players (current first)", expected, yours),))
        return RIGHT


@dataclass(frozen=True)
class ExpectedScore:
    """The case expects the exact score of a finished game."""

    score: float

    def judge(self, answer: Any) -> Finding:
        if not is_number(answer):
            return _of_another_type(answer, "a plain number")
        if answer == self.score:
            return RIGHT
        row = ("score", show(self.score), show(answer))
        return wrong(self._what_is_wrong(answer), (row,))

    def _what_is_wrong(self, yours: float) -> str:
        """Say what is wrong with a score.

        The right score is 0 if nobody has won, and another number if somebody has.
        """
        if self.score == 0:
            return "Nobody has won here, so the score should be 0."
        if yours == 0:
            return "Somebody has won here, but 0 is the score of a tie."
        if yours == -self.score:
            return (
                "The sign is wrong. It depends on who made the last move, "
                "and on who the maximizer is."
            )
        either = f"{show(abs(self.score))} or {show(-abs(self.score))}"
        return f"Somebody has won here, so the score should be {either}."


@dataclass(frozen=True)
class ExpectedBounds:
    """The case expects a score between two bounds.  One of the bounds may be
    infinite.
    """

    low: float
    high: float
    words: str  # the bounds in words
    is_strict: bool = False  # whether a score that equals a bound is wrong

    def judge(self, answer: Any) -> Finding:
        if not is_number(answer):
            return _of_another_type(answer, "a plain number")
        fits = self.low <= answer <= self.high
        if fits and not (self.is_strict and answer in (self.low, self.high)):
            return RIGHT
        message = f"The score should be {self.words}.{self._wrong_side(answer)}"
        return wrong(message, (("score", self.words, show(answer)),))

    def fingerprint(self, score: float) -> str:
        """Describe a wrong score without its exact value.

        The text says whether the score is too low or too high, and what its sign is.
        If the score should be strictly between the bounds, but is at least as far from
        0 as both bounds, the text is "out of range".

        The exact value is left out, because submissions with the same mistake often
        give different scores on the same side of the bounds.
        """
        if self.is_strict and abs(score) >= max(abs(self.low), abs(self.high)):
            return "out of range"
        side = "too low" if score <= self.low else "too high"
        sign = -1 if score < 0 else int(score > 0)
        return f"{side}, {sign}"

    def _wrong_side(self, yours: float) -> str:
        """Say what the sign of the score `yours` means, and ask whether that is right.

        The text is empty unless the sign alone makes the score wrong.
        """
        if yours < 0 <= self.low:
            player = "minimizer"
        elif yours > 0 >= self.high:
            player = "maximizer"
        else:
            return ""
        return f" Yours says the {player} is better off. Is that so on this board?"


def read_expected(
    call: Call,
) -> ExpectedOver | ExpectedMoves | ExpectedScore | ExpectedBounds:
    """Return what the case expects of this call."""
    match call.expect:
        case {"value": is_over}:
            return ExpectedOver(is_over)
        case {"columns": columns}:
            return ExpectedMoves(board_of(call.inputs), columns)
        case {"score": score}:
            return ExpectedScore(score)
        case {"between": [low, high]}:
            words = f"strictly between {low} and {high}"
            return ExpectedBounds(low, high, words, is_strict=True)
        case {"at_least": low}:
            return ExpectedBounds(low, INF, f"{low} or more")
    high = call.expect["at_most"]
    return ExpectedBounds(-INF, high, f"{high} or less")


def _of_another_type(answer: Any, expected: str) -> Finding:
    return wrong(f"It {returned(answer)}; it should return {expected}.")


def _listed(columns: Sequence[Any]) -> str:
    return ", ".join(map(str, columns[:MOST_LISTED])) or "none"


class Board(Kind):
    """How functions that take a Connect Four board are judged and shown.

    A function that returns a score also takes a flag, which says whether the maximizer
    is to move.  The answer to a call is plain data, as child/encode.py makes it.
    """

    calls = ("board", "search")
    read = staticmethod(value_of)

    def judge(self, call: Call, answer: Any) -> Finding:
        return read_expected(call).judge(answer)

    def judge_together(
        self, case: Case, answers: Sequence[Any]
    ) -> Iterable[tuple[int, Finding]]:
        """Compare the scores that the calls of a case returned.

        For each contradiction, yield the index of the call that counts as wrong, and
        the finding.  In `case.order`, the score of each call must be higher than the
        score of the next call.  In `case.opposite`, the two scores of each pair must
        add up to 0, except for rounding.
        """
        names = [call.name for call in case.calls]
        scores = dict(zip(names, answers, strict=True))
        for better, worse in pairwise(case.order):
            if not scores[better] > scores[worse]:
                message = f"`{better}` should score higher than `{worse}`"
                if scores[better] == scores[worse]:
                    message += ", but both score the same"
                expected = {better: "the higher score", worse: "the lower score"}
                yield _contradiction(f"{message}.", names, scores, expected)
        for pair in zip(case.opposite[::2], case.opposite[1::2], strict=True):
            name, opposite = pair
            if not _are_opposite(scores[name], scores[opposite]):
                message = "One of these two scores should be the negative of the other."
                expected = dict.fromkeys(pair, "minus the other score")
                yield _contradiction(message, names, scores, expected)

    def fingerprint(self, call: Call, answer: Any) -> str:
        expected = read_expected(call)
        if isinstance(expected, ExpectedBounds) and is_number(answer):
            return expected.fingerprint(answer)
        return alike(answer)

    def signature(self, call: Call) -> str:
        return _called_on("board", call)

    def picture(self, call: Call, answer: Any, place: Place) -> list[str]:
        return draw_board(call.inputs)

    def stand_in(self, function: Function, call: Call) -> Data:
        """Return the facts from which worker.py makes a stand-in for `function`.

        One of them is the excerpt of the call.  It says what the rules give for the
        board of the call, and for boards that the game can lead to from there.
        """
        return {
            "returns": function.returns,
            "inputs": call.inputs,
            "excerpt": call.excerpt,
        }

    def pasted(self, call: Call) -> str:
        return _called_on(written_board(call.inputs), call)


def _called_on(board: str, call: Call) -> str:
    """Return the call as Python.  `board` is a Python expression for the board."""
    flag = f", {call.inputs['maximizer']}" if "maximizer" in call.inputs else ""
    return f"{call.function.name}({board}{flag})"


def _contradiction(
    message: str,
    names: Sequence[str],
    scores: Mapping[str, float],
    expected: Mapping[str, str],
) -> tuple[int, Finding]:
    """Return two things about two calls whose scores contradict each other: the index
    of the call that counts as wrong, and the finding.

    The keys of `expected` are the names of the two calls.  The second of them counts as
    wrong.  The values of `expected` say in words which score each call should return.
    """
    # Adding 0 turns -0.0 into 0.0, which is the same score.
    rows = tuple(
        (name, words, show(scores[name] + 0)) for name, words in expected.items()
    )
    beside, at = map(names.index, expected)
    return at, wrong(message, rows, beside=beside)


def _are_opposite(score: float, opposite: float) -> bool:
    """Whether one score is the negative of the other, except for rounding."""
    try:
        return math.isclose(score, -opposite)
    except OverflowError:  # A whole number may be too large for a float.
        return score == -opposite


KIND = Board()
