"""Alpha-beta on Connect Four: the model solution, through everything that the api promises.

Deeper searches see fuller boards, with more chains to list, so that the first limit belongs to depth 7.
"""

import lab
from staff.bench.bare import EVALUATIONS, bare_side
from staff.bench.figures import Figure, Side
from staff.bench.rivals import rivals
from staff.bench.timing import timed

TIMES_THE_BARE_RECURSION = 8
TIMES_FASTER_THAN_A_RIVAL = 30


def figures(quick: bool) -> list[Figure]:
    """Against the bare recursion, and against each other library that is installed."""
    depth = 4 if quick else 7
    what, model = f"alpha-beta, depth {depth}", _model(depth)
    return [
        Figure(what, model, bare_side(depth), at_most=TIMES_THE_BARE_RECURSION, repeats=9),
        *(Figure(what, model, rival, at_least=TIMES_FASTER_THAN_A_RIVAL, repeats=3) for rival in rivals(depth)),
    ]


def _model(depth: int) -> Side:
    """The model solution's search from the empty board, as a side."""

    def search() -> tuple[float, int]:
        _, score, evaluations = lab.minimax_search_alphabeta(lab.state_starting_connectfour, depth_limit=depth)
        return score, evaluations

    return Side("the model", timed(search, (0, EVALUATIONS[depth])))
