"""TwoPlayerGame and Player: a game of Minnie and Maxie, and someone who plays it.

A game knows its rules, and nothing about its players.  A player knows one game, and
uses the states and moves of the game only through the game's own methods.  So one
player can play every game.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from api.outcomes import Estimate, Guess, Outcome, Side, Status, Winner


class BrokenRules(ValueError):
    """Raised if your function breaks a promise to the game that uses it.

    The message names the function.
    """


class TwoPlayerGame:
    """A game in which Minnie and Maxie move in turn.

    Write a subclass with the first five methods.  Each game decides for itself what a
    state and a move look like.  States are immutable and hashable.  Two states are
    equal if their positions and the players to move are.  Two games are equal if they
    are of the same class and have the same attributes.

    >>> from api import IN_PLAY, Over, Player, Winner
    >>> class OneMove(TwoPlayerGame):
    ...     def start(self): return "before"
    ...     def moves(self, state): return ["win"]
    ...     def make_move(self, state, move): return "after"
    ...     def status(self, state):
    ...         return IN_PLAY if state == "before" else Over(Winner(Player.MAXIE))
    ...     def player(self, state):
    ...         return Player.MAXIE if state == "before" else Player.MINNIE
    >>> game = OneMove()
    >>> game.parse_move("before", " WIN ")
    'win'
    >>> game.outcome_to_string(game.status("after").outcome)
    'Maxie wins.'
    """

    def start(self) -> Any:
        """The state at the beginning."""
        raise NotImplementedError

    def moves(self, state: Any) -> Sequence[Any]:
        """The possible moves, at least one.  Never called when the game is over."""
        raise NotImplementedError

    def make_move(self, state: Any, move: Any) -> Any:
        """The state after one of these moves.  The other player is then to move."""
        raise NotImplementedError

    def status(self, state: Any) -> Status:
        """Over(outcome) or IN_PLAY."""
        raise NotImplementedError

    def player(self, state: Any) -> Side:
        """Whose turn it is, Player.MINNIE or Player.MAXIE.

        At the end of the game, it is the player whose turn it would be.
        """
        raise NotImplementedError

    def estimate(self, state: Any) -> Estimate:
        """What a state seems to be worth.  Never called when the game is over."""
        return Guess(0)

    def state_to_string(self, state: Any) -> str:
        """The state for a person to read, in one or more lines."""
        return str(state)

    def move_to_string(self, move: Any) -> str:
        """The move as a person types it."""
        return str(move)

    def player_to_string(self, player: Side) -> str:
        """Minnie or Maxie, as the game calls them."""
        return str(player)

    def outcome_to_string(self, outcome: Outcome) -> str:
        """The outcome as a sentence."""
        if isinstance(outcome, Winner):
            return f"{self.player_to_string(outcome.player)} wins."
        return "It is a draw."

    def parse_move(self, state: Any, text: str) -> Any | None:
        """The possible move that a person has typed; None for any other text."""
        typed = text.strip().lower()
        for move in self.moves(state):
            if self.move_to_string(move).lower() == typed:
                return move
        return None

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(type(self))


class Player:
    """Someone who plays a game.  Write a subclass with `next_move`.

    The two sides of a game are Player.MINNIE and Player.MAXIE.  The game tells which of
    them is to move in a state: `self.game.player(state)`.

    >>> from api import Nim
    >>> class TakesOne(Player):
    ...     def next_move(self, state): return 1
    >>> game = Nim(4)
    >>> game.make_move(game.start(), TakesOne(game).next_move(game.start()))
    NimState(pieces=3, player=Player.MINNIE)
    """

    # The sides are an enum of their own, because a class cannot be an enum and the base
    # class of players as well.
    MINNIE: ClassVar[Side] = Side.MINNIE
    MAXIE: ClassVar[Side] = Side.MAXIE

    def __init__(self, game: TwoPlayerGame) -> None:
        self.game = game

    def next_move(self, state: Any) -> Any:
        """One of the possible moves in a state that is in play."""
        raise NotImplementedError("next_move")
