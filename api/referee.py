"""Referee: lets two players play a game, and checks that each move is legal."""

from typing import Any

from api.outcomes import Outcome, Over
from api.two_player import Player


class IllegalMove(ValueError):
    """Raised if a player makes an illegal move.  The message names the player."""


class Referee:
    """Runs a game between two players.

    Raises ValueError if the two players were made for different games.

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
            maxies_game = type(maxie.game).__name__
            minnies_game = type(minnie.game).__name__
            games = f"Maxie {maxies_game}, Minnie {minnies_game}"
            if maxies_game == minnies_game:
                games += ", with different settings"
            raise ValueError(
                f"the players play different games: {games}; give both the same game"
            )
        self.game = maxie.game
        self.players = {Player.MAXIE: maxie, Player.MINNIE: minnie}

    def go(self, state: Any = None) -> Outcome:
        """Play one game to its end, print the outcome and return it.

        The game begins at `state`; without a state, at its own start.  Raises
        IllegalMove if a player makes a move that the game does not list.
        """
        state = self.game.start() if state is None else state
        while not isinstance(status := self.game.status(state), Over):
            state = self.game.make_move(state, self.next_move(state))
        print(self.game.outcome_to_string(status.outcome))
        return status.outcome

    def next_move(self, state: Any) -> Any:
        """The move that the player whose turn it is chooses.

        The result is the equal move from the game's own list.  Raises IllegalMove if
        the list has no such move.
        """
        side = self.game.player(state)
        move = self.players[side].next_move(state)
        possible = self.game.moves(state)
        for listed_move in possible:
            # True == 1 and 1.0 == 1, but nobody takes True pieces.
            is_same_type = type(listed_move) is type(move)
            if listed_move == move and (
                is_same_type or not isinstance(move, (bool, float))
            ):
                return listed_move
        listed = ", ".join(map(self.game.move_to_string, possible))
        name = type(self.players[side]).__name__
        raise IllegalMove(
            f"{side} ({name}) made the illegal move {move!r}; "
            f"the legal moves are: {listed}"
        )
