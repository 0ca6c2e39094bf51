"""The pages in a headless Chromium: of make board, from its server, and of make trace,
opened from disk.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grader.bank.cases import Bank
from grader.kinds.playback import NOWHERE, SCORED, Node, Playback, Step
from grader.tools.board.server import BoardServer
from grader.tools.pages.writing import page as page_of
from grader.tools.pages.writing import section
from grader.tools.trace import played
from staff.tests.conftest import KIT
from staff.tests.support.browser import CHROMEDRIVER, CHROMIUM, Browser
from staff.wrong_labs import with_body

SEARCH = "minimax_search_alphabeta"

pytestmark = [
    pytest.mark.skipif(
        not (CHROMIUM and CHROMEDRIVER),
        reason="no chromium and chromedriver on this machine",
    ),
    pytest.mark.xdist_group("chromium"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as browser:
        yield browser


# --- make board ------------------------------------------------------------------------------------


@pytest.fixture
def page(browser: Browser, server: BoardServer) -> Iterator[Browser]:
    """The page, ready for the first move; at the end it must not have complained."""
    browser.open(server.url)
    browser.wait(lambda: browser.text("#status") == "Your turn.")
    yield browser
    assert browser.complaints() == []


def pieces(
    page: Browser, kind: str = ".one, #board .two, #board .cross, #board .nought"
) -> int:
    """How many cells hold a piece of a kind."""
    return int(page.run(f"return document.querySelectorAll('#board {kind}').length"))


def drop(page: Browser, column: int) -> None:
    page.click(f"#board button:nth-child({column + 1})")


def choose(page: Browser, field: str, value: str) -> None:
    """Choose from a list, as a person does."""
    page.run("const f = document.getElementById(arguments[0]); f.value = arguments[1];"
             "f.dispatchEvent(new Event('change'))", field, value)  # fmt: skip


def my_turn(page: Browser, count: int) -> None:
    """Wait until it is the person's turn, with so many pieces on the board."""
    page.wait(
        lambda: pieces(page) == count and page.text("#status").endswith("Your turn.")
    )


def test_a_game_by_mouse(page: Browser) -> None:
    assert page.text("#players").split("\n") == [
        "Maxie (you): piece 1",
        "Minnie (your alpha-beta, depth 4): piece 2",
    ]
    drop(page, 3)
    my_turn(page, 2)
    assert page.count("#board button:nth-child(4) .one") >= 1
    depths = page.run(
        "return [...document.querySelectorAll('#thoughts td:first-child')].map(c => c.textContent)"
    )
    assert depths == ["1", "2", "3", "4"]
    assert page.text("#line").startswith("It expects: 1. column ")
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
    page.wait(
        lambda: page.text("#status").startswith("In your place it would choose column ")
    )
    assert pieces(page) == 4
    page.press(*["Tab"] * 5)
    assert page.run("return document.activeElement.id") == "undo"


def test_a_named_board_and_its_end(page: Browser) -> None:
    choose(page, "named", "NEARLY_OVER")
    page.wait(lambda: pieces(page) == 36)
    assert page.text("#says").startswith("Six empty squares")
    choose(page, "opponent", "random")
    choose(page, "named", "AHEAD_AND_TO_MOVE")
    page.wait(lambda: pieces(page) == 8)
    drop(page, 5)
    page.wait(lambda: page.text("#status") == "Maxie: column 5. Maxie wins.")
    assert page.run("return document.getElementById('hint').ariaDisabled") == "true"
    assert page.count("#board .winning") == page.count("#board .one.winning") == 4
    labels = page.run(
        "return [...document.querySelectorAll('#board button')].map(button => button.ariaLabel)"
    )
    assert sum("Maxie (wins)" in label for label in labels) == 4
    drop(page, 0)
    assert page.text("#status") == "Maxie: column 5. Maxie wins."


def test_every_other_game(page: Browser) -> None:
    choose(page, "game", "tic_tac_toe")
    page.wait(lambda: page.count("#board button") == 9)
    page.press("5")
    my_turn(page, 2)
    assert (
        page.run("return document.querySelectorAll('#board button')[4].ariaLabel")
        == "Row 2, column 2: X"
    )
    choose(page, "opponent", "perfect")
    choose(page, "game", "nim")
    page.wait(lambda: page.count("#board .counter") == 15)
    assert page.text("#rules").endswith("Whoever takes the last piece loses.")
    page.click("#moves button:nth-child(2)")
    page.wait(
        lambda: (
            page.text("#status").endswith("Your turn.")
            and page.count("#board .counter") < 13
        )
    )
    assert page.text("#left") == f"{page.count('#board .counter')} of 15 are left."
    choose(page, "game", "zero_by:25:1:3:4")
    page.wait(
        lambda: (
            page.count("#board .counter") == 25 and page.text("#status") == "Your turn."
        )
    )
    moves = "return [...document.querySelectorAll('#moves button')].map(button => button.textContent)"
    assert page.run(moves) == ["Take 1", "Take 3", "Take 4"]
    page.press("4")
    page.wait(
        lambda: (
            page.text("#status").endswith("Your turn.")
            and page.count("#board .counter") < 21
        )
    )
    choose(page, "game", "connect_four")
    page.wait(lambda: page.count("#board button") == 7)
    drop(page, 3)
    page.wait(lambda: "connect_four is too large" in page.text("#error"))


def test_a_search_that_hangs_is_stopped(
    page: Browser, server: BoardServer, model: str
) -> None:
    text = f"{model}\n\nsound = {SEARCH}\n\ndef {SEARCH}(*given, **named):\n"
    text += "    while named.get('depth_limit', 0) > 2: pass\n    return sound(*given, **named)\n"
    server.lab.write_text(text, encoding="utf-8")
    drop(page, 3)
    page.wait(
        lambda: page.count("#thoughts tr") >= 2 and page.count("#status.busy") == 1
    )
    page.click("#stop")
    my_turn(page, 2)
    drop(page, 3)
    page.wait(
        lambda: page.count("#status.busy") == 1 and page.count("#thoughts tr") >= 2
    )
    page.click("#undo")
    my_turn(page, 2)
    page.wait(lambda: not server.thinking)


def test_rules_that_are_missing_or_hang_are_named(
    browser: Browser, server: BoardServer, model: str
) -> None:
    """Meanwhile there are other games."""
    server.lab.write_text(
        with_body("is_game_over_connectfour", "raise NotImplementedError", model),
        encoding="utf-8",
    )
    browser.open(server.url)
    browser.wait(
        lambda: browser.text("#error").startswith(
            "is_game_over_connectfour is not written yet; until it is"
        )
    )
    choose(browser, "game", "nim")
    browser.wait(
        lambda: (
            browser.text("#status").endswith("Your turn.")
            and not browser.text("#error")
        )
    )
    server.lab.write_text(
        with_body("is_game_over_connectfour", "while True: pass", model),
        encoding="utf-8",
    )
    choose(browser, "game", "connect_four")
    browser.wait(
        lambda: (
            browser.text("#error")
            == "Your part 1 takes longer than 10 seconds on this board."
        )
    )
    browser.wait(lambda: not server.thinking)
    assert browser.complaints() == []


def test_what_a_screen_reader_is_told(page: Browser) -> None:
    buttons = {
        ("button", name)
        for name in (
            "Undo",
            "Hint",
            "New game",
            *(f"Column {n}: empty" for n in range(7)),
        )
    }
    told = page.told({("group", "Board"), *buttons})
    assert {name for role, name in told if role == "combobox"} == {
        "Game",
        "Opponent",
        "Board",
    }
    assert {role for role, _ in told} >= {
        "status",
        "main",
        "heading",
        "table",
        "region",
    }
    assert all(
        name
        for role, name in told
        if role in ("button", "checkbox", "combobox", "spinbutton")
    )


# --- make trace ------------------------------------------------------------------------------------

Opened = Callable[[Playback], Browser]


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Opened]:
    """Opens the page of a playback; at the end it must not have complained."""

    def opened(playback: Playback) -> Browser:
        file = tmp_path / "page.html"
        file.write_text(
            page_of(
                "A search replayed", section("a case", "<p>f(state)</p>", playback)
            ),
            encoding="utf-8",
        )
        browser.open(file.as_uri())
        return browser

    yield opened
    assert browser.complaints() == []


@pytest.fixture(scope="module")
def equal_bounds(
    bank: Bank, model: str, tmp_path_factory: pytest.TempPathFactory
) -> Playback:
    """An alpha-beta that does not cut off where alpha and beta are equal."""
    lab = tmp_path_factory.mktemp("lab") / "lab.py"
    lab.write_text(
        model.replace("if alpha >= beta:", "if alpha > beta:"), encoding="utf-8"
    )
    case = next(case for case in bank.cases if case.id == "alphabeta/equal-bounds")
    found, _ = played(case, lab)
    return Playback(
        found.nodes,
        found.sides,
        mark=(2, "At B: beta = 3, and alpha = 3; you went on to 5."),
    )


def said(page: Browser) -> str:
    return page.text(".said")


def button(page: Browser, name: str) -> None:
    page.run(
        "[...document.querySelectorAll('.buttons button')].find(b => b.textContent === arguments[0]).click()",
        name,
    )


def names(page: Browser, pane: int, kind: str) -> list[str]:
    """The names of the nodes of a kind in one of the two trees, from the left."""
    trees = "document.querySelectorAll('.pane')[arguments[0]]"
    script = (
        f"return [...{trees}.querySelectorAll(arguments[1])].map(n => n.textContent)"
    )
    return list(page.run(script, pane, f".node.{kind} .name"))


def test_a_search_step_by_step(opened: Opened, equal_bounds: Playback) -> None:
    page = opened(equal_bounds)
    assert page.text(".found").startswith("At B: ")
    assert said(page).startswith("Step 14 of 26, the mistake. ")
    assert names(page, 0, "mark") == ["MIN B"]
    button(page, "First")
    assert said(page) == "Step 0 of 26."
    button(page, "Next")
    button(page, "Next")
    assert (
        said(page) == "Step 2 of 26. At A, MIN to move: called with maximize = False."
    )
    assert names(page, 0, "now") == names(page, 1, "now") == ["MIN A"]
    button(page, "Back")
    assert names(page, 0, "now") == ["MAX root"]
    button(page, "To the mistake")
    assert said(page).startswith(
        "Step 14 of 26, the mistake. Yours: At the 5 below B: called with alpha = 3, beta = 3"
    )
    assert page.text("main").count("At the 5 below B: called with alpha = 3") == 1
    assert names(page, 0, "mark") == ["MIN B"] and page.count(".node .here") == 2
    page.run("players[0].go(26)")
    assert sorted(names(page, 1, "out")) == ["5", "6", "7", "9"] and names(
        page, 0, "out"
    ) == ["7", "6"]
    page.run("players[0].go(16)")
    assert page.count(".pane.waits") == 1
    page.run(
        "players[0].slider.value = 18; players[0].slider.dispatchEvent(new Event('input'))"
    )
    assert said(page).startswith("Step 18 of 26. Yours: At the 9 below B: ")
    texts = page.run(
        "return [...document.querySelectorAll('.pane:first-child .open .text')].map(t => t.textContent)"
    )
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
    assert said(page).startswith("Step 14 of 26, the mistake.")
    page.press("p")
    assert page.count(".buttons button") == 6
    page.press("p")
    page.press("Tab", "Tab")
    assert page.run("return document.activeElement.type") == "range"
    page.run("document.querySelector('.fold').focus()")
    assert page.count(".pane:first-child .node") == 12
    page.press("Enter")
    assert page.count(".pane:first-child .node") == 1
    assert (
        page.run("return document.activeElement.getAttribute('aria-label')")
        == "Unfold root"
    )
    page.press(" ")
    assert page.count(".pane:first-child .node") == 12


def test_what_a_screen_reader_is_told_of_a_search(
    opened: Opened, equal_bounds: Playback
) -> None:
    page = opened(equal_bounds)
    told = page.told(
        {
            ("slider", "Step"),
            ("region", "a case"),
            ("button", "Fold B"),
            ("button", "To the mistake"),
        }
    )
    assert "status" in {role for role, _ in told}
    assert all(name for role, name in told if role in ("button", "slider"))


def test_boards_are_drawn_in_the_nodes(opened: Opened, bank: Bank) -> None:
    case = next(
        case
        for case in bank.of("minimax_search_alphabeta")
        if "board" in case.calls[0].inputs["state"]
    )
    page = opened(played(case, KIT / "lab.py")[0])
    button(page, "Next")
    button(page, "Next")
    boards = page.count(".board.small")
    assert boards == page.count(".node") > 4
    assert page.count(".small .one") + page.count(".small .two") >= 6 * boards
    button(page, "Last")
    page.run(
        "players[0].nodes.forEach((_, node) => players[0].folded.set(node, true)); players[0].go(players[0].row)"
    )
    won = page.run("return [...document.querySelectorAll('.pane:first-child .small')].map("
                   "board => board.querySelectorAll('.winning').length).filter(Boolean)")  # fmt: skip
    assert won and min(won) >= 4


def test_after_the_mistake_one_search_waits_until_both_are_at_the_same_node(
    opened: Opened, equal_bounds: Playback
) -> None:
    page = opened(equal_bounds)
    captions = "return [...document.querySelectorAll('figcaption')].map(caption => caption.textContent)"
    button(page, "Next")
    assert page.run(captions) == ["Yours", "Expected (waits)"]
    assert names(page, 0, "now") == ["5"] and names(page, 1, "now") == ["MIN B"]
    while page.run(captions) != ["Yours", "Expected"]:
        button(page, "Next")
    assert names(page, 0, "now") == names(page, 1, "now") == ["MIN C"]
    button(page, "Last")
    assert names(page, 0, "now") == names(page, 1, "now") == ["MAX root"]


@pytest.mark.parametrize("width", [1280, 390])
def test_a_tree_of_27_leaves_fits(
    width: int, opened: Opened, bank: Bank, model: str, tmp_path: Path
) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(
        model.replace("if alpha >= beta:", "if alpha > beta + 9:"), encoding="utf-8"
    )
    case = next(case for case in bank.cases if case.id == "alphabeta/three-plies")
    playback = played(case, lab)[0]
    page = opened(playback)
    page.emulate(
        "Emulation.setDeviceMetricsOverride",
        width=width,
        height=900,
        deviceScaleFactor=1,
        mobile=False,
    )
    page.run("players[0].go(players[0].marked)")
    assert (
        len(playback.nodes) == 40
        and page.run("return document.documentElement.scrollWidth") <= width
    )
    tree = "document.querySelector('.tree')"
    cropped = f"return {tree}.scrollWidth > {tree}.clientWidth || {tree}.scrollHeight > {tree}.clientHeight"
    smallest = "return Math.min(...[...document.querySelectorAll('.node .name')].map(n => n.getBoundingClientRect().height))"
    marked = "return document.querySelector('.mark').getBoundingClientRect().left"
    if width == 1280:
        assert page.run(cropped) is False and page.run(smallest) > 9
    else:
        assert 0 < page.run(marked) < width
    page.emulate("Emulation.clearDeviceMetricsOverride")


def test_a_crash_is_marked_only_where_it_is_known(
    opened: Opened, bank: Bank, model: str, tmp_path: Path
) -> None:
    """A search that does something else before it raises says what it raised, and
    claims no place.
    """
    lab = tmp_path / "lab.py"
    case = next(case for case in bank.cases if case.id == "dfs/two-by-two")
    at_once = "if state.is_game_over():\n    raise KeyError\nreturn dfs_maximizing(state.generate_next_states()[0])"
    backwards = "if state.is_game_over():\n    raise KeyError\nreturn dfs_maximizing(state.generate_next_states()[1])"
    for body, is_placed in ((at_once, True), (backwards, False)):
        lab.write_text(with_body("dfs_maximizing", body, model), encoding="utf-8")
        page = opened(played(case, lab)[0])
        assert page.text(".found").startswith("KeyError")
        assert (names(page, 0, "mark") == ["3"]) is is_placed
        assert (", the mistake." in said(page)) is is_placed


def test_hostile_names_and_words_are_text(opened: Opened) -> None:
    words = "</script><script>document.title = 'taken'</script><b>bold</b>"
    page = opened(
        Playback(
            [Node(NOWHERE, "<b>x</b>")],
            {"yours": [Step(SCORED, 0, words, "<i>")]},
            mark=(0, words),
        )
    )
    page.run("players[0].go(1)")
    assert (
        said(page) == f"Step 1 of 1, the mistake. {words}"
        and page.text(".found") == words
    )
    assert (
        page.count("b, i") == 0
        and page.run("return document.title") == "A search replayed"
    )
