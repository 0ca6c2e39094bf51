"""Estimates are judged on clear cases alone, and no sensible heuristic is accused."""

from collections.abc import Iterator

import pytest

from api import ConnectFourBoard
from boards.built import board_of
from grader.bank.cases import Bank
from grader.bank.reading import load_bank
from grader.grading.judge import judge
from grader.protocol.answer import Answer, Ending
from staff.submissions.right_labs.heuristics import (
    COUNTS,
    HEURISTICS,
    Heuristic,
    double_threat,
    wins,
)


def judged_by_sign_or_order() -> Iterator[tuple[str, ConnectFourBoard, int]]:
    """Each such board, where it stands, and whether the cases say that the mover is
    ahead (1) or behind (-1).
    """
    for case in load_bank().of("heuristic_connectfour"):
        for call in case.calls:
            low, high = call.expect["between"]
            side = (
                1
                if low == 0 or call.name in case.order[:1]
                else -1
                if high == 0 or call.name in case.order
                else 0
            )
            if side:
                yield (
                    f"{case.id} {call.name}",
                    board_of(call.inputs),
                    side if call.inputs["maximizer"] else -side,
                )


JUDGED = [
    pytest.param(board, side, id=name)
    for name, board, side in judged_by_sign_or_order()
]


@pytest.mark.parametrize(("board", "side"), JUDGED)
def test_a_board_that_is_judged_is_clear(board: ConnectFourBoard, side: int) -> None:
    """One side wins at once, or next whatever the mover does, and it is ahead in
    everything that can be counted.
    """
    assert {
        count.__name__
        for count in COUNTS
        if (count(board, True) - count(board, False)) * side <= 0
    } == set()
    assert double_threat(board, side > 0) and (side > 0 or not wins(board, True))


@pytest.mark.parametrize(
    "heuristic", HEURISTICS, ids=lambda heuristic: heuristic.__name__
)
def test_a_sensible_heuristic_gets_everything(heuristic: Heuristic, bank: Bank) -> None:
    for case in bank.of("heuristic_connectfour"):
        answers = [
            {"value": heuristic(board_of(call.inputs), call.inputs["maximizer"])}
            for call in case.calls
        ]
        verdict = judge(case, Answer(Ending.ANSWERED, answers))
        assert (case.id, verdict.message, verdict.rows) == (case.id, "", ())
