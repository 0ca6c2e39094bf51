"""`make check`: every step is run, and FAST=1 is the short way."""

import subprocess

import pytest

from staff import check, coverage, sizes
from staff.tests.conftest import KIT


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that were run, of which mypy fails."""
    commands: list[list[str]] = []

    def run(command: list[str], cwd: object) -> "subprocess.CompletedProcess[str]":
        commands.append(command)
        return subprocess.CompletedProcess(command, int("mypy" in command))

    monkeypatch.setattr(subprocess, "run", run)
    return commands


@pytest.mark.parametrize(
    ("value", "others"), [("1", check.FAST_STEPS), ("0", check.SLOW_STEPS), ("", check.SLOW_STEPS)]
)
def test_a_step_that_fails_is_named_and_the_others_run(
    value: str, others: dict[str, list[str]], run: list[list[str]],
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv("FAST", value)
    assert check.main() == 1
    assert run == [*check.STEPS.values(), *others.values()]
    assert capsys.readouterr().out.splitlines()[-1] == "--- failed: types"


RUN = (
    "-m ruff format --check", "-m ruff check", "-m mypy", "lint_imports_command", "-m staff.expectations --check",
    "-m pytest -q --doctest-modules", "-m staff.release.answers", "--dist loadfile staff/tests",
)  # fmt: skip


@pytest.mark.parametrize("words", RUN)
def test_each_check_is_a_step(words: str) -> None:
    """By what it runs, so that a step which is taken out of the list is missed."""
    commands = [" ".join(command) for command in (*check.STEPS.values(), *check.SLOW_STEPS.values())]
    assert [command for command in commands if words in command]


def test_coverage_runs_all_tests_and_has_a_least_share() -> None:
    commands = [" ".join(command) for command in coverage.commands()]
    assert any("pytest" in command and command.endswith(" staff/tests") for command in commands)
    assert any("--include=staff/*" in command and "--fail-under=92" in command for command in commands)


def test_the_short_way_has_files_that_there_are() -> None:
    assert not [name for name in check.QUICK if not (KIT / "staff" / "tests" / f"test_{name}.py").exists()]


def test_a_total_is_counted_over_every_file_once() -> None:
    lines = {"api/a.py": 1, "grader/kinds/x/staff.py": 2, "grader/kinds/x/kind.py": 4, "staff/check.py": 8,
             "staff/tests/a.py": 16, "staff/right_labs/a.py": 32, "grader/cli.py": 64}  # fmt: skip
    rooms = sizes.room_sizes(lines)
    assert (rooms["api"], rooms["kinds"], rooms["entry and release"], sum(rooms.values())) == (1, 4, 64, 69)
    assert sum(size for name, size in lines.items() if sizes.is_staff(name)) == 10
    assert sizes.code_lines('"""What it is."""\n\n# nothing\nx = (\n    1,\n)\n') == 3
