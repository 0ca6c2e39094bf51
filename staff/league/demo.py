"""A league of the model solution with the twelve heuristics of heuristics.yaml.

python -m staff.league.demo           writes build/league/index.html
python -m staff.league.demo docs      writes docs/league.html

A demo takes some minutes.  With the word `values` at the end, the page also says what
each move was really worth.
"""

import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from boards.reading import read_yaml, write_whole
from grader.kit import KIT
from grader.ladder.contestant import BUDGET
from staff.league import values
from staff.league.entries import house_players
from staff.league.games import Games, Player
from staff.league.league import SEED, hold
from staff.league.page import page_of
from staff.league.rounds import League
from staff.league.table import report_of
from staff.store import in_memory
from staff.wrong_labs import with_body

HEURISTICS = Path(__file__).with_name("heuristics.yaml")
TITLE = "A league of the model solution with twelve heuristics"
OUT = KIT / "build" / "league" / "index.html"
OF_DOCS = KIT / "docs" / "league.html"
HEURISTIC = "heuristic_connectfour"
BODY = """
ahead = _count(board, True) - _count(board, False)
score = 1000 * ahead / (abs(ahead) + 50)
return score if is_current_player_maximizer else -score
"""
COUNT = """

{given}

def _count(board, own):
    return {expression}
"""


def main(words: Sequence[str]) -> None:
    """Hold the league, and write its page."""
    with TemporaryDirectory(prefix="league-") as folder, closing(in_memory()) as db:
        players = [*house_players(SEED), *models(Path(folder))]
        league = League(players, SEED)
        hold(league, Games(db, BUDGET))
        report = report_of(league, BUDGET)
        if "values" in words:
            values.refuse_without_solver()
            report.add_worths(values.worth_of(db, report.lines_of_play()))
    out = OF_DOCS if "docs" in words else OUT
    write_whole(out, page_of(TITLE, report))
    print(out.relative_to(KIT).as_posix())


def models(folder: Path) -> list[Player]:
    """Write the model solution with each of the heuristics into a folder.

    Return a player for each heuristic.
    """
    table = read_yaml(HEURISTICS)
    source = with_body(HEURISTIC, BODY, (KIT / "lab.py").read_text("utf-8"))
    players = list[Player]()
    for name, expression in table["heuristics"].items():
        count = COUNT.format(given=table["given"], expression=expression)
        lab = folder / f"{len(players)}.py"
        lab.write_text(source + count, "utf-8")
        players.append(Player(name, name, str(lab)))
    return players


if __name__ == "__main__":
    main(sys.argv[1:])
