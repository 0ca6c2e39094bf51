"""Position: where a game stands, and how it came there; and Look, what that looks like.

For a terminal it is drawn with the last move in parentheses, the winning line in brackets, and lit.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from api import ConnectFourBoard, Over, TwoPlayerGame
from api.adapters import Turn
from api.outcomes import Side
from grader.showing.style import Style

FAINT, PIECES, LIT = "2", "1;33", ";7"
SIDES = {"1": ("X", "1;31"), "2": ("O", PIECES), "X": ("X", "1;31"), "O": ("O", PIECES)}
MOST_PIECES = 30
_STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))


class Look(NamedTuple):
    """Cells, row by row from the top, of which `.` is an empty one.

    `layout` says what a move is: it drops a piece into one of the `columns`, takes one of the
    `squares`, or takes pieces from a `row`.
    """

    layout: str
    columns: int
    cells: str

    def words(self, move: Any) -> str:
        """A move in words.

        >>> Look("squares", 3, "." * 9).words(5)
        'row 2, column 3'
        """
        if self.layout == "columns":
            return f"column {move}"
        return f"row {move // 3 + 1}, column {move % 3 + 1}" if self.layout == "squares" else f"take {move}"

    def longest_lines(self) -> set[int]:
        """The cells of the longest straight lines of equal pieces: of a won game, those that have won.

        >>> sorted(Look("squares", 3, "O.XOX.X..").longest_lines())
        [2, 4, 6]
        """
        pieces = {divmod(cell, self.columns): piece for cell, piece in enumerate(self.cells) if piece != "."}
        lines = []
        for start, piece in pieces.items():
            for down, right in _STEPS:
                line, (row, column) = [], start
                while pieces.get((row, column)) == piece:
                    line.append(row * self.columns + column)
                    row, column = row + down, column + right
                lines.append(line)
        most = max(map(len, lines), default=0)
        return {cell for line in lines if len(line) == most for cell in line}


@dataclass(frozen=True)
class Position:
    """A state of a game, and the move that led there from the position before.

    >>> from api import Nim
    >>> position = Position(Nim(), Nim().start()).after(3)
    >>> position.look.cells, position.changes, str(position.turn)
    ('oooooooooooo...', [(12, '.'), (13, '.'), (14, '.')], 'Minnie')
    """

    game: TwoPlayerGame
    state: Any
    before: "Position | None" = None
    move: Any = None

    def after(self, move: Any) -> "Position":
        """The position that a move leads to."""
        return Position(self.game, self.game.make_move(self.state, move), self, move)

    @property
    def over(self) -> Over | None:
        """How the game has ended, where it has."""
        status = self.game.status(self.state)
        return status if isinstance(status, Over) else None

    @property
    def turn(self) -> Side:
        """Whose turn it is."""
        return self.game.player(self.state)

    @cached_property
    def look(self) -> Look:
        """What it looks like."""
        if isinstance(self.state, ConnectFourBoard):
            return Look("columns", 7, "".join(".12"[piece] for row in self.state.board_array for piece in row))
        if isinstance(self.state, str):
            return Look("squares", 3, self.state)
        nim: Any = self.game
        return Look("row", 15, ("o" * self.state.pieces).ljust(nim.pieces, "."))

    @property
    def changes(self) -> list[tuple[int, str]]:
        """The cells that the last move has changed, and what is there now."""
        if self.before is None:
            return []
        pairs = zip(self.before.look.cells, self.look.cells, strict=True)
        return [(cell, new) for cell, (old, new) in enumerate(pairs) if old != new]


def draw(position: Position, style: Style, is_won: bool = False) -> list[str]:
    """The lines of a picture.  `is_won` says that somebody has won here.

    >>> from api import TwoPlayerTicTacToe
    >>> start = Position(TwoPlayerTicTacToe(), "XX.OO....")
    >>> [line.strip() for line in draw(start.after(2), Style(False, True), is_won=True)][::2]
    ['[X]|[X]|[X]', 'O | O | 5', '6 | 7 | 8']
    """
    if isinstance(position.state, Turn):
        text = position.game.state_to_string(position.state)
        return _row(int(text), style) if text.isdecimal() else text.splitlines()
    layout, columns, cells = position.look
    if layout == "row":
        return _row(cells.count("o"), style)
    last, lit = [cell for cell, _ in position.changes], position.look.longest_lines() if is_won else ()
    drawn = []
    for cell, piece in enumerate(cells):
        mark, colour = SIDES.get(piece, (str(cell) if layout == "squares" else ".", FAINT))
        if cell in lit:
            drawn.append(style.tint(f"[{mark}]", f"{colour}{LIT}"))
        elif cell in last:
            drawn.append(style.tint(f"({mark})", colour))
        else:
            drawn.append(f" {style.tint(mark, colour)} ")
    rows = [drawn[start : start + columns] for start in range(0, len(drawn), columns)]
    if layout == "columns":
        return [f"      {'  '.join(map(str, range(columns)))}", *(f"    |{''.join(row)}|" for row in rows)]
    return "\n    ---+---+---\n".join(f"    {'|'.join(row)}" for row in rows).splitlines()


def _row(left: int, style: Style) -> list[str]:
    """A row of so many pieces."""
    pieces = " ".join("o" * min(left, MOST_PIECES)) + (" ..." if left > MOST_PIECES else "")
    return [f"    {style.tint(pieces, PIECES)}   {left} left" if left else "    nothing is left"]
