"""Whoever looks for fours with loops of one's own is found out, in each function on
boards, wherever the loops err.
"""

import itertools
from collections.abc import Iterator

import pytest

from api import ConnectFourBoard
from boards.built import board_of
from grader.bank.cases import Bank

ACROSS, UPRIGHT, FALLING, RISING = (0, 1), (1, 0), (1, 1), (-1, 1)
LOOKING_FOR_FOURS = (
    "is_game_over_connectfour",
    "next_boards_connectfour",
    "endgame_score_connectfour",
    "endgame_score_connectfour_faster",
)
Square = tuple[int, int]
Four = tuple[Square, ...]


def fours(direction: Square) -> Iterator[Four]:
    """The squares of every four in one direction, as (row, column)."""
    for row, column in itertools.product(range(6), range(7)):
        four = tuple(
            (row + step * direction[0], column + step * direction[1])
            for step in range(4)
        )
        if 0 <= four[3][0] < 6 and four[3][1] < 7:
            yield four


FOURS = {
    direction: list(fours(direction))
    for direction in (ACROSS, UPRIGHT, FALLING, RISING)
}


def left_out() -> Iterator[tuple[str, set[Four]]]:
    """What a search for fours may leave out: a direction, or those that begin in its
    first or last row or column.
    """
    for direction, those in FOURS.items():
        yield f"{direction}", set(those)
        for axis, name in enumerate(("row", "column")):
            begin = [four[0][axis] for four in those]
            for edge in {min(begin), max(begin)}:
                yield (
                    f"{direction}, {name} {edge}",
                    {four for four in those if four[0][axis] == edge},
                )


def holds(board: ConnectFourBoard, those: set[Four]) -> bool:
    """Whether one of these fours stands on the board."""
    rows = board.board_array
    found = ({rows[row][column] for row, column in four} for four in those)
    return any(len(pieces) == 1 and 0 not in pieces for pieces in found)


def judged(function: str, bank: Bank) -> list[tuple[ConnectFourBoard, bool]]:
    """The boards of a function's cases, and whether a four stands on each."""
    boards = {
        board_of(call.inputs) for case in bank.of(function) for call in case.calls
    }
    return [(board, holds(board, set().union(*FOURS.values()))) for board in boards]


@pytest.mark.parametrize("function", LOOKING_FOR_FOURS)
def test_a_four_is_wanted_in_every_direction_and_at_every_edge(
    function: str, bank: Bank
) -> None:
    won = [board for board, is_won in judged(function, bank) if is_won]
    every = set().union(*FOURS.values())
    assert [
        name
        for name, out in left_out()
        if all(holds(board, every - out) for board in won)
    ] == []
