"""The winning lines on a board, which the pages mark."""

WINNING = {
    "columns": 4,
    "squares": 3,
}  # how many pieces in a line win, by the layout of the board
STEPS = (
    (0, 1),
    (1, 0),
    (1, 1),
    (1, -1),
)  # rows and columns from one piece of a line to the next


def winning_cells(layout: str, columns: int, cells: str) -> list[int]:
    """The cells of all lines of equal pieces that are long enough to win; cells go row
    by row, and `.` is empty.

    >>> winning_cells("squares", 3, "XXXOO....")
    [0, 1, 2]
    """
    if layout not in WINNING:
        return []
    lines = [
        line
        for cell, piece in enumerate(cells)
        if piece != "."
        for line in _lines_from(cell, columns, len(cells), WINNING[layout])
        if all(cells[each] == piece for each in line)
    ]
    return sorted({cell for line in lines for cell in line})


def _lines_from(cell: int, columns: int, count: int, length: int) -> list[list[int]]:
    """The lines of this length that begin at a cell and stay on a board of so many
    cells.
    """
    row, column = divmod(cell, columns)
    lines = []
    for down, right in STEPS:
        last_row, last_column = row + down * (length - 1), column + right * (length - 1)
        if last_row * columns < count and 0 <= last_column < columns:
            lines.append(
                [cell + (down * columns + right) * step for step in range(length)]
            )
    return lines
