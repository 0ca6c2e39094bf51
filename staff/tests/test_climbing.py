"""make ladder and make match as people type them, and the rungs in make play."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from staff.release.regions import without_solutions
from staff.tests.conftest import KIT
from staff.tests.support.browser import CHROMEDRIVER, CHROMIUM, Browser
from staff.tests.support.typed import run
from staff.tests.support.waiting import soon

pytestmark = pytest.mark.xdist_group("climbing")  # they share build/ladder.html


def grader(
    words: str, lab: Path = KIT / "lab.py"
) -> "subprocess.CompletedProcess[str]":
    return run(f'"{sys.executable}" -m grader {words}', LAB=str(lab))


def said(text: str) -> str:
    """What a screen says, on one line."""
    return " ".join(text.split())


def test_the_model_climbs() -> None:
    """Four games on each rung with more evaluations for none; the same every time."""
    climb = grader("ladder --budget 60")
    assert (climb.returncode, climb.stderr) == (0, "")
    lines = climb.stdout.splitlines()
    assert all(len(line) < 80 for line in lines)
    rungs = [line for line in lines if line.startswith("Rung ")]
    games = [line for line in lines if line.startswith("Opening ")]
    assert rungs[0] == "Rung 1: moves at random" and len(games) == 4 * len(rungs)
    pattern = r"Opening \d+, you (first|second): (won|drawn|lost) after \d+ moves; [\d,]+ evaluations, up to depth \d+"
    assert all(re.fullmatch(pattern, game) for game in games)
    end = said(climb.stdout)
    assert f"lab.py reaches rung {len(rungs) - 1} of 7." in end
    assert re.search(
        r"your search (was sure of the loss from move|never saw the loss coming)", end
    )
    assert lines[-1].endswith("build/ladder.html")
    assert grader("ladder BUDGET=60").stdout == climb.stdout


def test_one_rung() -> None:
    climb = grader("ladder RUNG=1 BUDGET=50")
    assert "lab.py beats rung 1." in said(climb.stdout)
    assert "Rung 2" not in climb.stdout


@pytest.mark.parametrize(
    "function",
    ["heuristic_connectfour", "progressive_deepening", "endgame_score_connectfour"],
)
def test_an_unwritten_function_keeps_lab_py_out(
    function: str, model: str, tmp_path: Path
) -> None:
    stub = tmp_path / "stub.py"
    stub.write_text(without_solutions(model, Path("lab.py")), "utf-8")
    climb = grader("ladder", stub)
    assert (climb.returncode, climb.stdout) == (2, "")
    assert (
        climb.stderr
        == "stub.py cannot play yet. progressive_deepening is not written yet.\n"
    )
    unwritten = tmp_path / "lab.py"
    body = f"def {function}(*args, **named):\n    raise NotImplementedError\n"
    unwritten.write_text(f"{model}\n\n{body}", "utf-8")
    climb = grader("ladder", unwritten)
    assert climb.returncode == 2
    assert re.fullmatch(
        rf"lab.py cannot play yet\. .*{function}(, which)? is not written yet\.\n",
        climb.stderr,
    )


def test_a_deleted_function_keeps_lab_py_out(model: str, tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(f"{model}\n\ndel heuristic_connectfour\n", "utf-8")
    climb = grader("ladder", lab)
    assert climb.returncode == 2
    says = "lab.py cannot play yet. lab.py has no heuristic_connectfour any more.\n"
    assert climb.stderr == says


def test_what_cannot_be_imported(tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text("def solve(:\n", "utf-8")
    climb = grader("ladder", lab)
    assert climb.returncode == 2
    assert climb.stderr.startswith(
        "lab.py cannot play yet. lab.py cannot be imported. SyntaxError"
    )


def test_a_reason_is_on_the_screen_and_on_the_page(model: str, tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(
        f"{model}\n\ndef heuristic_connectfour(board, maximize):\n    return board.x\n",
        "utf-8",
    )
    climb = grader("ladder --rung 1 --budget 50", lab)
    reason = "lab.py loses by an exception. AttributeError: 'ConnectFourBoard' object has no attribute 'x' (lab.py:"
    assert climb.returncode == 0 and reason in said(climb.stdout)
    page = (KIT / "build" / "ladder.html").read_text("utf-8")
    assert "lab.py loses by an exception. AttributeError" in page


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("ladder RUNG=8", "RUNG is a whole number from 1 to 7, and not '8'"),
        ("ladder BUDGET=49", "BUDGET is a whole number from 50 to 1,000,000, and not '49'"),
        ("ladder BUDGET=x", "BUDGET is a whole number from 50 to 1,000,000, and not 'x'"),
        ("ladder up", "unrecognized arguments: up; python grader ladder takes RUNG=5 and BUDGET=500"),
        ("match", "python grader match takes OTHER=old_lab.py and BUDGET=500"),
        ("match OTHER=missing.py", "missing.py is not there, or is not an ordinary file"),
        ("play nim --maxie rung:3", "the rungs of the ladder play connect_four alone"),
        ("play --maxie rung:8", "there is no player 'rung:8'"),
    ],
)  # fmt: skip
def test_bad_words_are_one_line(words: str, says: str) -> None:
    typed = grader(words)
    assert (typed.returncode, typed.stdout) == (2, "")
    assert typed.stderr.startswith(says) and typed.stderr.count("\n") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
def test_ctrl_c_stops_it(model: str, tmp_path: Path) -> None:
    """It ends with status 130, and leaves no process behind."""
    lab = tmp_path / "lab.py"
    mark = tmp_path / "began"
    slow = "\n\ndef heuristic_connectfour(board, maximize):\n    time.sleep(0.01)\n    return 0\n"
    lab.write_text(f"{model}{slow}", "utf-8")
    climb = subprocess.Popen(
        [sys.executable, "-m", "grader", "ladder"], cwd=KIT, env={**os.environ, "LAB": str(lab)},
        stdout=mark.open("wb"), stderr=subprocess.PIPE, start_new_session=True, text=True,
    )  # fmt: skip
    assert soon(lambda: "Rung 1" in mark.read_text("utf-8"))
    children = children_of(climb.pid)
    climb.send_signal(signal.SIGINT)
    _, errors = climb.communicate(timeout=60)
    assert (climb.returncode, errors.strip()) == (130, "stopped")
    assert soon(lambda: not any(Path(f"/proc/{child}").exists() for child in children))


def children_of(process: int) -> list[str]:
    """The processes that a process has started, where /proc tells."""
    file = Path(f"/proc/{process}/task/{process}/children")
    return file.read_text("ascii").split() if file.exists() else []


def test_a_match(tmp_path: Path) -> None:
    """A lab.py is as good as itself."""
    match = grader(f"match OTHER={KIT / 'lab.py'} BUDGET=50")
    assert (match.returncode, match.stderr) == (0, "")
    assert "lab.py meets the other lab.py: 40 openings from both sides" in said(
        match.stdout
    )
    assert re.search(
        r"50\.0 of 100 points \(95 % interval: 39 to 61\)\. That may be luck",
        said(match.stdout),
    )


def test_a_match_with_a_better_heuristic(model: str, tmp_path: Path) -> None:
    blind = tmp_path / "blind.py"
    blind.write_text(
        f"{model}\n\ndef heuristic_connectfour(board, maximize):\n    return 0\n",
        "utf-8",
    )
    match = grader(f"match OTHER={blind} BUDGET=100")
    assert "That is better, and more than luck." in said(match.stdout)


def test_a_rung_plays_in_the_terminal() -> None:
    game = grader("play --maxie rung:2 --minnie random:3")
    assert game.returncode == 0
    assert "Maxie (piece 1) is the ladder's rung 2 and moves first." in said(
        game.stdout
    )
    assert game.stdout.splitlines()[-1] == "Maxie wins."


@pytest.mark.skipif(
    not (CHROMIUM and CHROMEDRIVER), reason="no chromium and chromedriver"
)
def test_the_page_steps_through_a_game() -> None:
    """The last game is open; the arrows step, and the winning four are marked."""
    assert grader("ladder RUNG=1 BUDGET=50").returncode == 0
    with Browser() as browser:
        browser.open((KIT / "build" / "ladder.html").as_uri())
        pieces = "return document.querySelectorAll('.replay[open] .board :is(.one, .two)').length"
        before = browser.run(pieces)
        assert browser.text(".replay[open] .said").startswith("The opening. ")
        browser.click(".replay[open] .buttons button:nth-child(3)")
        assert browser.run(pieces) == before + 1
        assert "plays column" in browser.text(".replay[open] .said")
        browser.click(".replay[open] .buttons button:nth-child(4)")
        assert (
            browser.run("return document.querySelectorAll('.board .winning').length")
            >= 4
        )
        assert browser.text(".replay[open] .said").endswith("lab.py wins.")
        assert browser.complaints() == []
