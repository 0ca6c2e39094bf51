"""Measures alpha-beta on Connect Four: the model solution, through the public API.

A deeper search sees fuller boards, with more chains to list, so each of its nodes takes
longer.  Therefore the limit holds only for depth 7.
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
    """Return the rows that compare the model with the bare recursion, and with each
    installed library.
    """
    what = f"alpha-beta, depth {DEPTH}"
    model = _model()
    bare = bare_side(DEPTH)
    rows = [Figure(what, model, bare, at_most=TIMES_THE_BARE_RECURSION, repeats=9)]
    for rival in rivals(DEPTH):
        limit = TIMES_FASTER_THAN_A_RIVAL
        rows.append(Figure(what, model, rival, at_least=limit, repeats=3))
    return rows


def _model() -> Side:
    """Return a side of a comparison: the search of the model solution.

    It searches from the empty board.
    """

    def search() -> tuple[float, int]:
        _, score, evaluations = lab.minimax_search_alphabeta(
            lab.state_starting_connectfour, depth_limit=DEPTH
        )
        return score, evaluations

    return Side("the model", timed(search, (0, EVALUATIONS[DEPTH])))
