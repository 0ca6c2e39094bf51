"""Connect Four on integers: a set of squares is one integer, with a bit for each
square.

Column c, counted from the left, has the seven bits from 7 * c on.  The first six are
its squares, from the bottom up.  In a position, the seventh bit is always 0, and
separates the column from the next one.  A shift to the left by 7 bits moves a set one
square to the right.  A shift by 8 bits moves it to the right and up, and a shift by 6
bits to the right and down.  A position is a pair: the pieces of the player to move, and
the pieces of the other player.
"""

from api import ConnectFourBoard

COLUMN_BITS = 7
UP = 1
ASIDE = (7, 8, 6)  # shifts: to the right; up and to the right; down and to the right
COLUMNS = tuple(0b111111 << COLUMN_BITS * column for column in range(7))
BOARD = sum(COLUMNS)
BOTTOM = sum(1 << COLUMN_BITS * column for column in range(7))

Position = tuple[int, int]


def position_of(board: ConnectFourBoard) -> Position:
    """Return the position on a board: the pieces of the player to move, and the pieces
    of the other player.

    >>> position_of(ConnectFourBoard().add_piece(1).add_piece(1).add_piece(0))
    (256, 129)
    """
    pieces = [0, 0, 0]
    for row, numbers in enumerate(board.board_array):
        for column, piece in enumerate(numbers):
            pieces[piece] |= 1 << COLUMN_BITS * column + 5 - row
    first, second = pieces[1:]
    if board.count_pieces() % 2:
        return second, first
    return first, second


def column_of(square: int) -> int:
    """Return the column of a square.  `square` is a set that holds only this square."""
    return (square.bit_length() - 1) // COLUMN_BITS


def drops(occupied: int) -> int:
    """Return the squares on which the next piece can land.

    >>> [column_of(1 << bit) for bit in range(49) if drops(0) >> bit & 1]
    [0, 1, 2, 3, 4, 5, 6]
    """
    return (occupied + BOTTOM) & BOARD


def has_four(pieces: int) -> bool:
    """Whether four of these pieces lie in one line.

    >>> has_four(0b1111), has_four(0b0111)
    (True, False)
    """
    for step in (UP, *ASIDE):
        pairs = pieces & pieces >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


def completing(pieces: int) -> int:
    """Return the squares on which one more piece would make four in a line.

    Some of these squares may hold a piece already, or may be outside of the board.

    >>> completing(0b0111) == 0b1000
    True
    """
    squares = pieces << 1 & pieces << 2 & pieces << 3
    for step in ASIDE:
        two = 2 * step
        three = 3 * step
        left = pieces << step
        right = pieces >> step
        left_pair = left & pieces << two
        right_pair = right & pieces >> two
        squares |= left_pair & (pieces << three | right)
        squares |= right_pair & (pieces >> three | left)
    return squares


def sensible(mine: int, theirs: int) -> int:
    """Return the squares among which a careful player chooses.

    If the player can win at once, these are only the squares that win.  Otherwise, if
    the other player could win at once, they are the squares on which the other player
    would win.  Otherwise they are all squares on which a piece can land.

    >>> sensible(0b0111, 0b0111 << 7) == 0b1000
    True
    """
    squares = drops(mine | theirs)
    return completing(mine) & squares or completing(theirs) & squares or squares
