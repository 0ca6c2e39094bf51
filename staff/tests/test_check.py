"""`make check`: every step is run, and FAST=1 is the short way."""

import subprocess

import pytest

from grader.cli import as_options
from staff import check
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


def test_a_step_that_fails_is_named_and_the_others_run(
    run: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert check.main() == 1
    assert run == list(check.STEPS.values())
    assert run[-1][-1] == "staff/tests"
    assert capsys.readouterr().out.splitlines()[-1] == "--- failed: types"


@pytest.mark.parametrize(("value", "is_fast"), [("1", True), ("0", False), ("", False)])
def test_the_short_way(value: str, is_fast: bool, run: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAST", value)
    check.main()
    assert (run == list(check.FAST_STEPS.values())) is is_fast


def test_the_short_way_has_every_step_and_files_that_there_are() -> None:
    assert not [name for name in check.QUICK if not (KIT / "staff" / "tests" / f"test_{name}.py").exists()]


def test_the_short_way_without_make(run: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAST", "0")
    assert as_options(["check", "FAST=1"]) == ["check"]
    check.main()
    assert run == list(check.FAST_STEPS.values())
