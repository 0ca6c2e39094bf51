"""AbstractGameState: any game, seen as a tree that a search can walk.

A state holds a *snapshot* (a board, a position or a node of a drawn tree) and three
functions that know the rules of the game.  A search needs nothing else, so that one
search can play every game.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

IsGameOver = Callable[[Any], bool]
NextSnapshots = Callable[[Any], Sequence[Any]]
EndgameScore = Callable[..., float]


class _Rules(NamedTuple):
    """What all states of one game share."""

    is_game_over: IsGameOver
    next_snapshots: NextSnapshots
    endgame_score: EndgameScore
    root: Any  # the snapshot that the game began with


class AbstractGameState:
    """A snapshot of a game, together with the rules of the game.

    The three functions of the rules take a snapshot:

    - `is_game_over_fn(snapshot)` returns whether the game has ended.
    - `generate_next_states_fn(snapshot)` returns the snapshots after one move, in the
      order of the moves.
    - `endgame_score_fn(snapshot, is_current_player_maximizer)` returns the score of a
      game that has ended, *from the maximizer's point of view*: the higher, the better
      for the maximizer, whoever is to move.

    Two states are equal if their snapshots are equal.  A state can be a key of a dict
    if its snapshot can.  Your search may add attributes to a state, such as
    `state.parent = node`.

    >>> countdown = AbstractGameState(
    ...     snapshot=2,
    ...     is_game_over_fn=lambda n: n == 0,
    ...     generate_next_states_fn=lambda n: [n - 1],
    ...     endgame_score_fn=lambda n, maximize: -1 if maximize else 1,
    ... )
    >>> [state.get_snapshot() for state in countdown.generate_next_states()]
    [1]
    """

    __slots__ = ("__dict__", "__weakref__", "_over", "_rules", "snapshot")

    def __init__(
        self,
        snapshot: Any,
        is_game_over_fn: IsGameOver,
        generate_next_states_fn: NextSnapshots,
        endgame_score_fn: EndgameScore,
    ) -> None:
        self.snapshot = snapshot
        self._rules = _Rules(
            is_game_over_fn, generate_next_states_fn, endgame_score_fn, snapshot
        )
        self._over: bool | None = None

    def get_snapshot(self) -> Any:
        """The position itself, such as a board.  A heuristic takes this snapshot."""
        return self.snapshot

    def is_game_over(self) -> bool:
        """Whether the game has ended here.  If so, this state is a leaf."""
        if self._over is None:
            self._over = self._rules.is_game_over(self.snapshot)
        return self._over

    def generate_next_states(self) -> list["AbstractGameState"]:
        """The list of states after one move, in the order of the moves.

        If the game is over, the list is empty.  Raises ValueError if the rules
        contradict each other: the game is not over, but there is no move.
        """
        if self.is_game_over():
            return []
        rules = self._rules
        snapshots = rules.next_snapshots(self.snapshot)
        if not snapshots:
            raise ValueError(
                f"{name_of(rules.is_game_over, 'is_game_over_fn')} says that the game "
                "is not over here, but "
                f"{name_of(rules.next_snapshots, 'generate_next_states_fn')} "
                "finds no next state"
            )
        return [_state(snapshot, rules) for snapshot in snapshots]

    def get_endgame_score(self, is_current_player_maximizer: bool = True) -> float:
        """The score of a game that has ended, from the maximizer's point of view.

        `is_current_player_maximizer` says whether the maximizer would be to move
        *here*, and the score may depend on that.  Raises ValueError if the game is not
        over.
        """
        if not self.is_game_over():
            says = name_of(self._rules.is_game_over, "is_game_over_fn")
            raise ValueError(
                f"the game is not over here ({says} says so), "
                "so it has no endgame score"
            )
        return self._rules.endgame_score(self.snapshot, is_current_player_maximizer)

    def describe_previous_move(self) -> str:
        """The move that led here, as the snapshot describes it; "" if it cannot."""
        for name in ("describe_previous_move", "prev_move_string"):
            describe = getattr(self.snapshot, name, None)
            if callable(describe):
                return describe() or ""
        return ""

    def restart(self) -> "AbstractGameState":
        """The state at the beginning of this game."""
        return _state(self._rules.root, self._rules)

    def copy(self) -> "AbstractGameState":
        """An equal state."""
        return _state(self.snapshot, self._rules)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AbstractGameState):
            return NotImplemented
        return bool(self.snapshot == other.snapshot)

    def __hash__(self) -> int:
        return hash(self.snapshot)

    def __str__(self) -> str:
        return str(self.snapshot)

    def __repr__(self) -> str:
        return f"<AbstractGameState of {self.snapshot!r}>"


def _state(snapshot: Any, rules: _Rules) -> AbstractGameState:
    """A new state with the same rules.  It skips __init__, which saves time."""
    state = _new(AbstractGameState)
    state.snapshot = snapshot
    state._rules = rules
    state._over = None
    return state


_new = object.__new__


def rules_of(
    state: AbstractGameState,
) -> tuple[IsGameOver, NextSnapshots, EndgameScore]:
    """The three functions that are the rules of a state's game.

    Their order is that of AbstractGameState's parameters.

    >>> from api import parse_tree, tree_state
    >>> state = tree_state(parse_tree("root\\n  3\\n  5"))
    >>> AbstractGameState(state.snapshot, *rules_of(state)) == state
    True
    """
    return state._rules[:3]


def name_of(function: Callable[..., Any], parameter: str = "") -> str:
    """The name of a function, for an error message.

    If the function's own name is private or is not a name (`<lambda>`), the result is
    the name of the parameter that the function was passed for.

    >>> name_of(len, "is_game_over_fn"), name_of(lambda board: 1, "is_game_over_fn")
    ('len', 'is_game_over_fn')
    """
    name: str = getattr(function, "__name__", repr(function))
    if parameter and (name.startswith("_") or not name.isidentifier()):
        return parameter
    return name


def move_sequence(
    state: AbstractGameState, indices: Sequence[int] = ()
) -> list[AbstractGameState]:
    """The path that starts at `state` and follows the child indices, as a list.

    Each index chooses a child of the previous state; 0 is the first child.  Raises
    IndexError if there is no such child.

    >>> from api import TicTacToe, as_game_state
    >>> path = move_sequence(as_game_state(TicTacToe()), [4, 0])
    >>> print(path[-1])
    O . .
    . X .
    . . .
    """
    path = [state]
    for index in indices:
        path.append(path[-1].generate_next_states()[index])
    return path
