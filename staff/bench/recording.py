"""The recorder: what it adds to a search that is graded.

In a grade it sits in the child process; here it watches the model solution's search in this one,
where garbage is collected as seldom as there.
The first row is the search itself, the second one the search and the report on it.
"""

import gc
from collections.abc import Callable

import lab
from api import AbstractGameState, always_zero
from grader.calls.recorder import Recorder
from grader.sandbox.child import OBJECTS_BETWEEN_COLLECTIONS
from staff.bench.bare import EVALUATIONS
from staff.bench.figures import Figure, Side
from staff.bench.timing import timed

TIMES_AN_UNRECORDED_SEARCH = 1.15


def figures(quick: bool) -> list[Figure]:
    """One search with and without the recorder, and with its report."""
    depth = 4 if quick else 6
    plain = _side("not recorded", _plain_search, depth)
    return [
        Figure(
            f"recorded search, depth {depth}",
            _side("", _recorded_search, depth),
            plain,
            at_most=TIMES_AN_UNRECORDED_SEARCH,
            repeats=25,
        ),
        Figure("recorded and reported", _side("", _reported_search, depth), plain, repeats=25),
    ]


def _side(name: str, search: Callable[[int], int], depth: int) -> Side:
    """A search that returns its evaluations, as a side."""

    def as_in_a_grade() -> int:
        threshold, *others = gc.get_threshold()
        gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
        try:
            return search(depth)
        finally:
            gc.set_threshold(threshold, *others)

    return Side(name, timed(as_in_a_grade, EVALUATIONS[depth], times=2))


def _plain_search(depth: int) -> int:
    result = lab.minimax_search_alphabeta(_start(), heuristic_fn=always_zero, depth_limit=depth)
    return int(result[2])


def _recorded_search(depth: int, recorder: Recorder | None = None) -> int:
    recorder = recorder or Recorder()
    result = lab.minimax_search_alphabeta(
        recorder.watch(_start()), heuristic_fn=recorder.watch_heuristic(always_zero), depth_limit=depth
    )
    return int(result[2])


def _reported_search(depth: int) -> int:
    """The evaluations that the recorder saw, which are all of them."""
    recorder = Recorder()
    _recorded_search(depth, recorder)
    return int(recorder.report()["evaluated"])


def _start() -> AbstractGameState:
    state: AbstractGameState = lab.state_starting_connectfour.copy()
    return state
