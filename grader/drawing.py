"""Draws the call that a verdict speaks of: its board or tree, its arguments, what was looked at."""

import math
from typing import Any

from api import TicTacToe, draw_tree, parse_tree
from boards.cases import Case
from boards.named import BoardDrawing
from grader.show import ordinal

WIDEST_TREE = 40


def draw_call(case: Case, call: int, outcome: dict[str, Any]) -> str:
    """The call as text: a line that says what was called, and the picture of what it was given."""
    inputs = case.calls[call].inputs
    which = f" (call {call + 1} of {len(case.calls)})" if len(case.calls) > 1 else ""
    lines = [f"{_signature(case.function, inputs)}{which}"]
    if "board" in inputs:
        lines += _draw_board(inputs)
    if "state" in inputs:
        lines += _draw_state(case, inputs, outcome)
    if "graph" in inputs.get("game", {}):
        lines += inputs["game"]["graph"].splitlines()
    return "\n".join(line.rstrip() for line in lines)


def _signature(function: str, inputs: dict[str, Any]) -> str:
    """The call as a student would write it."""
    if function.startswith("ANSWER"):
        return function
    if function == "make_run":
        return f'make run ARGS="{inputs["command"]}"'
    if function == "ZeroBy":
        return f"ZeroBy({inputs['n']}, {tuple(inputs['removals'])})"
    if function == "solve":
        game = inputs["game"]
        named = {"staircase": f"a staircase of {game.get('staircase')} steps", "tic_tac_toe": "TicTacToe()"}
        return f"solve({next((text for key, text in named.items() if key in game), 'the game below')})"
    if "state" in inputs:
        arguments = "".join(f", {_argument(name, value)}" for name, value in inputs["arguments"].items())
        return f"{function}(state{arguments})"
    flag = f", {inputs['maximizer']}" if "maximizer" in inputs else ""
    return f"{function}(board{flag})"


def _argument(name: str, value: Any) -> str:
    if name == "heuristic":
        return f"heuristic_fn={value}"
    if isinstance(value, float) and math.isinf(value):
        return f"{name}={'' if value > 0 else '-'}INF"
    return f"{name}={value}"


def _draw_board(data: dict[str, Any]) -> list[str]:
    drawing = BoardDrawing(tuple(data["board"]), tuple(data["players"]))
    board = drawing.board()
    mover = f"{board.get_current_player_name()} (piece {1 + board.count_pieces() % 2}) is to move"
    return [*(f"  {line}" for line in str(board).splitlines()), f"  0 1 2 3 4 5 6   {mover}"]


def _draw_state(case: Case, inputs: dict[str, Any], outcome: dict[str, Any]) -> list[str]:
    state, maximize = inputs["state"], inputs["arguments"].get("maximize", True)
    if "board" in state:
        return _draw_board(state)
    if "tic_tac_toe" in state:
        game, position = TicTacToe(), state["tic_tac_toe"]
        return [*(f"  {line}" for line in game.draw(position).splitlines()), f"  {game.to_move(position)} is to move"]
    root = parse_tree(state["tree"], state["negates"])
    movers = None if case.function == "dfs_maximizing" else maximize
    notes = {} if case.function == "progressive_deepening" else _order_of_evaluations(outcome)
    lines = draw_tree(root, movers, notes).splitlines()
    if len(lines) > WIDEST_TREE:
        lines = [*lines[:WIDEST_TREE], f"… and {len(lines) - WIDEST_TREE} nodes more"]
    if state["negates"]:
        lines.append("(scores in the view of the player to move: get_endgame_score turns them by its flag)")
    return [f"  {line}" for line in lines]


def _order_of_evaluations(outcome: dict[str, Any]) -> dict[tuple[int, ...], str]:
    """For each place that the search evaluated, when it did; empty where that is not known."""
    record = outcome.get("record")
    order = record.get("order") if isinstance(record, dict) else None
    if not isinstance(order, list):
        return {}
    places = [tuple(place) for place in order if isinstance(place, list) and all(type(step) is int for step in place)]
    return {place: f"{ordinal(number)} evaluated" for number, place in enumerate(places, start=1)}
