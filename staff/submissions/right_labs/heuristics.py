"""Sensible heuristics for Connect Four, all of them right.

A case about `heuristic_connectfour` is fair only if all of these pass it, so a board whose sign is
judged must be a clear case for every one of them.

window    four squares in a line; open to a player while the other has no piece in it
threat    an empty square on which a player's piece would make a four
win       a threat on a square that the next piece can take
"""

import functools
from collections.abc import Callable, Iterator

from api import ConnectFourBoard

Count = Callable[[ConnectFourBoard, bool], float]
Heuristic = Callable[[ConnectFourBoard, bool], float]
Square = tuple[int, int]


def number_of_chains(board: ConnectFourBoard, own: bool) -> float:
    """How many chains of two or more pieces there are."""
    return sum(length > 1 for length in lengths(board, own))


def squared_lengths(board: ConnectFourBoard, own: bool) -> float:
    """The sum of the squared lengths of all chains."""
    return sum(length * length for length in lengths(board, own))


def powers_of_ten(board: ConnectFourBoard, own: bool) -> float:
    """The sum over all chains: 1 for a lone piece, 10 for a chain of two, 100 for a chain of three."""
    return sum(10.0 ** (length - 1) for length in lengths(board, own))


def longest_chain(board: ConnectFourBoard, own: bool) -> float:
    """The length of the longest chain."""
    return max(lengths(board, own), default=0)


def open_windows(board: ConnectFourBoard, own: bool) -> float:
    """How many windows are open, counting the empty ones."""
    return len(windows_open_to(board, own))


def open_threes(board: ConnectFourBoard, own: bool) -> float:
    """How many open windows hold three pieces."""
    return windows_open_to(board, own).count(3)


def weighed_windows(board: ConnectFourBoard, own: bool) -> float:
    """The sum over all open windows: 1, 4 or 16 for a window with one, two or three pieces."""
    return sum((0, 1, 4, 16)[pieces] for pieces in windows_open_to(board, own))


def threats(board: ConnectFourBoard, own: bool) -> float:
    """How many squares there are on which a piece would make a four, now or later."""
    return len(threatened(board, own))


def wins(board: ConnectFourBoard, own: bool) -> float:
    """How many columns there are in which the next piece would make a four."""
    return sum(row == board.num_rows - 1 - board.get_column_height(col) for col, row in threatened(board, own))


def double_threat(board: ConnectFourBoard, own: bool) -> float:
    """Whether the next piece would make a four in two columns or more, so that the other player cannot block them all."""
    return wins(board, own) > 1


def near_the_middle(board: ConnectFourBoard, own: bool) -> float:
    """The sum over all pieces: 3 in the middle column, and 1 less for each column that a piece is away from it."""
    return sum(3 - abs(col - 3) for (col, _), owner in owners(board).items() if owner is own)


def everything_at_once(board: ConnectFourBoard, own: bool) -> float:
    """A weighted sum of five of the counts above: chains, windows, threats, wins and the middle."""
    parts = ((squared_lengths, 1), (weighed_windows, 1), (threats, 10), (wins, 50), (near_the_middle, 1))
    return sum(weight * part(board, own) for part, weight in parts)


def lengths(board: ConnectFourBoard, own: bool) -> list[int]:
    return [len(chain) for chain in board.get_all_chains(current_player=own)]


@functools.lru_cache(maxsize=64)
def owners(board: ConnectFourBoard) -> dict[Square, bool | None]:
    """Whose piece is on each square: True for the player to move, False for the other player, None for nobody."""
    mine = 1 + board.count_pieces() % 2
    pieces = {(col, row): piece for row, line in enumerate(board.board_array) for col, piece in enumerate(line)}
    return {square: piece == mine if piece else None for square, piece in pieces.items()}


def _all_windows() -> Iterator[tuple[Square, ...]]:
    for col in range(7):
        for row in range(6):
            for right, down in ((1, 0), (0, 1), (1, 1), (1, -1)):
                squares = tuple((col + n * right, row + n * down) for n in range(4))
                if squares[3][0] < 7 and 0 <= squares[3][1] < 6:
                    yield squares


WINDOWS = tuple(_all_windows())


@functools.lru_cache(maxsize=128)
def windows_open_to(board: ConnectFourBoard, own: bool) -> list[int]:
    """For each window that is open to a side, how many pieces the side has in the window."""
    owner = owners(board)
    inside = [[owner[square] for square in window] for window in WINDOWS]
    return [pieces.count(own) for pieces in inside if (not own) not in pieces]


@functools.lru_cache(maxsize=128)
def threatened(board: ConnectFourBoard, own: bool) -> set[Square]:
    """The empty squares that complete four pieces of a side."""
    owner, found = owners(board), set()
    for window in WINDOWS:
        pieces = [owner[square] for square in window]
        if pieces.count(own) == 3 and None in pieces:
            found.add(window[pieces.index(None)])
    return found


COUNTS: tuple[Count, ...] = (
    number_of_chains,
    squared_lengths,
    powers_of_ten,
    longest_chain,
    open_windows,
    open_threes,
    weighed_windows,
    threats,
    wins,
    double_threat,
    near_the_middle,
    everything_at_once,
)


def in_the_maximizers_view(count: Count) -> Heuristic:
    """Return a heuristic that says by how much the player to move is ahead, as a score between -1000 and 1000.

    If the player to move is the minimizer, the sign of the score changes.
    """

    def heuristic(board: ConnectFourBoard, is_current_player_maximizer: bool) -> float:
        ahead = count(board, True) - count(board, False)
        score = 1000 * ahead / (abs(ahead) + 50)
        return score if is_current_player_maximizer else -score

    return functools.wraps(count)(heuristic)


HEURISTICS: tuple[Heuristic, ...] = tuple(map(in_the_maximizers_view, COUNTS))
