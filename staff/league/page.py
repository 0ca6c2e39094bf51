"""Writes the page of a league, which everybody may see.

The page shows no other names than those that players have in the league.
"""

from pathlib import Path
from typing import Any

from boards.excerpts import rows_of
from grader.kinds.lines import winning_cells
from grader.ladder.game import Game, Move
from grader.tools.pages.writing import given, written
from staff.league.rounds import Played
from staff.league.table import (
    NOT_REPEATABLE,
    WHY,
    Report,
    columns,
    is_repeatable,
    opening_columns,
)
from staff.templates import rendered

HERE = Path(__file__).parent


def page_of(title: str, report: Report) -> bytes:
    """Make the page, with the table, and with all games for the script to replay."""
    numbers = {row.player.name: number for number, row in enumerate(report.rows)}
    data = {
        "players": [[row.player.name, bool(row.player.rung)] for row in report.rows],
        "games": [_game(played, numbers, report) for played in report.league.games],
    }
    body = rendered("league.html", report=report).decode() + given(data)
    style = (HERE / "league.css").read_text("utf-8")
    script = (HERE / "league.js").read_text("utf-8")
    return written(title, body, style, script).encode("utf-8", "backslashreplace")


def _game(played: Played, numbers: dict[str, int], report: Report) -> dict[str, Any]:
    """A game in the form that the script reads."""
    game = played.game
    line = columns(game)
    worths = report.worths.get(line, [""] * len(game.moves))
    return {
        "round": played.round,
        "first": numbers[played.first.name],
        "second": numbers[played.second.name],
        "columns": line,
        "opening": len(opening_columns(game)),
        "winner": 0 if game.winner is None else game.winner + 1,
        "why": _why(game),
        "four": _four(game),
        "moves": [
            _move(move, worth) for move, worth in zip(game.moves, worths, strict=True)
        ],
    }


def _why(game: Game) -> str:
    """Say why the loser of a game has lost, as the end of a sentence.

    The text is empty if the rules of Connect Four decided the game.
    """
    if game.how not in WHY:
        return ""
    why = f"the other player {WHY[game.how]}"
    if is_repeatable(game):
        return why
    return f"{why} ({NOT_REPEATABLE}: on another machine, the game may end differently)"


def _four(game: Game) -> list[int]:
    """Return the cells of the winning line; empty if no player has four in a row."""
    *_, board = game.boards()
    return winning_cells("columns", board.num_cols, "".join(rows_of(board)))


def _move(move: Move, worth: str) -> list[Any]:
    """Return a move in the form that the script reads: as a list.

    The list has the score that the player reported, the number of evaluations, the
    depth, and the two letters of the solver.  Without a solver, there are no letters.
    The score is None if the player reported none.
    """
    own = None
    if move.worth is not None:
        own = f"{move.worth:.6g}"
    return [own, move.evaluations, move.depth, worth]
