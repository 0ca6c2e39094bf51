"""How cases of zero-by games are written.  Never ships."""

from collections.abc import Mapping
from typing import Any, ClassVar

from boards.points import Function
from staff.strict.kind import Ask, Names, Types, Writing
from staff.strict.reading import Block


class ZeroByCases(Writing):
    """`n` items and a list of `removals`; `another` is a second game, made before the first is asked anything."""

    types: ClassVar[Types] = {"start": int, "leads_to": Block, "ends": Block}

    def check(self, function: Function, call: Block, names: Names) -> set[str]:
        _check_game(call)
        if "another" in call:
            another = call.take("another", Block)
            another.allow({"n", "removals"})
            _check_game(another)
        return {"n", "removals", "another"}

    def expectations(self, function: Function) -> tuple[set[str], ...]:
        return ({"start", "leads_to", "ends"},)

    def fill(self, function: Function, call: Block, inputs: Mapping[str, Any], ask: Ask) -> dict[str, Any]:
        graph = ask(function.name, inputs)
        ends = {position: value["$value"] for position, value in _from_above(graph.ends)}
        return {"start": graph.start, "leads_to": dict(_from_above(graph.leads_to)), "ends": ends}


def _from_above(positions: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return sorted(positions.items(), key=lambda item: -int(item[0]))


def _check_game(block: Block) -> None:
    removals = [n for n in block.take("removals", list) if type(n) is int and n > 0]
    if removals != block["removals"] or not removals:
        block.fail("`removals` is a list of positive whole numbers", "removals")
    if block.take("n", int) < 1:
        block.fail(f"`n` is a whole number of 1 or more, not {block['n']}", "n")


WRITING = ZeroByCases()
