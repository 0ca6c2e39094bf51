"""Who meets whom in a Swiss tournament, and what stands in its table."""

import random
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from staff.league.swiss import (
    BYE,
    FOR_A_BYE,
    Pairing,
    Tournament,
    number_of_rounds,
)

ROWS = yaml.safe_load(Path(__file__).with_name("swiss.yaml").read_text("utf-8"))
OUTCOMES = [(2.0, 0.0), (1.5, 0.5), (1.0, 1.0), (0.5, 1.5), (0.0, 2.0)]


def as_played(results: dict[str, list[float]]) -> dict[Pairing, Any]:
    """A round of the data, as a tournament keeps it."""
    played = {}
    for pair, points in results.items():
        first, second = pair.split(" ")
        played[first, second] = tuple(points)
    return played


def in_any_order(pairings: Iterable[Iterable[str]]) -> list[list[str]]:
    """Pairings that can be compared, whoever moves first and whoever is listed
    first.
    """
    return sorted(sorted(pairing) for pairing in pairings)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_who_meets_next(row: dict[str, Any]) -> None:
    tournament = Tournament(row["players"], "lots")
    for results in row.get("rounds", []):
        tournament.rounds.append(as_played(results))
    pairings = tournament.pairings()
    assert in_any_order(pairings) == in_any_order(row["next"])


def played(number: int, seed: int, rounds: int | None = None) -> Tournament:
    """A tournament of so many players, with results drawn by lot."""
    players = [f"player {n}" for n in range(number)]
    tournament = Tournament(players, str(seed))
    lots = random.Random(seed)
    if rounds is None:
        rounds = number_of_rounds(number)
    for _ in range(rounds):
        results = {}
        for pairing in tournament.pairings():
            results[pairing] = FOR_A_BYE if BYE in pairing else lots.choice(OUTCOMES)
        tournament.rounds.append(results)
    return tournament


def pairings_of(tournament: Tournament) -> list[Pairing]:
    """The pairings of all rounds."""
    return [pairing for results in tournament.rounds for pairing in results]


def check_that_nobody_meets_anybody_twice(tournament: Tournament) -> None:
    """The bye is a player here, so that nobody has two byes either."""
    pairings = pairings_of(tournament)
    assert len({frozenset(pairing) for pairing in pairings}) == len(pairings)


CLASSES = st.integers(0, 40)
SEEDS = st.integers(0, 1_000_000)


@given(CLASSES, SEEDS)
def test_everybody_plays_in_each_round(number: int, seed: int) -> None:
    tournament = played(number, seed)
    expected = sorted(tournament.players)
    if number % 2:
        expected = sorted([*tournament.players, BYE])
    for results in tournament.rounds:
        players = [player for pairing in results for player in pairing]
        assert sorted(players) == expected


@given(CLASSES, SEEDS)
def test_the_bye_never_moves_first(number: int, seed: int) -> None:
    first_players = {first for first, _ in pairings_of(played(number, seed))}
    assert BYE not in first_players


@given(CLASSES, SEEDS)
def test_nobody_meets_anybody_twice(number: int, seed: int) -> None:
    check_that_nobody_meets_anybody_twice(played(number, seed))


@pytest.mark.parametrize("number", [299, 300, 305])
def test_a_large_class_meets_no_one_twice(number: int) -> None:
    tournament = played(number, number)
    assert len(tournament.rounds) == 9
    check_that_nobody_meets_anybody_twice(tournament)


def test_players_meet_again_once_there_is_nobody_else() -> None:
    assert len(played(4, 1, rounds=9).rounds) == 9


# --- the table -----------------------------------------------------------------------


@dataclass
class Sums:
    """What a player has come to, added up game by game."""

    points: float = 0.0
    buchholz: float = 0.0  # the points of all opponents


def added_up(tournament: Tournament) -> dict[str, Sums]:
    """The sums of each player, and those of the bye, which has no points."""
    games = []
    for results in tournament.rounds:
        for (first, second), (of_first, of_second) in results.items():
            games.append((first, of_first, second))
            games.append((second, of_second, first))
    sums = {player: Sums() for player in [*tournament.players, BYE]}
    for player, points, _ in games:
        sums[player].points += points
    sums[BYE].points = 0.0
    for player, _, opponent in games:
        sums[player].buchholz += sums[opponent].points
    return sums


TABLES = st.integers(1, 12)


@given(TABLES, SEEDS)
def test_each_player_has_a_row_of_the_table(number: int, seed: int) -> None:
    tournament = played(number, seed)
    names = [row.name for row in tournament.table()]
    assert sorted(names) == sorted(tournament.players)


@given(TABLES, SEEDS)
def test_a_row_of_the_table_adds_up(number: int, seed: int) -> None:
    tournament = played(number, seed)
    sums = added_up(tournament)
    for row in tournament.table():
        assert Sums(row.points, row.buchholz) == sums[row.name]


@given(TABLES, SEEDS)
def test_the_best_come_first_and_equal_players_share_a_rank(
    number: int, seed: int
) -> None:
    table = played(number, seed).table()
    sums = [(row.points, row.buchholz) for row in table]
    assert sums == sorted(sums, reverse=True)
    ranks = [row.rank for row in table]
    assert ranks == [1 + sums.index(of_player) for of_player in sums]


# --- lots ----------------------------------------------------------------------------


@given(st.permutations([f"player {n}" for n in range(9)]), st.text(max_size=5))
def test_the_order_of_the_players_does_not_matter(
    players: list[str], seed: str
) -> None:
    pairings = Tournament(players, seed).pairings()
    assert pairings == Tournament(sorted(players), seed).pairings()


def test_the_seed_decides_the_lots() -> None:
    players = [f"player {n}" for n in range(20)]
    first = Tournament(players, "1").pairings()
    other = Tournament(players, "2").pairings()
    again = Tournament(players, "1").pairings()
    assert first != other
    assert first == again
