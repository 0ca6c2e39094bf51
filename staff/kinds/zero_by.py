"""Fills in the cases of zero-by games.  Never ships."""

from collections.abc import Mapping
from typing import Any

from grader.bank.points import Function
from staff.strict.kind import Ask, Writing
from staff.strict.reading import Block


class ZeroByCases(Writing):
    """How staff write cases of zero-by games.

    A call has `n` items and a list of `removals`.  It may also have a second game,
    `another`.  The grader makes the second game before it asks the first game anything.
    So it notices if the two games of a student wrongly share data.
    """

    def can_be_disguised(self, function: Function) -> bool:
        return True

    def fill(
        self, function: Function, call: Block, inputs: Mapping[str, Any], ask: Ask
    ) -> dict[str, Any]:
        graph = ask(function.name, inputs)
        ends = _highest_first(graph.ends)
        return {
            "start": graph.start,
            "leads_to": dict(_highest_first(graph.leads_to)),
            "ends": {position: value["$value"] for position, value in ends},
        }


def _highest_first(positions: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return sorted(positions.items(), key=lambda item: -int(item[0]))


WRITING = ZeroByCases()
