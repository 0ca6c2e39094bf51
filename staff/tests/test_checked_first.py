"""Every command that uses the cases of the master copy checks them first.

A mistake in a case is one line.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from staff.tests.support.masters import change, copy_master

MINIMAX = Path("boards", "cases", "2c-minimax.yaml")
WRONG = "boards/cases/2c-minimax.yaml:11: `score` is 'eight'; the type here is number\n"


@pytest.fixture(scope="module")
def master(tmp_path_factory: pytest.TempPathFactory) -> Path:
    master = copy_master(tmp_path_factory.mktemp("checked") / "master")
    change(
        master / MINIMAX,
        "\n    expect: {path: [1], score: 8, e",
        "\n    expect: {path: [1], score: eight, e",
    )
    return master


def typed(
    master: Path, *words: str, **environment: str
) -> "subprocess.CompletedProcess[str]":
    safe = {
        name: value
        for name, value in os.environ.items()
        if name not in ("COURSE", "LAB")
    } | environment
    return subprocess.run(
        [sys.executable, "grader", *words],
        cwd=master,
        capture_output=True,
        text=True,
        env=safe,
    )


def files(master: Path) -> dict[Path, bytes]:
    return {
        file: file.read_bytes()
        for file in master.rglob("*")
        if file.is_file() and file.parent.name != "__pycache__"
    }


@pytest.mark.parametrize(
    "command", ["expectations", "release", "check", "gradescope", "classroom50"]
)
def test_a_mistake_is_one_line_and_nothing_is_written(
    command: str, master: Path
) -> None:
    before = files(master)
    done = typed(master, command)
    assert (done.returncode, done.stderr) == (2, WRONG)
    assert all(line.startswith("... 1 of ") for line in done.stdout.splitlines())
    assert files(master) == before


@pytest.mark.parametrize("course", ["", "1"])
def test_make_test_names_a_file_that_cannot_be_loaded(
    course: str, master: Path, tmp_path: Path
) -> None:
    copy = copy_master(tmp_path / "master")
    change(
        copy / MINIMAX,
        "\n    expect: {path: [1], score: 8, e",
        "\n    expect: {path: [1, score: 8, e",
    )
    done = typed(copy, "test", "--k", "dfs/no-choice", COURSE=course)
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        done.stderr.startswith("boards/cases/2c-minimax.yaml:11: ")
        and done.stderr.count("\n") == 1
    )
