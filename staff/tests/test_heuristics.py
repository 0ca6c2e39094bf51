"""Estimates are judged on clear cases alone, and no sensible heuristic is accused."""

from collections.abc import Iterator
from typing import Any

import pytest

from api import ConnectFourBoard
from boards.built import board_of
from grader.bank.cases import Bank, Call, Case
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


def side_ahead(case: Case, call: Call) -> int:
    """Whether the maximizer is ahead (1) or behind (-1) as the case says; else 0."""
    low, high = call.expect["between"]
    if low == 0 or call.name in case.order[:1]:
        return 1
    if high == 0 or call.name in case.order:
        return -1
    return 0


def judged_by_sign_or_order() -> Iterator[Any]:
    """Each such board, and whether the mover is ahead (1) or behind (-1)."""
    for case in load_bank().of("heuristic_connectfour"):
        for call in case.calls:
            side = side_ahead(case, call)
            if not call.inputs["maximizer"]:
                side = -side
            if side:
                name = f"{case.id} {call.name}"
                yield pytest.param(board_of(call.inputs), side, id=name)


judged_boards = pytest.mark.parametrize(("board", "side"), [*judged_by_sign_or_order()])


@judged_boards
def test_whoever_is_ahead_wins_at_once_or_next_whatever_the_mover_does(
    board: ConnectFourBoard, side: int
) -> None:
    assert double_threat(board, side > 0)
    assert side > 0 or not wins(board, True)


@judged_boards
def test_whoever_is_ahead_is_ahead_in_everything_that_can_be_counted(
    board: ConnectFourBoard, side: int
) -> None:
    leads = {count: count(board, True) - count(board, False) for count in COUNTS}
    assert [count for count, lead in leads.items() if lead * side <= 0] == []


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
        assert (verdict.message, verdict.rows) == ("", ()), case.id
