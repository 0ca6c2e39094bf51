"""Chains on a Connect Four board, by bit tricks and small tables.  board.py calls this.

The pieces of both players are one integer.  The square in column c and row r (row 0 on
top) is bit 8 * r + c for piece 1, and bit 56 + 8 * r + c for piece 2.  A row has eight
bits for its seven columns, and there is a spare row between the players.  The spare
bits are always 0, so that a chain never runs off one edge of the board and comes back
in at another.

    EAST         1     the next square to the right
    SOUTH        8     the next square down
    SOUTH_WEST   7     down and left: the north-east diagonals, read from their upper end
    SOUTH_EAST   9     down and right: the north-west diagonals, read from their upper end

A *pair* is a square that holds the same piece as the next square in a direction.  A
piece in no pair stands alone.  A run begins at a pair that no pair precedes, and has
one piece more than pairs.

Boards of one game have most of their lines in common.  So there is a table for each
direction, from its pairs to its runs.  It fills up as boards come, and forgets what
nobody has used lately.
"""

from collections.abc import Callable
from functools import lru_cache

EAST, SOUTH, SOUTH_WEST, SOUTH_EAST = 1, 8, 7, 9
SECOND = 56
TABLE_SIZE = 4096

BOARD = sum(0b1111111 << 8 * row for row in range(6))
COLUMNS = tuple(sum(1 << 8 * row + column for row in range(6)) for column in range(7))

Chains = tuple[list[int], ...]


def list_chains(pieces: int) -> list[list[int]]:
    """Every chain of these pieces: single pieces, horizontal, vertical, north-east,
    north-west.

    Each chain is a new list of equal numbers, 1 or 2.

    >>> list_chains(0b0000111 | 0b0100000 << SECOND)
    [[2], [1, 1, 1]]
    """
    lone = pieces
    chains: Chains = ()
    for step, look_up in _RUNS:
        if pairs := pieces & pieces >> step:
            runs, others = look_up(pairs)
            lone &= others
            chains += runs
    if lone:
        chains = _lone_pieces(lone) + chains
    return list(map(list.copy, chains))


@lru_cache(TABLE_SIZE)
def _lone_pieces(lone: int) -> Chains:
    """A chain of one for each of these pieces."""
    return tuple(_read(lone, 0, EAST))


def _table(step: int) -> Callable[[int], tuple[Chains, int]]:
    """For one direction: from its pairs to its runs, and to all bits but those of the
    runs' pieces.
    """

    @lru_cache(TABLE_SIZE)
    def look_up(pairs: int) -> tuple[Chains, int]:
        return tuple(_read(pairs & ~(pairs << step), pairs, step)), ~(
            pairs | pairs << step
        )

    return look_up


def _read(starts: int, pairs: int, step: int) -> list[list[int]]:
    """The chains that begin with these pieces: by column for vertical ones, else by row
    and from left to right.
    """
    chains = []
    for area in COLUMNS if step == SOUTH else (BOARD,):
        squares = (starts | starts >> SECOND) & area
        while squares:
            square = squares & -squares
            squares ^= square
            piece, place = (1, square) if square & starts else (2, square << SECOND)
            length = 1
            while place & pairs:
                length += 1
                place <<= step
            chains.append([piece] * length)
    return chains


_RUNS = tuple((step, _table(step)) for step in (EAST, SOUTH, SOUTH_WEST, SOUTH_EAST))
