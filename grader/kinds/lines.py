"""The winning lines on a board, which the pages mark."""

# How many pieces in a line win, by the layout of the board.
WINNING = {"columns": 4, "squares": 3}
# The rows and columns from one piece of a line to the next.
STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))


def winning_cells(layout: str, columns: int, cells: str) -> list[int]:
    """The indices of the cells in lines of equal pieces that are long enough to win.

    `cells` go row by row, and `.` is an empty cell.

    >>> winning_cells("squares", 3, "XXXOO....")
    [0, 1, 2]
    """
    if layout not in WINNING:
        return []
    winning = set[int]()
    for start, piece in enumerate(cells):
        for line in _lines_from(start, columns, len(cells), WINNING[layout]):
            if piece != "." and {cells[cell] for cell in line} == {piece}:
                winning |= {*line}
    return sorted(winning)


def _lines_from(cell: int, columns: int, count: int, length: int) -> list[list[int]]:
    """The lines of this length that begin at a cell and stay on a board of so many
    cells.
    """
    row, column = divmod(cell, columns)
    lines = []
    for down, right in STEPS:
        last_row = row + down * (length - 1)
        last_column = column + right * (length - 1)
        if last_row * columns < count and 0 <= last_column < columns:
            lines.append(
                [cell + (down * columns + right) * step for step in range(length)]
            )
    return lines
