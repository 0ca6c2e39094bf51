"""The process that a student's code runs in: what a position shows, and then one move if a player is
named, told line by line on standard output.

{"refused": "..."}                                     there is no such position; nothing follows
{"shown": {...}}                                       what the page shows of the position
{"note": "..."}                                        who plays in place of the player that was named
{"depth": 4, "evaluations": 685, "score": "12", "line": ["3", "2"]}    a search to this depth has ended
{"move": "3"}  or  {"failed": "..."}                   the last line where a player is named

With "line" come the words and the cells of the moves in it, for the page.
"""

import json
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from api import SearchPlayer
from api.players import Thought
from grader.protocol.words import harmless
from grader.tools.board.view import BadRequest, expected, possible, reached, read_drawing, shown, shown_waiting
from grader.tools.position import Position
from grader.tools.seats import make_seat
from grader.tools.student import CannotPlay, Lab, LabFailed
from grader.tools.table import EMPTY, make_game
from grader.worker.isolation import limit_resources, tie_to_parent

Tell = Callable[..., None]
MOST_SECONDS = 10  # for what a position shows; a player thinks until somebody stops it
SLOW = f"your part 1 takes longer than {MOST_SECONDS} seconds on this board"


def main(lab: str, request: str) -> None:
    """Answer one request; ends with the server, whose end closes standard input."""
    end = os._exit  # lab.py is given another one
    server = os.fdopen(os.dup(0), "rb")
    threading.Thread(target=lambda: (server.read(), end(1)), daemon=True).start()
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    tie_to_parent()
    limit_resources()

    def tell(**line: Any) -> None:
        replies.write(json.dumps(line) + "\n")
        replies.flush()

    def give_up() -> None:
        tell(refused=SLOW)
        end(0)

    body = json.loads(request)
    if "player" not in body:
        clock = threading.Timer(MOST_SECONDS, give_up)
        clock.daemon = True
        clock.start()
    try:
        answer(Lab(Path(lab)), tell, **body)
    except BadRequest as bad:
        tell(refused=str(bad))
    except CannotPlay as failed:
        tell(failed=harmless(failed))
    sys.stderr.flush()
    end(0)


def answer(lab: Lab, tell: Tell, game: str, board: str, moves: list[str], player: str = "") -> None:
    """Tell what the position shows, and the move of the player, if one is named.  Raises CannotPlay."""
    drawn = read_drawing(board) if game == "connect_four" else EMPTY
    try:
        made = make_game(lab, game, drawn)
        with lab.running():
            position = reached(made, moves)
            tell(shown=shown(position))
    except LabFailed as failed:
        if moves or player or game != "connect_four":
            raise BadRequest(harmless(failed)) from None
        tell(shown=shown_waiting(drawn, harmless(failed)))
        return
    if player:
        tell(move=think(lab, position, player, tell))


def think(lab: Lab, position: Position, player: str, tell: Tell) -> str:
    """The move of a player.  Raises LabFailed, and Refusal for a player that there is not."""
    seat = make_seat(lab, position.game, player)
    tell(note=harmless(seat.note))
    if isinstance(seat.player, SearchPlayer):
        seat.player.search = _aloud(seat.player.search, position, tell)
    with lab.running(seat.function):
        move = seat.player.next_move(position.state)
        thought: Thought | None = getattr(seat.player, "thought", None)
        if thought and not isinstance(seat.player, SearchPlayer):
            _tell_thought(thought, position, tell)
        word = position.game.move_to_string(move)
    if word not in possible(position):
        raise LabFailed(f"{seat.word} chose {harmless(word, 40)!r}, which is not possible here.")
    return word


def _aloud(search: Callable[..., Any], position: Position, tell: Tell) -> Callable[..., Any]:
    """The same search, which tells what it found."""

    def search_aloud(root: Any, **arguments: Any) -> Any:
        result = search(root, **arguments)
        path, score, count = result.get_value() if hasattr(result, "get_value") else result
        moves = [step.get_snapshot().move for step in path[1:]]
        _tell_thought(Thought(moves, score, arguments["depth_limit"], count), position, tell)
        return result

    return search_aloud


def _tell_thought(thought: Thought, position: Position, tell: Tell) -> None:
    line = [position.game.move_to_string(move) for move in thought.moves]
    score = f"{round(thought.score, 2):,}".removesuffix(".0")[:24]
    tell(depth=thought.depth, evaluations=thought.evaluations, score=score, line=line, **expected(position, line))
