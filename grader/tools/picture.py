"""A position drawn for a terminal: the last move in brackets, the winning line too, and lit."""

from api.adapters import Turn
from grader.showing.style import Style
from grader.tools.position import Position

FAINT, PIECES, LIT = "2", "1;33", ";7"
SIDES = {"1": ("X", "1;31"), "2": ("O", PIECES), "X": ("X", "1;31"), "O": ("O", PIECES)}
MOST_PIECES = 30


def draw(position: Position, style: Style, is_won: bool = False) -> list[str]:
    """The lines of a picture.  `is_won` says that somebody has won here.

    >>> from api import TwoPlayerTicTacToe
    >>> start = Position(TwoPlayerTicTacToe(), "XX.OO....")
    >>> [line.strip() for line in draw(start.after(2), Style(False, True), is_won=True)][::2]
    ['[X]|[X]|[X]', 'O | O | 5', '6 | 7 | 8']
    """
    if isinstance(position.state, Turn) and type(position.state.position) is not int:
        return position.game.state_to_string(position.state).splitlines()
    layout, columns, cells = position.look
    if layout == "row":
        left = cells.count("o")
        pieces = " ".join("o" * min(left, MOST_PIECES)) + (" ..." if left > MOST_PIECES else "")
        return [f"    {style.tint(pieces, PIECES)}   {left} left" if left else "    nothing is left"]
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
