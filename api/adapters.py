"""Two adapters between the three forms of a game.

`as_two_player_game` turns a `Game` into a two-player game.  It adds whose turn it is to
each position, so that Minnie and Maxie can play your ZeroBy.

`two_player_state` turns a two-player game into a tree, so that every search of part 2
can play it:

    state = two_player_state(game)
    maxie_begins = game.player(game.start()) is Player.MAXIE
    minimax_search(state, game_estimate, 3, maximize=maxie_begins)
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
            raise BrokenRules(
                f"{name}.get_moves gives no move at {state.position!r}, "
                f"but {name}.terminal_value says that the game goes on there"
            )
        return moves

    def make_move(self, state: Turn, move: Any) -> Turn:
        return Turn(self.game.do_move(state.position, move), state.player.other)

    def status(self, state: Turn) -> Status:
        return status_of(self.game.terminal_value(state.position), state.player)

    def player(self, state: Turn) -> Side:
        return state.player

    def state_to_string(self, state: Turn) -> str:
        return str(getattr(self.game, "draw", str)(state.position))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _TwoPlayerVersion):
            return NotImplemented
        return (
            self.first is other.first
            and type(self.game) is type(other.game)
            and vars(self.game) == vars(other.game)
        )

    __hash__ = TwoPlayerGame.__hash__


def status_of(value: Value | None, mover: Side) -> Status:
    """The status of a game at a position with this terminal value.

    `mover` is the player whose turn it is there.  Raises ValueError for anything
    that is not a Value, the name of one, or None.
    """
    if value is None:
        return IN_PLAY
    value = Value(value)
    if value is Value.TIE:
        return Over(DRAW)
    if value is Value.WIN:
        return Over(Winner(mover))
    return Over(Winner(mover.other))


def as_two_player_game(game: Game, first: Side = Player.MAXIE) -> TwoPlayerGame:
    """A `Game`, such as your ZeroBy, as a two-player game for Minnie and Maxie.

    `first` is the player who moves first, Player.MAXIE or Player.MINNIE.

    >>> from api import TicTacToe
    >>> game = as_two_player_game(TicTacToe())
    >>> game.make_move(game.start(), 4)
    Turn(position='....X....', player=Player.MINNIE)
    """
    return _TwoPlayerVersion(game, first)


@dataclass(slots=True, unsafe_hash=True, repr=False)
class PlayedState:
    """A state of a two-player game, as the snapshot of an AbstractGameState.

    Two snapshots are equal if their games and their states are equal.
    """

    game: TwoPlayerGame = field(hash=False)
    state: Any
    # The move that led to the state; None at the start.
    move: Any = field(default=None, compare=False)

    def prev_move_string(self) -> str:
        """The move that led here, in the game's own words; "" at the start."""
        if self.move is None:
            return ""
        mover = self.game.player(self.state).other
        name = self.game.player_to_string(mover)
        return f"{name} moved {self.game.move_to_string(self.move)}."

    def __str__(self) -> str:
        return self.game.state_to_string(self.state)

    def __repr__(self) -> str:
        return f"<state {self.state!r}>"


def two_player_state(
    game: TwoPlayerGame,
    state: Any = None,
    before_moves: Callable[[], object] = lambda: None,
) -> AbstractGameState:
    """A two-player game as an AbstractGameState.

    The game begins at `state`; without a state, at its own start.

    Maxie is the maximizer, whatever flag a search passes: a game that Maxie has won
    scores 1000, a game that Minnie has won scores -1000, and a draw scores 0.  So pass
    the search `maximize=True` only if Maxie is to move.

    Each state calls `before_moves` before it lists its moves.  If `before_moves` raises
    an exception, the search ends.

    >>> from api import Nim
    >>> child = two_player_state(Nim(1)).generate_next_states()[0]
    >>> child.describe_previous_move(), child.get_endgame_score()
    ('Maxie moved 1.', -1000)
    """

    # The first two functions are named after the methods that they call, because error
    # messages show these names.

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
        status_here = game.status(now.state)
        if not isinstance(status_here, Over):
            return 0
        return score_of(Definitely(status_here.outcome))

    root = PlayedState(game, game.start() if state is None else state)
    return AbstractGameState(root, status, moves, endgame_score)


def game_estimate(
    snapshot: PlayedState,
    maximize: bool = True,
    *,
    is_current_player_maximizer: bool = True,
) -> float:
    """The heuristic for two-player games: the game's own estimate as a score.

    The score is from Maxie's point of view, whatever the flag says: 1000 for a sure win
    of Maxie, -1000 for a sure win of Minnie, and from -999 to 999 for a guess.

    >>> from api import Nim
    >>> game_estimate(two_player_state(Nim(4)).get_snapshot())
    1000
    """
    return score_of(snapshot.game.estimate(snapshot.state))


def score_of(estimate: Estimate) -> float:
    """An estimate as a number from Maxie's point of view, from -1000 to 1000.

    >>> score_of(Definitely(Winner(Player.MINNIE))), score_of(Definitely(DRAW))
    (-1000, 0)
    >>> score_of(Guess(2)), score_of(Guess(5000))
    (2, 999)
    """
    if isinstance(estimate, Guess):
        return max(-HIGHEST_GUESS, min(HIGHEST_GUESS, estimate.score))
    if not isinstance(estimate, Definitely):
        return 0
    if not isinstance(estimate.outcome, Winner):
        return 0
    return WON if estimate.outcome.player is Player.MAXIE else -WON
