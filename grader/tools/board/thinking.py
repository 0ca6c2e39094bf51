"""The process in which a student's code runs for the page.  It writes lines of JSON to
standard output:

{"shown": {...}}                                       what the page shows of the position
{"depth": 4, "evaluations": 685, "score": "12", "line": ["3", "2"], "words": ["column 3", ...]}
                                                       what a search to this depth has found
{"move": "3"}                                          the player's move, if the page asks for one
{"failed": "..."}                                      why there is none, or no such position; the last line
"""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from api import Referee
from api.players import Thought
from boards.built import board_of
from boards.reading import read_boards
from grader.protocol.words import harmless
from grader.refusal import Refusal
from grader.tools.board.view import Position
from grader.tools.games import EMPTY, NAMES, about, make_game
from grader.tools.seats import make_seat
from grader.tools.student import CannotPlay, Lab
from grader.worker.isolation import limit_resources, tie_to_parent

Tell = Callable[..., None]


def main(lab: str, request: str) -> None:
    """Answer one request, and end this process."""
    end = os._exit  # since lab.py gets another one
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what lab.py prints is no reply
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
    """Tell what the position shows, and the move of a player if there is one.  Raises
    CannotPlay.
    """
    named = read_boards().get(board)
    made = make_game(
        lab, game, board_of({**named, "players": NAMES}) if named else EMPTY
    )
    with lab.running():
        position = Position(made, made.start()).after(moves)
        tell(
            shown=position.shown()
            | {"rules": about(game).rules, "pieces": about(game).pieces}
        )
    if player:
        seat = make_seat(
            lab, made, player, lambda thought: _tell_thought(thought, position, tell)
        )
        with lab.running(seat.function):
            move = Referee(seat.player, seat.player).next_move(position.state)
            tell(move=made.move_to_string(move))


def _tell_thought(thought: Thought, position: Position, tell: Tell) -> None:
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
