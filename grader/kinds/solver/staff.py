"""How cases of solvers are written.  Never ships."""

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from api import Value
from boards.graph_games import MOVES, POSITIONS
from boards.points import Function
from grader.kinds.solver.answer import Totals
from staff.strict.kind import Ask, Names, Types, Writing
from staff.strict.reading import Block

_GAMES = frozenset({"graph", "staircase", "chain", "tic_tac_toe"})


class SolverCases(Writing):
    """A `game`; a drawn one may give its moves and its positions in another form."""

    types: ClassVar[Types] = {"values": Block, "moves": Block, "totals": Block, "digest": str}

    def check(self, function: Function, call: Block, names: Names) -> set[str]:
        _check_game(call.take("game", Block), names)
        call.take("remoteness", bool, False)
        return {"game", "remoteness"}

    def expectations(self, function: Function) -> tuple[set[str], ...]:
        return ({"values"}, {"moves"}, {"totals", "digest"})

    def check_expectation(self, function: Function, expect: Block, inputs: Mapping[str, Any]) -> None:
        if "values" in expect and "graph" in inputs["game"]:
            _check_values(expect["values"], inputs["game"]["graph"])
        if ("moves" in expect) != bool(inputs.get("remoteness")):
            expect.fail("a case that asks for remoteness is judged by {moves}, and no other is")

    def fill(self, function: Function, call: Block, inputs: Mapping[str, Any], ask: Ask) -> dict[str, Any]:
        table = ask(function.name, inputs)
        if isinstance(table, Totals):
            return {"totals": dict(table.numbers), "digest": table.digest}
        if inputs.get("remoteness"):
            return {"moves": dict(table.entries)}
        return {"values": {position: value["$value"] for position, value in table.entries.items()}}


def _check_game(block: Block, names: Names) -> None:
    block.allow({*_GAMES, "moves", "positions"})
    kinds = block.keys() & _GAMES
    if len(kinds) != 1:
        block.fail("`game` is one of {graph: NAME}, {staircase: STEPS}, {chain: STEPS} and {tic_tac_toe: true}")
    if "graph" not in block and len(block) > 1:
        block.fail("`moves` and `positions` are for a game that is drawn as a graph")
    for key in kinds & {"staircase", "chain"}:
        if block.take(key, int) < 1:
            block.fail(f"`{key}` is a whole number of 1 or more, not {block[key]}", key)
    if "tic_tac_toe" in block:
        block.take("tic_tac_toe", bool)
    if "graph" in block:
        names.look_up(block, "graph")
    if block.take("moves", str, "list") not in MOVES:
        block.fail(f"`moves` is {block['moves']}; it is one of {', '.join(MOVES)}", "moves")
    if block.take("positions", str, "names") not in POSITIONS:
        block.fail(f"`positions` is {block['positions']}; it is one of {', '.join(POSITIONS)}", "positions")


def _check_values(values: Block, drawing: str) -> None:
    """Every position is one of the drawing, and every value a Value."""
    for position, value in values.items():
        if not re.search(rf"^{re.escape(position)}\b", drawing, re.MULTILINE):
            values.fail(f"the game has no position `{position}`", position)
        if value not in Value.__members__:
            values.fail(f"`{value}` is no value: WIN, TIE or LOSE", position)


WRITING = SolverCases()
