"""Draws a Connect Four board, and writes it as Python."""

from collections.abc import Mapping
from typing import Any

from boards.built import board_of
from boards.reading import name_of_board


def draw_board(data: Mapping[str, Any]) -> list[str]:
    """A board with its columns numbered, and whose move it is."""
    board = board_of(data)
    mover = f"{board.get_current_player_name()} (piece {1 + board.count_pieces() % 2}) is to move"
    return [*(f"  {line}" for line in str(board).splitlines()), f"  0 1 2 3 4 5 6   {mover}"]


def written_board(data: Mapping[str, Any]) -> str:
    """A board in Python, by its name where it has one."""
    return name_of_board(data) or f"ConnectFourBoard({board_of(data).board_array}, {tuple(data['players'])})"
