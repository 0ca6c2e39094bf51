"""In the child: follows the moves of a zero-by game from its start."""

from types import ModuleType
from typing import Any

from grader.child.encode import describe_type, encode
from grader.child.written import function_of
from grader.protocol.plain import Data


def call(lab: ModuleType, function: str, inputs: Data) -> Data:
    """Return the graph of the positions that the student's game leads to.  If the game
    has no graph, return the reason.

    If the inputs have `another`, a second game is made before the first game is used.
    If the games share anything, the graph of the first game may be wrong then.
    """
    zero_by = function_of(lab, function)
    game = zero_by(inputs["n"], tuple(inputs["removals"]))
    if "another" in inputs:
        zero_by(inputs["another"]["n"], tuple(inputs["another"]["removals"]))
    start = game.start()
    leads_to: dict[Any, list[Any]] = {}
    ends: dict[Any, Any] = {}
    waiting = [start]
    while waiting:
        position = waiting.pop()
        if type(position) is not int:
            method = "do_move" if leads_to else "start"
            return {"problem": [method, describe_type(position)]}
        is_known = position in leads_to or position in ends
        # A position that does not belong to the game is wrong in any case.  Its moves
        # are not followed, because they might never end.
        if is_known or not 0 <= position <= inputs["n"]:
            continue
        value = game.terminal_value(position)
        if value is not None:
            ends[position] = value
            continue
        after = _after(game, position)
        waiting += after
        if all(type(below) is int for below in after):
            after = sorted(set(after))
        leads_to[position] = after
    again = game.start()
    if again != start:
        return {"problem": ["begun again", encode(again)]}
    if start in leads_to:
        first = leads_to[start]
        second = _after(game, start)
        if set(map(repr, first)) != set(map(repr, second)):
            return {"problem": encode(["asked again", start, first, second])}
    return {"start": encode(start), "leads_to": encode(leads_to), "ends": encode(ends)}


def _after(game: Any, position: int) -> list[Any]:
    """Return the positions to which the moves from this position lead."""
    return [game.do_move(position, move) for move in game.get_moves(position)]
