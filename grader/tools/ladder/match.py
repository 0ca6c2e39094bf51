"""`make match OTHER=old_lab.py`: finds out whether lab.py plays better than another
lab.py.

The two play every opening twice, so that each of them moves first once.  The exit
status is 0 if all games were played.  It is 2 if one lab.py cannot play, or if a word
is wrong.
"""

import contextlib
import math
from pathlib import Path

from grader.kit import KIT
from grader.ladder.openings import OPENINGS
from grader.parser import Parser
from grader.protocol.text import harmless
from grader.refusal import Refusal
from grader.tools.ladder.playing import (
    add_budget,
    budget_of,
    entered,
    score_of,
    series,
)
from grader.tools.ladder.replays import write_page
from grader.tools.pages.writing import show
from grader.tools.screen import Screen

PAGE = KIT / "build" / "match.html"
USAGE = "make match takes OTHER=old_lab.py and BUDGET=500"
# How many standard deviations the interval reaches to each side.  With this number, the
# interval holds the true score in 95 of 100 matches.
WIDTH = 1.96


def main(words: list[str], lab: Path) -> int:
    """Play the match, and return the exit status.

    Raises Refusal for wrong words or a lab.py that cannot play, and OSError if a lab.py
    cannot be read.
    """
    parser = Parser("match", USAGE, lab)
    parser.add_argument("--other", metavar="FILE", default="", help="the other lab.py")
    add_budget(parser)
    options = parser.read(words)
    budget = budget_of(options)
    if not Path(options.other).is_file():
        raise Refusal(f"OTHER={harmless(options.other, 60)} names no file; {USAGE}")
    screen = Screen.of_terminal()
    with (
        contextlib.closing(entered(options.lab)) as ours,
        contextlib.closing(entered(Path(options.other))) as other,
    ):
        if ours.name == other.name:
            other.name = f"the other {other.name}"
        screen.say(
            f"{ours.name} meets {other.name}: {OPENINGS} openings from both sides, "
            f"{budget:,} static evaluations for each move."
        )
        games = list(series(ours, other, range(1, OPENINGS + 1), budget))
    score = sum(played.points for played in games)
    low, high = interval(score, len(games))
    said = (
        f"{ours.name} scores {score_of(games)}. That is "
        f"{100 * score / len(games):.1f} of 100 points "
        f"(95% interval: {low:.0f} to {high:.0f}). {verdict(low, high)}"
    )
    write_page(PAGE, f"{ours.name} against {other.name}", said, games)
    screen.say(said)
    show(PAGE, screen)
    return 0


def interval(points: float, games: int) -> tuple[float, float]:
    """Return two bounds.  The score of very many games would probably lie between them.

    The bounds are Wilson's interval, in points of 100.  `points` is how many points
    lab.py has earned in `games` games.

    >>> low, high = interval(40, 80)
    >>> round(low), round(high)
    (39, 61)
    """
    share = points / games
    z = WIDTH * WIDTH / games
    middle = share + z / 2
    reach = math.sqrt(z * (share * (1 - share) + z / 4))
    return 100 * (middle - reach) / (1 + z), 100 * (middle + reach) / (1 + z)


def verdict(low: float, high: float) -> str:
    """Say whether lab.py is better than the other lab.py.

    `low` and `high` are the bounds of its score, in points of 100.
    """
    if low > 50:
        return "That is better, and more than luck."
    if high < 50:
        return "That is worse, and more than bad luck."
    return "That may be luck: no difference is sure."
