"""Chains on a Connect Four board, found with bit tricks.  Neighbour: board.py, which calls this.

One player's pieces are one integer.  The square in column c and row r (row 0 on top) is bit
8 * r + c.  Eight bits a row, for seven columns: the spare bit is always 0, so a chain that is
followed by shifting can never run off one edge of the board and come back in at the other.

    EAST         1     the next square to the right
    SOUTH        8     the next square down
    SOUTH_WEST   7     down and left: the north-east diagonals, read from their upper end
    SOUTH_EAST   9     down and right: the north-west diagonals, read from their upper end

A *pair* is a square that holds the same piece as the next square in a direction.  A piece in no
pair stands alone; a run begins at a pair that no pair precedes, and is one longer than its pairs.
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
    lone = first | second
    runs: list[list[int]] = []
    for step in (EAST, SOUTH, SOUTH_WEST, SOUTH_EAST):
        pairs = first & first >> step | second & second >> step
        if pairs:
            lone &= ~(pairs | pairs << step)
            starts = pairs & ~(pairs << step)
            if step == SOUTH:
                for column in COLUMNS:
                    if starts & column:
                        _add_runs(runs, starts & column, pairs, step, first)
            else:
                _add_runs(runs, starts, pairs, step, first)
    return _lone_pieces(lone, first) + runs


def _lone_pieces(lone: int, first: int) -> list[list[int]]:
    """A chain of one for each of these squares."""
    chains = []
    while lone:
        square = lone & -lone
        lone ^= square
        chains.append([1] if square & first else [2])
    return chains


def _add_runs(runs: list[list[int]], starts: int, pairs: int, step: int, first: int) -> None:
    """Add the runs that begin at these squares, the topmost first and from left to right."""
    while starts:
        square = starts & -starts
        starts ^= square
        piece = 1 if square & first else 2
        length = 1
        while square & pairs:
            length += 1
            square <<= step
        runs.append([piece] * length)
