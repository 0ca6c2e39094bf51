"""Whoever looks for fours with loops of one's own is found out, in each function on boards, wherever the loops err."""

import itertools
from collections.abc import Callable, Iterator

import pytest

from api import ConnectFourBoard
from boards.built import board_of
from boards.cases import Bank

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
        four = tuple((row + step * direction[0], column + step * direction[1]) for step in range(4))
        if 0 <= four[3][0] < 6 and four[3][1] < 7:
            yield four


FOURS = {direction: list(fours(direction)) for direction in (ACROSS, UPRIGHT, FALLING, RISING)}


def left_out() -> Iterator[tuple[str, set[Four]]]:
    """What a search for fours may leave out: a direction, or those that begin in its first or last row or column."""
    for direction, those in FOURS.items():
        yield f"{direction}", set(those)
        for axis, name in enumerate(("row", "column")):
            begin = [four[0][axis] for four in those]
            for edge in {min(begin), max(begin)}:
                yield f"{direction}, {name} {edge}", {four for four in those if four[0][axis] == edge}


def holds(board: ConnectFourBoard, those: set[Four]) -> bool:
    """Whether one of these fours stands on the board."""
    rows = board.board_array
    found = ({rows[row][column] for row, column in four} for four in those)
    return any(len(pieces) == 1 and 0 not in pieces for pieces in found)


def in_one_string(board: ConnectFourBoard) -> bool:
    squares = list(itertools.chain(*board.board_array))
    runs = (squares[at : at + 3 * step + 1 : step] for at in range(42) for step in (1, 6, 7, 8) if at + 3 * step < 42)
    return any(run[0] and len(set(run)) == 1 for run in runs)


def round_the_edge(board: ConnectFourBoard) -> bool:
    rows = board.board_array
    starts = itertools.product(range(6), range(7), FOURS)
    found = ({rows[(r + n * d[0]) % 6][(c + n * d[1]) % 7] for n in range(4)} for r, c, d in starts)
    return any(len(pieces) == 1 and 0 not in pieces for pieces in found)


def longest_of(chains: list[list[int]]) -> int:
    return max(map(len, chains), default=0)


SEEN_WRONGLY: dict[str, Callable[[ConnectFourBoard], bool]] = {
    "three are enough": lambda board: longest_of(board.get_all_chains()) >= 3,
    "four and no more": lambda board: longest_of(board.get_all_chains()) == 4,
    "those of the player to move": lambda board: longest_of(board.get_all_chains(True)) >= 4,
    "the first chain": lambda board: longest_of(board.get_all_chains()[:1]) >= 4,
    "the last chain": lambda board: longest_of(board.get_all_chains()[-1:]) >= 4,
    "those of piece 1": lambda board: [1] * 4 in [chain[:4] for chain in board.get_all_chains()],
    "those of piece 2": lambda board: [2] * 4 in [chain[:4] for chain in board.get_all_chains()],
    "the rows in one string": in_one_string,
    "round the edge": round_the_edge,
}


def judged(function: str, bank: Bank) -> list[tuple[ConnectFourBoard, bool]]:
    """The boards of a function's cases, and whether a four stands on each."""
    boards = {board_of(call.inputs) for case in bank.of(function) for call in case.calls}
    return [(board, holds(board, set().union(*FOURS.values()))) for board in boards]


@pytest.mark.parametrize("function", LOOKING_FOR_FOURS)
def test_a_four_is_wanted_in_every_direction_and_at_every_edge(function: str, bank: Bank) -> None:
    won = [board for board, is_won in judged(function, bank) if is_won]
    every = set().union(*FOURS.values())
    assert [name for name, out in left_out() if all(holds(board, every - out) for board in won)] == []


@pytest.mark.parametrize("function", LOOKING_FOR_FOURS)
def test_what_is_no_four_is_tried_too(function: str, bank: Bank) -> None:
    boards = judged(function, bank)
    assert [name for name, sees in SEEN_WRONGLY.items() if all(sees(board) == is_won for board, is_won in boards)] == []
