"""Estimators for the graded cases in which a player has an estimator of its own."""

from collections.abc import Callable
from typing import Any

from api import DRAW, Definitely, Guess, Winner
from api.nim import NimState
from api.outcomes import Estimate

Estimator = Callable[[Any], Estimate]


def fewer_for_maxie(state: NimState) -> Estimate:
    """Nim: the fewer pieces, the better for Maxie; each piece counts half a point.

    >>> from api import Player
    >>> fewer_for_maxie(NimState(4, Player.MINNIE))
    Guess(score=-2.0)
    """
    return Guess(-state.pieces / 2)


def odd_is_lost(state: NimState) -> Estimate:
    """Nim: with an odd number of pieces the player to move loses, else it is a draw.

    The estimate claims to be sure, but it is wrong.

    >>> from api import Player
    >>> odd_is_lost(NimState(3, Player.MINNIE))
    Definitely(outcome=Winner(Player.MAXIE))
    """
    return Definitely(Winner(state.player.other) if state.pieces % 2 else DRAW)


def corners(state: str) -> Estimate:
    """Tic-tac-toe: the number of corners that X has, minus the number that O has.

    >>> corners("X.O.X...X")
    Guess(score=1)
    """
    pieces = [state[corner] for corner in (0, 2, 6, 8)]
    return Guess(pieces.count("X") - pieces.count("O"))


ESTIMATORS: dict[str, Estimator] = {
    "fewer_for_maxie": fewer_for_maxie,
    "odd_is_lost": odd_is_lost,
    "corners": corners,
}
