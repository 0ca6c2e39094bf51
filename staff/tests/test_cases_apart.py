"""What one case does is no other case's: its replies, its files, and what it leaves of its folder."""

import contextlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from boards.cases import Bank
from grader.protocol.answer import Ending, Request
from grader.sandbox.forking import ForkingSandbox
from grader.sandbox.scratch import IN_MEMORY, Scratch

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="without fork the cases of a function share a process")


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
