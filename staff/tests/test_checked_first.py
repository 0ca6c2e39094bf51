"""Whatever is done in the master copy, its cases are checked first: a mistake is one line, and nothing is written."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from staff.strict import bank
from staff.tests.support.masters import change, copy_master

SAID = "boards/cases/2c-minimax.yaml:11: `score` is 'eight'; a number is wanted\n"
COMMANDS = {
    "test": ["test"],
    "test-course": ["test"],
    "one-case": ["test", "--k", "dfs/no-choice"],
    "expectations": ["expectations"],
    "release": ["release"],
    "check": ["check"],
}


@pytest.fixture(scope="module")
def master(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A master copy whose cases were found good, before a mistake was made in one of them."""
    master = copy_master(tmp_path_factory.mktemp("checked") / "master")
    typed(master, "test", "--k", "dfs/no-choice")
    assert (master / "build" / "checked").exists()
    change(
        master / "boards" / "cases" / "2c-minimax.yaml",
        "\n    expect: {path: [1], score: 8, e",
        "\n    expect: {path: [1], score: eight, e",
    )
    return master


def typed(master: Path, *words: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    safe = {name: value for name, value in os.environ.items() if name not in ("COURSE", "LAB")} | environment
    return subprocess.run([sys.executable, "grader", *words], cwd=master, capture_output=True, text=True, env=safe)


def files(master: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in master.rglob("*") if file.is_file() and file.suffix != ".pyc"}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_mistake_is_one_line(name: str, master: Path) -> None:
    before = files(master)
    done = typed(master, *COMMANDS[name], **({"COURSE": "1"} if name == "test-course" else {}))
    assert (done.returncode, done.stdout, done.stderr) == (2, "", SAID)
    assert files(master) == before


def test_what_was_found_good_is_not_checked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until something changes of what is checked, or of what checks it."""
    checked: list[int] = []
    monkeypatch.setattr(bank, "CHECKED", tmp_path / "build" / "checked")
    monkeypatch.setattr("staff.strict.cases.check_files", lambda roots: checked.append(len(list(roots))))
    files = bank.check_everything()
    assert bank.check_everything() == files
    assert checked == [len(files)]
    monkeypatch.setattr(bank, "_DECIDE", ("boards",))
    bank.check_everything()
    assert len(checked) == 2
