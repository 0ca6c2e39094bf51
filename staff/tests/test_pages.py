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
from staff.tests.conftest import KIT, Submit, case_named
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


def texts(page: Browser, selector: str) -> list[str]:
    """The texts of all elements that a CSS selector names."""
    script = "return [...document.querySelectorAll(arguments[0])].map(each => each.textContent)"
    return list(page.run(script, selector))


def labels(page: Browser, selector: str) -> list[str]:
    """What a screen reader is told of each of these elements."""
    script = "return [...document.querySelectorAll(arguments[0])].map(each => each.ariaLabel)"
    return list(page.run(script, selector))


def focused(page: Browser) -> str:
    """What a screen reader is told of the element that has the focus."""
    return str(page.run("return document.activeElement.ariaLabel"))


def test_a_search_shows_its_thoughts(page: Browser) -> None:
    assert page.text("#players").split("\n") == [
        "Maxie (you): piece 1",
        "Minnie (your alpha-beta, depth 4): piece 2",
    ]
    drop(page, 3)
    my_turn(page, 2)
    assert page.count("#board button:nth-child(4) .one") >= 1
    assert texts(page, "#thoughts td:first-child") == ["1", "2", "3", "4"]
    assert page.text("#line").startswith("It expects: 1. column ")


def test_a_game_by_mouse(page: Browser) -> None:
    drop(page, 3)
    my_turn(page, 2)
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
    page.press("3")
    my_turn(page, 2)
    page.press("Tab", "Tab")
    assert focused(page).startswith("Column 1: ")
    page.press("Enter")
    my_turn(page, 4)
    assert focused(page).startswith("Column 1: from below ")
    page.press("Tab", " ")
    my_turn(page, 6)
    page.press("u")
    my_turn(page, 4)


def test_a_hint_by_keyboard(page: Browser) -> None:
    page.press("3")
    my_turn(page, 2)
    page.press("h")
    hint = "In your place it would choose column "
    page.wait(lambda: page.text("#status").startswith(hint))
    assert pieces(page) == 2


def test_a_named_board(page: Browser) -> None:
    choose(page, "named", "NEARLY_OVER")
    page.wait(lambda: pieces(page) == 36)
    assert page.text("#says").startswith("Six empty squares")


def test_the_end_of_a_game(page: Browser) -> None:
    choose(page, "opponent", "random")
    choose(page, "named", "AHEAD_AND_TO_MOVE")
    page.wait(lambda: pieces(page) == 8)
    drop(page, 5)
    over = "Maxie: column 5. Maxie wins."
    page.wait(lambda: page.text("#status") == over)
    assert page.run("return document.getElementById('hint').ariaDisabled") == "true"
    assert page.count("#board .winning") == 4
    assert page.count("#board .one.winning") == 4
    told = labels(page, "#board button")
    assert len([label for label in told if "Maxie (wins)" in label]) == 4
    drop(page, 0)
    assert page.text("#status") == over


def my_turn_with_fewer(page: Browser, counters: int) -> None:
    """Wait until it is the person's turn, with fewer counters than these."""
    page.wait(
        lambda: (
            page.text("#status").endswith("Your turn.")
            and page.count("#board .counter") < counters
        )
    )


def test_tic_tac_toe(page: Browser) -> None:
    choose(page, "game", "tic_tac_toe")
    page.wait(lambda: page.count("#board button") == 9)
    page.press("5")
    my_turn(page, 2)
    assert labels(page, "#board button")[4] == "Row 2, column 2: X"


def test_nim(page: Browser) -> None:
    choose(page, "opponent", "perfect")
    choose(page, "game", "nim")
    page.wait(lambda: page.count("#board .counter") == 15)
    assert page.text("#rules").endswith("Whoever takes the last piece loses.")
    page.click("#moves button:nth-child(2)")
    my_turn_with_fewer(page, 13)
    assert page.text("#left") == f"{page.count('#board .counter')} of 15 are left."


def test_zero_by(page: Browser) -> None:
    choose(page, "opponent", "perfect")
    choose(page, "game", "zero_by:25:1:3:4")
    page.wait(lambda: page.count("#board .counter") == 25)
    page.wait(lambda: page.text("#status") == "Your turn.")
    assert texts(page, "#moves button") == ["Take 1", "Take 3", "Take 4"]
    page.press("4")
    my_turn_with_fewer(page, 21)


def test_a_game_that_is_too_large_for_the_perfect_player(page: Browser) -> None:
    choose(page, "opponent", "perfect")
    drop(page, 3)
    page.wait(lambda: "connect_four is too large" in page.text("#error"))


@pytest.fixture
def hangs_at_depth_3(server: BoardServer, submit: Submit, model: str) -> None:
    """Let the search of the server's lab.py hang below depth 2."""
    submit(
        f"{model}\n\nsound = {SEARCH}\n\ndef {SEARCH}(*given, **named):\n"
        "    while named.get('depth_limit', 0) > 2: pass\n    return sound(*given, **named)\n"
    )


@pytest.mark.usefixtures("hangs_at_depth_3")
@pytest.mark.parametrize("button", ["#stop", "#undo"])
def test_a_search_that_hangs_is_stopped(
    button: str, page: Browser, server: BoardServer
) -> None:
    """Stop lets it make the best move so far; undo takes the person's move back."""
    drop(page, 3)
    page.wait(lambda: page.count("#thoughts tr") >= 2)
    assert page.count("#status.busy") == 1
    page.click(button)
    my_turn(page, {"#stop": 2, "#undo": 0}[button])
    page.wait(lambda: not server.thinking)


def test_rules_that_are_missing_are_named(
    browser: Browser, server: BoardServer, model: str, submit: Submit
) -> None:
    """Meanwhile there are other games."""
    function = "is_game_over_connectfour"
    submit(with_body(function, "raise NotImplementedError", model))
    browser.open(server.url)
    says = f"{function} is not written yet; until it is"
    browser.wait(lambda: browser.text("#error").startswith(says))
    choose(browser, "game", "nim")
    browser.wait(lambda: browser.text("#status").endswith("Your turn."))
    browser.wait(lambda: not browser.text("#error"))
    assert browser.complaints() == []


# A page with this script keeps the milliseconds after which it gives up, and gives up
# after a twentieth of them.
IN_HASTE = """
const timeout = AbortSignal.timeout.bind(AbortSignal);
AbortSignal.timeout = (limit) => { window.limit = limit; return timeout(limit / 20); };
"""


@pytest.fixture
def hasty(browser: Browser) -> Iterator[Browser]:
    """The browser, whose pages wait for the server a twentieth of their time."""
    command = "Page.{}ScriptToEvaluateOnNewDocument"
    script = browser.emulate(command.format("add"), source=IN_HASTE)
    yield browser
    browser.emulate(command.format("remove"), **script)


def test_rules_that_hang_are_named(
    hasty: Browser, server: BoardServer, model: str, submit: Submit
) -> None:
    submit(with_body("is_game_over_connectfour", "while True: pass", model))
    hasty.open(server.url)
    says = "Your part 1 takes longer than 10 seconds on this board."
    hasty.wait(lambda: hasty.text("#error") == says)
    assert hasty.run("return window.limit") == 10_000
    hasty.wait(lambda: not server.thinking)
    assert hasty.complaints() == []


def test_what_a_screen_reader_is_told(page: Browser) -> None:
    buttons = ["Undo", "Hint", "New game", *(f"Column {n}: empty" for n in range(7))]
    told = page.told({("group", "Board"), *(("button", name) for name in buttons)})
    lists = {name for role, name in told if role == "combobox"}
    assert lists == {"Game", "Opponent", "Board"}
    roles = {role for role, _ in told}
    assert roles >= {"status", "main", "heading", "table", "region"}
    named = ("button", "checkbox", "combobox", "spinbutton")
    assert [role for role, name in told if role in named and not name] == []


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
    case = case_named("alphabeta/equal-bounds", bank)
    playback, _ = played(case, lab)
    mark = (2, "At B: beta = 3, and alpha = 3; you went on to 5.")
    return Playback(playback.nodes, playback.sides, mark=mark)


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


def go(page: Browser, step: int) -> None:
    """Show a step."""
    page.run("players[0].go(arguments[0])", step)


def test_the_mistake_is_shown_first(opened: Opened, equal_bounds: Playback) -> None:
    page = opened(equal_bounds)
    assert page.text(".found").startswith("At B: ")
    says = "Step 14 of 26, the mistake. Yours: At the 5 below B: called with alpha = 3, beta = 3"
    assert said(page).startswith(says)
    assert page.text("main").count("At the 5 below B: called with alpha = 3") == 1
    assert names(page, 0, "mark") == ["MIN B"]
    assert page.count(".node .here") == 2


def test_a_search_step_by_step(opened: Opened, equal_bounds: Playback) -> None:
    page = opened(equal_bounds)
    button(page, "First")
    assert said(page) == "Step 0 of 26."
    button(page, "Next")
    button(page, "Next")
    second = "Step 2 of 26. At A, MIN to move: called with maximize = False."
    assert said(page) == second
    assert names(page, 0, "now") == names(page, 1, "now") == ["MIN A"]
    button(page, "Back")
    assert names(page, 0, "now") == ["MAX root"]
    button(page, "Last")
    assert said(page).startswith("Step 26 of 26. ")
    button(page, "To the mistake")
    assert said(page).startswith("Step 14 of 26, the mistake. ")


def test_at_the_end_the_nodes_that_were_cut_off_are_out(
    opened: Opened, equal_bounds: Playback
) -> None:
    page = opened(equal_bounds)
    go(page, 26)
    assert names(page, 0, "out") == ["7", "6"]
    assert sorted(names(page, 1, "out")) == ["5", "6", "7", "9"]


def test_a_search_that_waits_is_grey(opened: Opened, equal_bounds: Playback) -> None:
    page = opened(equal_bounds)
    go(page, 16)
    assert page.count(".pane.waits") == 1


def test_a_step_by_the_slider(opened: Opened, equal_bounds: Playback) -> None:
    page = opened(equal_bounds)
    slide = "players[0].slider.value = 18; players[0].slider.dispatchEvent(new Event('input'))"
    page.run(slide)
    assert said(page).startswith("Step 18 of 26. Yours: At the 9 below B: ")
    assert "3 … INF" in texts(page, ".pane:first-child .open .text")


def test_a_search_plays_by_itself(opened: Opened, equal_bounds: Playback) -> None:
    page = opened(equal_bounds)
    button(page, "First")
    button(page, "Play")
    page.wait(lambda: said(page).startswith("Step 2 "))
    button(page, "Pause")
    assert page.run("return players[0].timer") is None


def test_steps_by_keyboard(opened: Opened, equal_bounds: Playback) -> None:
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


def test_a_tree_is_folded_by_keyboard(opened: Opened, equal_bounds: Playback) -> None:
    page = opened(equal_bounds)
    nodes = ".pane:first-child .node"
    page.run("document.querySelector('.fold').focus()")
    assert page.count(nodes) == 12
    page.press("Enter")
    assert page.count(nodes) == 1
    assert focused(page) == "Unfold root"
    page.press(" ")
    assert page.count(nodes) == 12


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
    named = ("button", "slider")
    assert [role for role, name in told if role in named and not name] == []


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
    winning = "return [...document.querySelectorAll('.pane:first-child .small')].map(board => board.querySelectorAll('.winning').length)"
    won = [cells for cells in page.run(winning) if cells]
    assert won
    assert min(won) >= 4


def test_after_the_mistake_one_search_waits_until_both_are_at_the_same_node(
    opened: Opened, equal_bounds: Playback
) -> None:
    page = opened(equal_bounds)
    button(page, "Next")
    assert texts(page, "figcaption") == ["Yours", "Expected (waits)"]
    assert names(page, 0, "now") == ["5"]
    assert names(page, 1, "now") == ["MIN B"]
    while texts(page, "figcaption") != ["Yours", "Expected"]:
        button(page, "Next")
    assert names(page, 0, "now") == names(page, 1, "now") == ["MIN C"]
    button(page, "Last")
    assert names(page, 0, "now") == names(page, 1, "now") == ["MAX root"]


@pytest.fixture
def large(bank: Bank, model: str, submit: Submit) -> Playback:
    """An alpha-beta that cuts off too late, on a tree of 27 leaves."""
    lab = submit(model.replace("if alpha >= beta:", "if alpha > beta + 9:"))
    playback, _ = played(case_named("alphabeta/three-plies", bank), lab)
    assert len(playback.nodes) == 40
    return playback


WIDE = 1280
NARROW = 390
OVERFLOWS = "return document.documentElement.scrollWidth > arguments[0]"
CROPPED = "const tree = document.querySelector('.tree'); return tree.scrollWidth > tree.clientWidth || tree.scrollHeight > tree.clientHeight"
SMALLEST = "return Math.min(...[...document.querySelectorAll('.node .name')].map(n => n.getBoundingClientRect().height))"
MARKED = "return document.querySelector('.mark').getBoundingClientRect().left"


@pytest.fixture
def sized(opened: Opened, large: Playback) -> Iterator[Callable[[int], Browser]]:
    """Opens the page of that tree, at the mistake, on a screen of this width."""
    page = opened(large)

    def sized(width: int) -> Browser:
        page.emulate(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=900,
            deviceScaleFactor=1,
            mobile=False,
        )
        page.run("players[0].go(players[0].marked)")
        return page

    yield sized
    page.emulate("Emulation.clearDeviceMetricsOverride")


def test_a_tree_of_27_leaves_fits_on_a_screen(
    sized: Callable[[int], Browser],
) -> None:
    page = sized(WIDE)
    assert not page.run(OVERFLOWS, WIDE)
    assert not page.run(CROPPED)
    assert page.run(SMALLEST) > 9


def test_of_a_tree_of_27_leaves_the_mistake_is_in_sight_on_a_telephone(
    sized: Callable[[int], Browser],
) -> None:
    page = sized(NARROW)
    assert not page.run(OVERFLOWS, NARROW)
    assert 0 < page.run(MARKED) < NARROW


CRASHES_AT = (
    "if state.is_game_over():\n    raise KeyError\n"
    "return dfs_maximizing(state.generate_next_states()[{}])"
)


@pytest.mark.parametrize(
    ("child", "is_placed"),
    [(0, True), (1, False)],
    ids=["as the reference", "something else before"],
)
def test_a_crash_is_marked_only_where_it_is_known(
    child: int,
    is_placed: bool,
    opened: Opened,
    bank: Bank,
    model: str,
    submit: Submit,
) -> None:
    """A search that does something else before it raises says what it raised, and
    claims no place.
    """
    lab = submit(with_body("dfs_maximizing", CRASHES_AT.format(child), model))
    page = opened(played(case_named("dfs/two-by-two", bank), lab)[0])
    assert page.text(".found").startswith("KeyError")
    assert (names(page, 0, "mark") == ["3"]) is is_placed
    assert (", the mistake." in said(page)) is is_placed


HOSTILE = "</script><script>document.title = 'taken'</script><b>bold</b>"


def test_hostile_names_and_words_are_text(opened: Opened) -> None:
    node = Node(NOWHERE, "<b>x</b>")
    step = Step(SCORED, 0, HOSTILE, "<i>")
    page = opened(Playback([node], {"yours": [step]}, mark=(0, HOSTILE)))
    go(page, 1)
    assert said(page) == f"Step 1 of 1, the mistake. {HOSTILE}"
    assert page.text(".found") == HOSTILE
    assert page.count("b, i") == 0
    assert page.run("return document.title") == "A search replayed"
