"""What a sheet says of the isolation, where hidden cases run, and another user."""

import dataclasses
import os
import sys
from pathlib import Path

import pytest

from grader.bank.cases import Bank
from grader.child import isolation
from grader.grading.session import Session
from grader.kit import KIT
from grader.protocol.answer import NOTHING_HOLDS, Isolation
from grader.sandbox import child
from grader.sandbox.process import GRADER_USER, as_student
from grader.sandbox.sandbox import NeverStarted, Sandbox
from grader.verdicts.verdict import Status

DFS = "dfs_maximizing"
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="what holds here is Linux's")
ROOT = pytest.mark.skipif(
    os.name == "nt" or os.geteuid() != 0,
    reason="only root can start processes as others",
)


def without(*names: str) -> str:
    """The first statements of a child on a machine that lacks these."""
    statements = ["import grader.child.isolation as ours"]
    for name in names:
        nothing_holds = {"close_files": 0, "filter_calls": False}[name]
        statements.append(f"ours.{name} = lambda *args, **kwargs: {nothing_holds}")
    begins = "; ".join([*statements, "from grader.child.main"])
    return child.START.replace("from grader.child.main", begins)


def half_hidden(bank: Bank) -> Bank:
    """Two cases, of which the second is hidden."""
    first, second = bank.of(DFS)[:2]
    return Bank(bank.parts, (first, dataclasses.replace(second, hidden=True)))


@LINUX
@pytest.mark.parametrize("fork", [True, False])
def test_hidden_cases_run_only_where_they_cannot_be_read(
    fork: bool, bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    some = half_hidden(bank)
    with Session(KIT / "lab.py", some, fork) as session:
        kept = session.sheet()
    if kept.isolation.tier != "closed":
        pytest.skip("this machine lacks something")
    statuses = [kept.verdict(case).status for case in some.cases]
    assert statuses == [Status.PASS, Status.PASS]
    monkeypatch.setattr(child, "START", without("close_files"))
    with Session(KIT / "lab.py", some, fork) as session:
        open_sheet = session.sheet()
    public, hidden = (open_sheet.verdict(case) for case in some.cases)
    assert (public.status, hidden.status) == (Status.PASS, Status.UNGRADED)
    assert "Grade on Linux with Landlock, or as root with GRADER_USER" in hidden.message


@LINUX
@pytest.mark.parametrize(
    ("lacks", "tier"),
    [
        (("close_files",), "files open"),
        (("filter_calls",), "network open"),
        (("close_files", "filter_calls"), "open"),
    ],
)
def test_what_holds_is_what_the_child_says(
    lacks: tuple[str, ...], tier: str, bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Session(KIT / "lab.py", bank) as session:
        sheet = session.sheet_of(bank.of(DFS)[:1])
    if sheet.isolation.tier != "closed" or sheet.isolation.other_user:
        pytest.skip("this machine lacks something, or has another user")
    monkeypatch.setattr(child, "START", without(*lacks))
    with Session(KIT / "lab.py", bank) as session:
        assert session.sheet_of(bank.of(DFS)[:1]).isolation.tier == tier


def test_what_keeps_cases() -> None:
    assert not NOTHING_HOLDS.keep_cases
    # The grader's memory lies open.
    assert not Isolation(seccomp=True, cases_closed=True).keep_cases
    # The files lie open to the other user.
    assert not Isolation(other_user=True).keep_cases
    assert Isolation(other_user=True, cases_closed=True).keep_cases


@pytest.mark.parametrize(
    "readable", ["boards/cases/__pycache__/2d-alphabeta.json", "staff/hidden/more.yaml"]
)
def test_a_case_that_lies_open_in_any_form_is_told(
    readable: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for file in ("boards/cases/2d-alphabeta.yaml", readable):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).touch()
    monkeypatch.setattr(isolation, "KIT", tmp_path)
    for name in ("limit_resources", "close_files", "filter_calls"):
        monkeypatch.setattr(isolation, name, lambda *args, **kwargs: 0)
    open_files = {tmp_path / readable}
    monkeypatch.setattr(isolation, "_can_read", lambda file: file in open_files)
    assert not isolation.shut_in([], tmp_path).cases_closed
    open_files.clear()
    assert isolation.shut_in([], tmp_path).cases_closed


# --- another user --------------------------------------------------------------------


def test_a_user_that_cannot_be(monkeypatch: pytest.MonkeyPatch) -> None:
    assert as_student() == {}
    for name, said in (
        ("no-such-user", "there is no such user"),
        ("root", "is root"),
        ("nobody", "only root"),
    ):
        monkeypatch.setenv(GRADER_USER, name)
        if name == "nobody":
            monkeypatch.setattr(os, "geteuid", lambda: 1000)
        with pytest.raises(OSError, match=f"{GRADER_USER} .*{said}"):
            as_student()


@ROOT
def test_a_user_who_cannot_read_lab_py_is_no_mistake_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(GRADER_USER, "nobody")
    lab = tmp_path / "lab.py"
    lab.write_text("x = 1", encoding="utf-8")
    lab.chmod(0o600)
    with pytest.raises((NeverStarted, PermissionError), match="Permission denied"):
        Sandbox(lab).load()
