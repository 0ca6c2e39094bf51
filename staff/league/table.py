"""Makes the table of a league that is over, and league.csv, which says who is who."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from boards.reading import read_yaml
from grader.kit import KIT
from grader.ladder.game import Game, How
from grader.ladder.rungs import Rung
from grader.protocol.text import plural
from staff.intake.roster import Student
from staff.intake.tables import as_csv
from staff.league.games import Player
from staff.league.rounds import League, Played
from staff.league.swiss import Standing
from staff.league.values import DRAW, WIN

OPENINGS = KIT / "grader" / "ladder" / "openings.yaml"
BY_THE_RULES = ("four in a line", "full board")
WHY: dict[How, str] = {
    "no result": "had no result when its evaluations were spent",
    "illegal move": "made an illegal move",
    "exception": "raised an exception",
    "CPU": "used up its CPU time",
    "stall": "stalled",
    "process ended": "ended its process",
}
"""How a player loses other than by the rules, in words that everybody may read."""
NOT_REPEATABLE = "not repeatable"
HEADS = (
    "rank",
    "name",
    "ids",
    "students",
    "points",
    "Buchholz",
    "won",
    "drawn",
    "lost",
    "lost other than by the rules",
    NOT_REPEATABLE,
    "moves off the books",
    "wins given away",
    "draws given away",
)


@dataclass
class Row:
    """A row of the table, which is about one player."""

    standing: Standing
    player: Player
    won: int = 0  # how many games the player has won
    drawn: int = 0
    lost: int = 0
    # The games that the player has lost for another reason than the rules of Connect
    # Four, such as an illegal move.
    forfeits: list[Played] = field(default_factory=list)
    not_repeatable: int = 0  # how many games are not repeatable
    # For how many moves the player reported a score although no evaluation that was
    # counted in the game has returned the score or its negative.
    off_the_books: int = 0
    wins_given: int = 0  # how many moves gave away a win; 0 without a solver
    draws_given: int = 0

    @property
    def notes(self) -> list[str]:
        """What everybody may read about the player.

        The notes say how a rung plays, and why the player lost games for other reasons
        than the rules.  They also say how many wins and draws the player gave away.
        """
        notes = []
        if self.player.rung:
            notes.append(Rung(self.player.rung).about)
        counts = Counter(played.game.how for played in self.forfeits)
        for how, number in counts.items():
            notes.append(f"{WHY[how]} in {plural(number, 'game')}")
        if self.wins_given or self.draws_given:
            wins = plural(self.wins_given, "win")
            notes.append(f"gave away {wins} and {plural(self.draws_given, 'draw')}")
        return notes

    def add(self, played: Played, number: int) -> None:
        """Add a game.  `number` is 0 if this player moved first, and otherwise 1."""
        game = played.game
        if game.winner is None:
            self.drawn += 1
        elif game.winner == number:
            self.won += 1
        else:
            self.lost += 1
            if game.how not in BY_THE_RULES:
                self.forfeits.append(played)
        if not is_repeatable(game):
            self.not_repeatable += 1
        self.off_the_books += sum(move.off_the_books for move in game.moves[number::2])


@dataclass
class Report:
    """Everything about a league that is over."""

    league: League
    budget: int
    rows: list[Row]  # the best player first
    # What a solver says about each move after the opening of a game: two letters, which
    # values.py explains.  The key is the text of the columns of all moves.
    worths: dict[str, list[str]] = field(default_factory=dict)

    @property
    def sentence(self) -> str:
        """Say how large the league was, and with which numbers it can be held again."""
        players = plural(len(self.rows), "player")
        rounds = plural(self.league.rounds, "round")
        games = plural(len(self.league.games), "game")
        return (
            f"{players}, {rounds}, {games}. A player has {self.budget:,} static "
            f"evaluations for each move. Seed {self.league.seed}."
        )

    def lines_of_play(self) -> set[tuple[str, int]]:
        """Return the columns of each game, with the number of moves in its opening."""
        return {
            (columns(played.game), len(opening_columns(played.game)))
            for played in self.league.games
        }

    def add_worths(self, worths: dict[str, list[str]]) -> None:
        """Keep what a solver says about the moves.

        Also count the moves with which each player gave away a win or a draw.
        """
        self.worths = worths
        rows = {row.player.name: row for row in self.rows}
        for played in self.league.games:
            players = (played.first, played.second)
            for number, worth in enumerate(worths[columns(played.game)]):
                best, own = worth[0], worth[1]
                row = rows[players[number % 2].name]
                if best == WIN and own != WIN:
                    row.wins_given += 1
                elif best == DRAW and own != DRAW:
                    row.draws_given += 1


def report_of(league: League, budget: int) -> Report:
    """Make the report on a league that is over."""
    rows = [
        Row(standing, league.by_name[standing.name])
        for standing in league.tournament.table()
    ]
    by_name = {row.player.name: row for row in rows}
    for played in league.games:
        by_name[played.first.name].add(played, 0)
        by_name[played.second.name].add(played, 1)
    return Report(league, budget, rows)


def is_repeatable(game: Game) -> bool:
    """Whether a game was decided by something other than a limit on time."""
    return game.how not in ("CPU", "stall")


def columns(game: Game) -> str:
    """Return the columns of all moves of a game, including those of the opening."""
    return opening_columns(game) + "".join(str(move.column) for move in game.moves)


def opening_columns(game: Game) -> str:
    """The columns of the moves of a game's opening."""
    columns: str = read_yaml(OPENINGS)["openings"][game.opening - 1]
    return columns


def csv_of(report: Report, students: Mapping[str, Student]) -> bytes:
    """Make the content of league.csv, which only the staff read."""
    return as_csv([HEADS, *(_cells(row, students) for row in report.rows)])


def _cells(row: Row, students: Mapping[str, Student]) -> Iterable[object]:
    """The cells in the row of a player."""
    ids = row.player.students
    forfeits = Counter(played.game.detail for played in row.forfeits)
    reasons = [f"{detail} ({number})" for detail, number in forfeits.items()]
    return (
        row.standing.rank,
        row.player.name,
        ", ".join(ids),
        ", ".join(students[id].name for id in ids if id in students),
        f"{row.standing.points:g}",
        f"{row.standing.buchholz:g}",
        row.won,
        row.drawn,
        row.lost,
        " ".join(reasons),
        row.not_repeatable,
        row.off_the_books,
        row.wins_given,
        row.draws_given,
    )
