"""`make league`: a Swiss tournament of the submissions that want to take part.

The pairings depend only on the names, the seed and the results.  Each game is kept;
games.py says what a game depends on.  If a league was stopped, somebody can type the
command again, and the league goes on where it was stopped.  If submissions have
changed, the league plays only the games that are missing.
"""

import re
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from boards.reading import write_whole
from grader.ladder.contestant import BUDGET, LEAST_BUDGET, LIMITS
from grader.parser import Parser
from grader.protocol.text import plural
from grader.refusal import Refusal, tell
from staff.farm import isolation, pool
from staff.gradebook.book import Book, open_book
from staff.league import values
from staff.league.entries import entries_of, house_players
from staff.league.games import Games
from staff.league.names import FIELD
from staff.league.page import page_of
from staff.league.rounds import League
from staff.league.table import csv_of, report_of
from staff.progress import with_progress
from staff.store import GRADES, Store

WRITTEN = "grades/: league/index.html, and league.csv, which says who is who"
KEPT = "\nEach game so far is kept; make league goes on from there"
SEED = 1  # the seed if nobody names another one
USAGE = (
    f"[BUDGET={BUDGET}] [SEED={SEED}] [VALUES=yes] [ISOLATE={'|'.join(isolation.WAYS)}]"
)


def add_options(parser: Parser) -> None:
    """Declare the options of make league."""
    parser.add_argument(
        "--budget",
        default=str(BUDGET),
        metavar="NUMBER",
        help="the static evaluations that a player has for each move",
    )
    parser.add_argument(
        "--seed",
        default=str(SEED),
        metavar="NUMBER",
        help="a seed for drawing the pairs",
    )
    parser.add_argument(
        "--values",
        default="",
        choices=["yes"],
        help="have a solver say what each move was really worth",
    )
    parser.add_argument(
        "--isolate",
        default="",
        choices=[*isolation.WAYS],
        help="what protects this machine",
    )


def main(store: Store, options: dict[str, str]) -> None:
    """Hold the league, and write the results.  Raises Refusal or BadFile."""
    budget = _number("BUDGET", options["BUDGET"], LEAST_BUDGET)
    seed = _number("SEED", options["SEED"], 0)
    if options["VALUES"]:
        values.refuse_without_solver()
    book = open_book(store)
    level = isolation.choose(options["ISOLATE"], book.course.isolation)
    try:
        with TemporaryDirectory(prefix="league-") as folder:
            league = _league(book, Path(folder), seed)
            print(f"{bound(league)}; isolation: {level}", flush=True)
            hold(league, Games(store.db, budget))
        report = report_of(league, budget)
        if options["VALUES"]:
            report.add_worths(values.worth_of(store.db, report.lines_of_play()))
    except KeyboardInterrupt:
        tell(KEPT)
        raise
    title = f"{book.course.title}, {book.course.term}: the league"
    write_whole(GRADES / "league" / "index.html", page_of(title, report))
    write_whole(GRADES / "league.csv", csv_of(report, book.students))
    print(WRITTEN)


def _number(name: str, text: str, least: int) -> int:
    """The number in an option.

    Raises Refusal if the text is not a whole number of at least `least`.
    """
    if not re.fullmatch(r"\d{1,9}", text, re.ASCII) or int(text) < least:
        raise Refusal(f"{name}={text}: write a whole number of at least {least}")
    return int(text)


def _league(book: Book, folder: Path, seed: int) -> League:
    """Make the league of a class, and print what a person should know about its
    players.

    Raises Refusal, for example if no submission takes part.
    """
    house = house_players(seed)
    entries = entries_of(book, folder, house)
    for note in entries.notes:
        print(note)
    if len(entries.players) == len(house):
        raise Refusal(
            f"no submission takes part: students write a {FIELD} into the survey of "
            "their lab.py"
        )
    return League(entries.players, seed)


def bound(league: League) -> str:
    """Say in a sentence how many games there are, and how long they take if every
    player uses all its CPU time.

    The time in which a player sleeps or waits is not counted.
    """
    games = league.number_of_games
    seconds = 2 * LIMITS.cpu * games / pool.PROCESSES
    minutes = int(seconds / 60) + 1
    players = plural(len(league.players), "player")
    rounds = plural(league.rounds, "round")
    return (
        f"{players}, {rounds}, {plural(games, 'game')}: at most {in_hours(minutes)} if "
        "every submission uses all its CPU time"
    )


def in_hours(minutes: int) -> str:
    """A number of minutes in hours and minutes.

    >>> in_hours(59), in_hours(127)
    ('59 min', '2 h 7 min')
    """
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"


def hold(league: League, games: Games) -> None:
    """Play all rounds, and show the progress.  Raises Refusal."""
    with closing(league.hold(games)) as over:
        for _ in with_progress(over, league.number_of_games, "played", "game"):
            pass
