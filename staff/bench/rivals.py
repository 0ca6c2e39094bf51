"""The same search in other libraries: plain alpha-beta from the empty Connect Four board,
columns from left to right, every unfinished position worth 0.

    easyAI       its shipped ConnectFour (on numpy) and its Negamax
    open_spiel   its alpha_beta_search in Python over its rules in C++

Each search returns the evaluations that it made, so that nothing is compared with less work.
"""

from collections.abc import Callable
from importlib.util import find_spec

from staff.bench.bare import EVALUATIONS
from staff.bench.figures import Side
from staff.bench.timing import timed

_UNFINISHED = {4: 97, 7: 4678}  # OpenSpiel asks no value function at finished positions


def easyai(depth: int) -> Side:
    """easyAI's search as a side."""
    return _side("easyAI", "easyAI", lambda: _search_with_easyai(depth), EVALUATIONS[depth], times=1)


def open_spiel(depth: int) -> Side:
    """OpenSpiel's search as a side."""
    return _side("OpenSpiel", "pyspiel", lambda: _search_with_open_spiel(depth), _UNFINISHED[depth], times=5)


def _side(name: str, module: str, search: Callable[[], int], evaluations: int, times: int) -> Side:
    return Side(name, timed(search, evaluations, times) if find_spec(module) else None)


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


def _search_with_open_spiel(depth: int) -> int:
    import pyspiel
    from open_spiel.python.algorithms.minimax import alpha_beta_search

    evaluations = 0

    def value_function(state: object) -> int:
        nonlocal evaluations
        evaluations += 1
        return 0

    alpha_beta_search(pyspiel.load_game("connect_four"), value_function=value_function, maximum_depth=depth)
    return evaluations
