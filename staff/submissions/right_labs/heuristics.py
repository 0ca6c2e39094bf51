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
    """The chains of two or more."""
    return sum(length > 1 for length in lengths(board, own))


def squared_lengths(board: ConnectFourBoard, own: bool) -> float:
    """The lengths of all chains, squared."""
    return sum(length * length for length in lengths(board, own))


def powers_of_ten(board: ConnectFourBoard, own: bool) -> float:
    """1 for a lone piece, 10 for a chain of two, 100 for a chain of three."""
    return sum(10.0 ** (length - 1) for length in lengths(board, own))


def longest_chain(board: ConnectFourBoard, own: bool) -> float:
    """The length of the longest chain."""
    return max(lengths(board, own), default=0)


def open_windows(board: ConnectFourBoard, own: bool) -> float:
    """The windows that are open, empty ones too."""
    return len(windows_open_to(board, own))


def open_threes(board: ConnectFourBoard, own: bool) -> float:
    """The open windows with three pieces."""
    return windows_open_to(board, own).count(3)


def weighed_windows(board: ConnectFourBoard, own: bool) -> float:
    """The open windows by the pieces in them: 1, 4 or 16 each."""
    return sum((0, 1, 4, 16)[pieces] for pieces in windows_open_to(board, own))


def threats(board: ConnectFourBoard, own: bool) -> float:
    """The squares on which a piece would make a four, now or later."""
    return len(threatened(board, own))


def wins(board: ConnectFourBoard, own: bool) -> float:
    """The columns in which the next piece would make a four."""
    return sum(row == board.num_rows - 1 - board.get_column_height(col) for col, row in threatened(board, own))


def double_threat(board: ConnectFourBoard, own: bool) -> float:
    """Whether there are two such columns, so that one of them stays open."""
    return wins(board, own) > 1


def near_the_middle(board: ConnectFourBoard, own: bool) -> float:
    """3 for each piece in the middle column, 2 beside it, 1 next to that."""
    return sum(3 - abs(col - 3) for (col, _), owner in owners(board).items() if owner is own)


def everything_at_once(board: ConnectFourBoard, own: bool) -> float:
    """A little of each: chains, windows, threats, wins and the middle."""
    parts = ((squared_lengths, 1), (weighed_windows, 1), (threats, 10), (wins, 50), (near_the_middle, 1))
    return sum(weight * part(board, own) for part, weight in parts)


def lengths(board: ConnectFourBoard, own: bool) -> list[int]:
    return [len(chain) for chain in board.get_all_chains(current_player=own)]


@functools.lru_cache(maxsize=64)
def owners(board: ConnectFourBoard) -> dict[Square, bool | None]:
    """Every square, and whose piece is there: True for the player to move, None for nobody's."""
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
    """For each window that is open to a side, how many pieces it has there."""
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
    """By how much the player to move is ahead, squeezed between -1000 and 1000, and turned as the flag says."""

    def heuristic(board: ConnectFourBoard, is_current_player_maximizer: bool) -> float:
        ahead = count(board, True) - count(board, False)
        score = 1000 * ahead / (abs(ahead) + 50)
        return score if is_current_player_maximizer else -score

    return functools.wraps(count)(heuristic)


HEURISTICS: tuple[Heuristic, ...] = tuple(map(in_the_maximizers_view, COUNTS))
