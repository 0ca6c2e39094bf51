"""Draws a Connect Four board, and writes it as Python."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from boards.built import board_of
from boards.excerpts import rows_of
from boards.reading import name_of_board

IN_A_ROW = 4
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))  # rows down, and columns to the right
MARK, EMPTY = "*", "."


def draw_board(data: Mapping[str, Any]) -> list[str]:
    """A board with numbered columns, its mover, and marks at the pieces of a win."""
    board = board_of(data)
    won = winning_squares(rows_of(board))
    lines = []
    for row, text in enumerate(str(board).splitlines()):
        line = " "
        for column, square in enumerate(text.split(" ")):
            is_won = row * board.num_cols + column in won
            line += f"{MARK if is_won else ' '}{square}"
        lines.append(line)
    piece = 1 + board.count_pieces() % 2
    mover = f"{board.get_current_player_name()} (piece {piece}) is to move"
    legend = f"; {MARK} marks {IN_A_ROW} in a row" if won else ""
    return [*lines, f"  0 1 2 3 4 5 6   {mover}{legend}"]


def winning_squares(rows: Sequence[str]) -> frozenset[int]:
    """The squares of a board that belong to four equal pieces in a row.

    Squares are counted from 0 along the rows, the top row first.

    >>> sorted(winning_squares([".......", "..22...", ".1111.."]))
    [15, 16, 17, 18]
    """
    height = len(rows)
    width = len(rows[0])
    cells = "".join(rows)
    won = set[int]()
    for row, column, (down, right) in product(range(height), range(width), DIRECTIONS):
        last_row = row + (IN_A_ROW - 1) * down
        last_column = column + (IN_A_ROW - 1) * right
        if last_row < height and 0 <= last_column < width:
            first = row * width + column
            step = down * width + right
            squares = [first + number * step for number in range(IN_A_ROW)]
            pieces = {cells[square] for square in squares}
            if len(pieces) == 1 and EMPTY not in pieces:
                won.update(squares)
    return frozenset(won)


def written_board(data: Mapping[str, Any]) -> str:
    """A board in Python; by its name if it has one."""
    if name := name_of_board(data):
        return name
    return f"ConnectFourBoard({board_of(data).board_array}, {tuple(data['players'])})"
