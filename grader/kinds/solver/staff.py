"""How cases of solvers are written.  Never ships."""

import re
from collections.abc import Mapping
from typing import Any

from boards.cases import Function
from grader.kinds.solver.kind import Totals
from staff.strict.kind import Ask, Names, Writing
from staff.strict.reading import Block


class SolverCases(Writing):
    """A `game`; a drawn one may give its moves and its positions in another form."""

    def check(self, function: Function, call: Block, names: Names) -> None:
        if "graph" in call["game"]:
            names.check(call["game"], "graph")

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


def _check_values(values: Block, drawing: str) -> None:
    """Every position is one of the drawing."""
    for position in values:
        if not re.search(rf"^{re.escape(position)}\b", drawing, re.MULTILINE):
            values.fail(f"the game has no position `{position}`", position)


WRITING = SolverCases()
