"""Chains on a Connect Four board, found with bit tricks.  Neighbour: board.py, which calls this.

One player's pieces are one integer.  The square in column c and row r (row 0 on top) is bit
8 * r + c.  Eight bits a row, for seven columns: the spare bit is always 0, so a chain that is
followed by shifting can never run off one edge of the board and come back in at the other.

    EAST         1     the next square to the right
    SOUTH        8     the next square down
    SOUTH_WEST   7     down and left: the north-east diagonals, read from their upper end
    SOUTH_EAST   9     down and right: the north-west diagonals, read from their upper end
"""

EAST, SOUTH, SOUTH_WEST, SOUTH_EAST = 1, 8, 7, 9

COLUMNS = tuple(sum(1 << 8 * row + column for row in range(6)) for column in range(7))


def list_chains(first: int, second: int) -> list[list[int]]:
    """Every chain of two players' pieces: lone pieces, horizontal, vertical, north-east, north-west.

    Each chain is a new list of equal numbers, 1 for `first` and 2 for `second`; pass 0 for a
    player whose chains are not wanted.  The order is the one that the handout promises.

    >>> list_chains(0b0000111, 0b0100000)
    [[2], [1, 1, 1]]
    """
    chains = _lone_pieces(first, second)
    chains += _runs(_starts(first, EAST) | _starts(second, EAST), first, second, EAST)
    vertical = _starts(first, SOUTH) | _starts(second, SOUTH)
    if vertical:
        for column in COLUMNS:
            chains += _runs(vertical & column, first, second, SOUTH)
    for step in (SOUTH_WEST, SOUTH_EAST):
        chains += _runs(_starts(first, step) | _starts(second, step), first, second, step)
    return chains


def _starts(own: int, step: int) -> int:
    """The first squares of the runs of two or more in this direction."""
    return own & (own >> step) & ~(own << step)


def _lone_pieces(first: int, second: int) -> list[list[int]]:
    """A chain of one for each piece that has no equal piece among its eight neighbours."""
    lone = (first & ~_around(first)) | (second & ~_around(second))
    chains = []
    while lone:
        square = lone & -lone
        lone ^= square
        chains.append([1] if square & first else [2])
    return chains


def _around(own: int) -> int:
    """The squares next to a piece, in all eight directions."""
    row = own | own << EAST | own >> EAST
    return row << SOUTH | row >> SOUTH | own << EAST | own >> EAST


def _runs(starts: int, first: int, second: int, step: int) -> list[list[int]]:
    """The runs that begin at these squares, the topmost first and from left to right."""
    chains = []
    while starts:
        square = starts & -starts
        starts ^= square
        piece, own = (1, first) if square & first else (2, second)
        length = 2
        square <<= 2 * step
        while square & own:
            length += 1
            square <<= step
        chains.append([piece] * length)
    return chains
