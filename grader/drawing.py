"""Draws the call that a verdict speaks of: its board or tree, its arguments, what was looked at."""

import math
from typing import Any

from api import Nim, Over, TicTacToe, draw_tree, parse_tree
from boards.cases import Case
from boards.named import BoardDrawing
from boards.player_inputs import build_game
from grader.pipe.words import ordinal, plural

WIDEST_TREE = 40


def draw_call(case: Case, call: int, outcome: dict[str, Any]) -> str:
    """The call as text: a line that says what was called, and the picture of what it was given."""
    inputs = case.calls[call].inputs
    which = f" (call {call + 1} of {len(case.calls)})" if len(case.calls) > 1 else ""
    lines = [f"{_signature(case.function, inputs)}{which}"]
    if case.function == "MinimaxPlayer":
        lines += _draw_played_state(inputs)
    if "board" in inputs:
        lines += _draw_board(inputs)
    if "state" in inputs:
        lines += _draw_state(case, inputs, outcome)
    if "graph" in inputs.get("game", {}):
        lines += _draw_game(inputs["game"])
    return "\n".join(line.rstrip() for line in lines)


def _signature(function: str, inputs: dict[str, Any]) -> str:
    """The call as a student would write it, on several lines where more than one thing is asked."""
    if function.startswith("ANSWER"):
        return function
    if function == "MinimaxPlayer":
        return _signature_of_player(inputs)
    if function == "make_run":
        return f'make run ARGS="{inputs["command"]}"'
    if function == "ZeroBy":
        another = f", asked once {_zero_by(inputs['another'])} has been made" if "another" in inputs else ""
        return f"{_zero_by(inputs)}{another}"
    if function == "solve":
        game = inputs["game"]
        named = {key: f"a {key} of {game.get(key)} steps" for key in ("staircase", "chain")}
        named["tic_tac_toe"] = "TicTacToe()"
        asked = "remoteness" if "remoteness" in inputs else "solve"
        return f"{asked}({next((text for key, text in named.items() if key in game), 'the game below')})"
    if "state" in inputs:
        arguments = "".join(f", {_argument(name, value)}" for name, value in inputs["arguments"].items())
        return f"{function}(state{arguments})"
    flag = f", {inputs['maximizer']}" if "maximizer" in inputs else ""
    return f"{function}(board{flag})"


def _draw_game(game: dict[str, Any]) -> list[str]:
    """The drawing of a graph, and in what form it gives its moves and its positions."""
    lines: list[str] = game["graph"].splitlines()
    if game.get("moves", "list") != "list":
        lines.append(f"get_moves gives a {game['moves']}")
    if game.get("positions") == "tuples":
        lines.append(f"each position is a tuple, such as {(lines[0].split()[0],)}")
    if game.get("positions") == "numbers":
        lines.append(f"each position is a number: {lines[0].split()[0]} is 0, the next line 1, and so on")
    return lines


def _zero_by(inputs: dict[str, Any]) -> str:
    return f"ZeroBy({inputs['n']}, {tuple(inputs['removals'])})"


def _argument(name: str, value: Any) -> str:
    if name == "heuristic":
        return f"heuristic_fn={value}"
    if isinstance(value, float) and math.isinf(value):
        return f"{name}={'' if value > 0 else '-'}INF"
    return f"{name}={value}"


def _signature_of_player(inputs: dict[str, Any]) -> str:
    made = _new_player(inputs, inputs)
    if inputs["call"] == "new":
        return made
    if not {"before", "another"} & inputs.keys():
        return f"{made}.{_request(inputs)}"
    lines = [f"player = {made}"]
    if "another" in inputs:
        lines += [f"another = {_new_player(inputs, inputs['another'])}", f"another.{_request(inputs)}"]
    for request in inputs.get("before", ()):
        same = all(request[key] == inputs[key] for key in ("position", "player"))
        state = "state" if same else repr(build_game(inputs | request)[1])
        lines.append(f"player.{_request(request, state)}")
    return "\n".join([*lines, f"player.{_request(inputs)}"])


def _new_player(inputs: dict[str, Any], wanted: dict[str, Any]) -> str:
    game = f"{type(build_game(inputs)[0]).__name__}({inputs.get('tree_name', '')})"
    own = f", estimate={wanted['estimator']}" if wanted["estimator"] else ""
    return f"MinimaxPlayer({game}, {wanted['made_for']}{own})"


def _request(asked: dict[str, Any], state: str = "state") -> str:
    depth = "" if asked["call"] == "next_move" else f"{asked['depth']}, "
    return f"{asked['call']}({depth}{state})"


def _draw_played_state(inputs: dict[str, Any]) -> list[str]:
    if inputs["call"] == "new":
        return []
    game, state = build_game(inputs)
    mover = f"{game.player_to_string(game.player(state))} is to move"
    over = "the game is over" if isinstance(game.status(state), Over) else mover
    lines = [*game.state_to_string(state).splitlines(), over]
    if inputs["game"] == "tree":
        lines = [*lines[:-1], "(1 is won for Maxie, -1 for Minnie, 0 is a draw; ~ is what the game guesses)"]
    return [f"  {line}" for line in lines]


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
    if "nim" in state:
        nim = Nim(state["nim"])
        return [f"  {nim.state_to_string(nim.start())}", "  Maxie, the maximizer, is to move"]
    root = parse_tree(state["tree"], state["negates"])
    movers = None if case.function == "dfs_maximizing" else maximize
    notes = {} if case.function == "progressive_deepening" else _order_of_evaluations(outcome)
    lines = draw_tree(root, movers, notes).splitlines()
    if len(lines) > WIDEST_TREE:
        lines = [*lines[:WIDEST_TREE], f"… and {plural(len(lines) - WIDEST_TREE, 'node')} more"]
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
