"""Alpha-beta on Connect Four: the model solution, through everything that the api promises."""

import lab
from staff.bench.bare import EVALUATIONS, bare_side
from staff.bench.figures import Figure, Side
from staff.bench.rivals import aima_python, easyai, open_spiel
from staff.bench.timing import timed

TIMES_THE_BARE_RECURSION = 10
TIMES_FASTER_THAN_AIMA = 1
TIMES_FASTER_THAN_EASYAI = 12


def figures(quick: bool) -> list[Figure]:
    """Against the bare recursion, and against three libraries, at two depths.

    Deeper searches see fuller boards, with more chains to list, so that the first limit belongs
    to depth 7.
    """
    if quick:
        return [Figure(_what(4), model(4), rival(4)) for rival in (bare_side, aima_python, easyai, open_spiel)]
    return [
        Figure(_what(6), model(6), bare_side(6), repeats=9),
        Figure(_what(7), model(7), bare_side(7), at_most=TIMES_THE_BARE_RECURSION, repeats=9),
        Figure(_what(6), model(6), aima_python(6)),
        Figure(_what(7), model(7), aima_python(7), at_least=TIMES_FASTER_THAN_AIMA, repeats=9),
        Figure(_what(6), model(6), easyai(6), at_least=TIMES_FASTER_THAN_EASYAI),
        Figure(_what(7), model(7), easyai(7), at_least=TIMES_FASTER_THAN_EASYAI, repeats=3),
        Figure(_what(6), model(6), open_spiel(6)),
        Figure(_what(7), model(7), open_spiel(7)),
    ]


def model(depth: int) -> Side:
    """The model solution's search from the empty board, as a side."""

    def search() -> tuple[float, int]:
        _, score, evaluations = lab.minimax_search_alphabeta(lab.state_starting_connectfour, depth_limit=depth)
        return score, evaluations

    return Side("the model", timed(search, (0, EVALUATIONS[depth])))


def _what(depth: int) -> str:
    return f"alpha-beta, depth {depth}"
