"""Student code under another user, where GRADER_USER names one."""

import os
from pathlib import Path

import pytest

from grader.sandbox.scratch import Scratch
from grader.sandbox.start import LIBRARIES
from grader.sandbox.user import GRADER_USER, as_student, check_reach
from staff.tests.conftest import KIT

ROOT = pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can start processes as others")


def test_without_the_variable_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert as_student() == {}
    monkeypatch.setenv(GRADER_USER, "")
    assert as_student() == {}


def refusal(name: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv(GRADER_USER, name)
    with pytest.raises(OSError, match=GRADER_USER) as raised:
        as_student()
    assert "\n" not in str(raised.value)
    return str(raised.value)


def test_a_user_that_cannot_be(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "there is no such user" in refusal("no-such-user", monkeypatch)
    assert "is root" in refusal("root", monkeypatch)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert "only root" in refusal("nobody", monkeypatch)


@ROOT
def test_a_user_who_cannot_reach_lab_is_no_fault_of_the_students(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(GRADER_USER, "nobody")
    lab = tmp_path / "lab.py"
    lab.write_text("", encoding="utf-8")
    lab.chmod(0o600)
    with pytest.raises(OSError, match="the user 'nobody' cannot read the kit or run its Python"):
        check_reach(KIT, LIBRARIES, lab)


@ROOT
def test_the_scratch_folder_is_the_users_and_what_it_stands_in_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(GRADER_USER, "nobody")
    scratch = Scratch()
    own, outer = Path(scratch.path).stat(), Path(scratch.path).parent.stat()
    assert own.st_uid == as_student()["user"]
    assert own.st_mode & 0o777 == 0o700
    assert (outer.st_uid, outer.st_mode & 0o022) == (0, 0)
    scratch.remove()
    assert not Path(scratch.path).parent.exists()
