"""Runs a student's code for the page of make board, in a process for each request.

This process writes lines of JSON to standard output:

{"shown": {...}}     the position, as the page shows it
{"depth": 4, "evaluations": 685, "score": "12", "line": ["3", "2"], "words": [...]}
                     the result of a search to this depth; "words": the moves in words
{"move": "3"}        the player's move, if the page asks for one
{"failed": "..."}    why there is no move or no such position; this line is the last
"""

import json
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from api import Referee
from api.players import Thought
from boards.built import board_of
from boards.reading import read_boards
from grader.child.isolation import limit_resources, tie_to_parent
from grader.protocol.text import harmless
from grader.refusal import Refusal
from grader.tools.board.view import Position
from grader.tools.games import EMPTY, NAMES, about, make_game
from grader.tools.seats import make_seat
from grader.tools.student import CannotPlay, Lab

Tell = Callable[..., None]


def main(lab: str, request: str) -> None:
    """Answer one request of the page, and then end this process.

    `lab` is the path of lab.py.  `request` is JSON.
    """
    end = os._exit  # lab.py may put another function in place of os._exit
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # nothing that lab.py prints may look like a reply
    tie_to_parent()
    limit_resources()

    def tell(**line: Any) -> None:
        replies.write(json.dumps(line) + "\n")
        replies.flush()

    try:
        answer(Lab(Path(lab)), tell, **json.loads(request))
    except (CannotPlay, Refusal) as failed:
        tell(failed=harmless(failed))
    except BrokenPipeError:  # the server has ended
        pass
    sys.stderr.flush()
    end(0)


def answer(
    lab: Lab, tell: Tell, game: str, board: str, moves: list[str], player: str = ""
) -> None:
    """Send the position after these moves.  If `player` is given, also send the move of
    this player.

    A game of Connect Four begins at the board that `board` names, or else at the empty
    board.  Raises Refusal for a word that names no game or no player.  Raises
    CannotPlay if lab.py fails, or if a move is not legal.
    """
    start = EMPTY
    if drawing := read_boards().get(board):
        start = board_of({**drawing, "players": NAMES})
    made = make_game(lab, game, start)
    with lab.running():
        position = Position(made, made.start()).after(moves)
        words = about(game)
        tell(shown=position.shown() | {"rules": words.rules, "pieces": words.pieces})
    if player:
        tell_thought = partial(_tell_thought, position, tell)
        seat = make_seat(lab, made, player, tell_thought)
        with lab.running(seat.function):
            move = Referee(seat.player, seat.player).next_move(position.state)
            tell(move=made.move_to_string(move))


def _tell_thought(position: Position, tell: Tell, thought: Thought) -> None:
    """Send the result of a search that began from this position."""
    line = [position.game.move_to_string(move) for move in thought.moves]
    words = [position.look.words(move) for move in thought.moves]
    score = f"{round(thought.score, 2):,}".removesuffix(".0")[:24]
    tell(
        depth=thought.depth,
        evaluations=thought.evaluations,
        score=score,
        line=line,
        words=words,
    )
