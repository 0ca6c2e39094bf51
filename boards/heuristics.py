"""The heuristics of the cases.  Their scores are from the maximizer's point of view.

A search may pass the flag by position, as the handout advises, or by either of its two
names, `maximize` and `is_current_player_maximizer`.
"""

import functools
from collections.abc import Callable
from typing import Any

from api import (
    ConnectFourBoard,
    TwoPlayerTicTacToe,
    always_zero,
    game_estimate,
    tree_estimate,
)

Heuristic = Callable[..., float]
_TIC_TAC_TOE = TwoPlayerTicTacToe()


def _accepting_both_names(score: Callable[[Any, bool], float]) -> Heuristic:
    """A heuristic that takes the flag by position or by either of its names."""

    @functools.wraps(score)
    def heuristic(
        snapshot: Any,
        maximize: bool = True,
        *,
        is_current_player_maximizer: bool | None = None,
    ) -> float:
        flag = maximize
        if is_current_player_maximizer is not None:
            flag = is_current_player_maximizer
        return score(snapshot, bool(flag))

    return heuristic


@_accepting_both_names
def edge_pieces(board: ConnectFourBoard, maximizer_to_move: bool) -> float:
    """Connect Four: counts the pieces near the left and right edges of the board.

    A piece counts 3 in an outer column and 1 in the column next to it.  The score is
    the maximizer's sum minus the minimizer's.  If the minimizer is to move, the score
    is 0.5 lower, so that flipping the flag does not just negate the score.

    This heuristic is made to expose mistakes in searches.  It plays badly.

    >>> edge_pieces(ConnectFourBoard().add_piece(0), False)
    2.5
    """
    piece_to_move = 1 + board.count_pieces() % 2
    score = 0
    for column, weight in ((0, 3), (1, 1), (5, 1), (6, 3)):
        for row in range(6):
            piece = board.get_piece(column, row)
            if not piece:
                continue
            if (piece == piece_to_move) == maximizer_to_move:
                score += weight
            else:
                score -= weight
    if not maximizer_to_move:
        return score - 0.5
    return score


@_accepting_both_names
def open_lines(now: Any, maximizer_to_move: bool) -> float:
    """Tic-tac-toe: the number of the maximizer's open lines minus the minimizer's.

    A line is open to a player if the other player has no piece on it.
    """
    score = _TIC_TAC_TOE.estimate(now.position).score  # from the point of view of X
    x_is_to_move = _TIC_TAC_TOE.to_move(now.position) == "X"
    return score if x_is_to_move == maximizer_to_move else -score


def takes_the_flag_by_position(node: Any, is_current_player_maximizer: bool) -> float:
    """Drawn trees: tree_estimate, with only one of the two names for the flag.

    The name is the one that heuristic_connectfour uses.
    """
    return tree_estimate(node, is_current_player_maximizer)


HEURISTICS: dict[str, Heuristic] = {
    "always_zero": always_zero,
    "game_estimate": game_estimate,
    "tree_estimate": _accepting_both_names(tree_estimate),
    "edge_pieces": edge_pieces,
    "open_lines": open_lines,
    "takes_the_flag_by_position": takes_the_flag_by_position,
}
