"""A state of a game, drawn for a terminal: the last move in brackets, the winning line too, and lit."""

from typing import Any

from api import ConnectFourBoard, TwoPlayerGame
from api.adapters import Turn
from api.nim import NimState
from api.tic_tac_toe import LINES
from grader.showing.console import Style
from grader.tools.connect_four import longest_lines

MAXIE, MINNIE, FAINT, LIT = "1;31", "1;33", "2", "7"
MOST_PIECES = 30


def draw(game: TwoPlayerGame, state: Any, move: Any, style: Style, is_won: bool = False) -> list[str]:
    """The state that `move` led to, or None at the start, as the lines of a picture.

    `is_won` says that somebody has won in it.

    >>> print("\\n".join(draw(None, ConnectFourBoard().add_piece(3), 3, Style(False, True))))
          0  1  2  3  4  5  6
        | .  .  .  .  .  .  . |
        | .  .  .  .  .  .  . |
        | .  .  .  .  .  .  . |
        | .  .  .  .  .  .  . |
        | .  .  .  .  .  .  . |
        | .  .  . (X) .  .  . |
    """
    if isinstance(state, ConnectFourBoard):
        return _draw_board(state, move, style, is_won)
    if isinstance(state, str) and len(state) == 9:
        return _draw_tic_tac_toe(state, move, style)
    left = state.pieces if isinstance(state, NimState) else state.position if isinstance(state, Turn) else None
    if type(left) is not int:
        return game.state_to_string(state).splitlines()
    pieces = " ".join("o" * min(left, MOST_PIECES)) + (" ..." if left > MOST_PIECES else "")
    return [f"    {style.tint(pieces, MINNIE)}   {left} left" if left else "    nothing is left"]


def _draw_board(board: ConnectFourBoard, move: Any, style: Style, is_won: bool) -> list[str]:
    lit = longest_lines(board) if is_won else set()
    last = (move, board.num_rows - board.get_column_height(move)) if isinstance(move, int) else None
    lines = [f"      {'  '.join(map(str, range(board.num_cols)))}"]
    for row in range(board.num_rows):
        cells = [
            _cell(".XO"[board.get_piece(column, row)], (column, row) == last, (column, row) in lit, style)
            for column in range(board.num_cols)
        ]
        lines.append(f"    |{''.join(cells)}|")
    return lines


def _draw_tic_tac_toe(position: str, move: Any, style: Style) -> list[str]:
    won = [line for line in LINES if {position[square] for square in line} in ({"X"}, {"O"})]
    cells = [
        _cell(str(square) if piece == "." else piece, square == move, any(square in line for line in won), style)
        for square, piece in enumerate(position)
    ]
    rows = [f"    {'|'.join(cells[row : row + 3])}" for row in (0, 3, 6)]
    return [rows[0], "    ---+---+---", rows[1], "    ---+---+---", rows[2]]


def _cell(piece: str, is_last: bool, is_lit: bool, style: Style) -> str:
    """A square, three wide."""
    colour = {"X": MAXIE, "O": MINNIE}.get(piece, FAINT)
    if is_lit:
        return style.tint(f"[{piece}]", f"{colour};{LIT}")
    if is_last:
        return style.tint(f"({piece})", colour)
    return f" {style.tint(piece, colour)} "
