"""Asks a solver what each move of a game was really worth: `make league VALUES=yes`.

The solver is bitbully, a package that staff may install.  For each move, bitbully says
what the best move would lead to, and what this move leads to.  Each of the two is a
win, a draw or a loss for the player who moves, if both sides play perfectly afterwards.

    python -m staff.league.values      answers requests (see staff/farm/kit_process.py)
"""

import importlib.util
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from grader.refusal import Refusal
from staff.farm.kit_process import serve
from staff.farm.pool import ask
from staff.progress import with_progress

SOLVER = "bitbully"
MODULE = "staff.league.values"
WIN, DRAW, LOSS = "WDL"
MISSING = (
    "VALUES=yes needs the package bitbully: "
    "type .venv/bin/python -m staff.environment values"
)


def main() -> None:
    """Answer requests with the worth of each move of a game, in letters.

    A request holds the columns of all moves of the game, and the number of moves in the
    opening.  Moves of the opening get no letters.  Each other move gets two letters.
    """
    from bitbully import BitBully, Board

    agent = BitBully()

    def worth(request: Sequence[Any]) -> Iterator[dict[str, str]]:
        columns, opening = request
        letters = ""
        for number in range(opening, len(columns)):
            board = Board.from_moves(columns[:number])
            scores = agent.score_all_moves(board)
            best = max(scores.values())
            letters += _outcome(best) + _outcome(scores[int(columns[number])])
        yield {"worth": letters}

    serve(worth)


def _outcome(score: int) -> str:
    """Return the letter of the outcome that a score of the solver stands for."""
    if score > 0:
        return WIN
    return DRAW if score == 0 else LOSS


def refuse_without_solver() -> None:
    """Raise Refusal if the solver is not installed."""
    if not importlib.util.find_spec(SOLVER):
        raise Refusal(MISSING)


def worth_of(
    db: sqlite3.Connection, games: Collection[tuple[str, int]]
) -> dict[str, list[str]]:
    """Return two letters for each move after the opening, for each of these games.

    The letters say what the best move would lead to, and what this move leads to.  A
    game is the text of its columns, and the number of moves in the opening.  The key is
    the text of the columns.  The letters are kept, so the solver looks at each game
    only once.
    """
    known = dict(db.execute("SELECT moves, worth FROM worth"))
    new = sorted({game for game in games if game[0] not in known})
    answers = ask(new, MODULE)
    for (columns, _), answer in with_progress(answers, len(new), "solved", "game"):
        known[columns] = answer["worth"]
        with db:
            db.execute("INSERT INTO worth VALUES (?, ?)", (columns, answer["worth"]))
    return {
        columns: [known[columns][n : n + 2] for n in range(0, len(known[columns]), 2)]
        for columns, _ in games
    }


if __name__ == "__main__":
    main()
