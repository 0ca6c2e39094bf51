"""The same search in other libraries: alpha-beta to a depth from the empty Connect Four board,
columns from left to right, every unfinished position worth 0.

    easyAI       its shipped ConnectFour (on numpy) and its Negamax      pip install easyAI numpy
    open_spiel   its alpha_beta_search in Python over its rules in C++   pip install open_spiel
    aima-python  its ConnectFour and its alphabeta_cutoff_search         pip install --no-deps aima3 tqdm

The first two are among the staff's libraries.  The third is not: no package of it is kept up, and
this one, of 2018, asks for a notebook server that its searches do not need.

Each search returns the evaluations that it made, so that nothing is compared with less work.
"""

from collections.abc import Callable
from importlib.util import find_spec

from staff.bench.bare import EVALUATIONS
from staff.bench.figures import Side
from staff.bench.timing import timed

# OpenSpiel's search asks no value function at finished positions, so its count leaves them out.
_UNFINISHED = {4: 97, 6: 685, 7: 4678}


def easyai(depth: int) -> Side:
    """easyAI's search as a side; without the library, a side that is missing."""
    return _side("easyAI", ("easyAI", "numpy"), lambda: _search_with_easyai(depth), EVALUATIONS[depth], times=1)


def open_spiel(depth: int) -> Side:
    """OpenSpiel's search as a side; without the library, a side that is missing."""
    return _side("OpenSpiel", ("pyspiel",), lambda: _search_with_open_spiel(depth), _UNFINISHED[depth], times=5)


def aima_python(depth: int) -> Side:
    """aima-python's search as a side; without the library, a side that is missing."""
    return _side("aima-python", ("aima3", "tqdm"), lambda: _search_with_aima(depth), EVALUATIONS[depth], times=2)


def _side(name: str, modules: tuple[str, ...], search: Callable[[], int], evaluations: int, times: int) -> Side:
    if not all(find_spec(module) for module in modules):
        return Side(name, missing="not installed")
    return Side(name, timed(search, evaluations, times))


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


def _search_with_aima(depth: int) -> int:
    from aima3.games import ConnectFour, alphabeta_cutoff_search

    game = ConnectFour()
    evaluations = 0

    def is_cut_off(state: object, plies: int) -> bool:
        return plies >= depth or game.terminal_test(state)

    def utility(state: object) -> int:
        nonlocal evaluations
        evaluations += 1
        return int(game.utility(state, "X"))

    alphabeta_cutoff_search(game.initial, game, cutoff_test=is_cut_off, eval_fn=utility)
    return evaluations
