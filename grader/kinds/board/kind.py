"""The functions on Connect Four boards: judge.py says what their answers are worth."""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from grader.bank.cases import Call, Case
from grader.bank.points import Function
from grader.kinds.board.drawing import draw_board, written_board
from grader.kinds.board.judge import ExpectedBounds, read_expected
from grader.kinds.kind import Kind, Place
from grader.protocol.plain import alike, is_number, value_of
from grader.protocol.text import show
from grader.verdicts.verdict import Finding, wrong


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
                yield _contradiction(f"{message}.", names, scores, expected)
        for pair in zip(case.opposite[::2], case.opposite[1::2], strict=True):
            name, opposite = pair
            if not _are_opposite(scores[name], scores[opposite]):
                message = "These two scores should be each other's negative."
                expected = dict.fromkeys(pair, "the opposite")
                yield _contradiction(message, names, scores, expected)

    def fingerprint(self, call: Call, answer: Any) -> str:
        expected = read_expected(call)
        if isinstance(expected, ExpectedBounds) and is_number(answer):
            return expected.fingerprint(answer)
        return alike(answer)

    def signature(self, call: Call) -> str:
        return _called_on("board", call)

    def picture(self, call: Call, answer: Any, place: Place = ()) -> list[str]:
        return draw_board(call.inputs)

    def stand_in(self, function: Function, call: Call) -> dict[str, Any]:
        """The board of the call, and what the excerpt says of the boards below it."""
        return {
            "returns": function.returns,
            "inputs": call.inputs,
            "excerpt": call.excerpt,
        }

    def pasted(self, call: Call) -> str:
        return _called_on(written_board(call.inputs), call)


def _called_on(board: str, call: Call) -> str:
    """The call in Python, on a board that is written like this."""
    flag = f", {call.inputs['maximizer']}" if "maximizer" in call.inputs else ""
    return f"{call.function.name}({board}{flag})"


def _contradiction(
    message: str,
    names: Sequence[str],
    scores: Mapping[str, float],
    expected: Mapping[str, str],
) -> tuple[int, Finding]:
    """The finding on two calls, and the index of the second one, which is at fault.

    `expected` has words for what is expected of each of the two.
    """
    # Adding 0 turns -0.0 into 0.0, which is the same score.
    rows = tuple(
        (name, words, show(scores[name] + 0)) for name, words in expected.items()
    )
    beside, at = map(names.index, expected)
    return at, wrong(message, rows, beside=beside)


def _are_opposite(score: float, opposite: float) -> bool:
    """Whether two scores add up to 0, except for rounding."""
    try:
        return math.isclose(score, -opposite)
    except OverflowError:  # A whole number may be too large for a float.
        return score == -opposite


KIND = Board()
