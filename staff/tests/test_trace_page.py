"""The page of make trace in a headless Chromium: opened from disk, stepped through by mouse and by keyboard."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from boards.cases import Bank
from grader.kinds.playback import NOWHERE, SCORED, Node, Playback, Step
from grader.tools.pages.writing import page, player
from grader.tools.trace import played
from staff.tests.conftest import KIT
from staff.tests.support.browser import CHROMEDRIVER, CHROMIUM, Browser

pytestmark = [
    pytest.mark.skipif(not (CHROMIUM and CHROMEDRIVER), reason="no chromium and chromedriver on this machine"),
    pytest.mark.xdist_group("chromium"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as browser:
        yield browser


Opened = Callable[[Playback], Browser]


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Opened]:
    """Opens the page of a playback; at the end it must not have complained."""

    def opened(playback: Playback) -> Browser:
        file = tmp_path / "page.html"
        file.write_text(page("A search played back", player("a case", ["f(state)"], playback)), encoding="utf-8")
        browser.open(file.as_uri())
        return browser

    yield opened
    assert browser.complaints() == []


@pytest.fixture(scope="module")
def equal_bounds(bank: Bank, model: str, tmp_path_factory: pytest.TempPathFactory) -> Playback:
    """An alpha-beta that does not cut off where alpha and beta are equal."""
    lab = tmp_path_factory.mktemp("lab") / "lab.py"
    lab.write_text(model.replace("if alpha >= beta:", "if alpha > beta:"), encoding="utf-8")
    case = next(case for case in bank.cases if case.id == "alphabeta/equal-bounds")
    found, _ = played(case, lab)
    return Playback(found.nodes, found.sides, mark=(2, "At B: beta = 3, and alpha = 3; you went on to 5."))


def said(page: Browser) -> str:
    return page.text(".said")


def button(page: Browser, name: str) -> None:
    page.run(
        "[...document.querySelectorAll('.buttons button')].find(b => b.textContent === arguments[0]).click()", name
    )


def names(page: Browser, pane: int, kind: str) -> list[str]:
    """The names of the nodes of a kind in one of the two trees, from the left."""
    trees = "document.querySelectorAll('.pane')[arguments[0]]"
    script = f"return [...{trees}.querySelectorAll(arguments[1])].map(n => n.textContent)"
    return list(page.run(script, pane, f".node.{kind} .name"))


def test_a_search_step_by_step(opened: Opened, equal_bounds: Playback) -> None:
    page = opened(equal_bounds)
    assert page.text(".found").startswith("At B: ")
    assert said(page).startswith("Step 14 of 26. ") and names(page, 0, "mark") == ["MIN B"]
    assert page.text(".found + p") == "It is shown here as it stands at this place; First goes back to the beginning."
    button(page, "First")
    assert said(page) == "Step 0 of 26."
    button(page, "Next")
    button(page, "Next")
    assert said(page) == "Step 2 of 26. At A, MIN to move: called with maximize = False."
    assert names(page, 0, "now") == names(page, 1, "now") == ["MIN A"]
    button(page, "Back")
    assert names(page, 0, "now") == ["MAX root"]
    button(page, "To the mistake")
    assert said(page).startswith("Step 14 of 26. Yours: At the 5 below B: called with alpha = 3, beta = 3")
    assert names(page, 0, "mark") == ["MIN B"] and page.count(".node .here") == 2
    page.run("players[0].go(20)")
    assert sorted(names(page, 1, "out")) == ["5", "9"] and names(page, 0, "out") == []
    page.run("players[0].slider.value = 18; players[0].slider.dispatchEvent(new Event('input'))")
    assert said(page).startswith("Step 18 of 26. Yours: At the 9 below B: get_endgame_score says 9")
    assert page.count(".pane.waits") == 1
    assert names(page, 1, "now") == ["3"]
    texts = page.run("return [...document.querySelectorAll('.pane:first-child .open .text')].map(t => t.textContent)")
    assert texts == ["…", "3 … INF"] or "3 … INF" in texts
    button(page, "Last")
    assert said(page).startswith("Step 26 of 26. ")
    button(page, "First")
    button(page, "Play")
    page.wait(lambda: said(page).startswith("Step 2 "))
    button(page, "Pause")
    assert page.run("return players[0].timer") is None


def test_by_keyboard(opened: Opened, equal_bounds: Playback) -> None:
    page = opened(equal_bounds)
    page.press("Home", "Right", "Right", "Left")
    assert said(page).startswith("Step 1 of 26.")
    page.press("m")
    assert said(page).startswith("Step 14 of 26.")
    page.press("p")
    assert page.count(".buttons button") == 6
    page.press("p")
    page.press("Tab", "Tab")
    assert page.run("return document.activeElement.type") == "range"
    page.run("document.querySelector('.fold').focus()")
    assert page.count(".pane:first-child .node") == 12
    page.press("Enter")
    assert page.count(".pane:first-child .node") == 1
    assert page.run("return document.activeElement.getAttribute('aria-label')") == "Unfold root"
    page.press(" ")
    assert page.count(".pane:first-child .node") == 12


def test_what_a_screen_reader_is_told(opened: Opened, equal_bounds: Playback) -> None:
    page = opened(equal_bounds)
    told = page.told({("slider", "Step"), ("region", "a case"), ("button", "Fold B"), ("button", "To the mistake")})
    assert "status" in {role for role, _ in told}
    assert all(name for role, name in told if role in ("button", "slider"))


def test_boards_are_drawn_in_the_nodes(opened: Opened, bank: Bank) -> None:
    case = next(case for case in bank.of("minimax_search_alphabeta") if "board" in case.calls[0].inputs["state"])
    page = opened(played(case, KIT / "lab.py")[0])
    button(page, "Next")
    button(page, "Next")
    boards = page.count(".board.small")
    assert boards == page.count(".node") > 4
    assert page.count(".small .one") + page.count(".small .two") >= 6 * boards


def test_hostile_names_and_words_are_text(opened: Opened) -> None:
    words = "</script><script>document.title = 'taken'</script><b>bold</b>"
    page = opened(Playback([Node(NOWHERE, "<b>x</b>")], {"yours": [Step(SCORED, 0, words, "<i>")]}, mark=(0, words)))
    page.run("players[0].go(1)")
    assert said(page) == f"Step 1 of 1. {words}" and page.text(".found") == words
    assert page.count("b, i") == 0 and page.run("return document.title") == "A search played back"
