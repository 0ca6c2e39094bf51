"""Draws the tree or board that a search was given, and writes the call as Python."""

import textwrap
from collections.abc import Mapping
from typing import Any

from api import TicTacToe, draw_tree
from boards.built import state_of
from grader.bank.cases import Call
from grader.bank.reading import DRAWN_HERE
from grader.kinds.board.drawing import draw_board, written_board
from grader.kinds.kind import Place
from grader.kinds.search.answer import SearchAnswer, number
from grader.kinds.search.judge import HISTORY
from grader.kinds.search.nodes import Nodes
from grader.protocol.text import ordinal
from grader.verdicts.verdict import HERE

WIDEST_EXCERPT = 66  # columns


def signature(call: Call, state: str = "state") -> str:
    """Return the call as a student would write it.  `state` is the name of the variable
    that holds the state, or an expression for the state.
    """
    parts = [state]
    for name, value in call.inputs.get("arguments", {}).items():
        if name == "heuristic":
            parts.append(f"heuristic_fn={value}")
        else:
            parts.append(f"{name}={number(value)}")
    return f"{call.function.name}({', '.join(parts)})"


def pasted(call: Call) -> str:
    """Return the call as Python that a student can paste."""
    lines, state = _written_state(call.inputs["state"])
    return "\n".join([*lines, signature(call, state)])


def _written_state(state: Mapping[str, Any]) -> tuple[list[str], str]:
    """Return the Python for a state: the lines that must come first, and the expression
    for the state.
    """
    if "tree" in state:
        return lines_of_tree(state), f"tree_state({state['tree_name']})"
    if "tic_tac_toe" in state:
        return [], f"as_game_state(TicTacToe(), {state['tic_tac_toe']!r})"
    if "nim" in state:
        return [], f"two_player_state(Nim({state['nim']}))"
    board = written_board(state)
    excerpt = textwrap.fill(state["excerpt"], WIDEST_EXCERPT)
    lines = [f'excerpt = """{excerpt}"""']
    return lines, f"read_excerpt({board}, excerpt).state({board})"


def lines_of_tree(data: Mapping[str, Any]) -> list[str]:
    """Return the lines of Python that make a tree.  There are none if the tree has a
    name that can be imported.
    """
    if data["tree_name"] != DRAWN_HERE:
        return []
    return [f'tree = parse_tree("""\n{data["tree"]}""", {data["negates"]})']


def draw_state(call: Call, answer: SearchAnswer | None, place: Place) -> list[str]:
    """Draw the state from which a search begins, as lines of text.

    If `answer` is given, the drawing of a tree also shows in which order its nodes were
    evaluated, unless the function returns a history.  If `place` is below the root of
    the tree, the node at `place` gets a mark.
    """
    data = call.inputs["state"]
    if "board" in data:
        return draw_board(data)
    if "tree" in data:
        lines = _tree(call, _notes(call, answer, place))
    else:
        mover = "Maxie, the maximizer,"
        if "tic_tac_toe" in data:
            mover = TicTacToe().to_move(data["tic_tac_toe"])
        lines = [*str(state_of(data)).splitlines(), f"{mover} is to move"]
    return [f"  {line}" for line in lines]


def _notes(call: Call, answer: SearchAnswer | None, place: Place) -> dict[Place, str]:
    """Return the notes beside the nodes of a tree: in which order the nodes were
    evaluated, and the mark at `place`.
    """
    order: tuple[Place, ...] = ()
    if answer and call.function.returns != HISTORY:
        order = answer.record.order
    notes = {node: f"{ordinal(at)} evaluated" for at, node in enumerate(order, start=1)}
    if place:
        notes[place] = f"{notes.get(place, '')}  {HERE}".strip()
    return notes


def _tree(call: Call, notes: Mapping[Place, str]) -> list[str]:
    nodes = Nodes(call)
    root = nodes.state(()).snapshot
    maximize = nodes.maximizes(()) if nodes.plays else None
    lines = draw_tree(root, maximize, notes).splitlines()
    if root.negates:
        lines.append(
            "(numbers are from the point of view of the player to move; "
            "a False flag flips their sign)"
        )
    return lines
