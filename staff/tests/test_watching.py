"""`make watch`: without a clock, since what it does between two looks is the test's."""

from collections.abc import Callable
from pathlib import Path

import pytest

from grader.bank.cases import Bank
from grader.commands import watching
from grader.commands.watching import main
from grader.release import Release
from staff.wrong_labs import with_body

WRONG = "return [state], 0, 1"

Watch = Callable[..., list[str]]


@pytest.fixture
def watch(
    tmp_path: Path,
    bank: Bank,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Watch:
    """What is shown after each of these texts of lab.py, of which None is no file; then
    Ctrl-C.  The first report, of the text with which the watch begins, is left out.
    """
    small = Bank(
        bank.parts, tuple(bank.of("dfs_maximizing")[:2] + bank.of("minimax_search")[:2])
    )
    monkeypatch.setattr(watching, "load_bank", lambda: small)
    lab = tmp_path / "lab.py"
    lab.write_text("first = 1\n", encoding="utf-8")

    def watch(*texts: str | None) -> list[str]:
        shown, left = list[str](), list(texts)

        def save_instead(of_seconds: float) -> None:
            shown.append(capsys.readouterr().out)
            if not left:
                raise KeyboardInterrupt
            lab.unlink(missing_ok=True)
            if (text := left.pop(0)) is not None:
                lab.write_text(text, encoding="utf-8")

        monkeypatch.setattr(watching, "sleep", save_instead)
        assert main([], lab) == 0
        assert capsys.readouterr().out == "\nstopped watching\n"
        return shown[1:]

    return watch


def test_every_save_is_graded(watch: Watch, model: str) -> None:
    wrong = with_body("minimax_search", WRONG, model)
    right, same, failing, broken, gone, again = watch(
        model, model, wrong, "def f(:\n", None, model
    )
    assert right.startswith("Grading lab.py ...\n") and right.endswith(
        "\nWatching lab.py; Ctrl-C ends it.\n"
    )
    assert (
        "everything passes" in right
        and "everything passes" in again
        and (same, gone) == ("", "")
    )
    assert "1 more case of minimax_search does not pass. List all:" in failing
    assert "FAIL  minimax/" in failing and "expected" in failing
    assert "lab.py cannot be imported. SyntaxError: invalid syntax" in broken


def test_a_course_decides_how_much_is_told(
    watch: Watch, model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "grader.grading.session.read_release",
        lambda: Release("1.0.0", feedback="verdict"),
    )
    (shown,) = watch(with_body("minimax_search", WRONG, model))
    assert "FAIL  minimax/" in shown and "expected" not in shown
