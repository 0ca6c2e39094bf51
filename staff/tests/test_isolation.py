"""What a sheet says of the isolation, where hidden cases run, and another user."""

import dataclasses
import os
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from grader.bank.cases import Bank
from grader.child import isolation
from grader.grading.session import Session
from grader.grading.sheet import ScoreSheet
from grader.kit import KIT
from grader.protocol.answer import NOTHING_HOLDS, Isolation
from grader.sandbox import child
from grader.sandbox.process import GRADER_USER, as_student
from grader.sandbox.sandbox import NeverStarted, Sandbox
from grader.verdicts.verdict import Status
from staff.tests.conftest import Submit

DFS = "dfs_maximizing"
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="what holds here is Linux's")
ROOT = pytest.mark.skipif(
    os.name == "nt" or os.geteuid() != 0,
    reason="only root can start processes as others",
)


# What a function of the child gives where the machine lacks what it needs.
WITHOUT = {"close_files": "0", "filter_calls": "False"}


def take_away(names: Iterable[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every child run as on a machine that lacks these."""
    statements = ["import grader.child.isolation as ours"]
    for name in names:
        statements.append(f"ours.{name} = lambda *args, **kwargs: {WITHOUT[name]}")
    begins = "; ".join([*statements, "from grader.child.main"])
    start = child.START.replace("from grader.child.main", begins)
    monkeypatch.setattr(child, "START", start)


def sheet_of_model(bank: Bank, fork: bool = True) -> ScoreSheet:
    """The sheet of the model on the first two cases of a function, the second of which
    is hidden.
    """
    public, second = bank.of(DFS)[:2]
    hidden = dataclasses.replace(second, hidden=True)
    with Session(KIT / "lab.py", Bank(bank.parts, (public, hidden)), fork) as session:
        return session.sheet()


@pytest.fixture(scope="module")
def closed(bank: Bank) -> ScoreSheet:
    """The sheet where all holds that can hold."""
    sheet = sheet_of_model(bank)
    if sheet.isolation.tier != "closed":
        pytest.skip("this machine lacks something")
    return sheet


@LINUX
def test_hidden_cases_run_where_they_cannot_be_read(closed: ScoreSheet) -> None:
    verdicts = map(closed.verdict, closed.bank.cases)
    assert [verdict.status for verdict in verdicts] == [Status.PASS, Status.PASS]


@LINUX
@pytest.mark.parametrize("fork", [True, False])
def test_hidden_cases_do_not_run_where_they_can_be_read(
    fork: bool, bank: Bank, closed: ScoreSheet, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_away(["close_files"], monkeypatch)
    sheet = sheet_of_model(bank, fork)
    public, hidden = map(sheet.verdict, sheet.bank.cases)
    assert (public.status, hidden.status) == (Status.PASS, Status.UNGRADED)
    assert "Grade on Linux with Landlock, or as root with GRADER_USER" in hidden.message


@LINUX
@pytest.mark.parametrize(
    ("lacks", "tier"),
    [
        (["close_files"], "files open"),
        (["filter_calls"], "network open"),
        (["close_files", "filter_calls"], "open"),
    ],
)
def test_what_holds_is_what_the_child_says(
    lacks: list[str],
    tier: str,
    bank: Bank,
    closed: ScoreSheet,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if closed.isolation.other_user:
        pytest.skip("another user holds more")
    take_away(lacks, monkeypatch)
    assert sheet_of_model(bank).isolation.tier == tier


@pytest.mark.parametrize(
    ("isolation", "keeps"),
    [
        (NOTHING_HOLDS, False),
        # The grader's memory lies open.
        (Isolation(seccomp=True, cases_closed=True), False),
        # The files lie open to the other user.
        (Isolation(other_user=True), False),
        (Isolation(other_user=True, cases_closed=True), True),
    ],
)
def test_what_keeps_cases(isolation: Isolation, keeps: bool) -> None:
    assert isolation.keep_cases == keeps


FORMS_OF_CASES = (
    "boards/cases/2d-alphabeta.yaml",
    "boards/cases/__pycache__/2d-alphabeta.json",
    "staff/hidden/more.yaml",
)


@pytest.fixture
def kit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A kit with cases in all forms, in a process that closes nothing by itself."""
    for file in FORMS_OF_CASES:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).touch()
    monkeypatch.setattr(isolation, "KIT", tmp_path)
    for name in ("limit_resources", "close_files", "filter_calls"):
        monkeypatch.setattr(isolation, name, lambda *args, **kwargs: 0)
    return tmp_path


def refuse_all_but(readable: set[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the operating system refuse to open any file but these."""
    opens = os.open

    def refuse(file: Path, flags: int) -> int:
        if file not in readable:
            raise PermissionError(file)
        return opens(file, flags)

    monkeypatch.setattr(os, "open", refuse)


@pytest.mark.parametrize("readable", FORMS_OF_CASES)
def test_a_case_that_lies_open_in_any_form_is_told(
    readable: str, kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_all_but({kit / readable}, monkeypatch)
    assert not isolation.shut_in([], kit).cases_closed


def test_cases_are_closed_if_none_lies_open(
    kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_all_but(set(), monkeypatch)
    assert isolation.shut_in([], kit).cases_closed


# --- another user --------------------------------------------------------------------


def test_without_another_user_nothing_is_changed() -> None:
    assert as_student() == {}


@pytest.mark.parametrize(
    ("user", "grader", "said"),
    [
        ("no-such-user", 0, "there is no such user"),
        ("root", 0, "is root"),
        ("nobody", 1000, "only root"),
    ],
)
def test_a_user_that_cannot_be(
    user: str, grader: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(GRADER_USER, user)
    monkeypatch.setattr(os, "geteuid", lambda: grader)
    with pytest.raises(OSError, match=f"{GRADER_USER} .*{said}"):
        as_student()


@ROOT
def test_a_user_who_cannot_read_lab_py_is_no_mistake_in_it(
    submit: Submit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(GRADER_USER, "nobody")
    lab = submit("x = 1")
    lab.chmod(0o600)
    with pytest.raises((NeverStarted, PermissionError), match="Permission denied"):
        Sandbox(lab).load()
