"""Referee: lets two players play a game, and makes sure that they keep to its rules."""

from typing import Any

from api.outcomes import Outcome, Over
from api.two_player import Player


class IllegalMove(ValueError):
    """Raised if a player makes a move that is not possible; the text names the
    player.
    """


class Referee:
    """Runs a game between two players.  Raises ValueError if they play different games.

    >>> from api import HumanPlayer, Nim
    >>> answers = iter(["3"])
    >>> human = HumanPlayer(Nim(4), read=lambda question: next(answers))
    >>> class TakesOne(Player):
    ...     def next_move(self, state): return 1
    >>> outcome = Referee(maxie=human, minnie=TakesOne(Nim(4))).go()
    o o o o   (4 left)
    Maxie wins.
    """

    def __init__(self, maxie: Player, minnie: Player) -> None:
        if maxie.game != minnie.game:
            one, other = type(maxie.game).__name__, type(minnie.game).__name__
            games = f"Maxie {one}, Minnie {other}{', begun otherwise' if one == other else ''}"
            raise ValueError(
                f"the players play different games: {games}; give both the same game"
            )
        self.game = maxie.game
        self.players = {Player.MAXIE: maxie, Player.MINNIE: minnie}

    def go(self, state: Any = None) -> Outcome:
        """Play to the end, print how the game has ended, and return the outcome.

        The game begins at `state`, or at its start.  Raises IllegalMove.
        """
        state = self.game.start() if state is None else state
        while not isinstance(status := self.game.status(state), Over):
            state = self.game.make_move(state, self.next_move(state))
        print(self.game.outcome_to_string(status.outcome))
        return status.outcome

    def next_move(self, state: Any) -> Any:
        """The move of the player whose turn it is, as the game lists it.  Raises
        IllegalMove.
        """
        side = self.game.player(state)
        move = self.players[side].next_move(state)
        possible = self.game.moves(state)
        for listed_move in possible:
            # True and 1.0 equal 1, but nobody takes True pieces.
            if listed_move == move and (
                type(listed_move) is type(move) or not isinstance(move, (bool, float))
            ):
                return listed_move
        listed = ", ".join(map(self.game.move_to_string, possible))
        name = type(self.players[side]).__name__
        raise IllegalMove(
            f"{side} ({name}) made the move {move!r}, which is not possible here; these are: {listed}"
        )
