"""Referee: lets two players play one game, and sees to it that they keep to its rules."""

import time
from collections.abc import Callable
from typing import Any

from api.outcomes import Outcome, Over, Winner
from api.results import INF
from api.two_player import Player


class IllegalMove(ValueError):
    """Raised where a player makes a move that is not possible; the text names the player."""


class Referee:
    """Two players at one table.  ValueError where they play different games.

    Where `seconds` is given, a player who takes longer for a move loses; the referee cannot
    interrupt anybody, and looks at the `clock` when the move has come.

    >>> from api import HumanPlayer, Nim
    >>> answers = iter(["3"])
    >>> human = HumanPlayer(Nim(4), read=lambda question: next(answers))
    >>> class TakesOne(Player):
    ...     def next_move(self, state): return 1
    >>> outcome = Referee(maxie=human, minnie=TakesOne(Nim(4))).go()
    o o o o   (4 left)
    Maxie wins.
    """

    def __init__(
        self, maxie: Player, minnie: Player, seconds: float = INF, clock: Callable[[], float] = time.monotonic
    ) -> None:
        if maxie.game != minnie.game:
            one, other = type(maxie.game).__name__, type(minnie.game).__name__
            games = f"Maxie {one}, Minnie {other}{', begun otherwise' if one == other else ''}"
            raise ValueError(f"the players play different games: {games}; give both the same game")
        self.game = maxie.game
        self.players = {Player.MAXIE: maxie, Player.MINNIE: minnie}
        self.seconds = seconds
        self.clock = clock

    def go(self, state: Any = None) -> Outcome:
        """Play from the start, or on from a state, print how the game has ended, and return the
        outcome.  Raises IllegalMove."""
        state = self.game.start() if state is None else state
        while not isinstance(status := self.game.status(state), Over):
            side, begun = self.game.player(state), self.clock()
            move = self.next_move(state)
            if self.clock() - begun > self.seconds:
                print(f"{side} took more than {self.seconds:g} s for a move.")
                status = Over(Winner(side.other))
                break
            state = self.game.make_move(state, move)
        print(self.game.outcome_to_string(status.outcome))
        return status.outcome

    def next_move(self, state: Any) -> Any:
        """The move of the player whose turn it is, as the game itself lists it.  Raises IllegalMove."""
        side = self.game.player(state)
        move, possible = self.players[side].next_move(state), self.game.moves(state)
        for own in possible:
            # True and 1.0 are equal to 1, and are no numbers of pieces.
            if own == move and (type(own) is type(move) or not isinstance(move, (bool, float))):
                return own
        listed = ", ".join(map(self.game.move_to_string, possible))
        name = type(self.players[side]).__name__
        raise IllegalMove(f"{side} ({name}) made the move {move!r}, which is not possible here; these are: {listed}")
