"""Checks and fills in the cases of solvers.  Never ships."""

from collections.abc import Mapping
from typing import Any

from grader.bank.points import Function
from grader.kinds.solver.kind import Totals
from staff.strict.kind import Ask, Writing
from staff.strict.named import Names
from staff.strict.reading import Block


class SolverCases(Writing):
    """Calls with a `game`.

    If the game is drawn as a graph, a call may say that the game gives its moves and
    positions in another form, such as a tuple.
    """

    def check(self, function: Function, call: Block, names: Names) -> None:
        if "graph" in call["game"]:
            names.check_graph(call["game"])

    def can_be_disguised(self, function: Function) -> bool:
        return True

    def fill(
        self, function: Function, call: Block, inputs: Mapping[str, Any], ask: Ask
    ) -> dict[str, Any]:
        table = ask(function.name, inputs)
        if isinstance(table, Totals):
            return {"totals": dict(vars(table.totals)), "digest": table.digest}
        values = table.entries.items()
        return {"values": {position: value["$value"] for position, value in values}}


WRITING = SolverCases()
