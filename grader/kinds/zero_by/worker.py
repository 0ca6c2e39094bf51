"""In the child: follows the moves of a zero-by game from its start."""

from types import ModuleType
from typing import Any

from grader.calls.encode import describe_type, encode
from grader.calls.written import function_of


def call(lab: ModuleType, function: str, inputs: dict[str, Any]) -> dict[str, Any]:
    """The graph that the student's game leads through, found with its own moves."""
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
            return {
                "problem": ["do_move" if leads_to else "start", describe_type(position)]
            }
        if position in leads_to or position in ends or not 0 <= position <= inputs["n"]:
            continue  # what lies outside is wrong already, and may go on without end
        value = game.terminal_value(position)
        if value is None:
            after = _after(game, position)
            leads_to[position] = (
                sorted(set(after))
                if all(type(next_) is int for next_ in after)
                else after
            )
            waiting += after
        else:
            ends[position] = value
    if (again := game.start()) != start:
        return {"problem": ["begun again", encode(again)]}
    if start in leads_to:
        first, second = leads_to[start], _after(game, start)
        if {*map(repr, first)} != {*map(repr, second)}:
            return {
                "problem": ["asked again", encode(start), encode(first), encode(second)]
            }
    return {"start": encode(start), "leads_to": encode(leads_to), "ends": encode(ends)}


def _after(game: Any, position: int) -> list[Any]:
    return [game.do_move(position, move) for move in game.get_moves(position)]
