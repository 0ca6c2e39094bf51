"""TwoPlayerGame and Player: a game for Minnie and Maxie, and a program that plays it.

A game knows its rules, but nothing about its players.  A player holds one game, and
uses the states and moves of that game only through the game's methods.
So one class of player can play every game.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from api.outcomes import Estimate, Guess, Outcome, Side, Status, Winner


class BrokenRules(ValueError):
    """Raised if a function of yours returns something that the rules do not allow.

    Your function is used as a rule of a game.  The message names the function.
    """


class TwoPlayerGame:
    """A game in which Minnie and Maxie take turns.

    To define a game, write a subclass with the first five methods; the other methods
    have defaults.  Each game decides what its states and moves look like.  States must
    be immutable and hashable.  Two states are equal if they have the same position and
    the same player to move.  Two games are equal if they are of the same class and have
    the same attributes.

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
        """The legal moves, in order; never empty.  Not called when the game is over."""
        raise NotImplementedError

    def make_move(self, state: Any, move: Any) -> Any:
        """The state after a legal move.  It is then the other player's turn."""
        raise NotImplementedError

    def status(self, state: Any) -> Status:
        """Over(outcome) if the game has ended, else IN_PLAY."""
        raise NotImplementedError

    def player(self, state: Any) -> Side:
        """Whose turn it is, Player.MINNIE or Player.MAXIE.

        When the game is over, it is the player who would move next.
        """
        raise NotImplementedError

    def estimate(self, state: Any) -> Estimate:
        """What a state seems to be worth, to Maxie the higher the better.

        By default, Guess(0).  Not called when the game is over.
        """
        return Guess(0)

    def state_to_string(self, state: Any) -> str:
        """The state as text for a person, in one or more lines."""
        return str(state)

    def move_to_string(self, move: Any) -> str:
        """The move as a person types it."""
        return str(move)

    def player_to_string(self, player: Side) -> str:
        """The name that this game uses for Minnie or Maxie."""
        return str(player)

    def outcome_to_string(self, outcome: Outcome) -> str:
        """The outcome as a sentence."""
        if isinstance(outcome, Winner):
            return f"{self.player_to_string(outcome.player)} wins."
        return "It is a draw."

    def parse_move(self, state: Any, text: str) -> Any | None:
        """The legal move that a person has typed; None for any other text."""
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
    """A program that plays a game.  To define one, write a subclass with `next_move`.

    The two sides of a game are Player.MINNIE and Player.MAXIE.  Ask the game which of
    them is to move in a state: `self.game.player(state)`.

    >>> from api import Nim
    >>> class TakesOne(Player):
    ...     def next_move(self, state): return 1
    >>> game = Nim(4)
    >>> game.make_move(game.start(), TakesOne(game).next_move(game.start()))
    NimState(pieces=3, player=Player.MINNIE)
    """

    # The two sides are members of another class, Side, because one class cannot be both
    # an enum and the base class of players.
    MINNIE: ClassVar[Side] = Side.MINNIE
    MAXIE: ClassVar[Side] = Side.MAXIE

    def __init__(self, game: TwoPlayerGame) -> None:
        self.game = game

    def next_move(self, state: Any) -> Any:
        """The player's choice among the legal moves in a state that is in play."""
        raise NotImplementedError("next_move")
