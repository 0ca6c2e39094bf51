"""The rounds of a league, and the games that were played in them."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from random import Random

from grader.ladder.game import Game
from grader.ladder.openings import OPENINGS
from staff.league.games import SIDES, Games, Match, Player
from staff.league.swiss import BYE, FOR_A_BYE, Pairing, Tournament, number_of_rounds


@dataclass(frozen=True)
class Played:
    """A game that was played in a league."""

    round: int  # the number of the round, from 1
    first: Player  # the player who moved first after the opening
    second: Player
    game: Game


@dataclass
class League:
    """A league, with the games that were played so far."""

    players: Sequence[Player]
    seed: int
    games: list[Played] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.by_name = {player.name: player for player in self.players}
        self.tournament = Tournament([*self.by_name], str(self.seed))

    @property
    def rounds(self) -> int:
        """How many rounds the league has."""
        return number_of_rounds(len(self.players))

    @property
    def number_of_games(self) -> int:
        """How many games the league has."""
        return self.rounds * (len(self.players) // 2) * len(SIDES)

    def hold(self, games: Games) -> Generator[Game]:
        """Play all rounds; yield each game as soon as it is over.  Raises Refusal."""
        for number in range(1, self.rounds + 1):
            pairings = self.tournament.pairings()
            matches = {
                pairing: self._match(pairing)
                for pairing in pairings
                if BYE not in pairing
            }
            over = dict[tuple[Match, int], Game]()
            for match, side, game in games.played(matches.values()):
                over[match, side] = game
                yield game
            points = dict.fromkeys(pairings, FOR_A_BYE)
            # Games end in any order, so they are put into the order of the pairings.
            for pairing, match in matches.items():
                own = [over[match, side] for side in SIDES]
                for side, game in zip(SIDES, own, strict=True):
                    self.games.append(Played(number, *match.players(side), game))
                points[pairing] = (
                    own[0].points(0) + own[1].points(1),
                    own[0].points(1) + own[1].points(0),
                )
            self.tournament.rounds.append(points)

    def _match(self, pairing: Pairing) -> Match:
        """Make the match of two players.  Its opening is drawn by lot.

        The lot depends only on the seed, the two names, and how often the two have met.
        So the opening does not show who is behind a name.
        """
        first, second = sorted(pairing)
        met = sum(
            frozenset(pairing) == frozenset(earlier)
            for results in self.tournament.rounds
            for earlier in results
        )
        lots = Random(f"{self.seed}, {first!r} against {second!r}, meeting {met + 1}")
        opening = lots.randint(1, OPENINGS)
        one, other = pairing
        return Match(self.by_name[one], self.by_name[other], opening)
