"""The recorder: what it adds to a search that is graded.

In a grade it sits in the child process; here it watches the model solution's search in this one, and garbage is
collected as seldom as there.
"""

import gc
from collections.abc import Callable

import lab
from api import AbstractGameState, always_zero
from grader.calls.recorder import Recorder
from grader.sandbox.worker import OBJECTS_BETWEEN_COLLECTIONS
from staff.bench.bare import EVALUATIONS
from staff.bench.figures import Figure, Side
from staff.bench.timing import timed

TIMES_AN_UNRECORDED_SEARCH = 1.15


def figures(quick: bool) -> list[Figure]:
    """One search with and without the recorder."""
    depth = 4 if quick else 6
    what, at_most = f"recorded search, depth {depth}", TIMES_AN_UNRECORDED_SEARCH
    plain = _side("not recorded", lambda: _search(_start(), always_zero, depth), depth)
    recorded = _side("", lambda: _recorded(Recorder(), depth), depth)
    return [Figure(what, recorded, plain, at_most=at_most, repeats=25)]


def _side(name: str, search: Callable[[], int], depth: int) -> Side:
    """A search that returns its evaluations, as a side."""

    def as_in_a_grade() -> int:
        threshold, *others = gc.get_threshold()
        gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
        try:
            return search()
        finally:
            gc.set_threshold(threshold, *others)

    return Side(name, timed(as_in_a_grade, EVALUATIONS[depth], times=2))


def _search(state: AbstractGameState, heuristic: Callable[..., float], depth: int) -> int:
    return int(lab.minimax_search_alphabeta(state, heuristic_fn=heuristic, depth_limit=depth)[2])


def _recorded(recorder: Recorder, depth: int) -> int:
    return _search(recorder.watch(_start()), recorder.watch_heuristic(always_zero), depth)


def _start() -> AbstractGameState:
    state: AbstractGameState = lab.state_starting_connectfour.copy()
    return state
