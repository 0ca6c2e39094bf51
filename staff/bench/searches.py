"""Alpha-beta on Connect Four: the model solution, through everything that the api
promises.

Deeper searches see fuller boards, with more chains to list, so that the first limit
belongs to depth 7.
"""

import lab
from staff.bench.bare import EVALUATIONS, bare_side
from staff.bench.figures import Figure, Side
from staff.bench.rivals import rivals
from staff.bench.timing import timed

DEPTH = 7
TIMES_THE_BARE_RECURSION = 8
TIMES_FASTER_THAN_A_RIVAL = 30


def figures() -> list[Figure]:
    """Against the bare recursion, and against each other library that is installed."""
    what, model = f"alpha-beta, depth {DEPTH}", _model()
    return [
        Figure(
            what, model, bare_side(DEPTH), at_most=TIMES_THE_BARE_RECURSION, repeats=9
        ),
        *(
            Figure(what, model, rival, at_least=TIMES_FASTER_THAN_A_RIVAL, repeats=3)
            for rival in rivals(DEPTH)
        ),
    ]


def _model() -> Side:
    """The model solution's search from the empty board, as a side."""

    def search() -> tuple[float, int]:
        _, score, evaluations = lab.minimax_search_alphabeta(
            lab.state_starting_connectfour, depth_limit=DEPTH
        )
        return score, evaluations

    return Side("the model", timed(search, (0, EVALUATIONS[DEPTH])))
