"""Judges what a function on a Connect Four board returns: a class for each expectation.

`returns` in points.yaml says what a function returns, and so what its cases expect:

    over      whether the game is over
    moves     the boards after each possible move
    score     one exact score of a finished game
    bounds    a score of a finished game, on the right side of a bound
    estimate  a score of a game that goes on, between two bounds
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from api import INF, ConnectFourBoard
from boards.built import board_of
from boards.excerpts import rows_of
from grader.bank.cases import Call
from grader.protocol.plain import is_number
from grader.protocol.text import plural, returned, show
from grader.verdicts.verdict import RIGHT, Finding, wrong

NO_MOVE = "?"  # in place of the column, for a board that no move leads to
MOST_LISTED = 8


@dataclass(frozen=True)
class ExpectedOver:
    """Whether the game is over."""

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
    """The boards after each possible move, in the order of the columns."""

    board: ConnectFourBoard  # the board before the move
    columns: list[int]  # in which a piece may be put

    def judge(self, answer: Any) -> Finding:
        if not isinstance(answer, list):
            return _of_another_type(answer, "a list of boards")
        for item in answer:
            if not (isinstance(item, dict) and "$board" in item):
                return wrong(f"The list holds {show(item)}, which is not a board.")
        yours = self._columns_of(answer)
        if yours == self.columns:
            return self._judge_names(answer)
        row = ("columns of the moves", _listed(self.columns), _listed(yours))
        return wrong(self._what_is_wrong(yours), (row,))

    def _columns_of(self, boards: Sequence[Any]) -> list[Any]:
        """The column of the move to each of these boards, or NO_MOVE."""
        columns = {}
        for column in range(self.board.num_cols):
            if not self.board.is_column_full(column):
                columns[tuple(rows_of(self.board.add_piece(column)))] = column
        drawings = [tuple(board["$board"][:-2]) for board in boards]
        return [columns.get(drawing, NO_MOVE) for drawing in drawings]

    def _what_is_wrong(self, yours: list[Any]) -> str:
        """What is wrong with these columns."""
        if NO_MOVE in yours:
            return (
                f"A board marked {NO_MOVE} is not the given board with the current "
                "player's piece in a column that is open."
            )
        if not self.columns:
            return (
                "The game is over here, so no move leads on: the list should be empty."
            )
        if sorted(yours) == self.columns:
            return (
                "The moves are right, but they should come in the order of the "
                "columns, from left to right."
            )
        boards = plural(len(self.columns), "board")
        return f"There should be {boards}, one for each column that is not full."

    def _judge_names(self, boards: Sequence[Any]) -> Finding:
        """Whether the boards after each move keep the names of the players."""
        next_player = self.board.get_other_player_name()
        expected = f"{next_player}, {self.board.get_current_player_name()}"
        for board in boards:
            yours = ", ".join(board["$board"][-2:])
            if yours != expected:
                message = (
                    "The pieces are right, but not the players: "
                    "both names stay, and whoever moves next comes first."
                )
                return wrong(message, (("players", expected, yours),))
        return RIGHT


@dataclass(frozen=True)
class ExpectedScore:
    """The exact score of a finished game."""

    score: float

    def judge(self, answer: Any) -> Finding:
        if not is_number(answer):
            return _of_another_type(answer, "a plain number")
        if answer == self.score:
            return RIGHT
        row = ("score", show(self.score), show(answer))
        return wrong(self._what_is_wrong(answer), (row,))

    def _what_is_wrong(self, yours: float) -> str:
        """What is wrong with a score: a tie scores 0, and a win does not."""
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
    """A score from the one bound to the other."""

    low: float
    high: float
    words: str  # the bounds in words
    is_strict: bool = False  # whether the bounds themselves are wrong

    def judge(self, answer: Any) -> Finding:
        if not is_number(answer):
            return _of_another_type(answer, "a plain number")
        fits = self.low <= answer <= self.high
        if fits and not (self.is_strict and answer in (self.low, self.high)):
            return RIGHT
        message = f"The score should be {self.words}.{self._wrong_side(answer)}"
        return wrong(message, (("score", self.words, show(answer)),))

    def fingerprint(self, score: float) -> str:
        """On which side of the bounds and of 0 a wrong score is, as many are wrong."""
        if self.is_strict and abs(score) >= max(abs(self.low), abs(self.high)):
            return "out of range"
        side = "too low" if score <= self.low else "too high"
        sign = -1 if score < 0 else int(score > 0)
        return f"{side}, {sign}"

    def _wrong_side(self, yours: float) -> str:
        """A question about the sign of a score if no right score has it; else empty."""
        if yours < 0 <= self.low:
            player = "minimizer"
        elif yours > 0 >= self.high:
            player = "maximizer"
        else:
            return ""
        return f" By its sign the {player} is ahead: is that so on this board?"


def read_expected(
    call: Call,
) -> ExpectedOver | ExpectedMoves | ExpectedScore | ExpectedBounds:
    """What a case expects of a call."""
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
