"""Measures how much time the recorder adds to a search.

While a submission is graded, the recorder works in the child process.  Here it watches
a search of the model solution in this process.  So that the times can be compared, this
process collects garbage as seldom as the child does.
"""

import gc
from collections.abc import Callable

import lab
from api import AbstractGameState, always_zero
from grader.child.recorder import Recorder
from grader.sandbox.child import OBJECTS_BETWEEN_COLLECTIONS
from staff.bench.bare import EVALUATIONS
from staff.bench.figures import Figure, Side
from staff.bench.timing import timed

DEPTH = 6
TIMES_AN_UNRECORDED_SEARCH = 1.15


def figures() -> list[Figure]:
    """Return one row, which compares a search with and without the recorder."""
    plain = _side("not recorded", lambda: _search(_start(), always_zero))
    recorded = _side("", _recorded)
    what = f"recorded search, depth {DEPTH}"
    return [Figure(what, recorded, plain, TIMES_AN_UNRECORDED_SEARCH, repeats=25)]


def _side(name: str, search: Callable[[], int]) -> Side:
    """Return a search as a side of a comparison.

    `search` does the search, and returns its number of evaluations.
    """

    def as_in_a_grade() -> int:
        threshold, *others = gc.get_threshold()
        gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
        try:
            return search()
        finally:
            gc.set_threshold(threshold, *others)

    return Side(name, timed(as_in_a_grade, EVALUATIONS[DEPTH], times=2))


def _search(state: AbstractGameState, heuristic: Callable[..., float]) -> int:
    """Search with the alpha-beta of the model solution; return the number of
    evaluations.
    """
    _, _, evaluations = lab.minimax_search_alphabeta(
        state, heuristic_fn=heuristic, depth_limit=DEPTH
    )
    return int(evaluations)


def _recorded() -> int:
    """Search while the recorder watches; return the number of evaluations.

    The search is that of the model solution, from the empty board.
    """
    recorder = Recorder()
    return _search(recorder.watch(_start()), recorder.watch_heuristic(always_zero))


def _start() -> AbstractGameState:
    """Return a new state with the empty board of Connect Four."""
    state: AbstractGameState = lab.state_starting_connectfour.copy()
    return state
