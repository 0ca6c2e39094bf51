"""Chains on a Connect Four board, found by a few operations on integers.

`ConnectFourBoard.get_all_chains` calls `list_chains`.  If you only want to know what a
chain is, read the docstring of that method.  The kit's own tests compare this
file with a plain version that looks at one square after another.

**The pieces are one integer.**  Each square has a bit for piece 1:

    row 0 (top)       bits  0 to  6, from left to right
    row 1             bits  8 to 14
    ...
    row 5 (bottom)    bits 40 to 46

So the square in column c and row r has bit 8 * r + c.  Its bit for piece 2 is 56 bits
higher.  Bits 7, 15, ... 47 and the bits of the row below the bottom, 48 to 55, are
always 0.  They separate each row from the next, and the pieces of one player from
those of the other.

**A direction is a number of bits** from a square to the next one:

    EAST         1     to the right
    SOUTH        8     down
    SOUTH_WEST   7     down and left: a north-east diagonal, from its upper end
    SOUTH_EAST   9     down and right: a north-west diagonal, from its upper end

**From pieces to chains.**  A *pair* is a piece with an equal piece on the next square
in a direction.  A *run* is a chain of two or more pieces: it begins at a pair that no
pair precedes, and it has one more piece than pairs.  A piece that belongs to no run is
a lone piece.  For the row `1 1 1 _ 1 _ _`:

    >>> pieces = 0b0010111
    >>> pairs = pieces & pieces >> EAST
    >>> starts = pairs & ~(pairs << EAST)
    >>> f"{pairs:07b}", f"{starts:07b}"
    ('0000011', '0000001')
    >>> list_chains(pieces)
    [[1], [1, 1, 1]]

**Tables make it fast.**  Successive boards of a game share most of their pairs.  So
each direction has a table that caches the runs of each set of pairs.  A full table
forgets the sets that were looked up longest ago.
"""

from collections.abc import Callable
from functools import lru_cache

EAST = 1
SOUTH = 8
SOUTH_WEST = 7
SOUTH_EAST = 9
SECOND = 56  # from the bit of a square for piece 1 to its bit for piece 2
TABLE_SIZE = 4096

BOARD = sum(0b1111111 << 8 * row for row in range(6))
COLUMNS = tuple(sum(1 << 8 * row + column for row in range(6)) for column in range(7))

Chains = tuple[list[int], ...]


def list_chains(pieces: int) -> list[list[int]]:
    """Every chain of these pieces, as a new list of equal numbers, 1 or 2.

    Lone pieces come first, then the runs: horizontal, vertical, north-east, north-west.

    >>> list_chains(0b0000111 | 0b0100000 << SECOND)
    [[2], [1, 1, 1]]
    """
    lone = pieces
    chains: Chains = ()
    for step, look_up in _TABLES:
        pairs = pieces & pieces >> step
        if pairs:
            runs, bits_of_others = look_up(pairs)
            lone &= bits_of_others
            chains += runs
    if lone:
        chains = _lone_pieces(lone) + chains
    return list(map(list.copy, chains))


@lru_cache(TABLE_SIZE)
def _lone_pieces(lone: int) -> Chains:
    """A chain of one piece for each of these lone pieces."""
    return tuple(_chains_from(lone, 0, EAST))


def _table(step: int) -> Callable[[int], tuple[Chains, int]]:
    """The table of a direction: a function from a set of pairs to their runs.

    The function also returns a mask of all bits except those of the pieces in these
    runs.
    """

    @lru_cache(TABLE_SIZE)
    def look_up(pairs: int) -> tuple[Chains, int]:
        starts = pairs & ~(pairs << step)
        bits_of_runs = pairs | pairs << step
        return tuple(_chains_from(starts, pairs, step)), ~bits_of_runs

    return look_up


def _chains_from(starts: int, pairs: int, step: int) -> list[list[int]]:
    """The chains that begin at these pieces.

    Vertical chains come column by column, from the left.  All other chains come row by
    row, from the top.
    """
    areas: tuple[int, ...] = (BOARD,)
    if step == SOUTH:
        areas = COLUMNS
    chains = []
    for area in areas:
        squares = (starts | starts >> SECOND) & area
        while squares:
            square = squares & -squares  # its lowest bit
            squares ^= square
            piece = 1
            bit = square
            if not square & starts:
                piece = 2
                bit = square << SECOND
            length = 1
            while bit & pairs:
                length += 1
                bit <<= step
            chains.append([piece] * length)
    return chains


_TABLES = tuple((step, _table(step)) for step in (EAST, SOUTH, SOUTH_WEST, SOUTH_EAST))
