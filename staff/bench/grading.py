"""Measures `make test` on the model solution, against pytest on one empty test.

CPU seconds are those of the whole machine, which must be quiet.  The first turn of each
side is thrown away, so that files are in memory and compiled.  Both sides load only the
plugin pytest-timeout, as in a student's environment.  Any other plugin would make the
empty test slower, and the limits easier to hold.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from staff.bench.figures import Figure, Side
from staff.bench.timing import child, machine_seconds

TEST = ["-m", "staff.bench.programs.make_test"]
NO_PLUGINS = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}

TIMES_AN_EMPTY_TEST = 5.5
TIMES_AN_EMPTY_TEST_ON_THE_CLOCK = 4
TIMES_AN_EMPTY_TEST_WITHOUT_LONG_CASES = 4
TIMES_AN_EMPTY_TEST_FOR_ONE_CASE = 2


def figures() -> list[Figure]:
    """Return the rows of this topic.

    All cases are measured twice, in CPU time and on the clock.  The short cases have a
    row, and so has a single case.
    """
    return [
        _figure("make test", TEST, TIMES_AN_EMPTY_TEST),
        _figure(
            "make test, on the clock",
            TEST,
            TIMES_AN_EMPTY_TEST_ON_THE_CLOCK,
            time.perf_counter,
        ),
        _figure(
            "make test, no long cases",
            [*TEST, "--short"],
            TIMES_AN_EMPTY_TEST_WITHOUT_LONG_CASES,
        ),
        _figure(
            "make test K=, one case",
            [*TEST, "--k", "dfs/two-by-two"],
            TIMES_AN_EMPTY_TEST_FOR_ONE_CASE,
        ),
    ]


def _figure(
    what: str,
    program: list[str],
    at_most: float,
    clock: Callable[[], float] = machine_seconds,
) -> Figure:
    """Return the row that compares this program with pytest on an empty test."""
    grading = child([sys.executable, *program], environment=NO_PLUGINS, clock=clock)
    return Figure(
        what,
        Side("", grading),
        Side("empty pytest", _empty_test(clock)),
        at_most,
        repeats=7,
        warm_up=True,
    )


def _empty_test(clock: Callable[[], float]) -> Callable[[], float]:
    """Return a measurement: the seconds of pytest on an empty test."""

    def seconds() -> float:
        with TemporaryDirectory() as folder:
            Path(folder, "test_empty.py").write_text("def test_nothing():\n    pass\n")
            command = [sys.executable, "-m", "pytest", "-p", "pytest_timeout"]
            return child(
                command, folder=Path(folder), environment=NO_PLUGINS, clock=clock
            )()

    return seconds
