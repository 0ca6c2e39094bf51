"""The process that a student's code thinks in: one move, told line by line on standard output.

{"note": "..."}                                        what the kit stands in for
{"depth": 4, "evaluations": 200}                       a search goes on
{"depth": 4, "evaluations": 685, "score": "12", "line": ["3", "2"]}    and has ended
{"move": "3"}  or  {"failed": "..."}                   the last line
"""

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from api import SearchPlayer, TwoPlayerGame
from api.players import Thought
from grader.confine import adopt_orphans, limit_memory_and_files
from grader.show import harmless
from grader.tools.board.position import Position
from grader.tools.pairing import make_game
from grader.tools.seats import BadWord, make_seat
from grader.tools.student import Lab, LabFailed

TICK = 0.2

Tell = Callable[..., None]


def main(lab: str, words: str) -> None:
    """Answer one request; ends when standard input is closed, whatever goes on."""
    replies, parent = os.fdopen(os.dup(1), "w", encoding="utf-8"), os.fdopen(os.dup(0), "rb")
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    threading.Thread(target=lambda: (parent.read(), os._exit(1)), daemon=True).start()
    limit_memory_and_files()
    adopt_orphans()

    def tell(**line: Any) -> None:
        replies.write(json.dumps(line) + "\n")
        replies.flush()

    try:
        tell(move=think(Lab(Path(lab)), json.loads(words), tell))
    except (LabFailed, BadWord) as failed:
        tell(failed=harmless(failed))
    os._exit(0)


def think(lab: Lab, request: dict[str, Any], tell: Tell) -> str:
    """The move of the player that the request names.  Raises LabFailed and BadWord."""
    position = Position(request["game"], request["board"], request["moves"])
    game, notes = make_game(lab, position.name, position.board)
    seat = make_seat(lab, game, request["player"])
    if seat.is_human:
        raise BadWord("a person moves on the page")
    for note in (*notes, *seat.notes):
        tell(note=harmless(note))
    player = seat.player
    if isinstance(player, SearchPlayer):
        player.search = _aloud(player.search, game, tell)
    with lab.running(seat.function):
        move = player.next_move(position.state)
        thought: Thought | None = getattr(player, "thought", None)
        if thought and (thought.loss or not isinstance(player, SearchPlayer)):
            _tell_thought(thought, game, tell)
        if thought and thought.loss:
            tell(note=f"depth {thought.loss.depth:g} sees a loss; it plays on by depth {thought.depth:g}")
        return game.move_to_string(move)


def _aloud(search: Callable[..., Any], game: TwoPlayerGame, tell: Tell) -> Callable[..., Any]:
    """The same search, which tells how it goes on and what it found."""

    def search_aloud(root: Any, *, heuristic_fn: Callable[..., float], depth_limit: int, maximize: bool) -> Any:
        evaluations, next_tick = 0, time.monotonic()

        def counted(*snapshot_and_flag: Any, **named_flag: Any) -> float:
            nonlocal evaluations, next_tick
            evaluations += 1
            if time.monotonic() > next_tick:
                tell(depth=depth_limit, evaluations=evaluations)
                next_tick = time.monotonic() + TICK
            return heuristic_fn(*snapshot_and_flag, **named_flag)

        path, score, count = search(root, heuristic_fn=counted, depth_limit=depth_limit, maximize=maximize)
        moves = [step.get_snapshot().move for step in path[1:]]
        _tell_thought(Thought(moves, score, depth_limit, count), game, tell)
        return path, score, count

    return search_aloud


def _tell_thought(thought: Thought, game: TwoPlayerGame, tell: Tell) -> None:
    line = [game.move_to_string(move) for move in thought.moves]
    score = round(thought.score, 2)
    words = f"{int(score) if score // 1 == score else score:,}"[:24]  # a lone infinity is no JSON
    tell(depth=thought.depth, evaluations=thought.evaluations, score=words, line=line)


if __name__ == "__main__":
    main(*sys.argv[1:])
