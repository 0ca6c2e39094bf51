"""Who meets whom in a Swiss tournament, and what stands in its table."""

import random
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from staff.league.swiss import BYE, FOR_A_BYE, Tournament, number_of_rounds

ROWS = yaml.safe_load(Path(__file__).with_name("swiss.yaml").read_text("utf-8"))
OUTCOMES = [(2.0, 0.0), (1.5, 0.5), (1.0, 1.0), (0.5, 1.5), (0.0, 2.0)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_who_meets_next(row: dict[str, Any]) -> None:
    tournament = Tournament(row["players"], "lots")
    for results in row.get("rounds", []):
        tournament.rounds.append(
            {tuple(pair.split(" ")): tuple(points) for pair, points in results.items()}
        )
    pairings = [set(pairing) for pairing in tournament.pairings()]
    assert sorted(map(sorted, pairings)) == sorted(map(sorted, row["next"]))


def played(number: int, seed: int, rounds: int | None = None) -> Tournament:
    """A tournament of so many players, with results drawn by lot."""
    tournament = Tournament([f"player {n}" for n in range(number)], str(seed))
    lots = random.Random(seed)
    if rounds is None:
        rounds = number_of_rounds(number)
    for _ in range(rounds):
        tournament.rounds.append(
            {
                pairing: FOR_A_BYE if BYE in pairing else lots.choice(OUTCOMES)
                for pairing in tournament.pairings()
            }
        )
    return tournament


@given(st.integers(0, 40), st.integers(0, 1_000_000))
def test_everybody_plays_in_each_round_and_nobody_meets_anybody_twice(
    number: int, seed: int
) -> None:
    tournament = played(number, seed)
    pairings = [pairing for results in tournament.rounds for pairing in results]
    for results in tournament.rounds:
        players = [player for pairing in results for player in pairing]
        expected = [*tournament.players, *([BYE] if number % 2 else [])]
        assert sorted(players) == sorted(expected)
        assert all(first != BYE for first, _ in results)
    # The bye is a player here: so nobody has two byes.
    assert len({frozenset(pairing) for pairing in pairings}) == len(pairings)


def test_a_large_class_meets_no_one_twice() -> None:
    for number in (299, 300, 305):
        tournament = played(number, number)
        pairings = [pairing for results in tournament.rounds for pairing in results]
        assert len({frozenset(pairing) for pairing in pairings}) == len(pairings)
        assert len(tournament.rounds) == 9


def test_players_meet_again_once_there_is_nobody_else() -> None:
    assert len(played(4, 1, rounds=9).rounds) == 9


@given(st.integers(1, 12), st.integers(0, 1_000_000))
def test_the_table_adds_up(number: int, seed: int) -> None:
    tournament = played(number, seed)
    table = tournament.table()
    assert sorted(row.name for row in table) == sorted(tournament.players)
    points = {row.name: row.points for row in table}
    for row in table:
        own = buchholz = 0.0
        for results in tournament.rounds:
            for pairing, gained in results.items():
                if row.name in pairing:
                    own += gained[pairing.index(row.name)]
                    (other,) = {*pairing} - {row.name}
                    buchholz += points.get(other, 0.0)
        assert (row.points, row.buchholz) == (own, buchholz)
    keys = [(row.points, row.buchholz) for row in table]
    assert keys == sorted(keys, reverse=True)
    for row, key in zip(table, keys, strict=True):
        assert row.rank == 1 + keys.index(key)


@given(st.permutations([f"player {n}" for n in range(9)]), st.text(max_size=5))
def test_the_order_of_the_players_does_not_matter(
    players: list[str], seed: str
) -> None:
    assert (
        Tournament(players, seed).pairings()
        == Tournament(sorted(players), seed).pairings()
    )


def test_another_seed_pairs_otherwise() -> None:
    players = [f"player {n}" for n in range(20)]
    pairings = [Tournament(players, seed).pairings() for seed in ("1", "2", "1")]
    assert pairings[0] == pairings[2] != pairings[1]
