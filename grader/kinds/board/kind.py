"""Functions on Connect Four boards; `returns` says what one gives.

over     whether the game is over, True or False
moves    the boards after each possible move
score    one exact score, of a game that is over
bounds   a score of a game that is over, on the right side of a bound; several can be compared
estimate the same where the game goes on: a score between two bounds
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from api import INF, ConnectFourBoard
from boards.built import board_of
from boards.excerpts import name_of_excerpt, read_excerpt, rows_of
from grader.bank.cases import Call, Case
from grader.bank.points import Function
from grader.judging.verdict import RIGHT, Finding, Row, wrong
from grader.kinds.board.drawing import draw_board, written_board
from grader.kinds.kind import Kind, Node
from grader.protocol.plain import alike, is_number, value_of
from grader.protocol.words import plural, returned, show


class Board(Kind[Any]):
    """A function from a board, and perhaps a flag, to what the kit's encoding makes of
    its answer.
    """

    calls = ("board", "search")
    read = staticmethod(value_of)

    def judge(self, call: Call, answer: Any) -> Finding:
        if call.function.returns == "moves":
            return _judge_moves(call, answer)
        if call.function.returns == "over" and type(answer) is not bool:
            return wrong(f"It {returned(answer)}; it should return True or False.")
        if call.function.returns != "over" and not is_number(answer):
            return wrong(f"It {returned(answer)}; it should return a plain number.")
        return (
            _judge_bounds
            if call.function.returns in ("bounds", "estimate")
            else _judge_exactly
        )(call, answer)

    def judge_together(
        self, case: Case, answers: Sequence[Any]
    ) -> Iterable[tuple[int, Finding]]:
        """Calls whose scores come in another order than they should, or are not
        opposite.
        """
        at = {call.name: index for index, call in enumerate(case.calls)}
        for one, other in pairwise(case.order):
            if not answers[at[one]] > answers[at[other]]:
                rows = _rows(
                    at, answers, {one: "the higher score", other: "the lower score"}
                )
                same = (
                    ", but both score the same"
                    if answers[at[one]] == answers[at[other]]
                    else ""
                )
                message = f"`{one}` should score higher than `{other}`{same}."
                yield at[other], wrong(message, rows, beside=at[one])
        for one, other in zip(case.opposite[::2], case.opposite[1::2], strict=True):
            if not _are_opposite(answers[at[one]], answers[at[other]]):
                rows = _rows(at, answers, dict.fromkeys((one, other), "the opposite"))
                message = "These two scores should be each other's negative."
                yield at[other], wrong(message, rows, beside=at[one])

    def fingerprint(self, call: Call, answer: Any) -> str:
        """The answer; if more than one is right, on which side of the bounds and of 0
        it lies.
        """
        if call.function.returns not in ("bounds", "estimate") or not is_number(answer):
            return alike(answer)
        low, high = call.expect.get("between", (-INF, INF))
        if "between" in call.expect and abs(answer) >= max(abs(low), abs(high)):
            return "out of range"
        too_low = answer < call.expect.get("at_least", -INF) or answer <= low
        return f"{'too low' if too_low else 'too high'}, {(answer > 0) - (answer < 0)}"

    def signature(self, call: Call, board: str = "board") -> str:
        flag = f", {call.inputs['maximizer']}" if "maximizer" in call.inputs else ""
        return f"{call.function.name}({board}{flag})"

    def pasted(self, call: Call) -> str:
        return self.signature(call, written_board(call.inputs))

    def picture(self, call: Call, answer: Any, node: Node = ()) -> list[str]:
        return draw_board(call.inputs)

    def stand_in(self, function: Function, call: Call) -> dict[str, Any]:
        """What a rule says of the boards of the call's excerpt: [[board, what it says],
        ...].
        """
        excerpt = read_excerpt(board_of(call.inputs), call.excerpt)
        facts: dict[str, Mapping[Any, Any]] = {
            "over": {
                **dict.fromkeys(excerpt.columns, False),
                **dict.fromkeys(excerpt.scores, True),
            },
            "moves": {**excerpt.columns, **dict.fromkeys(excerpt.scores, ())},
            "score": excerpt.scores,
        }
        answers = [
            [name_of_excerpt(rows_of(board)), fact]
            for board, fact in facts[function.returns].items()
        ]
        return {"returns": function.returns, "known": answers}


def _judge_moves(call: Call, answer: Any) -> Finding:
    """The boards after each possible move, in the order of the columns."""
    columns = call.expect["columns"]
    if not isinstance(answer, list):
        return wrong(f"It {returned(answer)}; it should return a list of boards.")
    for item in answer:
        if not (isinstance(item, dict) and "$board" in item):
            return wrong(f"The list holds {show(item)}, which is not a board.")
    given = board_of(call.inputs)
    open_columns = [
        column for column in range(given.num_cols) if not given.is_column_full(column)
    ]
    column_of = {
        tuple(rows_of(given.add_piece(column))): column for column in open_columns
    }
    yours = [column_of.get(tuple(item["$board"][:-2]), "?") for item in answer]
    if yours == columns:
        return _judge_names(given, answer)
    if "?" in yours:
        message = "A board marked ? is not the given board with the current player's piece in a column that is open."
    elif not columns:
        message = (
            "The game is over here, so no move leads on: the list should be empty."
        )
    elif sorted(yours) == columns:
        message = "The moves are right, but they should come in the order of the columns, from left to right."
    else:
        message = f"There should be {plural(len(columns), 'board')}, one for each column that is not full."
    return wrong(message, (("columns of the moves", _listed(columns), _listed(yours)),))


def _judge_names(given: ConnectFourBoard, boards: Sequence[Any]) -> Finding:
    """Whether the boards after each move keep the names of the players."""
    expected = ", ".join(
        (given.get_other_player_name(), given.get_current_player_name())
    )
    for board in boards:
        yours = ", ".join(board["$board"][-2:])
        if yours != expected:
            message = "The pieces are right, but not the players: both names stay, and whoever moves next comes first."
            return wrong(message, (("players", expected, yours),))
    return RIGHT


def _listed(columns: Sequence[Any]) -> str:
    return ", ".join(map(str, columns[:8])) or "none"


def _judge_exactly(call: Call, answer: Any) -> Finding:
    """Whether a game is over, or its one right score."""
    [(what, expected)] = call.expect.items()
    if answer == expected:
        return RIGHT
    if what == "value":
        message = f"The game is {'over' if expected else 'not over'} here."
    else:
        message = _wrong_score(expected, answer)
    return wrong(message, ((what, show(expected), show(answer)),))


def _wrong_score(expected: float, answer: float) -> str:
    """What is wrong with the score of a finished game: a tie scores 0, and a win does
    not.
    """
    if expected == 0:
        return "Nobody has won here, so the score should be 0."
    if answer == 0:
        return "Somebody has won here, but 0 is the score of a tie."
    if answer == -expected:
        return "The sign is wrong. It depends on who made the last move, and on who the maximizer is."
    return f"Somebody has won here, so the score should be {show(abs(expected))} or {show(-abs(expected))}."


def _judge_bounds(call: Call, answer: Any) -> Finding:
    """A score on the right side of a bound, or strictly between two."""
    if "between" in call.expect:
        low, high = call.expect["between"]
        fits = low < answer < high
        expected = f"strictly between {low} and {high}"
    else:
        low, high = call.expect.get("at_least", -INF), call.expect.get("at_most", INF)
        fits = low <= answer <= high
        expected = f"{low} or more" if high == INF else f"{high} or less"
    if fits:
        return RIGHT
    message = f"The score should be {expected}.{_wrong_side(answer, low, high)}"
    return wrong(message, (("score", expected, show(answer)),))


def _wrong_side(answer: float, low: float, high: float) -> str:
    """A question about the sign of a score, if every right score has the other one;
    empty if not.
    """
    if answer < 0 <= low:
        return " By its sign the minimizer is ahead: is that so on this board?"
    if answer > 0 >= high:
        return " By its sign the maximizer is ahead: is that so on this board?"
    return ""


def _rows(
    at: Mapping[str, int], scores: Sequence[Any], expected: Mapping[str, str]
) -> tuple[Row, ...]:
    """The scores of calls beside each other; adding 0 makes 0.0 of -0.0, which is the
    same score.
    """
    return tuple(
        (name, words, show(scores[at[name]] + 0)) for name, words in expected.items()
    )


def _are_opposite(one: float, other: float) -> bool:
    """Whether two scores add up to nothing, but for rounding; exactly, since a whole
    number may be huge.
    """
    if INF in (abs(one), abs(other)):
        return one == -other
    return abs(Fraction(one) + Fraction(other)) <= abs(Fraction(one)) / 10**9


KIND = Board()
