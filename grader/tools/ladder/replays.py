"""Writes the page that replays games."""

import html
from collections.abc import Iterable
from pathlib import Path

from boards.excerpts import rows_of
from boards.reading import write_whole
from grader.kinds.lines import winning_cells
from grader.tools.ladder.playing import Played
from grader.tools.pages.writing import given, page, paragraphs

ABOUT = (
    "Worth is what the search of the player to move expects for that player. "
    "A rung counts playouts in place of evaluations."
)


def write_page(file: Path, title: str, said: str, games: Iterable[Played]) -> None:
    """Write a page that replays games, below a text."""
    body = paragraphs(said, ABOUT) + "".join(map(replay, games))
    write_whole(file, page(title, body, "ladder").encode())


def replay(played: Played) -> str:
    """A game as HTML.  The script of the page draws it when somebody unfolds it."""
    *_, last = played.game.boards()
    first = next(played.game.boards())
    data = {
        "names": played.names,
        "cells": "".join(rows_of(first)),
        "moves": [
            (move.column, move.worth, move.evaluations, move.depth)
            for move in played.game.moves
        ],
        "winning": winning_cells("columns", 7, "".join(rows_of(last))),
        "ended": played.ended,
    }
    return (
        f'<details class="replay"><summary>{html.escape(played.heading)}. '
        f"{html.escape(played.ended)}</summary>{given(data)}</details>\n"
    )
