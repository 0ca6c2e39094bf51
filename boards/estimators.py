"""Estimators of the graded cases, for players that do not go by the game's own
estimate.
"""

from collections.abc import Callable
from typing import Any

from api import DRAW, Definitely, Guess, Winner
from api.nim import NimState
from api.outcomes import Estimate

Estimator = Callable[[Any], Estimate]


def fewer_for_maxie(state: NimState) -> Estimate:
    """Nim: the fewer pieces, the better for Maxie; half a point for each.

    >>> from api import Player
    >>> fewer_for_maxie(NimState(4, Player.MINNIE))
    Guess(score=-2.0)
    """
    return Guess(-state.pieces / 2)


def odd_is_lost(state: NimState) -> Estimate:
    """Nim: an odd number of pieces is lost for the player to move, an even one drawn; a
    sure mistake.

    >>> from api import Player
    >>> odd_is_lost(NimState(3, Player.MINNIE))
    Definitely(outcome=Winner(Player.MAXIE))
    """
    return Definitely(Winner(state.player.other) if state.pieces % 2 else DRAW)


def corners(state: str) -> Estimate:
    """Tic-tac-toe: the corners of X, minus those of O.

    >>> corners("X.O.X...X")
    Guess(score=1)
    """
    return Guess(
        sum({"X": 1, "O": -1, ".": 0}[state[square]] for square in (0, 2, 6, 8))
    )


ESTIMATORS: dict[str, Estimator] = {
    each.__name__: each for each in (fewer_for_maxie, odd_is_lost, corners)
}
