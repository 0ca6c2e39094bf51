"""`make watch`, and what has changed since the last run: without a clock, since a look and a rest are two calls."""

import dataclasses
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from boards.cases import Bank
from grader.commands import watching
from grader.commands.watching import Watcher, main
from grader.grading.session import Session, grade
from grader.grading.sheet import ScoreSheet
from grader.judging.verdict import FULL, Status, Verdict
from grader.release import Release
from grader.showing.since import read_results, since
from grader.showing.style import Style
from staff.tests.conftest import KIT
from staff.wrong_labs import with_body

STYLE = Style(colour=False, ascii_only=True, make=True)
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


def test_the_file_that_is_watched_is_named(lab: Path, small: Bank, capsys: pytest.CaptureFixture[str]) -> None:
    assert f"\nWatching {lab}; Ctrl-C ends it.\n" in looks(Watcher(lab, small, STYLE), capsys)
    assert "\nWatching lab.py; Ctrl-C" in looks(Watcher(KIT / "lab.py", small, STYLE), capsys)


def test_every_save_is_graded_and_told_apart(
    lab: Path, model: str, small: Bank, capsys: pytest.CaptureFixture[str]
) -> None:
    watcher = Watcher(lab, small, STYLE)
    first = looks(watcher, capsys)
    assert "all pass" in first and "Since the last" not in first and first.endswith("Ctrl-C ends it.\n")
    assert looks(watcher, capsys) == ""  # nothing was saved
    lab.write_text(with_body("minimax_search", WRONG, model), encoding="utf-8")
    assert "Since the last save: -9 points, 2 cases newly wrong." in looks(watcher, capsys)
    lab.write_text(model, encoding="utf-8")
    assert "Since the last save: +9 points, 2 cases newly right." in looks(watcher, capsys)


def test_what_a_change_touches_is_graded_first(
    lab: Path, model: str, small: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    verdict = Session.verdict

    def noted(self: Session, case: object) -> Verdict:
        asked.append(case.function)  # type: ignore[attr-defined]
        return verdict(self, case)  # type: ignore[arg-type]

    monkeypatch.setattr(Session, "verdict", noted)
    watcher = Watcher(lab, small, STYLE)
    watcher.look()
    assert asked[0] == "dfs_maximizing"
    asked.clear()
    lab.write_text(re.sub(r"(\ndef minimax_search\(.*\n)", rf"\1    {WRONG}\n\n", model), encoding="utf-8")
    watcher.look()
    assert asked[0] == "minimax_search" and "dfs_maximizing" in asked


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def f(:\n", "lab.py:1: invalid syntax. The next save is waited for."),
        ("x = 1\n<<<<<<< ours\n", "A merge conflict stands in line 2"),
        ("x = '\ud800'", "not in UTF-8"),
        ("", None),
        (None, "is not there, or is no ordinary file. The next save is waited for."),
    ],
)
def test_a_file_that_cannot_be_read_is_waited_for(
    text: str | None, said: str | None, lab: Path, model: str, small: Bank, capsys: pytest.CaptureFixture[str]
) -> None:
    lab.unlink()
    if text is not None:
        lab.write_bytes(text.encode("utf-8", "surrogatepass"))
    watcher = Watcher(lab, small, STYLE)
    shown = looks(watcher, capsys)
    assert (said or "Not started") in " ".join(shown.split()) or said is None
    assert looks(watcher, capsys) == ""
    lab.write_text(model, encoding="utf-8")
    assert "all pass" in looks(watcher, capsys)


def test_a_save_in_the_middle_begins_anew(
    lab: Path, model: str, small: Bank, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    watcher, saves = Watcher(lab, small, STYLE), iter([with_body("minimax_search", WRONG, model)])
    verdict = Session.verdict

    def saving(self: Session, case: object) -> Verdict:
        for text in saves:
            lab.write_text(text, encoding="utf-8")
        return verdict(self, case)  # type: ignore[arg-type]

    monkeypatch.setattr(Session, "verdict", saving)
    assert looks(watcher, capsys) == "Grading lab.py ...\n"  # below what the last save came to
    assert "FAIL  minimax/" in looks(watcher, capsys)


def test_a_file_that_is_gone_when_it_is_to_be_graded_is_waited_for(
    lab: Path, model: str, small: Bank, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def gone(*_: object) -> None:
        raise OSError("lab.py is not there")

    watcher = Watcher(lab, small, STYLE)
    with monkeypatch.context() as patch:
        patch.setattr(watching, "Session", gone)
        assert looks(watcher, capsys) == "Grading lab.py ...\nlab.py is not there. The next save is waited for.\n"
    lab.write_text(f"{model}\n", encoding="utf-8")
    assert "all pass" in looks(watcher, capsys)


def test_ctrl_c_ends_it(
    lab: Path, small: Bank, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(watching, "load_bank", lambda: small)
    assert main([], lab, rest=stop) == 0
    assert capsys.readouterr().out.endswith("\nwatched no longer\n")


@pytest.fixture
def sheets(bank: Bank) -> Callable[..., ScoreSheet]:
    """Sheets in which some cases pass."""

    def sheet(*passing: str, lab: str = "lab.py", version: str = "1.0.0") -> ScoreSheet:
        verdicts = {case: Verdict(case, Status.PASS, FULL) for case in passing}
        return dataclasses.replace(ScoreSheet(bank, verdicts, b""), lab=lab, kit=Release(version=version))

    return sheet


def test_what_has_changed(sheets: Callable[..., ScoreSheet], tmp_path: Path) -> None:
    earlier = sheets("dfs/two-by-two", "dfs/no-choice")
    earlier.write(tmp_path / "results.json")
    data = read_results(tmp_path / "results.json")
    assert since("full run", data, earlier) == ""
    assert (
        since("full run", data, sheets("dfs/two-by-two"))
        == "Since the last full run: -0.75 points, 1 case newly wrong."
    )
    assert (
        since("full run", data, sheets("dfs/two-by-two", "dfs/low-scores"))
        == "Since the last full run: 1 case newly right, 1 case newly wrong."
    )
    both = sheets("dfs/two-by-two", "dfs/no-choice", "dfs/low-scores", "dfs/tic-tac-toe")
    assert since("full run", data, both) == "Since the last full run: +1.5 points, 2 cases newly right."
    assert since("full run", data, sheets("dfs/two-by-two", lab="other.py")) == ""
    assert since("full run", data, sheets("dfs/two-by-two", version="1.1.0")) == ""


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"lab": "lab.py", "version": "1.0.0", "cases": 3}', "null", "\x00", "[" * 9**6]
)
def test_an_odd_file_of_results_says_nothing(text: str, sheets: Callable[..., ScoreSheet], tmp_path: Path) -> None:
    (tmp_path / "results.json").write_text(text, encoding="utf-8")
    assert since("full run", read_results(tmp_path / "results.json"), sheets()) == ""
    assert read_results(tmp_path / "none.json") == read_results(tmp_path) == {}


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_results_take_the_place_of_a_link(sheets: Callable[..., ScoreSheet], tmp_path: Path) -> None:
    (tmp_path / "lab.py").write_text("mine", encoding="utf-8")
    (tmp_path / "results.json").symlink_to(tmp_path / "lab.py")
    sheets().write(tmp_path / "results.json")
    assert (tmp_path / "lab.py").read_text(encoding="utf-8") == "mine"
    assert read_results(tmp_path / "results.json") == sheets().data


def test_make_test_says_it(lab: Path, model: str, small: Bank, tmp_path: Path) -> None:
    grade(lab, small).write(tmp_path / "results.json")
    lab.write_text(with_body("dfs_maximizing", WRONG, model), encoding="utf-8")
    assert (
        since("full run", read_results(tmp_path / "results.json"), grade(lab, small))
        == "Since the last full run: -6 points, 2 cases newly wrong."
    )
