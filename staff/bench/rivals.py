"""The same search in easyAI, with its shipped ConnectFour (on numpy) and its Negamax.

It begins with the empty board, takes columns from left to right, and every unfinished
position is worth 0.

It returns the evaluations that it made, so that nothing is compared with less work.
"""

from importlib.util import find_spec

from staff.bench.bare import EVALUATIONS
from staff.bench.figures import Side
from staff.bench.timing import timed


def rivals(depth: int) -> list[Side]:
    """The searches of other libraries that are installed here, to this depth."""
    if find_spec("easyAI") is None:
        return []
    return [
        Side("easyAI", timed(lambda: _search_with_easyai(depth), EVALUATIONS[depth]))
    ]


def _search_with_easyai(depth: int) -> int:
    from easyAI import Human_Player, Negamax
    from easyAI.games import ConnectFour

    evaluations = 0

    def scoring(game: ConnectFour) -> int:
        nonlocal evaluations
        evaluations += 1
        return -100 if game.lose() else 0

    Negamax(depth, scoring)(ConnectFour([Human_Player(), Human_Player()]))
    return evaluations
