"""Finds the winning lines on a board.  Pages and drawings mark these lines."""

from itertools import product

# How many pieces in a line win the game.  The key is the layout of the board: `columns`
# for Connect Four, and `squares` for tic-tac-toe.
WINNING = {"columns": 4, "squares": 3}
# The directions of lines.  Each has two numbers: how many rows below a piece the next
# piece of the line is, and how many columns to the right.
STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))


def winning_cells(layout: str, columns: int, cells: str) -> list[int]:
    """Return the indices of all cells that belong to a winning line.

    A winning line has equal pieces, and enough of them to win.  `layout` is a key of
    WINNING; for any other layout, the list is empty.  `columns` is the number of
    columns.  The text `cells` has the board row by row, and `.` stands for an empty
    cell.

    >>> winning_cells("squares", 3, "XXXOO....")
    [0, 1, 2]
    >>> winning_cells("columns", 7, ".........22....1111..")
    [15, 16, 17, 18]
    """
    if layout not in WINNING:
        return []
    winning = set[int]()
    for start, (down, right) in product(range(len(cells)), STEPS):
        step = down * columns + right
        line = [start + step * number for number in range(WINNING[layout])]
        last_column = start % columns + right * (WINNING[layout] - 1)
        if line[-1] < len(cells) and 0 <= last_column < columns:
            pieces = {cells[cell] for cell in line}
            if len(pieces) == 1 and "." not in pieces:
                winning |= {*line}
    return sorted(winning)
