"""The recorder: what it adds to a search that is graded.

In a grade it sits in the child process; here it watches the model solution's search in
this one, and garbage is collected as seldom as there.
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

DEPTH, TIMES_AN_UNRECORDED_SEARCH = 6, 1.15


def figures() -> list[Figure]:
    """One search with and without the recorder."""
    plain = _side("not recorded", lambda: _search(_start(), always_zero))
    what, recorded = f"recorded search, depth {DEPTH}", _side("", _recorded)
    return [Figure(what, recorded, plain, TIMES_AN_UNRECORDED_SEARCH, repeats=25)]


def _side(name: str, search: Callable[[], int]) -> Side:
    """A search that returns its evaluations, as a side."""

    def as_in_a_grade() -> int:
        threshold, *others = gc.get_threshold()
        gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
        try:
            return search()
        finally:
            gc.set_threshold(threshold, *others)

    return Side(name, timed(as_in_a_grade, EVALUATIONS[DEPTH], times=2))


def _search(state: AbstractGameState, heuristic: Callable[..., float]) -> int:
    return int(
        lab.minimax_search_alphabeta(state, heuristic_fn=heuristic, depth_limit=DEPTH)[
            2
        ]
    )


def _recorded() -> int:
    recorder = Recorder()
    return _search(recorder.watch(_start()), recorder.watch_heuristic(always_zero))


def _start() -> AbstractGameState:
    state: AbstractGameState = lab.state_starting_connectfour.copy()
    return state
