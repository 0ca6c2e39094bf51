"""Checks and fills in the cases of solvers.  Never ships."""

from collections.abc import Mapping
from typing import Any

from grader.bank.points import Function
from grader.kinds.solver.kind import Totals
from staff.strict.kind import Ask, Writing
from staff.strict.named import Names
from staff.strict.reading import Block


class SolverCases(Writing):
    """How staff write cases of solvers.

    A call has a `game`.  If the game is drawn as a graph, the call may also say in
    which form the game gives its moves and positions, for example as tuples.
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
