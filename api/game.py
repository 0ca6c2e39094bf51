"""Game and Value: a game as four methods, and the value of a position.

Terms used in part 0:

    position   where a game stands, such as a board or a number of items
    move       what leads from one position to the next
    value      the best result that the player whose turn it is can force
"""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from api.state import AbstractGameState


class Value(Enum):
    """The value of a position, for the player whose turn it is.

    WIN    this player can force a win
    TIE    this player can force a tie, but not a win
    LOSE   the other player can force a win

    >>> Value.WIN.name
    'WIN'
    """

    WIN = "WIN"
    TIE = "TIE"
    LOSE = "LOSE"


class Game:
    """A game for two players who take turns.

    To define a game, write a subclass with these four methods.  Positions must be
    hashable, so that they can be keys of a dict.

    >>> class TakeTheLastCoin(Game):
    ...     def start(self): return "one coin"
    ...     def get_moves(self, position): return ["take it"]
    ...     def do_move(self, position, move): return "no coin"
    ...     def terminal_value(self, position):
    ...         return Value.LOSE if position == "no coin" else None
    >>> TakeTheLastCoin().terminal_value("no coin").name
    'LOSE'
    """

    def start(self) -> Hashable:
        """The position at the beginning."""
        raise NotImplementedError("start")

    def get_moves(self, position: Any) -> Iterable[Any]:
        """The legal moves of the player whose turn it is.

        The result may be a list, a set, a generator or any other iterable.  It is never
        empty.  The method is not called when the game is over.
        """
        raise NotImplementedError("get_moves")

    def do_move(self, position: Any, move: Any) -> Hashable:
        """The position after one of the moves from get_moves.

        It is then the other player's turn.
        """
        raise NotImplementedError("do_move")

    def terminal_value(self, position: Any) -> Value | None:
        """The value of a finished game, for the player who would move next.

        None while the game is in play.
        """
        raise NotImplementedError("terminal_value")


@dataclass(slots=True, unsafe_hash=True, repr=False)
class GamePosition:
    """A position of a `Game`, as the snapshot of an AbstractGameState.

    Two snapshots are equal if their positions are equal.
    """

    game: Game = field(compare=False)
    position: Any
    # The move that led to the position; None at the start.
    move: Any = field(default=None, compare=False)

    def prev_move_string(self) -> str:
        """The move that led here, in words; "" at the start.

        If the game has a method `describe_move`, it chooses the words.
        """
        if self.move is None:
            return ""
        describe = getattr(self.game, "describe_move", None)
        if not describe:
            return f"Made the move {self.move}."
        words: str = describe(self.position, self.move)
        return words

    def __str__(self) -> str:
        return str(getattr(self.game, "draw", str)(self.position))

    def __repr__(self) -> str:
        return f"<position {self.position!r}>"


_SCORES = {Value.WIN: 1, Value.TIE: 0, Value.LOSE: -1}


def as_game_state(game: Game, position: Any = None) -> AbstractGameState:
    """Any `Game` as a state, so that every search of part 2 can play the game.

    The game begins at `position`; without a position, at its own start.  A game that
    the maximizer has won scores 1, a game that the minimizer has won scores -1, and a
    tie scores 0.

    >>> from api import TicTacToe
    >>> state = as_game_state(TicTacToe(), "XX.OO....")
    >>> won = state.generate_next_states()[0]
    >>> won.is_game_over(), won.get_endgame_score(is_current_player_maximizer=False)
    (True, 1)
    """

    # The first two functions are named after the methods that they call, because error
    # messages show these names.

    def terminal_value(now: GamePosition) -> bool:
        return game.terminal_value(now.position) is not None

    def get_moves(now: GamePosition) -> list[GamePosition]:
        moves = game.get_moves(now.position)
        return [
            GamePosition(game, game.do_move(now.position, move), move) for move in moves
        ]

    def endgame_score(
        now: GamePosition, is_current_player_maximizer: bool = True
    ) -> int:
        value = game.terminal_value(now.position)
        if not value:
            return 0
        score = _SCORES[value]
        return score if is_current_player_maximizer else -score

    root = GamePosition(game, game.start() if position is None else position)
    return AbstractGameState(root, terminal_value, get_moves, endgame_score)
