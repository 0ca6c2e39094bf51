"""What the kit's own tests share: the cases, the model's text, a lab.py made of any
text, and an environment that is the same wherever they run: below make, on a service,
in a hook of git's, on any terminal.
"""

import ast
import contextlib
import dataclasses
import os
import signal
import sys
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

from grader.bank.cases import Bank, Case
from grader.bank.points import read_points
from grader.bank.reading import load_bank
from grader.grading.session import Session
from grader.grading.sheet import ScoreSheet

KIT = Path(__file__).parent.parent.parent
TOTAL = f"{sum(part.points for part in read_points()) / 100:g}"
RIGHT_LABS = [
    KIT / "lab.py",
    *sorted((KIT / "staff" / "right_labs").glob("[!h]*.py")),
]  # without heuristics.py
FUNCTIONS = [
    "ZeroBy",
    "solve",
    "is_game_over_connectfour",
    "next_boards_connectfour",
    "endgame_score_connectfour",
    "endgame_score_connectfour_faster",
    "heuristic_connectfour",
    "dfs_maximizing",
    "minimax_endgame_search",
    "minimax_search",
    "minimax_search_alphabeta",
    "progressive_deepening",
    "MinimaxPlayer",
]

STEERING = (
    "BROWSER", "CI", "CLICOLOR", "COLUMNS", "COURSE", "DISPLAY", "FAST", "FORCE_COLOR", "GIT_DIR",
    "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_WORK_TREE", "GITHUB_", "GRADER_", "ITEMIZED", "LAB", "LINES", "MAKE",
    "MFLAGS", "NO_COLOR", "PORT", "PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTHON", "TERM", "WAYLAND_DISPLAY",
)  # fmt: skip

for name in [name for name in os.environ if name.startswith(STEERING)]:
    del os.environ[
        name
    ]  # here, and not in a fixture: what is imported after this reads it too
os.environ |= {  # git as it is without anybody's settings, and whomever the files of the kit belong to
    "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*",
}  # fmt: skip
os.umask(0o022)
with contextlib.suppress(ImportError):
    import resource

    resource.setrlimit(
        resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1])
    )  # no file in the kit
sys.dont_write_bytecode = (
    False  # some thousand processes are started, and would each compile the kit
)

signal.signal(
    signal.SIGINT, signal.default_int_handler
)  # a shell starts what runs in the background deaf to it

# For what is tried by adding a part 5 to a copy of this master copy.
adds_part_5 = pytest.mark.skipif(
    any(part.number == 5 for part in read_points()), reason="there is a part 5 already"
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test that hangs ends some day, on any machine."""
    for item in items:
        item.add_marker(pytest.mark.timeout(900))


@pytest.fixture(autouse=True)
def the_same_lab() -> Iterator[None]:
    """What imports another lab.py in this very process, as make debug does, leaves
    `lab` to the tests after it.
    """
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


@pytest.fixture(scope="session")
def short_bank(bank: Bank) -> Bank:
    """All cases but those of part 0 that take long, for labs whose part 0 is the
    model's.
    """
    long = ("solve/a-hundred-thousand-steps", "solve/tic-tac-toe")
    return Bank(
        bank.parts,
        tuple(
            case
            for case in bank.cases
            if case.function != "make_run" and case.id not in long
        ),
    )


@pytest.fixture(scope="session")
def hasty_bank(bank: Bank, short_bank: Bank) -> Bank:
    """The short bank with an eighth of the time for each case: a hanging function is a
    long wait.
    """
    hasty = (
        dataclasses.replace(case, seconds=case.seconds / 8) for case in short_bank.cases
    )
    return Bank(bank.parts, tuple(hasty))


@pytest.fixture(scope="session")
def few(hasty_bank: Bank) -> Bank:
    """Two hasty cases of each function, the first and the last: for what happens alike
    in every case.
    """
    return Bank(
        hasty_bank.parts,
        tuple(case for name in FUNCTIONS for case in first_and_last(name, hasty_bank)),
    )


def first_and_last(function: str, bank: Bank) -> list[Case]:
    """Two graded cases of a function."""
    graded = [case for case in bank.of(function) if not case.advice]
    return [graded[0], graded[-1]]


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
    """The sheet of a lab.py with this text, with verdicts on the cases of these
    functions.
    """
    lab = folder / "lab.py"
    lab.write_text(text, encoding="utf-8")
    with Session(lab, bank, fork) as session:
        return session.sheet_of(
            [case for case in bank.cases if case.function in functions]
        )


def affected_by(functions: Collection[str], source: str, bank: Bank) -> set[str]:
    """The graded functions whose verdicts a mistake in some functions can reach: these,
    those that name one of them in lab.py, or name one that does, and those whose cases
    run on one of all these.
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
    """What is defined at the top of a lab.py, each with all the names that stand in
    it.
    """
    found: dict[str, set[str]] = {}
    for node in ast.parse(source).body:
        names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        for name in [
            getattr(node, "name", ""),
            *map(ast.unparse, getattr(node, "targets", ())),
        ]:
            found.setdefault(name, set()).update(names)
    return found
