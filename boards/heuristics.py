"""The heuristics of the cases.  Each scores a snapshot in the maximizer's view.

A search may pass the flag by position, as the handout advises, or by either of its two
names.
"""

import functools
from collections.abc import Callable
from typing import Any

from api import ConnectFourBoard, always_zero, game_estimate, tree_estimate
from api.tic_tac_toe import LINES

Heuristic = Callable[..., float]


def _accepting_both_names(score: Callable[[Any, bool], float]) -> Heuristic:
    """Let the flag come by position, as `maximize=` or as
    `is_current_player_maximizer=`.
    """

    @functools.wraps(score)
    def heuristic(
        snapshot: Any,
        maximize: bool = True,
        *,
        is_current_player_maximizer: bool | None = None,
    ) -> float:
        flag = (
            maximize
            if is_current_player_maximizer is None
            else is_current_player_maximizer
        )
        return score(snapshot, bool(flag))

    return heuristic


@_accepting_both_names
def edge_pieces(board: ConnectFourBoard, maximizer_to_move: bool) -> float:
    """Connect Four, by an odd taste: a piece counts 3 in an outer column and 1 next to
    it, minus the rival's.

    It is good enough to tell one search from another, and no answer to part 1.  It says
    a little less when the minimizer is to move, so that flipping the flag does not just
    negate it.

    >>> edge_pieces(ConnectFourBoard().add_piece(0), False)
    2.5
    """
    score = 0
    for column, weight in ((0, 3), (1, 1), (5, 1), (6, 3)):
        for row in range(6):
            piece = board.get_piece(column, row)
            if piece:
                owner_moves = (piece == 1) == (board.count_pieces() % 2 == 0)
                score += weight if owner_moves == maximizer_to_move else -weight
    return score if maximizer_to_move else score - 0.5


@_accepting_both_names
def open_lines(now: Any, maximizer_to_move: bool) -> float:
    """Tic-tac-toe: the lines that the maximizer can still fill, minus the
    minimizer's.
    """
    position = now.position
    mover = now.game.to_move(position)
    lines = [(position[a], position[b], position[c]) for a, b, c in LINES]
    own, rival = (
        sum(other not in line for line in lines)
        for other in ("OX" if mover == "X" else "XO")
    )
    return own - rival if maximizer_to_move else rival - own


def takes_the_flag_by_position(node: Any, is_current_player_maximizer: bool) -> float:
    """Drawn trees: the estimate, with the flag under the name that
    heuristic_connectfour gives it, and no other.
    """
    return tree_estimate(node, is_current_player_maximizer)


HEURISTICS: dict[str, Heuristic] = {
    "always_zero": always_zero,
    "game_estimate": _accepting_both_names(game_estimate),
    "tree_estimate": _accepting_both_names(tree_estimate),
    "edge_pieces": edge_pieces,
    "open_lines": open_lines,
    "takes_the_flag_by_position": takes_the_flag_by_position,
}
