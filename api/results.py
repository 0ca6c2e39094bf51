"""The result of a search, and small helpers for searches.

result        the tuple (path, score, evaluations)
path          the list of states from the given state to the state that was scored,
              including both
score         the score of that last state, from the maximizer's point of view
evaluations   the number of static evaluations that the search made: how often it
              asked for an endgame score or for a heuristic score
"""

from collections.abc import Sequence
from typing import Any

INF = float("inf")


def always_zero(
    snapshot: Any, maximize: bool = True, *, is_current_player_maximizer: bool = True
) -> int:
    """The heuristic that scores every position 0, whatever the flag says.

    >>> always_zero("any position", maximize=False)
    0
    """
    return 0


def is_class_instance(obj: object, class_name: str) -> bool:
    """Whether an object's class, or a base class of it, has this name.

    >>> is_class_instance(AnytimeValue(), "AnytimeValue")
    True
    """
    return any(kind.__name__ == class_name for kind in type(obj).__mro__)


def pretty_print_dfs_type(result: Sequence[Any] | None) -> None:
    """Print the result of a search: moves, last position, score and evaluations.

    `result` is a tuple (path, score, evaluations).  If it is None, the function prints
    that there is no result yet.

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
    """Holds the results of a search as they improve.

    The last result is the current one.  `history` is the list of all results, with the
    first result first.

    >>> anytime = AnytimeValue()
    >>> anytime.set_value(([], 3, 7))
    >>> anytime.set_value(([], 5, 49))
    >>> anytime.get_value(), anytime.total_evaluations
    (([], 5, 49), 56)
    """

    def __init__(self) -> None:
        self.history: list[Sequence[Any]] = []

    def set_value(self, val: Sequence[Any]) -> None:
        """Make `val` the current result, and add it to the history.

        `val` is a tuple (path, score, evaluations).  Raises TypeError for anything but
        a tuple or list of length three.
        """
        if not isinstance(val, (tuple, list)) or len(val) != 3:
            raise TypeError(
                f"set_value takes a tuple (path, score, evaluations), not {val!r}"
            )
        self.history.append(val)

    def get_value(self) -> Sequence[Any] | None:
        """The current result: the last one that was set, or None if there is none."""
        return self.history[-1] if self.history else None

    @property
    def total_evaluations(self) -> int:
        """The sum of the static evaluations of all results in the history."""
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
        """Print every result in the history, and the sum of their evaluations."""
        for number, result in enumerate(self.history, start=1):
            print(f"--- result {number} of {len(self.history)}")
            pretty_print_dfs_type(result)
        print(f"--- static evaluations in all: {self.total_evaluations}")
