"""What one side has on a Connect Four board; each count alone is a heuristic that a student may go by.

own       whether the side is the player to move; the other one is the rival
window    four squares in a line; open to a player while the other has no piece in it
threat    an empty square on which a player's piece would make a four
win       a threat on a square that the next piece can take
"""

import functools
from collections.abc import Callable, Iterator

from api import ConnectFourBoard

Count = Callable[[ConnectFourBoard, bool], float]
Square = tuple[int, int]

_DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


def number_of_chains(board: ConnectFourBoard, own: bool) -> float:
    """The chains of two or more.  It does not ask how long they are."""
    return sum(n > 1 for n in lengths(board, own))


def number_of_all_chains(board: ConnectFourBoard, own: bool) -> float:
    """The chains, lone pieces included."""
    return len(lengths(board, own))


def length_of_chains(board: ConnectFourBoard, own: bool) -> float:
    """The lengths of the chains of two or more."""
    return sum(n for n in lengths(board, own) if n > 1)


def neighbours(board: ConnectFourBoard, own: bool) -> float:
    """The pairs of equal pieces side by side, in any direction."""
    return sum(n - 1 for n in lengths(board, own))


def squared_lengths(board: ConnectFourBoard, own: bool) -> float:
    """The lengths of all chains, squared."""
    return sum(n * n for n in lengths(board, own))


def powers_of_ten(board: ConnectFourBoard, own: bool) -> float:
    """1 for a lone piece, 10 for a chain of two, 100 for a chain of three."""
    return sum(10.0 ** (n - 1) for n in lengths(board, own))


def chains_of_three(board: ConnectFourBoard, own: bool) -> float:
    """The chains of three."""
    return lengths(board, own).count(3)


def longest_chain(board: ConnectFourBoard, own: bool) -> float:
    """The length of the longest chain."""
    return max(lengths(board, own), default=0)


def open_windows(board: ConnectFourBoard, own: bool) -> float:
    """The windows that are open, empty ones too."""
    return sum(_windows_open_to(board, own))


def open_twos_and_threes(board: ConnectFourBoard, own: bool) -> float:
    """The open windows with two or three pieces."""
    return sum(_windows_open_to(board, own)[2:])


def open_threes(board: ConnectFourBoard, own: bool) -> float:
    """The open windows with three pieces."""
    return _windows_open_to(board, own)[3]


def weighed_windows(board: ConnectFourBoard, own: bool) -> float:
    """The open windows by the pieces in them: 1, 4 or 16 each."""
    _, ones, twos, threes = _windows_open_to(board, own)
    return ones + 4 * twos + 16 * threes


def threats(board: ConnectFourBoard, own: bool) -> float:
    """The squares on which a piece would make a four, now or later."""
    return len(_threats(board, own))


def odd_and_even_threats(board: ConnectFourBoard, own: bool) -> float:
    """Threats, and twice those of the first player in odd rows, of the second in even ones (from below)."""
    wanted = (board.count_pieces() + own) % 2  # in the end the second player has to fill every even row
    return sum(1 + ((board.num_rows - row) % 2 == wanted) for _, row in _threats(board, own))


def wins(board: ConnectFourBoard, own: bool) -> float:
    """The columns in which the next piece would make a four."""
    return len(_wins(board, own))


def double_threat(board: ConnectFourBoard, own: bool) -> float:
    """Whether there are two such columns, so that one of them stays open."""
    return len(_wins(board, own)) > 1


def middle_column(board: ConnectFourBoard, own: bool) -> float:
    """The pieces in the middle column."""
    return sum(col == 3 for col, _ in squares(board, own))


def near_the_middle(board: ConnectFourBoard, own: bool) -> float:
    """3 for each piece in the middle column, 2 beside it, 1 next to that."""
    return sum(3 - abs(col - 3) for col, _ in squares(board, own))


def worth_of_squares(board: ConnectFourBoard, own: bool) -> float:
    """For each piece, the number of windows through its square: 3 in a corner, 13 in the middle."""
    return sum(_WINDOWS_THROUGH[square] for square in squares(board, own))


def room_to_grow(board: ConnectFourBoard, own: bool) -> float:
    """The empty squares at the ends of chains of two and three, times the length of each."""
    return sum(length * ends for length, ends in _runs(board, own))


# --- what stands on the board --------------------------------------------------------------------


def lengths(board: ConnectFourBoard, own: bool) -> list[int]:
    return [len(chain) for chain in board.get_all_chains(current_player=own)]


@functools.lru_cache(maxsize=64)
def _pieces(board: ConnectFourBoard) -> dict[Square, str]:
    """Every square and what stands there: `own`, `rival` or nothing."""
    names = {0: "", 1 + board.count_pieces() % 2: "own", 2 - board.count_pieces() % 2: "rival"}
    return {
        (col, row): names[piece] for row, pieces in enumerate(board.board_array) for col, piece in enumerate(pieces)
    }


def squares(board: ConnectFourBoard, own: bool) -> list[Square]:
    return [square for square, who in _pieces(board).items() if who == ("own" if own else "rival")]


def _all_windows() -> Iterator[tuple[Square, ...]]:
    for col in range(7):
        for row in range(6):
            for right, down in _DIRECTIONS:
                squares = tuple((col + n * right, row + n * down) for n in range(4))
                if squares[3][0] < 7 and 0 <= squares[3][1] < 6:
                    yield squares


_WINDOWS = tuple(_all_windows())
_WINDOWS_THROUGH = {(col, row): sum((col, row) in w for w in _WINDOWS) for col in range(7) for row in range(6)}


@functools.lru_cache(maxsize=128)
def _windows_open_to(board: ConnectFourBoard, own: bool) -> tuple[int, int, int, int]:
    """How many windows are open to a side with no, one, two and three pieces in them."""
    pieces, (mine, other) = _pieces(board), ("own", "rival") if own else ("rival", "own")
    found = [[pieces[square] for square in window] for window in _WINDOWS]
    counts = [window.count(mine) for window in found if other not in window]
    return counts.count(0), counts.count(1), counts.count(2), counts.count(3)


@functools.lru_cache(maxsize=128)
def _threats(board: ConnectFourBoard, own: bool) -> frozenset[Square]:
    """The empty squares that complete four pieces of a side."""
    pieces, mine = _pieces(board), "own" if own else "rival"
    found = ((window, [pieces[square] for square in window]) for window in _WINDOWS)
    return frozenset(window[who.index("")] for window, who in found if who.count(mine) == 3 and who.count("") == 1)


def _wins(board: ConnectFourBoard, own: bool) -> list[Square]:
    heights = [board.get_column_height(col) for col in range(board.num_cols)]
    return [(col, row) for col, row in _threats(board, own) if row == board.num_rows - 1 - heights[col]]


def _runs(board: ConnectFourBoard, own: bool) -> Iterator[tuple[int, int]]:
    """For each chain of two or three: its length, and how many of its two ends are empty squares."""
    pieces, mine = _pieces(board), "own" if own else "rival"
    for col, row in squares(board, own):
        for right, down in _DIRECTIONS:
            if pieces.get((col - right, row - down)) != mine:
                length = next(n for n in range(1, 8) if pieces.get((col + n * right, row + n * down)) != mine)
                ends = ((col - right, row - down), (col + length * right, row + length * down))
                if length > 1:
                    yield length, sum(pieces.get(end) == "" for end in ends)


COUNTS: tuple[Count, ...] = (
    number_of_chains,
    number_of_all_chains,
    length_of_chains,
    neighbours,
    squared_lengths,
    powers_of_ten,
    chains_of_three,
    longest_chain,
    open_windows,
    open_twos_and_threes,
    open_threes,
    weighed_windows,
    threats,
    odd_and_even_threats,
    wins,
    double_threat,
    middle_column,
    near_the_middle,
    worth_of_squares,
    room_to_grow,
)
