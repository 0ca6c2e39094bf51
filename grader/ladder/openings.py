"""Reads the numbered openings of openings.yaml.

An opening is a few moves with which a game begins.  According to a solver, neither
player is ahead after any of these openings.
"""

from api import ConnectFourBoard
from boards.reading import read_yaml
from grader.kit import KIT

OPENINGS = 40
_FILE = KIT / "grader" / "ladder" / "openings.yaml"


def opening_board(number: int) -> ConnectFourBoard:
    """Return the board after the opening with this number, from 1 to OPENINGS.

    The player with piece 1 moves next.
    """
    board = ConnectFourBoard()
    for column in read_yaml(_FILE)["openings"][number - 1]:
        board = board.add_piece(int(column))
    return board
