"""make ladder and make match as people type them, and the rungs in make play."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from grader.ladder.submission import NEEDED
from staff.tests.conftest import KIT, Submit
from staff.tests.support.browser import CHROMEDRIVER, CHROMIUM, Browser
from staff.tests.support.typed import refusal, run
from staff.tests.support.waiting import soon
from staff.wrong_labs import with_body

pytestmark = pytest.mark.xdist_group("climbing")  # they share build/ladder.html
PAGE = KIT / "build" / "ladder.html"
PAGE_OF_RUNG_1 = PAGE.with_name("ladder-rung-1.html")


def grader(
    words: str, lab: Path = KIT / "lab.py", typed: str = ""
) -> "subprocess.CompletedProcess[str]":
    return run(f'"{sys.executable}" -m grader {words}', typed=typed, LAB=str(lab))


def summaries(page: Path) -> list[tuple[str, str]]:
    """The heading and the summary of each section of a page."""
    return re.findall(
        r"<h2>Against rung (\d)</h2>\n<p>(.*)</p>", page.read_text("utf-8")
    )


def summaries_of(games: list[str]) -> list[tuple[str, str]]:
    """The same of the lines on the screen; the last rung comes first."""
    summaries = []
    for rung, own in enumerate(zip(*[iter(games)] * 4, strict=True), start=1):
        won, drawn, lost = (
            sum(f": {word} after " in game for game in own)
            for word in ("won", "drawn", "lost")
        )
        points = f"{won + drawn / 2:g} of 4 points"
        summaries.append(
            (str(rung), f"{points} ({won} won, {drawn} drawn, {lost} lost)")
        )
    return summaries[::-1]


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
    assert summaries(PAGE) == summaries_of(games)
    assert grader("ladder BUDGET=60").stdout == climb.stdout


def test_one_rung_has_a_page_of_its_own() -> None:
    """The page of a whole climb stays as it is."""
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text("a whole climb", "utf-8")
    climb = grader("ladder RUNG=1 BUDGET=50")
    assert "lab.py beats rung 1." in said(climb.stdout)
    assert "Rung 2" not in climb.stdout
    assert climb.stdout.endswith("Open in a browser: build/ladder-rung-1.html\n")
    assert "Against rung 1" in PAGE_OF_RUNG_1.read_text("utf-8")
    assert PAGE.read_text("utf-8") == "a whole climb"


def unwritten(function: str, model: str) -> str:
    """The model solution with the stub of one function."""
    return with_body(function, "raise NotImplementedError", model)


@pytest.mark.parametrize("function", NEEDED)
def test_an_unwritten_function_keeps_lab_py_out(
    function: str, model: str, submit: Submit
) -> None:
    """Even if no game would call it."""
    source = unwritten(function, model)
    if function != "progressive_deepening":
        source = with_body("progressive_deepening", "return None", source)
    climb = grader("ladder RUNG=1", submit(source))
    says = f"lab.py cannot play yet. {function} is not written yet.\n"
    assert refusal(climb) == says


def test_an_unwritten_function_keeps_lab_py_out_of_a_match(
    model: str, submit: Submit
) -> None:
    lab = submit(unwritten("heuristic_connectfour", model))
    match = grader(f"match OTHER={KIT / 'lab.py'}", lab)
    says = "lab.py cannot play yet. heuristic_connectfour is not written yet.\n"
    assert refusal(match) == says


def test_the_other_file_of_a_match_is_kept_out_as_well(
    model: str, tmp_path: Path
) -> None:
    other = tmp_path / "old.py"
    other.write_text(unwritten("heuristic_connectfour", model), "utf-8")
    match = grader(f"match OTHER={other}")
    says = "old.py cannot play yet. heuristic_connectfour is not written yet.\n"
    assert refusal(match) == says


def test_a_function_that_nobody_needs_may_be_unwritten(
    model: str, tmp_path: Path
) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(unwritten("dfs_maximizing", model), "utf-8")
    assert grader("ladder RUNG=1 BUDGET=50", lab).returncode == 0


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
    reason = "lab.py loses (exception). AttributeError: 'ConnectFourBoard' object has no attribute 'x' (lab.py:"
    assert climb.returncode == 0 and reason in said(climb.stdout)
    page = PAGE_OF_RUNG_1.read_text("utf-8")
    assert "lab.py loses (exception). AttributeError" in page


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
        r"50\.0 of 100 points \(95% interval: 39 to 61\)\. That may be luck",
        said(match.stdout),
    )


def test_a_match_with_a_better_heuristic(model: str, tmp_path: Path) -> None:
    blind = tmp_path / "blind.py"
    blind.write_text(
        f"{model}\n\ndef heuristic_connectfour(board, maximize):\n    return 0\n",
        "utf-8",
    )
    match = grader(f"match OTHER={blind} BUDGET=50")
    assert "That is better, and more than luck." in said(match.stdout)


def test_a_rung_plays_in_the_terminal() -> None:
    game = grader("play --maxie rung:2 --minnie random:3")
    assert game.returncode == 0
    assert "Maxie (piece 1) is the ladder's rung 2 and moves first." in said(
        game.stdout
    )
    assert game.stdout.splitlines()[-1] == "Maxie wins."


def test_a_person_meets_a_rung_in_the_terminal() -> None:
    """A whole game; a column that is full is asked for again."""
    game = grader("play --minnie rung:3", typed="\n".join("0123456" * 6))
    assert (game.returncode, game.stderr) == (0, "")
    assert "Minnie (piece 2) is the ladder's rung 3." in said(game.stdout)
    assert game.stdout.endswith((" wins.\n", "It is a draw.\n"))


@pytest.mark.skipif(
    not (CHROMIUM and CHROMEDRIVER), reason="no chromium and chromedriver"
)
def test_the_page_steps_through_a_game() -> None:
    """If no game was lost, the first is open.  Arrows step, and the winning four are
    marked.
    """
    assert grader("ladder RUNG=1 BUDGET=50").returncode == 0
    with Browser() as browser:
        browser.open(PAGE_OF_RUNG_1.as_uri())
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


LOSES_AS_FIRST = """
honest = progressive_deepening
def progressive_deepening(state, heuristic_fn, depth_limit, maximize):
    if state.get_snapshot().count_pieces() % 2 == 0:
        raise ValueError("first")
    return honest(state, heuristic_fn, depth_limit, maximize)
"""


@pytest.mark.skipif(
    not (CHROMIUM and CHROMEDRIVER), reason="no chromium and chromedriver"
)
def test_the_last_lost_game_is_the_first_to_read(model: str, tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(model + LOSES_AS_FIRST, "utf-8")
    assert grader("ladder RUNG=1 BUDGET=50", lab).returncode == 0
    with Browser() as browser:
        browser.open(PAGE_OF_RUNG_1.as_uri())
        assert browser.count("section") == 1
        assert browser.count(".replay[open]") == 1
        assert browser.text(".replay[open] summary").startswith(
            "Opening 2: lab.py against rung 1. lab.py loses (exception). ValueError"
        )
        assert browser.complaints() == []
