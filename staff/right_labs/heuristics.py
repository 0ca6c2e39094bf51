"""Sensible heuristics for Connect Four, each built differently, and all of them right.

A case about `heuristic_connectfour` is fair only if all of these pass it, so a board whose sign is
judged must be a clear case for every one of them.  Some go by a single count (staff/counts.py) of
what the player to move has, minus what the rival has; the others, here, mix and weigh.
"""

import functools
from collections.abc import Callable

from api import ConnectFourBoard
from staff.counts import (
    COUNTS,
    Count,
    lengths,
    middle_column,
    number_of_chains,
    open_threes,
    squared_lengths,
    squares,
    threats,
    weighed_windows,
    wins,
)

Advantage = Callable[[ConnectFourBoard], float]
Heuristic = Callable[[ConnectFourBoard, bool], float]


def ahead_in(count: Count) -> Advantage:
    """By how much the player to move is ahead in something that can be counted."""
    return functools.wraps(count)(lambda board: count(board, True) - count(board, False))


def in_the_maximizers_view(advantage: Advantage) -> Heuristic:
    """The advantage of the player to move, squeezed between -1000 and 1000, and turned as the flag says."""

    def heuristic(board: ConnectFourBoard, is_current_player_maximizer: bool) -> float:
        value = advantage(board)
        score = 1000 * value / (abs(value) + 50)
        return score if is_current_player_maximizer else -score

    return functools.wraps(advantage)(heuristic)


def share_of_chains(board: ConnectFourBoard) -> float:
    """What part of all the chain length on the board is one's own, cubed."""
    own, rival = (sum(n**3 for n in lengths(board, side)) for side in (True, False))
    return (own - rival) / (own + rival) if own or rival else 0.0


def longest_chain_then_count(board: ConnectFourBoard) -> float:
    """Who has the longest chain, and, of equally long ones, who has more chains that long."""
    own, rival = lengths(board, True), lengths(board, False)
    longest, rivals_longest = max(own, default=0), max(rival, default=0)
    return 100 * (longest - rivals_longest) + own.count(longest) - rival.count(rivals_longest)


def who_wins_first(board: ConnectFourBoard) -> float:
    """Who wins at once: the mover with a win, or the rival with two of them.  Then chains."""
    own, rival = wins(board, True), wins(board, False)
    if own:
        return 10_000
    return -10_000 if rival > 1 else ahead_in(squared_lengths)(board) - 10 * rival


def chains_and_centre(board: ConnectFourBoard) -> float:
    """The squared lengths, and half a point for each piece in the three middle columns."""
    middle = [sum(2 <= col <= 4 for col, _ in squares(board, own)) for own in (True, False)]
    return ahead_in(squared_lengths)(board) + (middle[0] - middle[1]) / 2


def threes_and_chains(board: ConnectFourBoard) -> float:
    """20 points for each open window with three pieces, 1 for each chain."""
    return 20 * ahead_in(open_threes)(board) + ahead_in(number_of_chains)(board)


def a_bonus_for_the_move(board: ConnectFourBoard) -> float:
    """The squared lengths, and a little more for the player who is to move."""
    return ahead_in(squared_lengths)(board) + 1.5


def cautious(board: ConnectFourBoard) -> float:
    """Fears the rival's chains more than it counts on its own."""
    return squared_lengths(board, True) - 2 * squared_lengths(board, False)


def bold(board: ConnectFourBoard) -> float:
    """Counts on its own open windows more than it fears the rival's."""
    return 2 * weighed_windows(board, True) - weighed_windows(board, False)


def after_the_best_move(board: ConnectFourBoard) -> float:
    """Looks one move ahead: the mover's windows then, minus the rival's."""
    boards = [board.add_piece(col) for col in range(board.num_cols) if not board.is_column_full(col)]
    return max(weighed_windows(after, False) - weighed_windows(after, True) for after in boards)


def everything_at_once(board: ConnectFourBoard) -> float:
    """A little of each: chains, windows, threats, wins and the middle."""
    parts = ((squared_lengths, 1), (weighed_windows, 1), (threats, 10), (wins, 50), (middle_column, 3))
    return sum(weight * ahead_in(part)(board) for part, weight in parts)


MIXED: tuple[Advantage, ...] = (
    share_of_chains,
    longest_chain_then_count,
    who_wins_first,
    chains_and_centre,
    threes_and_chains,
    a_bonus_for_the_move,
    cautious,
    bold,
    after_the_best_move,
    everything_at_once,
)
ADVANTAGES: tuple[Advantage, ...] = (*map(ahead_in, COUNTS), *MIXED)
HEURISTICS: tuple[Heuristic, ...] = tuple(map(in_the_maximizers_view, ADVANTAGES))
