"""The process that a student's code runs in: what a position shows, and then one move if a player is
named, told line by line on standard output.

{"refused": "..."}                                     there is no such position; nothing follows
{"shown": {...}}                                       what the page shows of the position
{"note": "..."}                                        what the kit stands in for
{"depth": 4, "evaluations": 685, "score": "12", "line": ["3", "2"]}    a search to this depth has ended
{"move": "3"}  or  {"failed": "..."}                   the last line where a player is named

With "line" come the words and the cells of the moves in it, for the page.
"""

import json
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from api import SearchPlayer
from api.players import Thought
from grader.protocol.words import harmless
from grader.tools.board.view import BadRequest, expected, possible, reached, read_request, shown, shown_waiting
from grader.tools.position import Position
from grader.tools.seats import BadWord, make_seat
from grader.tools.student import CannotPlay, Lab, LabFailed
from grader.tools.table import EMPTY, make_game
from grader.worker.confine import GIB, limit_memory_and_files
from grader.worker.keeper import enclose

Tell = Callable[..., None]
_exit = os._exit


def main(lab: str, words: str) -> None:
    """Answer one request; ends when standard input is closed, whatever goes on."""
    if hasattr(os, "fork"):
        enclose()
    replies, parent = os.fdopen(os.dup(1), "w", encoding="utf-8"), os.fdopen(os.dup(0), "rb")
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    threading.Thread(target=lambda: (parent.read(), _exit(1)), daemon=True).start()
    limit_memory_and_files(GIB)

    def tell(**line: Any) -> None:
        replies.write(json.dumps(line) + "\n")
        replies.flush()

    try:
        answer(Lab(Path(lab)), json.loads(words), tell)
    except CannotPlay as failed:
        tell(failed=harmless(failed))
    _exit(0)


def answer(lab: Lab, request: dict[str, Any], tell: Tell) -> None:
    """Tell what the position shows, and the move of the player, if one is named.  Raises CannotPlay."""
    name, board, moves = read_request(request)
    player = request.get("player")
    try:
        game, notes = make_game(lab, name, board or EMPTY)
        with lab.running():
            position = reached(game, moves)
            if player and position.over:
                raise BadRequest("the game is over, and there is no move to think about")
            tell(shown=shown(position))
    except BadRequest as bad:
        tell(refused=str(bad))
    except LabFailed as failed:
        why = harmless(failed)
        tell(**{"shown": shown_waiting(board, why)} if board and not moves and not player else {"refused": why})
    else:
        if player:
            tell(move=think(lab, position, notes, player, tell))


def think(lab: Lab, position: Position, notes: list[str], player: str, tell: Tell) -> str:
    """The move of a player.  Raises LabFailed and BadWord."""
    seat = make_seat(lab, position.game, player)
    if seat.is_human:
        raise BadWord("a person moves on the page")
    for note in (*notes, *seat.notes):
        tell(note=harmless(note))
    if isinstance(seat.player, SearchPlayer):
        seat.player.search = _aloud(seat.player.search, position, tell)
    with lab.running(seat.function):
        move = seat.player.next_move(position.state)
        thought: Thought | None = getattr(seat.player, "thought", None)
        if thought and (thought.loss or not isinstance(seat.player, SearchPlayer)):
            _tell_thought(thought, position, tell)
        if thought and thought.loss:
            tell(note=f"depth {thought.loss.depth:g} sees a loss; it plays on by depth {thought.depth:g}")
        word = position.game.move_to_string(move)
        if word not in possible(position):
            raise LabFailed(f"{seat.word} chose {harmless(word, 40)!r}, which is not possible here.")
    return word


def _aloud(search: Callable[..., Any], position: Position, tell: Tell) -> Callable[..., Any]:
    """The same search, which tells what it found."""

    def search_aloud(root: Any, **arguments: Any) -> Any:
        path, score, count = search(root, **arguments)
        moves = [step.get_snapshot().move for step in path[1:]]
        _tell_thought(Thought(moves, score, arguments["depth_limit"], count), position, tell)
        return path, score, count

    return search_aloud


def _tell_thought(thought: Thought, position: Position, tell: Tell) -> None:
    line = [position.game.move_to_string(move) for move in thought.moves]
    score = round(thought.score, 2)
    words = f"{int(score) if score // 1 == score else score:,}"[:24]  # a lone infinity is no JSON
    tell(depth=thought.depth, evaluations=thought.evaluations, score=words, line=line, **expected(position, line))
