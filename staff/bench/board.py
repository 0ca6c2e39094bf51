"""The board in mid-game: how long it takes to list chains, and to drop a piece.

The limits are in microseconds of the reference machine: see bare.py for how they are held.
"""

import random

from api import ConnectFourBoard
from staff.bench.bare import nodes_in, yardstick
from staff.bench.figures import Figure, Side
from staff.bench.timing import timed

PIECES, BOARDS = 20, 100
MICROSECONDS_FOR_CHAINS = 15
MICROSECONDS_FOR_A_PIECE = 0.5


def figures(quick: bool) -> list[Figure]:
    """Both methods over the same boards, in nodes of the bare recursion."""
    boards = mid_game_boards(5 if quick else BOARDS)
    moves = [(board, column) for board in boards for column in range(7) if not board.is_column_full(column)]

    def list_chains() -> None:
        for board in boards:
            board.get_all_chains()

    def add_pieces() -> None:
        for board, column in moves:
            board.add_piece(column)

    found = []
    for work, units, limit in (
        (list_chains, len(boards), MICROSECONDS_FOR_CHAINS),
        (add_pieces, len(moves), MICROSECONDS_FOR_A_PIECE),
    ):
        side = Side("", timed(work, None, times=30, units=units))
        what = f"{work.__name__} ({limit} us)"
        found.append(Figure(what, side, yardstick(), at_most=nodes_in(limit), repeats=9))
    return found


def mid_game_boards(count: int) -> list[ConnectFourBoard]:
    """Boards of random games after 20 moves, nobody having won; the same ones in every run.

    >>> {board.count_pieces() for board in mid_game_boards(3)}
    {20}
    """
    dice = random.Random(20)
    boards: list[ConnectFourBoard] = []
    while len(boards) < count:
        board = ConnectFourBoard()
        while board.count_pieces() < PIECES and not _is_won(board):
            board = board.add_piece(dice.choice([column for column in range(7) if not board.is_column_full(column)]))
        if not _is_won(board):
            boards.append(board)
    return boards


def _is_won(board: ConnectFourBoard) -> bool:
    return any(len(chain) >= 4 for chain in board.get_all_chains())
