"""Whoever looks for fours with loops of one's own is found out, in each function on
boards, wherever the loops err.
"""

import itertools
from collections.abc import Iterator

import pytest

from api import ConnectFourBoard
from boards.built import board_of
from grader.bank.cases import Bank

Square = tuple[int, int]  # row and column
Four = tuple[Square, ...]
HEIGHT = 6
WIDTH = 7
DIRECTIONS: dict[str, Square] = {
    "across": (0, 1),
    "upright": (1, 0),
    "falling": (1, 1),
    "rising": (-1, 1),
}
LOOKING_FOR_FOURS = (
    "is_game_over_connectfour",
    "next_boards_connectfour",
    "endgame_score_connectfour",
    "endgame_score_connectfour_faster",
)


def fours_in(direction: Square) -> set[Four]:
    """The squares of every four in one direction."""
    down, right = direction
    squares = set(itertools.product(range(HEIGHT), range(WIDTH)))
    fours = {
        tuple((row + step * down, column + step * right) for step in range(4))
        for row, column in squares
    }
    return {four for four in fours if squares.issuperset(four)}


FOURS = {name: fours_in(direction) for name, direction in DIRECTIONS.items()}
ALL_FOURS = set().union(*FOURS.values())


def mistakes() -> Iterator[tuple[str, set[Four]]]:
    """What wrong loops leave out: the fours in a direction, or those of them that begin
    in the first or the last row or column.
    """
    for direction, fours in FOURS.items():
        yield direction, fours
        for axis, name in enumerate(("row", "column")):
            begins = [four[0][axis] for four in fours]
            for edge in {min(begins), max(begins)}:
                at_edge = {four for four in fours if four[0][axis] == edge}
                yield f"{direction}, {name} {edge}", at_edge


def has_one(board: ConnectFourBoard, fours: set[Four]) -> bool:
    """Whether one of these fours is on the board."""
    rows = board.board_array
    pieces_of = [{rows[row][column] for row, column in four} for four in fours]
    return {1} in pieces_of or {2} in pieces_of


def won_boards(function: str, bank: Bank) -> list[ConnectFourBoard]:
    """The boards with a four in the cases of a function."""
    calls = [call for case in bank.of(function) for call in case.calls]
    boards = {board_of(call.inputs) for call in calls}
    return [board for board in boards if has_one(board, ALL_FOURS)]


@pytest.mark.parametrize("function", LOOKING_FOR_FOURS)
def test_every_mistake_in_the_loops_overlooks_a_four_of_a_case(
    function: str, bank: Bank
) -> None:
    won = won_boards(function, bank)
    unnoticed = [
        name
        for name, left_out in mistakes()
        if all(has_one(board, ALL_FOURS - left_out) for board in won)
    ]
    assert won
    assert unnoticed == []
