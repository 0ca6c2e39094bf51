"""The page of a league in a headless Chromium, with players of the house alone."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from staff.league.entries import house_players
from staff.league.games import Games
from staff.league.page import page_of
from staff.league.rounds import League
from staff.league.table import Report, columns, opening_columns, report_of
from staff.store import in_memory
from staff.tests.support.browser import CHROMEDRIVER, CHROMIUM, Browser

pytestmark = [
    pytest.mark.skipif(
        not (CHROMIUM and CHROMEDRIVER),
        reason="no chromium and chromedriver on this machine",
    ),
    pytest.mark.xdist_group("chromium"),
]


@pytest.fixture(scope="module")
def report() -> Report:
    """A league of four rungs of the ladder."""
    league = League(house_players(seed=1)[:4], seed=1)
    with closing(in_memory()) as db:
        assert len([*league.hold(Games(db, budget=50))]) == 8
    return report_of(league, 50)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as browser:
        yield browser


@pytest.fixture
def page(browser: Browser, report: Report, tmp_path: Path) -> Iterator[Browser]:
    """The page; at the end it must not have complained."""
    file = tmp_path / "league.html"
    file.write_bytes(page_of("The league", report))
    browser.open(file.as_uri())
    yield browser
    assert browser.complaints() == []


def pieces(page: Browser) -> int:
    return page.count("#board .one, #board .two")


def test_a_game_is_replayed_by_keys_and_buttons(page: Browser, report: Report) -> None:
    first = report.rows[0].player.name
    played = next(
        game
        for game in report.league.games
        if first in (game.first.name, game.second.name)
    )
    opening = len(opening_columns(played.game))
    end = len(columns(played.game))
    assert pieces(page) == opening
    page.press("Right")
    assert pieces(page) == opening + 1
    assert page.text("#said").startswith(f"Move {opening + 1} of {end}. ")
    page.press("Home")
    assert pieces(page) == 0
    page.click("#last")
    assert pieces(page) == end
    assert page.count("#board .last") == 1
    if played.game.winner is not None:
        assert page.count("#board .winning") >= 4


def test_a_name_leads_to_the_games_of_its_player(page: Browser, report: Report) -> None:
    for number, row in enumerate(report.rows):
        page.click(f"[data-player='{number}']")
        assert page.count("#games button") == row.won + row.drawn + row.lost
        texts = page.run(
            "return [...document.querySelectorAll('#games button')]"
            ".map((button) => button.textContent)"
        )
        assert all(row.player.name in text for text in texts)
        assert page.count(".chosen") == 1


def test_it_opens_with_a_player_of_the_class(
    browser: Browser, report: Report, tmp_path: Path
) -> None:
    """As if the last but one were not a rung."""
    name = report.rows[-2].player.name
    page = page_of("The league", report).decode()
    rung, student = f'["{name}",true]', f'["{name}",false]'
    file = tmp_path / "league.html"
    file.write_text(page.replace(rung, student), "utf-8")
    browser.open(file.as_uri())
    assert browser.text(".chosen button") == name


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_on_every_screen(page: Browser, width: int, scheme: str) -> None:
    page.emulate(
        "Emulation.setDeviceMetricsOverride",
        width=width, height=844, deviceScaleFactor=1, mobile=False,
    )  # fmt: skip
    media = [{"name": "prefers-color-scheme", "value": scheme}]
    page.emulate("Emulation.setEmulatedMedia", features=media)
    try:
        root = "document.documentElement"
        assert page.run(f"return {root}.scrollWidth <= {root}.clientWidth")
        assert page.run("return getComputedStyle(document.body).backgroundColor") == {
            "light": "rgb(245, 244, 240)",
            "dark": "rgb(20, 23, 28)",
        }[scheme]  # fmt: skip
    finally:
        page.emulate("Emulation.clearDeviceMetricsOverride")
        page.emulate("Emulation.setEmulatedMedia", features=[])
