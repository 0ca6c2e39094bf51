"""Makes the search of the kit with another library: easyAI, with its Negamax and its
own ConnectFour (on numpy).

The search begins with the empty board, takes columns from left to right, and values
every unfinished position at 0.  It returns its number of evaluations, which shows that
the library does the same work as the kit.
"""

from importlib.util import find_spec

from staff.bench.bare import EVALUATIONS
from staff.bench.figures import Side
from staff.bench.timing import timed


def rivals(depth: int) -> list[Side]:
    """Return a side of a comparison for each other library that is installed.

    The side is a search to this depth with that library.
    """
    if find_spec("easyAI") is None:
        return []
    return [
        Side("easyAI", timed(lambda: _search_with_easyai(depth), EVALUATIONS[depth]))
    ]


def _search_with_easyai(depth: int) -> int:
    """Search with easyAI to this depth; return the number of evaluations."""
    from easyAI import Human_Player, Negamax
    from easyAI.games import ConnectFour

    evaluations = 0

    def scoring(game: ConnectFour) -> int:
        nonlocal evaluations
        evaluations += 1
        if game.lose():
            return -100
        return 0

    Negamax(depth, scoring)(ConnectFour([Human_Player(), Human_Player()]))
    return evaluations
