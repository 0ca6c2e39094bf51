"""What the kit's own tests share: cases, the model solution, and a fixed environment.

The environment is the same wherever the tests run: below make, on a service, in a hook
of git, on any terminal.
"""

import ast
import contextlib
import dataclasses
import os
import signal
import sys
import threading
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

import pytest

from grader.bank.cases import Bank, Case
from grader.bank.points import read_points
from grader.bank.reading import load_bank
from grader.grading.session import Session
from grader.grading.sheet import ScoreSheet
from grader.tools.board.server import BoardServer
from staff.submissions import rows

KIT = Path(__file__).parent.parent.parent
TOTAL = f"{sum(part.points for part in read_points()) / 100:g}"
SUBMISSIONS = KIT / "staff" / "submissions"
RIGHT_LABS = [
    KIT / "lab.py",
    *sorted((SUBMISSIONS / "right_labs").glob("[!h]*.py")),  # without heuristics.py
]
FUNCTIONS = rows.FUNCTIONS
first_and_last = rows.first_and_last
Submit = Callable[[str], Path]

STEERING = (
    "BROWSER", "CI", "CLICOLOR", "COLUMNS", "COURSE", "DISPLAY", "FAST", "FORCE_COLOR", "GIT_DIR",
    "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_WORK_TREE", "GITHUB_", "GRADER_", "ITEMIZED", "LAB", "LINES", "MAKE",
    "MFLAGS", "NO_COLOR", "PORT", "PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTHON", "TERM", "WAYLAND_DISPLAY",
)  # fmt: skip

# This is not in a fixture, because modules that are imported later read the variables.
for name in [name for name in os.environ if name.startswith(STEERING)]:
    del os.environ[name]
# git has nobody's settings, and accepts the kit whoever owns its files.
os.environ |= {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "safe.directory",
    "GIT_CONFIG_VALUE_0": "*",
}
os.umask(0o022)
with contextlib.suppress(ImportError):
    import resource

    # A process that crashes must leave no core file in the kit.
    hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
    resource.setrlimit(resource.RLIMIT_CORE, (0, hard))
# The tests start some thousand processes; without bytecode each would compile the kit.
sys.dont_write_bytecode = False
# A shell lets what it starts in the background ignore Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Marks a test that adds a part 5 to a copy of this master copy.
adds_part_5 = pytest.mark.skipif(
    any(part.number == 5 for part in read_points()), reason="there is a part 5 already"
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test that hangs ends some day, on any machine."""
    for item in items:
        item.add_marker(pytest.mark.timeout(900))


def pytest_configure(config: pytest.Config) -> None:
    """Declare the mark of the tests that only `make check ALL=1` and coverage run."""
    config.addinivalue_line("markers", "long: takes so long that few checks run it")


@pytest.fixture(autouse=True)
def the_same_lab() -> Iterator[None]:
    """Give `lab` back to later tests after a test that imports another lab.py."""
    before = sys.modules.get("lab")
    yield
    if before:
        sys.modules["lab"] = before


@pytest.fixture(scope="session")
def bank() -> Bank:
    return load_bank()


@pytest.fixture(scope="session")
def model() -> str:
    """The text of the model solution."""
    return (KIT / "lab.py").read_text(encoding="utf-8")


@pytest.fixture
def submit(tmp_path: Path) -> Submit:
    """Write a lab.py with this text, in place of an earlier one; its path."""

    def submit(text: str) -> Path:
        lab = tmp_path / "lab.py"
        lab.write_text(text, encoding="utf-8")
        return lab

    return submit


@pytest.fixture
def server(submit: Submit, model: str) -> Iterator[BoardServer]:
    """The server of make board; its lab.py is the model's until a test writes
    another.
    """
    with BoardServer(submit(model)) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture(scope="session")
def short_bank(bank: Bank) -> Bank:
    """All cases except those of part 0 that take long.

    They are for submissions whose part 0 is that of the model solution.
    """
    long = ("solve/a-hundred-thousand-steps", "solve/tic-tac-toe")
    cases = [
        case
        for case in bank.cases
        if case.function != "make_run" and case.id not in long
    ]
    return Bank(bank.parts, tuple(cases))


@pytest.fixture(scope="session")
def hasty_bank(bank: Bank, short_bank: Bank) -> Bank:
    """The short bank with an eighth of each time limit, for functions that hang."""
    hasty = (
        dataclasses.replace(case, seconds=case.seconds / 8) for case in short_bank.cases
    )
    return Bank(bank.parts, tuple(hasty))


@pytest.fixture(scope="session")
def few(hasty_bank: Bank) -> Bank:
    """Two hasty cases of each function, for failures that are alike in every case."""
    cases: list[Case] = []
    for name in FUNCTIONS:
        cases += first_and_last(name, hasty_bank)
    return Bank(hasty_bank.parts, tuple(cases))


def case_named(name: str, bank: Bank) -> Case:
    """The case with this id."""
    return next(case for case in bank.cases if case.id == name)


def functions_with(sheet: ScoreSheet, *statuses: object) -> set[str]:
    """The functions that have a graded case with one of these statuses."""
    return {
        case.function
        for case in sheet.bank.cases
        if not case.advice and sheet.verdict(case).status in statuses
    }


def score_of(sheet: ScoreSheet, function: str) -> float:
    """The points that a function earned."""
    return sheet.points(*sheet.bank.of(function)).score / 100


def sheet_of(
    text: str, functions: Collection[str], fork: bool, folder: Path, bank: Bank
) -> ScoreSheet:
    """The sheet of a lab.py with this text, with verdicts on these functions."""
    lab = folder / "lab.py"
    lab.write_text(text, encoding="utf-8")
    with Session(lab, bank, fork) as session:
        return session.sheet_of(
            [case for case in bank.cases if case.function in functions]
        )


def affected_by(functions: Collection[str], source: str, bank: Bank) -> set[str]:
    """The graded functions whose verdicts a mistake in some functions can reach.

    They are these functions, the functions that reach one of them by name in lab.py,
    and the functions whose cases need one of all those.
    """
    reached: set[str] = set()
    growing = set(functions)
    while growing != reached:
        reached = growing
        growing = reached | {
            name for name, names in definitions(source).items() if names & reached
        }
    return {
        case.function
        for case in bank.cases
        if case.function in reached or reached & set(case.graded.needs)
    }


def definitions(source: str) -> dict[str, set[str]]:
    """For each name that lab.py defines at its top, the names in its definitions."""
    names_of: dict[str, set[str]] = {}
    for node in ast.parse(source).body:
        names = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
        targets = getattr(node, "targets", ())
        for name in [getattr(node, "name", ""), *map(ast.unparse, targets)]:
            names_of.setdefault(name, set()).update(names)
    return names_of
