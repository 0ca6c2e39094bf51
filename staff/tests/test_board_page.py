"""The page of make board in a headless Chromium: played by mouse and by keyboard."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.tools.board.server import BoardServer
from staff.release.regions import without_solutions
from staff.tests.support.browser import CHROMEDRIVER, CHROMIUM, Browser

SEARCH = "minimax_search_alphabeta"

pytestmark = [
    pytest.mark.skipif(not (CHROMIUM and CHROMEDRIVER), reason="no chromium and chromedriver on this machine"),
    pytest.mark.xdist_group("chromium"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as browser:
        yield browser


@pytest.fixture
def server(tmp_path: Path, model: str) -> Iterator[BoardServer]:
    """A server whose lab.py is the model's, until a test writes another."""
    (tmp_path / "lab.py").write_text(model, encoding="utf-8")
    with BoardServer(tmp_path / "lab.py") as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def page(browser: Browser, server: BoardServer) -> Iterator[Browser]:
    """The page, ready for the first move; at the end it must not have complained."""
    browser.open(server.url)
    browser.wait(lambda: browser.text("#status") == "Your turn.")
    yield browser
    assert browser.complaints() == []


def pieces(page: Browser, kind: str = ".one, #board .two, #board .cross, #board .nought") -> int:
    """How many cells hold a piece of a kind, ghosts left out."""
    return int(
        page.run(f"return [...document.querySelectorAll('#board {kind}')].filter(c => !c.matches('.ghost')).length")
    )


def drop(page: Browser, column: int) -> None:
    page.click(f"#board button:nth-child({column + 1})")


def choose(page: Browser, field: str, value: str) -> None:
    """Choose from a list, as a person does."""
    page.run("const f = document.getElementById(arguments[0]); f.value = arguments[1];"
             "f.dispatchEvent(new Event('change'))", field, value)  # fmt: skip


def my_turn(page: Browser, count: int) -> None:
    """Wait until it is the person's turn, with so many pieces on the board."""
    page.wait(lambda: pieces(page) == count and page.text("#status").endswith("Your turn."))


def test_a_game_by_mouse(page: Browser) -> None:
    drop(page, 3)
    my_turn(page, 2)
    assert page.count("#board button:nth-child(4) .one") >= 1
    depths = page.run("return [...document.querySelectorAll('#thoughts td:first-child')].map(c => c.textContent)")
    assert depths == ["1", "2", "3", "4"]
    assert page.text("#line").startswith("It expects: 1. column ")
    plies = page.run("return [...document.querySelectorAll('#board .ghost')].map(c => c.dataset.ply).sort()")
    assert plies == ["2", "3", "4"]
    page.click("#ghosts")
    assert page.count("#board .ghost") == 0
    page.click("#ghosts")
    assert page.count("#board .ghost") == 3
    drop(page, 2)
    my_turn(page, 4)
    page.click("#undo")
    my_turn(page, 2)
    page.click("#switch")
    my_turn(page, 3)
    assert "Minnie (you)" in page.text("#players")
    page.click("#new")
    my_turn(page, 1)
    assert page.text("#error") == ""


def test_a_game_by_keyboard(page: Browser) -> None:
    focused = "return document.activeElement.ariaLabel"
    page.press("3")
    my_turn(page, 2)
    page.press("Tab", "Tab")
    assert page.run(focused).startswith("Column 1: ")
    page.press("Enter")
    my_turn(page, 4)
    assert page.run(focused).startswith("Column 1: from below ")
    page.press("Tab", " ")
    my_turn(page, 6)
    page.press("u")
    my_turn(page, 4)
    page.press("h")
    page.wait(lambda: page.text("#status").startswith("In your place it would choose column "))
    assert pieces(page) == 4
    page.press(*["Tab"] * 5)
    assert page.run("return document.activeElement.id") == "undo"


def test_a_named_board_and_the_winning_four(page: Browser) -> None:
    choose(page, "named", "NEARLY_OVER")
    page.wait(lambda: pieces(page) == 36)
    assert page.text("#says").startswith("Six empty squares")
    choose(page, "opponent", "random")
    choose(page, "named", "AHEAD_AND_TO_MOVE")
    page.wait(lambda: pieces(page) == 8)
    drop(page, 5)
    page.wait(lambda: page.text("#status") == "Maxie: column 5. Maxie wins.")
    assert page.count("#board .lit") == 4 and page.count("#board.won .one.lit") == 4
    assert page.run("return document.getElementById('hint').ariaDisabled") == "true"
    drop(page, 0)
    assert page.text("#status") == "Maxie: column 5. Maxie wins."


def test_every_other_game(page: Browser) -> None:
    choose(page, "game", "tic_tac_toe")
    page.wait(lambda: page.count("#board button") == 9)
    page.press("5")
    my_turn(page, 2)
    assert page.run("return document.querySelectorAll('#board button')[4].ariaLabel") == "Row 2, column 2: X"
    choose(page, "opponent", "perfect")
    choose(page, "game", "nim")
    page.wait(lambda: page.count("#board .counter") == 15)
    page.click("#moves button:nth-child(2)")
    page.wait(lambda: page.text("#status").endswith("Your turn.") and page.count("#board .counter") < 13)
    choose(page, "game", "connect_four")
    page.wait(lambda: page.count("#board button") == 7)
    drop(page, 3)
    page.wait(lambda: "connect_four is too large" in page.text("#error"))


def test_a_search_that_hangs_is_stopped(page: Browser, server: BoardServer, model: str) -> None:
    text = f"{model}\n\nsound = {SEARCH}\n\ndef {SEARCH}(*given, **named):\n"
    text += "    while named.get('depth_limit', 0) > 2: pass\n    return sound(*given, **named)\n"
    server.lab.write_text(text, encoding="utf-8")
    drop(page, 3)
    page.wait(lambda: page.count("#thoughts tr") >= 2 and page.count("#status.busy") == 1)
    page.wait(lambda: page.count("#board .ghost") == 2)
    page.click("#stop")
    my_turn(page, 2)
    drop(page, 3)
    page.wait(lambda: page.count("#status.busy") == 1 and page.count("#thoughts tr") >= 2)
    page.click("#undo")
    my_turn(page, 2)
    page.wait(lambda: not server.thinking)


def test_a_stub_waits_with_connect_four_and_plays_other_games(page: Browser, server: BoardServer, model: str) -> None:
    server.lab.write_text(without_solutions(model, server.lab), encoding="utf-8")
    page.click("#new")
    page.wait(lambda: "waits for it: is_game_over_connectfour is not written yet" in page.text("#status"))
    drop(page, 3)
    assert page.run("return document.getElementById('hint').ariaDisabled") == "true"
    assert pieces(page) == 0
    choose(page, "game", "tic_tac_toe")
    page.wait(lambda: page.count("#board button") == 9)
    page.press("5")
    my_turn(page, 2)
    assert "a random player plays" in page.text("#note")
    assert page.text("#error") == ""


def test_what_a_screen_reader_is_told(page: Browser) -> None:
    buttons = {("button", name) for name in ("Undo", "Hint", "New game", *(f"Column {n}: empty" for n in range(7)))}
    told = page.told({("group", "Board"), *buttons})
    assert {name for role, name in told if role == "combobox"} == {"Game", "Opponent", "Board"}
    assert {role for role, _ in told} >= {"status", "main", "heading", "table", "region"}
    assert all(name for role, name in told if role in ("button", "checkbox", "combobox", "spinbutton"))
