"""Draws a Connect Four board, and writes it as Python."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from boards.built import board_of
from boards.excerpts import rows_of
from boards.reading import name_of_board

IN_A_ROW = 4
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))  # rows down, and columns to the right
MARK, EMPTY = "*", "."


def draw_board(data: Mapping[str, Any]) -> list[str]:
    """A board with its columns numbered, a mark before each piece that won, and whose
    move it is.
    """
    board = board_of(data)
    won = winning_squares(rows_of(board))
    lines = []
    for row, line in enumerate(str(board).splitlines()):
        squares = line.split(" ")
        marks = [
            MARK if row * len(squares) + column in won else " "
            for column in range(len(squares))
        ]
        lines.append(
            " "
            + "".join(
                f"{mark}{square}" for mark, square in zip(marks, squares, strict=True)
            )
        )
    mover = f"{board.get_current_player_name()} (piece {1 + board.count_pieces() % 2}) is to move"
    legend = f"; {MARK} marks {IN_A_ROW} in a row" if won else ""
    return [*lines, f"  0 1 2 3 4 5 6   {mover}{legend}"]


def winning_squares(rows: Sequence[str]) -> frozenset[int]:
    """The squares of a board that belong to four equal pieces in a row, counted from 0
    along its rows, the top first.

    >>> sorted(winning_squares([".......", "..22...", ".1111.."]))
    [15, 16, 17, 18]
    """
    width = len(rows[0])
    squares = set[int]()
    for line in _lines(len(rows), width):
        pieces = {rows[row][column] for row, column in line}
        if len(pieces) == 1 and EMPTY not in pieces:
            squares |= {row * width + column for row, column in line}
    return frozenset(squares)


def _lines(height: int, width: int) -> Iterator[list[tuple[int, int]]]:
    """Every four squares in a row, each square as its row and its column."""
    for row, column, (down, right) in product(range(height), range(width), DIRECTIONS):
        last_row, last_column = (
            row + (IN_A_ROW - 1) * down,
            column + (IN_A_ROW - 1) * right,
        )
        if last_row < height and 0 <= last_column < width:
            yield [
                (row + step * down, column + step * right) for step in range(IN_A_ROW)
            ]


def written_board(data: Mapping[str, Any]) -> str:
    """A board in Python, by its name where it has one."""
    return (
        name_of_board(data)
        or f"ConnectFourBoard({board_of(data).board_array}, {tuple(data['players'])})"
    )
