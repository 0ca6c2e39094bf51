"""`make test` on the model solution, against `python -m pytest` on one empty test.

Both are CPU seconds with all child processes, and warm: the first turn of each is thrown away.
Both load no pytest plugin but pytest-timeout, which is what a student's environment has: a
plugin that merely happens to be installed here would make the empty test dearer, and the limits
easier to hold.
"""

import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from staff.bench.figures import Figure, Side
from staff.bench.timing import ROOT, child

# What `make test` runs in a release, and the same without the cases that take long by design.
TEST = (sys.executable, "-m", "grader", "test")
_SHORT = """
import sys
from boards.cases import load_bank
from grader.places.testing import KIT, run
is_short = lambda case: case.function != "make_run" and case.id != "solve/a-hundred-thousand-steps"
sys.exit(run(KIT / "lab.py", is_short, False, load_bank()))
"""
TEST_WITHOUT_LONG_CASES = (sys.executable, "-c", _SHORT)

TIMES_AN_EMPTY_TEST = 7
TIMES_AN_EMPTY_TEST_WITHOUT_LONG_CASES = 3

PLUGINS = {
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    "PYTEST_PLUGINS": "pytest_timeout" if find_spec("pytest_timeout") else "",
}


def figures(quick: bool) -> list[Figure]:
    """All cases, and those without the long ones; a quick bench takes the second alone."""
    everything = Figure(
        "make test", _grading(TEST), _empty_test(), at_most=TIMES_AN_EMPTY_TEST, repeats=3, warm_up=True
    )
    without_long_cases = Figure(
        "make test, no long cases",
        _grading(TEST_WITHOUT_LONG_CASES),
        _empty_test(),
        at_most=TIMES_AN_EMPTY_TEST_WITHOUT_LONG_CASES,
        warm_up=True,
    )
    return [without_long_cases] if quick else [everything, without_long_cases]


def _grading(command: Sequence[str]) -> Side:
    return Side("", _pytest_child(command, ROOT))


def _empty_test() -> Side:
    def seconds() -> float:
        with TemporaryDirectory() as folder:
            Path(folder, "test_empty.py").write_text("def test_nothing():\n    pass\n")
            return _pytest_child((sys.executable, "-m", "pytest"), Path(folder))()

    return Side("empty pytest", seconds)


def _pytest_child(command: Sequence[str], folder: Path) -> Callable[[], float]:
    """The exit status alone says whether a run of tests was right."""
    return child(command, lambda stdout: True, folder, PLUGINS)
