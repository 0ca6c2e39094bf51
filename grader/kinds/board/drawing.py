"""Draws a Connect Four board, and writes it as Python."""

from collections.abc import Mapping
from typing import Any

from boards.built import board_of
from boards.excerpts import rows_of
from boards.reading import name_of_board
from grader.kinds.lines import winning_cells

MARK = "*"


def draw_board(data: Mapping[str, Any]) -> list[str]:
    """Draw a board as lines of text.

    The last line has the numbers of the columns and says who is to move.  A piece that
    belongs to four or more in a row has a mark.
    """
    board = board_of(data)
    width = board.num_cols
    won = winning_cells("columns", width, "".join(rows_of(board)))
    squares = [
        f"{MARK if cell in won else ' '}{square}"
        for cell, square in enumerate(str(board).split())
    ]
    lines = [
        f" {''.join(squares[start : start + width])}"
        for start in range(0, len(squares), width)
    ]
    piece = 1 + board.count_pieces() % 2
    mover = f"current player: {board.get_current_player_name()} (piece {piece})"
    legend = f"; {MARK} marks a win" if won else ""
    return [*lines, f"  0 1 2 3 4 5 6   {mover}{legend}"]


def written_board(data: Mapping[str, Any]) -> str:
    """Return a Python expression for this board.

    The expression is the name of the board, if boards/boards.yaml has one.  Otherwise
    the expression makes the board.
    """
    if name := name_of_board(data):
        return name
    return f"ConnectFourBoard({board_of(data).board_array}, {tuple(data['players'])})"
