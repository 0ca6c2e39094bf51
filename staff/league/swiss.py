"""A Swiss tournament: decides who meets whom in each round, and makes the table.

In each round, players with about equal points meet.  If the number of players is odd,
one player in each round is left out and has a bye.  If the tournament has no more
rounds than number_of_rounds says, no two players meet twice, and no player has two
byes.  A bye is a pairing with BYE.  While players are paired, BYE counts as a player
who is always last.
"""

from collections import defaultdict
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from random import Random

BYE = ""
FOR_A_BYE = (1.0, 0.0)  # the points of the player who is left out, and of BYE
Pairing = tuple[str, str]
"""Two players who meet.  If one of them is BYE, it is the second."""
Met = AbstractSet[frozenset[str]]
"""Pairs of players who have met."""


@dataclass(frozen=True)
class Standing:
    """What a player has reached in the tournament so far."""

    rank: int  # from 1; players with equal points and equal Buchholz share a rank
    name: str
    points: float
    buchholz: float  # the sum of the points of all players whom this player has met


@dataclass
class Tournament:
    """A tournament, with the rounds that were played so far."""

    players: Sequence[str]  # the names of the players; no two are equal
    seed: str
    # The pairings of each round, with the points of both players in each pairing.
    rounds: list[dict[Pairing, tuple[float, float]]] = field(default_factory=list)

    def pairings(self) -> list[Pairing]:
        """Decide the pairings of the next round.

        The pairings depend only on the names, the seed, and the rounds so far.
        """
        order = sorted(self.players)
        Random(f"{self.seed}, round {len(self.rounds) + 1}").shuffle(order)
        points = self.points()
        order.sort(key=lambda player: -points[player])
        if len(order) % 2:
            order.append(BYE)
        met = {frozenset(pairing) for results in self.rounds for pairing in results}
        return _paired(order, met)

    def points(self) -> dict[str, float]:
        """The points of each player."""
        points = dict.fromkeys(self.players, 0.0)
        for player, _, own in self._results():
            points[player] += own
        return points

    def table(self) -> list[Standing]:
        """The standings, the best first.  Players who share a rank are ordered by
        name.
        """
        points = self.points()
        buchholz: dict[str, float] = defaultdict(float)
        for player, other, _ in self._results():
            buchholz[player] += points.get(other, 0.0)
        table = list[Standing]()
        in_order = sorted(
            points, key=lambda name: (-points[name], -buchholz[name], name)
        )
        for place, name in enumerate(in_order, start=1):
            rank = place
            if table:
                above = table[-1]
                if (above.points, above.buchholz) == (points[name], buchholz[name]):
                    rank = above.rank
            table.append(Standing(rank, name, points[name], buchholz[name]))
        return table

    def _results(self) -> list[tuple[str, str, float]]:
        """List the result of each player in each round.

        A result names the player and the opponent, and has the points of the player.
        """
        results = []
        for pairings in self.rounds:
            for (first, second), (of_first, of_second) in pairings.items():
                results.append((first, second, of_first))
                if second != BYE:
                    results.append((second, first, of_second))
        return results


def number_of_rounds(players: int) -> int:
    """How many rounds a tournament has: the binary logarithm of the players, rounded
    up.

    >>> [number_of_rounds(players) for players in (1, 2, 3, 4, 5, 300)]
    [0, 1, 2, 2, 3, 9]
    """
    return (players - 1).bit_length()


def _paired(order: Sequence[str], met: Met) -> list[Pairing]:
    """Pair an even number of players, from the strongest to the weakest.

    From the top, each player meets the next weaker player whom it has not met yet.  If
    there is no such player, `_add` finds the opponent.
    """
    pairings = list[Pairing]()
    waiting = list(order)
    left = []
    while waiting:
        player = waiting.pop(0)
        others = [other for other in waiting if frozenset({player, other}) not in met]
        if others:
            waiting.remove(others[0])
            pairings.append((player, others[0]))
        else:
            left.append(player)
    while left:
        lower = left.pop()
        _add(pairings, left.pop(), lower, met)
    return pairings


def _add(pairings: list[Pairing], player: str, other: str, met: Met) -> None:
    """Pair two players who are left over, and who have met each other already.

    If possible, an earlier pair is split, and each of its players meets one of the two.
    The pair that is split is the lowest one for which no players meet a second time.
    If there is no such pair, the two players meet again.
    """
    for place in reversed(range(len(pairings))):
        higher, lower = pairings[place]
        for own, others in ((higher, lower), (lower, higher)):
            if not met & {frozenset({own, player}), frozenset({others, other})}:
                pairings[place] = _with_bye_last(own, player)
                pairings.append(_with_bye_last(others, other))
                return
    pairings.append((player, other))


def _with_bye_last(player: str, other: str) -> Pairing:
    """Pair two players.  If one of them is BYE, it comes second."""
    return (other, player) if player == BYE else (player, other)
