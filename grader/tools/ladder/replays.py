"""Writes the page that replays games of Connect Four."""

import html
from collections.abc import Iterable
from pathlib import Path

from boards.excerpts import rows_of
from boards.reading import write_whole
from grader.kinds.lines import winning_cells
from grader.tools.ladder.playing import Played, score_of
from grader.tools.pages.writing import given, page, paragraphs, section

ABOUT = (
    "Worth is what the search of the player to move expects for that player. "
    "A rung counts playouts in place of evaluations."
)


def write_page(file: Path, title: str, said: str, games: Iterable[Played]) -> None:
    """Write a page with the text `said`, and below it the games against each opponent.

    The last opponent comes first.  On the ladder, that is the rung that was not beaten.
    """
    by_opponent = dict[str, list[Played]]()
    for played in games:
        by_opponent.setdefault(played.opponent, []).append(played)
    body = paragraphs(said, ABOUT)
    for opponent, met in reversed(by_opponent.items()):
        replays = "".join(map(replay, met))
        body += section(f"Against {opponent}", paragraphs(score_of(met)) + replays)
    write_whole(file, page(title, body, "ladder").encode())


def replay(played: Played) -> str:
    """Return a game as HTML.  The page shows only a line about the game, until somebody
    clicks on the line.  Then the script of the page draws the game.
    """
    boards = ["".join(rows_of(board)) for board in played.game.boards()]
    data = {
        "names": played.names,
        "cells": boards[0],
        "moves": [
            (move.column, move.worth, move.evaluations, move.depth)
            for move in played.game.moves
        ],
        "winning": winning_cells("columns", 7, boards[-1]),
        "ended": played.ended,
    }
    return (
        f'<details class="replay" data-points="{played.points:g}">'
        f"<summary>Opening {played.game.opening}: "
        f"{html.escape(' against '.join(played.names))}. "
        f"{html.escape(played.ended)}</summary>{given(data)}</details>\n"
    )
