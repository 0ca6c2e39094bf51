"""The result of a search, and small things that every search needs.

result       the tuple (path, score, evaluations)
path         the list of states from the given state to the leaf that was scored
score        the score of that leaf, from the maximizer's point of view
evaluations  the number of static evaluations that the search made: how often it asked
             for an endgame score or for a heuristic score
"""

from collections.abc import Sequence
from typing import Any

INF = float("inf")


def always_zero(
    snapshot: Any, maximize: bool = True, *, is_current_player_maximizer: bool = True
) -> int:
    """The heuristic that scores every position 0.

    >>> always_zero("any position", maximize=False)
    0
    """
    return 0


def is_class_instance(obj: object, class_name: str) -> bool:
    """Whether the class of an object, or a base class of that class, has this name.

    >>> is_class_instance(AnytimeValue(), "AnytimeValue")
    True
    """
    return any(kind.__name__ == class_name for kind in type(obj).__mro__)


def pretty_print_dfs_type(result: Sequence[Any] | None) -> None:
    """Print a result: the moves, the last position, the score and the evaluations.

    For None, print that there is no result yet.

    >>> from api import TicTacToe, as_game_state, move_sequence
    >>> path = move_sequence(as_game_state(TicTacToe()), [4, 0])
    >>> pretty_print_dfs_type((path, 0, 17))
    Moves:
      1. Put X in the middle.
      2. Put O in the top left corner.
    Leads to:
      O . .
      . X .
      . . .
    Score: 0
    Static evaluations: 17
    """
    if result is None:
        print("No result yet.")
        return
    path, score, evaluations = result
    states = list(path or [])
    print("Moves:" if len(states) > 1 else "Moves: none")
    for ply, state in enumerate(states[1:], start=1):
        print(f"  {ply}. {state.describe_previous_move()}")
    if states:
        print("Leads to:")
        print("\n".join(f"  {line}" for line in str(states[-1]).splitlines()))
    print(f"Score: {score}")
    print(f"Static evaluations: {evaluations}")


class AnytimeValue:
    """A result that gets better while a search goes on.

    It keeps the current result and, in `history`, every result, the first one first.

    >>> anytime = AnytimeValue()
    >>> anytime.set_value(([], 3, 7))
    >>> anytime.set_value(([], 5, 49))
    >>> anytime.get_value(), anytime.total_evaluations
    (([], 5, 49), 56)
    """

    def __init__(self) -> None:
        self.history: list[Sequence[Any]] = []

    def set_value(self, val: Sequence[Any]) -> None:
        """Make `val`, a tuple (path, score, evaluations), the current result.

        Raises TypeError for anything but a tuple or list of three.
        """
        if not isinstance(val, (tuple, list)) or len(val) != 3:
            raise TypeError(
                f"set_value takes a tuple (path, score, evaluations), not {val!r}"
            )
        self.history.append(val)

    def get_value(self) -> Sequence[Any] | None:
        """The current result; None if there is no result yet."""
        return self.history[-1] if self.history else None

    @property
    def total_evaluations(self) -> int:
        """The number of static evaluations of all results together."""
        return sum(evaluations for _, _, evaluations in self.history)

    def __repr__(self) -> str:
        if not self.history:
            return "<AnytimeValue: no result yet>"
        _, score, evaluations = self.history[-1]
        return (
            f"<AnytimeValue: result {len(self.history)}, score {score}, "
            f"evaluations: {evaluations}>"
        )

    def pretty_print(self) -> None:
        """Print every result of the history, and the evaluations of all together."""
        for number, result in enumerate(self.history, start=1):
            print(f"--- result {number} of {len(self.history)}")
            pretty_print_dfs_type(result)
        print(f"--- static evaluations in all: {self.total_evaluations}")
