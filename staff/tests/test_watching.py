"""`make watch`: without a clock, since a look and a rest are two calls."""

from pathlib import Path

import pytest

from boards.cases import Bank, Case
from grader.commands import watching
from grader.commands.watching import Watcher, main
from grader.grading.session import Session
from grader.judging.verdict import Verdict
from grader.release import Release
from staff.wrong_labs import with_body

WRONG = "return [state], 0, 1"


@pytest.fixture
def small(bank: Bank) -> Bank:
    """Some cases of two functions of which one is seldom called by the other."""
    return Bank(bank.parts, tuple(bank.of("dfs_maximizing")[:2] + bank.of("minimax_search")[:2]))


@pytest.fixture
def lab(tmp_path: Path, model: str) -> Path:
    file = tmp_path / "lab.py"
    file.write_text(model, encoding="utf-8")
    return file


def looks(watcher: Watcher, capsys: pytest.CaptureFixture[str]) -> str:
    watcher.look()
    return capsys.readouterr().out


def test_every_save_is_graded_and_told_apart(
    lab: Path, model: str, small: Bank, capsys: pytest.CaptureFixture[str]
) -> None:
    watcher = Watcher(lab, small)
    first = looks(watcher, capsys)
    assert first.startswith("Grading lab.py ...\n") and first.endswith("\nWatching lab.py; Ctrl-C ends it.\n")
    assert "all pass" in first
    assert looks(watcher, capsys) == ""  # nothing was saved
    lab.write_text(with_body("minimax_search", WRONG, model), encoding="utf-8")
    assert "2 pass, 2 fail" in looks(watcher, capsys)
    lab.write_text(model, encoding="utf-8")
    assert "all pass" in looks(watcher, capsys)
    lab.write_text("def f(:\n", encoding="utf-8")
    assert "lab.py cannot be imported. SyntaxError: invalid syntax" in looks(watcher, capsys)
    lab.unlink()
    assert looks(watcher, capsys) == ""


def test_what_a_change_touches_is_graded_first_and_shown_first(
    lab: Path, model: str, small: Bank, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[str] = []
    verdict = Session.verdict

    def noted(self: Session, case: Case) -> Verdict:
        asked.append(case.function)
        return verdict(self, case)

    monkeypatch.setattr(Session, "verdict", noted)
    watcher = Watcher(lab, small)
    looks(watcher, capsys)
    assert asked[0] == "dfs_maximizing"
    asked.clear()
    lab.write_text(with_body("minimax_search", WRONG, model), encoding="utf-8")
    shown = looks(watcher, capsys)
    assert asked[0] == "minimax_search" and "dfs_maximizing" in asked
    assert shown.index("2 chosen cases") < shown.index("2 more cases to come.") < shown.index("Watching lab.py")


def test_a_save_in_between_begins_anew(
    lab: Path, model: str, small: Bank, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    verdict = Session.verdict

    def saving(self: Session, case: Case) -> Verdict:
        lab.write_text(f"{model}\n", encoding="utf-8")
        return verdict(self, case)

    watcher = Watcher(lab, small)
    with monkeypatch.context() as patch:
        patch.setattr(Session, "verdict", saving)
        assert looks(watcher, capsys) == "Grading lab.py ...\n"
    assert "all pass" in looks(watcher, capsys)


def test_a_course_decides_how_much_is_told(
    lab: Path, model: str, small: Bank, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("grader.grading.session.release_here", lambda: Release("1.0.0", feedback="verdict"))
    lab.write_text(with_body("minimax_search", WRONG, model), encoding="utf-8")
    shown = looks(Watcher(lab, small), capsys)
    assert "FAIL  minimax/" in shown and "expected" not in shown


def test_ctrl_c_ends_it(
    lab: Path, small: Bank, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(watching, "load_bank", lambda: small)
    assert main([], lab, interrupt) == 0
    assert capsys.readouterr().out.endswith("\nwatched no longer\n")
