"""`make test` on the model solution, against `python -m pytest` on one empty test.

CPU seconds are those of the whole machine, which must be quiet.  All is warm: the first
turn of each is thrown away.  Both sides load no plugin of pytest's but pytest-timeout,
which is what a student's environment has: a plugin that merely happens to be installed
here would make the empty test dearer, and the limits easier to hold.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from staff.bench.figures import Figure, Side
from staff.bench.timing import child, machine_seconds

# What `make test` runs in a release, where no staff/ looks for what the course decides.
TEST = """
import sys
from pathlib import Path
from grader.commands.testing import main
sys.exit(main(sys.argv[1:], Path("lab.py")))
"""
_SHORT = """
import sys
from pathlib import Path
from grader.bank.cases import Bank
from grader.bank.reading import load_bank
from grader.commands.testing import main
bank = load_bank()
is_short = lambda case: case.function != "make_run" and case.id != "solve/a-hundred-thousand-steps"
sys.exit(main([], Path("lab.py"), Bank(bank.parts, tuple(filter(is_short, bank.cases)))))
"""
NO_PLUGINS = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}

TIMES_AN_EMPTY_TEST = 5.5
TIMES_AN_EMPTY_TEST_ON_THE_CLOCK = 4
TIMES_AN_EMPTY_TEST_WITHOUT_LONG_CASES = 4
TIMES_AN_EMPTY_TEST_FOR_ONE_CASE = 2


def figures() -> list[Figure]:
    """All cases by CPU and on the clock, those that are short, and one."""
    return [
        _figure("make test", [TEST], TIMES_AN_EMPTY_TEST),
        _figure(
            "make test, on the clock",
            [TEST],
            TIMES_AN_EMPTY_TEST_ON_THE_CLOCK,
            time.perf_counter,
        ),
        _figure(
            "make test, no long cases", [_SHORT], TIMES_AN_EMPTY_TEST_WITHOUT_LONG_CASES
        ),
        _figure(
            "make test K=, one case",
            [TEST, "--k", "dfs/two-by-two"],
            TIMES_AN_EMPTY_TEST_FOR_ONE_CASE,
        ),
    ]


def _figure(
    what: str,
    program: list[str],
    at_most: float,
    clock: Callable[[], float] = machine_seconds,
) -> Figure:
    grading = child(
        [sys.executable, "-c", *program], environment=NO_PLUGINS, clock=clock
    )
    return Figure(
        what,
        Side("", grading),
        Side("empty pytest", _empty_test(clock)),
        at_most,
        repeats=7,
        warm_up=True,
    )


def _empty_test(clock: Callable[[], float]) -> Callable[[], float]:
    def seconds() -> float:
        with TemporaryDirectory() as folder:
            Path(folder, "test_empty.py").write_text("def test_nothing():\n    pass\n")
            command = [sys.executable, "-m", "pytest", "-p", "pytest_timeout"]
            return child(
                command, folder=Path(folder), environment=NO_PLUGINS, clock=clock
            )()

    return seconds
