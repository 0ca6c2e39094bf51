"""Estimates are judged on clear cases alone, and no sensible heuristic is accused."""

import random
from collections.abc import Iterator

import pytest

from api import ConnectFourBoard
from boards.built import board_of
from boards.cases import Bank, load_bank
from grader.grading.judge import judge
from grader.protocol.answer import Answer, Ending
from staff.boards_search import clear_boards, favoured, main
from staff.counts import COUNTS
from staff.right_labs.heuristics import HEURISTICS, Heuristic


def judged_by_sign_or_order() -> Iterator[tuple[str, ConnectFourBoard, int]]:
    """Each such board, where it stands, and whether the cases say that the mover is ahead (1) or behind (-1)."""
    for case in load_bank().of("heuristic_connectfour"):
        for number, call in enumerate(case.calls, start=1):
            low, high = call.expect["between"]
            assert not case.order or len(case.order) == 2
            maximizer = {call.name in case.order[:1]: 1, call.name in case.order[1:]: -1}.get(True, 0)
            side = 1 if low == 0 else -1 if high == 0 else maximizer
            assert side == maximizer or not maximizer
            if side:
                name = f"{case.id.partition('/')[2]}-{number}"
                yield name, board_of(call.inputs), side if call.inputs["maximizer"] else -side


JUDGED = {name: (board, side) for name, board, side in judged_by_sign_or_order()}


@pytest.mark.parametrize("name", JUDGED)
def test_a_board_that_is_judged_favours_one_side_in_everything(name: str) -> None:
    board, side = JUDGED[name]
    ahead = {count.__name__: count(board, True) - count(board, False) for count in COUNTS}
    assert {what: by for what, by in ahead.items() if by * side <= 0} == {}
    assert favoured(board) == side


@pytest.mark.parametrize("heuristic", HEURISTICS, ids=lambda heuristic: heuristic.__name__)
def test_a_sensible_heuristic_gets_everything(heuristic: Heuristic, bank: Bank) -> None:
    for case in bank.of("heuristic_connectfour"):
        answers = [{"value": heuristic(board_of(call.inputs), call.inputs["maximizer"])} for call in case.calls]
        verdict = judge(case, Answer(Ending.ANSWERED, answers))
        assert (case.id, verdict.message, verdict.rows) == (case.id, "", ())


def test_there_are_enough_of_them() -> None:
    assert len(HEURISTICS) == len({heuristic.__name__ for heuristic in HEURISTICS}) >= 30
    assert len({board for board, _ in JUDGED.values()}) >= 15


def test_the_search_finds_the_same_clear_boards_again() -> None:
    found = clear_boards(random.Random(4), games=100)
    assert found == clear_boards(random.Random(4), games=100)
    assert {favoured(board) for board in found} <= {1, -1} and found


@pytest.mark.parametrize("words", [["-h"], ["1", "2", "3"], ["one"]])
def test_what_the_search_does_not_take_is_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1) and err.startswith("python -m staff.boards_search takes a SEED and GAMES")
