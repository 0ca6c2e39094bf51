"""What one case does is no other case's: its replies, its files, and what it leaves of its folder."""

import contextlib
import dataclasses
import os
import tempfile
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from boards.cases import Bank
from grader.grading.session import Session
from grader.judging.verdict import Status
from grader.protocol.answer import Ending, Request
from grader.sandbox.forking import ForkingSandbox
from grader.sandbox.scratch import IN_MEMORY, Scratch
from staff.wrong_labs import with_body

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="without fork the cases of a function share a process")

COPIES = """
import json, os, stat, threading, time
COPIES = []
for pipe in range(3, 64):
    try:
        if stat.S_ISFIFO(os.fstat(pipe).st_mode):
            COPIES.append(os.dup(pipe))
    except OSError:
        pass

def send(line):
    for pipe in COPIES:
        try:
            os.write(pipe, line)
        except OSError:
            pass
"""

FORGERIES = {
    "a status before its time": 'send(b\'{"ended": 0, "survivors": false}\\n\')',
    "a status far before its time": 'send(b\'{"ended": 0, "survivors": false}\\n\'); time.sleep(0.2); os._exit(0)',
    "a status and an end": 'send(b\'{"ended": 0, "survivors": false}\\n\'); os._exit(0)',
    "another case's reply": 'send(b\'{"case": "endgame/tree", "outcome": {"result": 1}}\\n\\n\')',
    "half a line": 'send(b\'{"case": "\'); os._exit(0)',
    "statuses without end": "while True: send(b'x' * 900 + b'\\n')",
}


@pytest.mark.parametrize("forgery", FORGERIES.values(), ids=FORGERIES)
def test_what_a_case_forges_costs_its_own_function_alone(forgery: str, model: str, tmp_path: Path, bank: Bank) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(COPIES + with_body("dfs_maximizing", forgery, model), encoding="utf-8")
    guilty, innocent = bank.of("dfs_maximizing"), bank.of("endgame_score_connectfour")
    with Session(lab, bank, fork=True) as session:
        for mine, other in zip(guilty[:4], innocent, strict=False):
            assert not session.verdict(mine).passed
            assert session.verdict(other).passed, session.verdict(other)


def move_away(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))


def put_a_link(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")


def put_another(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))
    path.mkdir()


@pytest.mark.parametrize("change", [os.rmdir, move_away, put_a_link, put_another])
def test_whatever_becomes_of_its_folder_the_next_case_has_one(
    change: Callable[[Path], None], model: str, tmp_path: Path, bank: Bank
) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(model, encoding="utf-8")
    case = bank.of("dfs_maximizing")[0]
    request = Request(case.id, case.graded.kind, case.function, tuple(call.inputs for call in case.calls), case.seconds)
    with contextlib.closing(ForkingSandbox(lab)) as sandbox:
        assert sandbox.load().imported
        folder = Path(sandbox._scratch.path)
        change(folder)
        assert sandbox.answer(request).ending is Ending.ANSWERED
        assert sandbox._scratch.path != str(folder)


def test_nothing_is_emptied_through_a_link(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis").touch()
    scratch = Scratch()
    os.rmdir(scratch.path)
    os.symlink(mine, scratch.path)
    with pytest.raises(OSError, match="another folder"):
        scratch.fresh()
    scratch.remove()
    assert (mine / "thesis").exists()


def test_a_case_works_in_a_folder_that_no_other_had() -> None:
    scratch = Scratch()
    first = Path(scratch.fresh())
    os.chmod(first, 0o712)
    second = Path(scratch.fresh())
    assert (second != first, second.stat().st_mode & 0o777, first.exists()) == (True, 0o700, False)
    scratch.remove()


@pytest.mark.skipif(not os.access(IN_MEMORY, os.W_OK), reason="there is no folder in memory here")
def test_the_folder_stands_in_memory_unless_somebody_wants_another_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TMPDIR", raising=False)
    ours = Scratch()
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)  # which Python remembers
    theirs = Scratch()
    assert (Path(ours.path).parts[:3], Path(theirs.path).parents[1]) == (("/", "dev", "shm"), tmp_path)
    ours.remove()
    theirs.remove()


SHARED = "import mmap\nNOTES = mmap.mmap(-1, 4096)\n"
TELLS = "before = NOTES[0]\nNOTES[0] = 1\nprint('before:', before)\nraise LookupError(before)"


@pytest.fixture
def half_hidden(bank: Bank) -> Bank:
    """The cases of dfs_maximizing, every other one hidden, as far as a course does that."""
    parts = tuple(
        dataclasses.replace(part, hidden=dict.fromkeys(part.functions, Fraction(1, 2))) for part in bank.parts
    )
    cases = bank.of("dfs_maximizing")
    return Bank(parts, tuple(dataclasses.replace(case, hidden=n % 2 == 0) for n, case in enumerate(cases)))


@pytest.mark.parametrize("fork", [True, False])
def test_a_hidden_case_tells_no_public_one(fork: bool, model: str, tmp_path: Path, half_hidden: Bank) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(SHARED + with_body("dfs_maximizing", TELLS, model), encoding="utf-8")
    hidden, public = half_hidden.cases[:2]
    with Session(lab, half_hidden, fork) as session:
        assert session.verdict(hidden).status is Status.CRASH
        assert "LookupError: 0" in session.verdict(public).message


def test_hidden_cases_come_last_and_say_nothing(model: str, tmp_path: Path, half_hidden: Bank) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(SHARED + with_body("dfs_maximizing", TELLS, model), encoding="utf-8")
    order: list[bool] = []
    with Session(lab, half_hidden, fork=True) as session:
        sheet = session.sheet_of(half_hidden.cases, lambda case: order.append(case.hidden))
    assert order == sorted(order)
    for case in half_hidden.cases:
        verdict = sheet.verdict(case)
        told = verdict.printed + verdict.message + verdict.inside
        assert ("before" in told and "LookupError" in told) is not case.hidden
        assert verdict.status is Status.CRASH


def test_a_public_case_does_not_say_that_a_hidden_one_fails(model: str, tmp_path: Path, bank: Bank) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(with_body("solve", "return {}", model), encoding="utf-8")
    secret = [dataclasses.replace(case, hidden=True) for case in bank.of("solve")]
    printed = bank.of("make_run")[0]
    with Session(lab, Bank(bank.parts, (*secret, printed)), fork=True) as session:
        assert session.verdict(printed).status is Status.FAIL
        assert session.verdict(secret[0]).status is Status.FAIL
