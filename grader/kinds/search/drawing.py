"""Draws what a search was given: a tree with the order in which its leaves were
evaluated, a board, or a game.

`pasted` writes the call as Python.
"""

import textwrap
from collections.abc import Mapping
from typing import Any

import api
from api import INF, Nim, TicTacToe, draw_tree, parse_tree
from grader.bank.cases import Call
from grader.bank.reading import DRAWN_HERE
from grader.kinds.board.drawing import draw_board, written_board
from grader.kinds.search.answer import Place, SearchAnswer
from grader.kinds.search.judge import HISTORY
from grader.protocol.words import ordinal, plural

MOST_NODES, WIDEST_EXCERPT = 40, 66


def signature(call: Call, state: str = "state") -> str:
    """The call as a student would write it."""
    arguments = "".join(
        f", {_argument(name, value)}"
        for name, value in call.inputs.get("arguments", {}).items()
    )
    return f"{call.function.name}({state}{arguments})"


def pasted(call: Call) -> str:
    """The call as Python that can be pasted."""
    lines, state = _written_state(call.inputs["state"])
    heuristic = call.inputs.get("arguments", {}).get("heuristic", "always_zero")
    if heuristic not in api.__all__:
        lines += [
            "from boards.heuristics import HEURISTICS",
            f"{heuristic} = HEURISTICS[{heuristic!r}]",
        ]
    return "\n".join([*lines, signature(call, state)])


def _written_state(state: Mapping[str, Any]) -> tuple[list[str], str]:
    """A state in Python: the lines that come first, and what it is then."""
    if "tree" in state:
        return drawn_here(state), f"tree_state({state['tree_name']})"
    if "tic_tac_toe" in state:
        return [], f"as_game_state(TicTacToe(), {state['tic_tac_toe']!r})"
    if "nim" in state:
        return [], f"two_player_state(Nim({state['nim']}))"
    board, excerpt = (
        written_board(state),
        textwrap.fill(state["excerpt"], WIDEST_EXCERPT),
    )
    lines = ["from boards.excerpts import read_excerpt", f'excerpt = """{excerpt}"""']
    return lines, f"read_excerpt({board}, excerpt).state({board})"


def drawn_here(data: Mapping[str, Any]) -> list[str]:
    """The line of Python that makes a tree which has no name; none for one that can be
    imported.
    """
    return (
        [f'tree = parse_tree("""\n{data["tree"]}""", {data["negates"]})']
        if data["tree_name"] == DRAWN_HERE
        else []
    )


def draw_state(call: Call, answer: SearchAnswer | None, node: Place = ()) -> list[str]:
    """The state that a search begins with; in a tree also what the recorder saw, and a
    place that is marked.
    """
    state = call.inputs["state"]
    if "board" in state:
        return draw_board(state)
    if "tic_tac_toe" in state:
        game, position = TicTacToe(), state["tic_tac_toe"]
        return [
            *(f"  {line}" for line in game.draw(position).splitlines()),
            f"  {game.to_move(position)} is to move",
        ]
    if "nim" in state:
        nim = Nim(state["nim"])
        return [
            f"  {nim.state_to_string(nim.start())}",
            "  Maxie, the maximizer, is to move",
        ]
    order = answer.record.order if answer and call.function.returns != HISTORY else ()
    notes = {
        place: f"{ordinal(at)} evaluated" for at, place in enumerate(order, start=1)
    }
    if node:
        notes[node] = f"{notes.get(node, '')}  <-- here".strip()
    maximize = call.inputs.get("arguments", {}).get("maximize", True)
    root = parse_tree(state["tree"], state["negates"])
    lines = draw_tree(
        root, maximize if "maximize" in call.function.arguments else None, notes
    ).splitlines()
    if (left := len(lines) - MOST_NODES) > 0:
        lines = [*lines[:MOST_NODES], f"… and {plural(left, 'node')} more"]
    if state["negates"]:
        lines.append(
            "(a number is in the view of the player to move; with flag False its sign flips)"
        )
    return [f"  {line}" for line in lines]


def _argument(name: str, value: Any) -> str:
    written = {INF: "INF", -INF: "-INF"}.get(value, value)
    return f"{'heuristic_fn' if name == 'heuristic' else name}={written}"
