"""`make test` on the model solution, against `python -m pytest` on one empty test.

CPU seconds are those of all its processes, by `perf stat -e task-clock`; where there is no perf, those of
the processes that somebody has buried: a worker with namespaces of its own may end with nobody to count it.
The clock on the wall says what two cores are good for.  All is warm: the first turn of each is thrown away.
Both sides load no plugin of pytest's but pytest-timeout, which is what a student's environment has: a plugin
that merely happens to be installed here would make the empty test dearer, and the limits easier to hold.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from staff.bench.figures import Figure, Side
from staff.bench.timing import ROOT, child, seconds_of_children

# What `make test` runs in a release, where no staff/ looks for what the course decides.
_TEST = """
import sys
from pathlib import Path
from grader.commands.testing import main
sys.exit(main(sys.argv[1:], Path("lab.py")))
"""
_SHORT = """
import sys
from pathlib import Path
from boards.cases import Bank, load_bank
from grader.commands.testing import main
bank = load_bank()
is_short = lambda case: case.function != "make_run" and case.id != "solve/a-hundred-thousand-steps"
sys.exit(main([], Path("lab.py"), Bank(bank.parts, tuple(filter(is_short, bank.cases)))))
"""
ALL, SHORT, ONE = ("-c", _TEST), ("-c", _SHORT), ("-c", _TEST, "--k", "dfs/two-by-two")
EMPTY = ("-m", "pytest", "-p", "pytest_timeout")
NO_PLUGINS = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}

TIMES_AN_EMPTY_TEST = 7
TIMES_AN_EMPTY_TEST_ON_THE_CLOCK = 4
TIMES_AN_EMPTY_TEST_WITHOUT_LONG_CASES = 4
TIMES_AN_EMPTY_TEST_FOR_ONE_CASE = 2.2


def figures(quick: bool) -> list[Figure]:
    """All cases by CPU and on the clock, those that take no time by design, and one; a quick bench takes the last."""
    one = _figure("make test K=, one case", ONE, TIMES_AN_EMPTY_TEST_FOR_ONE_CASE)
    if quick:
        return [one]
    return [
        _figure("make test", ALL, TIMES_AN_EMPTY_TEST),
        _figure("make test, on the clock", ALL, TIMES_AN_EMPTY_TEST_ON_THE_CLOCK, time.perf_counter),
        _figure("make test, no long cases", SHORT, TIMES_AN_EMPTY_TEST_WITHOUT_LONG_CASES),
        one,
    ]


def _figure(
    what: str, words: tuple[str, ...], at_most: float, clock: Callable[[], float] = seconds_of_children
) -> Figure:
    grading = Side("", _python(words, ROOT, clock))
    return Figure(what, grading, Side("empty pytest", _empty_test(clock)), at_most, repeats=7, warm_up=True)


def _empty_test(clock: Callable[[], float]) -> Callable[[], float]:
    def seconds() -> float:
        with TemporaryDirectory() as folder:
            Path(folder, "test_empty.py").write_text("def test_nothing():\n    pass\n")
            return _python(EMPTY, Path(folder), clock)()

    return seconds


def _python(words: tuple[str, ...], folder: Path, clock: Callable[[], float]) -> Callable[[], float]:
    """The exit status alone says whether a run of tests was right."""
    return child((sys.executable, *words), lambda stdout: True, folder, NO_PLUGINS, clock)
