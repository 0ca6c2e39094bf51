"""The referee: plays a game between two contestants, and checks moves on its board."""

from grader.ladder.contestant import BUDGET, Contestant
from grader.ladder.game import Game


def play(
    first: Contestant, second: Contestant, opening: int, budget: int = BUDGET
) -> Game:
    """Return a game that begins with this opening; `first` moves next.

    Both contestants may be the same object only if it is a rung.  Raises KeptOut.
    """
    raise NotImplementedError
