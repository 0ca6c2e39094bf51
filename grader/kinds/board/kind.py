"""The functions on Connect Four boards: judge.py says what their answers are worth."""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from boards.built import board_of
from boards.excerpts import name_of_excerpt, read_excerpt, rows_of
from grader.bank.cases import Call, Case
from grader.bank.points import Function
from grader.kinds.board.drawing import draw_board, written_board
from grader.kinds.board.judge import ExpectedBounds, read_expected
from grader.kinds.kind import Kind, Node
from grader.protocol.plain import alike, is_number, value_of
from grader.protocol.text import show
from grader.verdicts.verdict import Finding, Row, wrong


class Board(Kind[Any]):
    """A function from a board, and for a score whether the maximizer is to move.

    An answer is plain data, as calls/encode.py makes it.
    """

    calls = ("board", "search")
    read = staticmethod(value_of)

    def judge(self, call: Call, answer: Any) -> Finding:
        return read_expected(call).judge(answer)

    def judge_together(
        self, case: Case, answers: Sequence[Any]
    ) -> Iterable[tuple[int, Finding]]:
        """Pairs of scores that come in the wrong order, or that are not opposite."""
        names = [call.name for call in case.calls]
        scores = dict(zip(names, answers, strict=True))
        for better, worse in pairwise(case.order):
            if not scores[better] > scores[worse]:
                message = f"`{better}` should score higher than `{worse}`"
                if scores[better] == scores[worse]:
                    message += ", but both score the same"
                expected = {better: "the higher score", worse: "the lower score"}
                finding = wrong(
                    f"{message}.", _rows(scores, expected), beside=names.index(better)
                )
                yield names.index(worse), finding
        for name, opposite in zip(case.opposite[::2], case.opposite[1::2], strict=True):
            if not _are_opposite(scores[name], scores[opposite]):
                finding = wrong(
                    "These two scores should be each other's negative.",
                    _rows(scores, dict.fromkeys((name, opposite), "the opposite")),
                    beside=names.index(name),
                )
                yield names.index(opposite), finding

    def fingerprint(self, call: Call, answer: Any) -> str:
        expected = read_expected(call)
        if isinstance(expected, ExpectedBounds) and is_number(answer):
            return expected.fingerprint(answer)
        return alike(answer)

    def signature(self, call: Call) -> str:
        return _called_on("board", call)

    def picture(self, call: Call, answer: Any, node: Node = ()) -> list[str]:
        return draw_board(call.inputs)

    def stand_in(self, function: Function, call: Call) -> dict[str, Any]:
        """What a rule says of the boards in the excerpt of the call.

        `known` is a list of [board, what the rule says of it].
        """
        excerpt = read_excerpt(board_of(call.inputs), call.excerpt)
        facts: dict[Any, Any]
        if function.returns == "over":
            facts = dict.fromkeys(excerpt.columns, False)
            facts |= dict.fromkeys(excerpt.scores, True)
        elif function.returns == "moves":
            facts = {**excerpt.columns, **dict.fromkeys(excerpt.scores, ())}
        else:
            facts = dict(excerpt.scores)
        known = [
            [name_of_excerpt(rows_of(board)), fact] for board, fact in facts.items()
        ]
        return {"returns": function.returns, "known": known}

    def pasted(self, call: Call) -> str:
        return _called_on(written_board(call.inputs), call)


def _called_on(board: str, call: Call) -> str:
    """The call in Python, on a board that is written like this."""
    flag = f", {call.inputs['maximizer']}" if "maximizer" in call.inputs else ""
    return f"{call.function.name}({board}{flag})"


def _rows(scores: Mapping[str, float], expected: Mapping[str, str]) -> tuple[Row, ...]:
    """The scores of some calls, with words for what is expected of each.

    Adding 0 turns -0.0 into 0.0, which is the same score.
    """
    return tuple(
        (name, words, show(scores[name] + 0)) for name, words in expected.items()
    )


def _are_opposite(score: float, opposite: float) -> bool:
    """Whether two scores add up to 0, except for rounding."""
    try:
        return math.isclose(score, -opposite)
    except OverflowError:  # A whole number may be too large for a float.
        return score == -opposite


KIND = Board()
