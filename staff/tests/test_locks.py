"""What the sheet says of the locks, and that hidden cases run only where they are kept."""

import dataclasses
import os
import sys
from pathlib import Path

import pytest

from boards.cases import Bank
from grader.grading.session import Session
from grader.grading.sheet import ScoreSheet
from grader.judging.verdict import Status
from grader.kinds.command.kind import Running
from grader.protocol.locks import NO_LOCKS, Locks
from grader.sandbox.start import _BOOT
from grader.showing.console import report
from grader.showing.style import Style
from grader.worker import confine
from staff.release.proof import prove_hidden
from staff.tests.conftest import KIT
from staff.wrong_labs import with_body

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the locks are Linux's")


@pytest.fixture(scope="module")
def sheet(bank: Bank) -> ScoreSheet:
    """The sheet over one case of the model."""
    with Session(KIT / "lab.py", bank) as session:
        return session.sheet_of(bank.of("dfs_maximizing")[:1])


def test_a_sheet_says_which_locks_were_on(sheet: ScoreSheet) -> None:
    if sheet.locks.tier != "closed":
        pytest.skip("this machine lacks a lock")
    locks = sheet.data["locks"]
    assert (locks["tier"], locks["seccomp"], locks["no_capabilities"], locks["cases_closed"]) == (
        "closed", True, True, True,
    )  # fmt: skip
    assert (locks["most_processes"] is None) == (os.getuid() == 0)


def without(*locks: str) -> str:
    """A start of the worker on a machine that lacks these locks."""
    lacks = "; ".join(f"grader.worker.confine.{lock} = lambda *w, **n: 0" for lock in locks)
    return _BOOT.replace(
        "from grader.worker.worker", f"import grader.worker.confine; {lacks}; from grader.worker.worker"
    )


def half_hidden(bank: Bank) -> Bank:
    """Two cases, of which the second is hidden."""
    first, second = bank.of("dfs_maximizing")[:2]
    return Bank(bank.parts, (first, dataclasses.replace(second, hidden=True)))


@pytest.mark.parametrize("fork", [True, False])
def test_hidden_cases_do_not_run_where_they_can_be_read(
    fork: bool, bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.sandbox.start._BOOT", without("close_door"))
    some = half_hidden(bank)
    with Session(KIT / "lab.py", some, fork) as session:
        sheet = session.sheet()
    public, hidden = (sheet.verdict(case) for case in some.cases)
    assert (public.status, hidden.status) == (Status.PASS, Status.UNGRADED)
    assert "Grade on Linux with Landlock, or as root with GRADER_USER" in hidden.message
    assert "Hidden cases: Not run" in report(sheet, False, Style(False, True)).replace("\n", " ")


def test_hidden_cases_run_where_they_cannot_be_read(bank: Bank, sheet: ScoreSheet) -> None:
    if not sheet.locks.landlock:
        pytest.skip("no Landlock here")
    some = half_hidden(bank)
    with Session(KIT / "lab.py", some) as session:
        assert [session.verdict(case).status for case in some.cases] == [Status.PASS, Status.PASS]


@pytest.mark.parametrize(
    ("lacks", "tier"),
    [(("close_door",), "files open"), (("filter_calls",), "network open"), (("close_door", "filter_calls"), "open")],
)
def test_a_sheet_says_which_locks_were_off(
    lacks: tuple[str, ...], tier: str, bank: Bank, sheet: ScoreSheet, monkeypatch: pytest.MonkeyPatch
) -> None:
    if sheet.locks.tier != "closed" or sheet.locks.other_user:
        pytest.skip("this machine lacks a lock, or has another user")
    monkeypatch.setattr("grader.sandbox.start._BOOT", without(*lacks))
    with Session(KIT / "lab.py", bank) as session:
        assert session.sheet_of(bank.of("dfs_maximizing")[:1]).locks.tier == tier


def test_a_release_is_proved_where_hidden_cases_could_be_read(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.sandbox.start._BOOT", without("close_door"))
    assert prove_hidden(half_hidden(bank), KIT / "lab.py") == 1


def test_a_case_that_may_not_run_speaks_against_nobody(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.sandbox.start._BOOT", without("close_door"))
    needed = [dataclasses.replace(case, hidden=True) for case in bank.of("ZeroBy")]
    needing = next(case for case in bank.cases if "ZeroBy" in case.graded.needs)
    with Session(KIT / "lab.py", Bank(bank.parts, (*needed, needing))) as session:
        assert session.verdict(needed[0]).status is Status.UNGRADED
        assert session.is_waiting(needing) == []


def test_what_keeps_cases() -> None:
    assert not NO_LOCKS.keep_cases
    assert not Locks(seccomp=True, cases_closed=True).keep_cases  # the grader's memory lies open
    assert not Locks(other_user=True).keep_cases  # to whom the files lie open
    assert Locks(other_user=True, cases_closed=True).keep_cases


@pytest.mark.parametrize("readable", ["boards/cases/__pycache__/2d-alphabeta.json", "staff/hidden/more.yaml"])
def test_a_case_that_lies_open_in_any_form_is_told(
    readable: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What is kept of a file that is shut may have another mode than that."""
    (tmp_path / "boards" / "cases").mkdir(parents=True)
    (tmp_path / "boards" / "cases" / "2d-alphabeta.yaml").touch()
    (tmp_path / readable).parent.mkdir(parents=True)
    (tmp_path / readable).touch()
    monkeypatch.setattr(confine, "KIT", tmp_path)
    for lock in ("limit_memory_and_files", "limit_processes", "close_door", "drop_capabilities", "filter_calls"):
        monkeypatch.setattr(confine, lock, lambda *words: None)
    for lies_open in (True, False):
        monkeypatch.setattr(confine, "can_read", lambda file, is_it=lies_open: is_it and file == tmp_path / readable)
        assert confine.shut_in([], tmp_path).cases_closed is not lies_open


def test_a_graded_make_run_is_shut_in_too(model: str, bank: Bank, tmp_path: Path, sheet: ScoreSheet) -> None:
    if not sheet.locks.seccomp:
        pytest.skip("no seccomp here")
    text = with_body("solve", "import socket\nsocket.socket()\nreturn {}", model)
    (tmp_path / "lab.py").write_text(text, encoding="utf-8")
    answer = Running(bank.of("make_run")[0].calls[0], tmp_path / "lab.py", 2.0).answer()
    assert "PermissionError" in answer.outcomes[0]["complaint"]
