"""Two adapters: a Game as a two-player game, and a two-player game as an
AbstractGameState.

The first adds whose turn it is to each position, so that Minnie and Maxie can play
zero-by.  The second shows a two-player game as a tree, so that every search of part 2
can play it:

    state = two_player_state(game) minimax_search(state, game_estimate, 3,
    maximize=game.player(game.start()) is Player.MAXIE)
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from api.game import Game, Value
from api.outcomes import (
    DRAW,
    IN_PLAY,
    Definitely,
    Estimate,
    Guess,
    Over,
    Side,
    Status,
    Winner,
)
from api.state import AbstractGameState
from api.two_player import BrokenRules, Player, TwoPlayerGame

WON = 1000
HIGHEST_GUESS = 999


class Turn(NamedTuple):
    """A position of a `Game`, and whose turn it is there."""

    position: Any
    player: Side


class _TwoPlayerVersion(TwoPlayerGame):
    def __init__(self, game: Game, first: Side) -> None:
        self.game = game
        self.first = first

    def start(self) -> Turn:
        return Turn(self.game.start(), self.first)

    def moves(self, state: Turn) -> list[Any]:
        moves = list(self.game.get_moves(state.position))
        if not moves:
            name = type(self.game).__name__
            where = f"{state.position!r}, but {name}.terminal_value says that the game goes on there"
            raise BrokenRules(f"{name}.get_moves gives no move at {where}")
        return moves

    def make_move(self, state: Turn, move: Any) -> Turn:
        return Turn(self.game.do_move(state.position, move), state.player.other)

    def status(self, state: Turn) -> Status:
        value = self.game.terminal_value(state.position)
        if value is None:
            return IN_PLAY
        value = Value(value)  # ValueError for anything else
        winner = state.player if value is Value.WIN else state.player.other
        return Over(DRAW if value is Value.TIE else Winner(winner))

    def player(self, state: Turn) -> Side:
        return state.player

    def state_to_string(self, state: Turn) -> str:
        return str(getattr(self.game, "draw", str)(state.position))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _TwoPlayerVersion):
            return NotImplemented
        return (self.first, type(self.game), vars(self.game)) == (
            other.first,
            type(other.game),
            vars(other.game),
        )

    __hash__ = TwoPlayerGame.__hash__


def as_two_player_game(game: Game, first: Side = Player.MAXIE) -> TwoPlayerGame:
    """A `Game`, such as your ZeroBy, as a game for Minnie and Maxie.  `first` makes the
    first move.

    >>> from api import TicTacToe
    >>> game = as_two_player_game(TicTacToe())
    >>> game.make_move(game.start(), 4)
    Turn(position='....X....', player=Player.MINNIE)
    """
    return _TwoPlayerVersion(game, first)


@dataclass(slots=True, unsafe_hash=True, repr=False)
class PlayedState:
    """A state of a two-player game as the snapshot of an AbstractGameState, with the
    move that led to it.  Two of them are equal if their games and states are.
    """

    game: TwoPlayerGame = field(hash=False)
    state: Any
    move: Any = field(default=None, compare=False)

    def prev_move_string(self) -> str:
        """The move that led here, in the game's own words; empty at the start."""
        if self.move is None:
            return ""
        mover = self.game.player(self.state).other
        return f"{self.game.player_to_string(mover)} moved {self.game.move_to_string(self.move)}."

    def __str__(self) -> str:
        return self.game.state_to_string(self.state)

    def __repr__(self) -> str:
        return f"<state {self.state!r}>"


def two_player_state(
    game: TwoPlayerGame,
    state: Any = None,
    before_moves: Callable[[], object] = lambda: None,
) -> AbstractGameState:
    """A two-player game as an AbstractGameState, from `state` or from the start.

    Maxie is the maximizer, whatever flag a search passes: a game that he has won scores
    1000, one that Minnie has won -1000, and a draw 0.  Tell the search who moves first.
    The state calls `before_moves` each time before it lists the moves; what that raises
    ends the search.

    >>> from api import Nim
    >>> child = two_player_state(Nim(1)).generate_next_states()[0]
    >>> child.describe_previous_move(), child.get_endgame_score()
    ('Maxie moved 1.', -1000)
    """

    # These have the names of the methods that they call, since error messages use them.

    def status(now: PlayedState) -> bool:
        return game.status(now.state) is not IN_PLAY

    def moves(now: PlayedState) -> list[PlayedState]:
        before_moves()
        return [
            PlayedState(game, game.make_move(now.state, move), move)
            for move in game.moves(now.state)
        ]

    def endgame_score(
        now: PlayedState, is_current_player_maximizer: bool = True
    ) -> float:
        ended = game.status(now.state)
        return score_of(Definitely(ended.outcome)) if isinstance(ended, Over) else 0

    return AbstractGameState(
        PlayedState(game, game.start() if state is None else state),
        status,
        moves,
        endgame_score,
    )


def game_estimate(
    snapshot: PlayedState,
    maximize: bool = True,
    *,
    is_current_player_maximizer: bool = True,
) -> float:
    """The heuristic for two-player games: the game's own estimate, as a score in
    Maxie's view.

    A sure win scores 1000 or -1000, and a guess between -999 and 999.

    >>> from api import Nim
    >>> game_estimate(two_player_state(Nim(4)).get_snapshot())
    1000
    """
    return score_of(snapshot.game.estimate(snapshot.state))


def score_of(estimate: Estimate) -> float:
    """An estimate as a number in Maxie's view, from -1000 to 1000.

    >>> score_of(Definitely(Winner(Player.MINNIE))), score_of(Definitely(DRAW)), score_of(Guess(2))
    (-1000, 0, 2)
    """
    if isinstance(estimate, Guess):
        return max(-HIGHEST_GUESS, min(HIGHEST_GUESS, estimate.score))
    outcome = estimate.outcome if isinstance(estimate, Definitely) else DRAW
    return (
        0
        if not isinstance(outcome, Winner)
        else WON
        if outcome.player is Player.MAXIE
        else -WON
    )
