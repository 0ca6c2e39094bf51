"""Nim: players take turns removing one, two or three pieces; taking the last loses."""

from typing import NamedTuple

from api.outcomes import (
    IN_PLAY,
    Definitely,
    Estimate,
    Guess,
    Over,
    Side,
    Status,
    Winner,
)
from api.two_player import Player, TwoPlayerGame


class NimState(NamedTuple):
    """How many pieces are left, and whose turn it is."""

    pieces: int
    player: Side


class Nim(TwoPlayerGame):
    """Nim with `pieces` pieces at the beginning.  Maxie moves first.

    A move is the number of pieces to take: 1, 2 or 3.  The player who takes the last
    piece loses.  The estimate is perfect: the player to move wins unless the number of
    pieces is 1 more than a multiple of 4.

    Raises ValueError for fewer than 1 piece, and TypeError for anything but an int.

    >>> game = Nim(4)
    >>> state = game.make_move(game.start(), 3)
    >>> game.moves(state), game.status(state)
    ([1], IN_PLAY)
    >>> game.estimate(state)
    Definitely(outcome=Winner(Player.MAXIE))
    """

    def __init__(self, pieces: int = 15) -> None:
        if not isinstance(pieces, int) or isinstance(pieces, bool):
            raise TypeError(
                f"Nim is played with a whole number of pieces, not {pieces!r}"
            )
        if pieces < 1:
            raise ValueError(f"Nim is played with 1 piece or more, not {pieces}")
        self.pieces = pieces

    def start(self) -> NimState:
        return NimState(self.pieces, Player.MAXIE)

    def moves(self, state: NimState) -> list[int]:
        return list(range(1, min(state.pieces, 3) + 1))

    def make_move(self, state: NimState, move: int) -> NimState:
        return NimState(state.pieces - move, state.player.other)

    def status(self, state: NimState) -> Status:
        """IN_PLAY while pieces are left; then the player to move has won.

        The other player has just taken the last piece.
        """
        if state.pieces:
            return IN_PLAY
        return Over(Winner(state.player))

    def player(self, state: NimState) -> Side:
        return state.player

    def estimate(self, state: NimState) -> Estimate:
        if state.pieces % 4 == 1:
            return Definitely(Winner(state.player.other))
        return Definitely(Winner(state.player))

    def state_to_string(self, state: NimState) -> str:
        return f"{' '.join('o' * state.pieces)}   ({state.pieces} left)".lstrip()


class VeryDumbNim(Nim):
    """Nim with an estimate that is always Guess(0), and so does not help.

    >>> VeryDumbNim().estimate(NimState(2, Player.MAXIE))
    Guess(score=0)
    """

    def estimate(self, state: NimState) -> Estimate:
        return Guess(0)
