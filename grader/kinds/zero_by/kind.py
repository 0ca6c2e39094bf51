"""A zero-by game of the student's own, whose moves are followed from its start."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from boards.cases import Call, Function
from grader.judging.verdict import NOTHING, RIGHT, Finding
from grader.kinds.kind import Kind
from grader.protocol.plain import Garbled, alike, encoded
from grader.protocol.words import pairs, show


@dataclass(frozen=True)
class Graph:
    """What the game's own moves lead through: from each position to others, and the value where it ends.

    Keys are numbers as text; `problem` says why there is no graph, in a whole sentence.
    """

    start: Any = None
    leads_to: Mapping[str, Any] | None = None
    ends: Mapping[str, Any] | None = None
    problem: str = ""


class ZeroBy(Kind[Graph]):
    """A class that inherits from Game."""

    methods = ("__init__", "start", "get_moves", "do_move", "terminal_value")

    def read(self, outcome: dict[str, Any]) -> Graph:
        if "problem" in outcome:
            return Graph(problem=_problem(outcome["problem"]))
        ends, leads_to = pairs(outcome.get("ends")), pairs(outcome.get("leads_to"))
        return Graph(encoded(outcome.get("start")), leads_to, ends)

    def judge(self, function: Function, call: Call, answer: Graph) -> Finding:
        if answer.leads_to is None or answer.ends is None:
            return Finding(NOTHING, answer.problem, malformed=True)
        if answer.start != call.expect["start"] or type(answer.start) is not int:
            rows = (("start()", show(call.expect["start"]), show(answer.start)),)
            return Finding(NOTHING, "The game begins with another number of items.", rows)
        return _judge_graph(call, answer.leads_to, answer.ends)

    def gist(self, function: Function, call: Call, answer: Graph) -> str:
        return alike([answer.start, answer.leads_to, answer.ends, answer.problem])

    def signature(self, function: Function, call: Call) -> str:
        another = call.inputs.get("another")
        return f"{_made(call.inputs)}{f', asked once {_made(another)} has been made' if another else ''}"

    def pasted(self, function: Function, call: Call) -> str:
        another, n = call.inputs.get("another"), call.inputs["n"]
        compared = (
            "leads_to = lambda n: {game.do_move(n, move) for move in game.get_moves(n)}",
            f"game.start(), {{n: leads_to(n) for n in range(1, {n + 1})}}, game.start()",
            f"[game.terminal_value(n) for n in range({n + 1})]",
        )
        return "\n".join([f"game = {_made(call.inputs)}", *([_made(another)] if another else []), *compared])


def _judge_graph(call: Call, leads_to: Mapping[str, Any], ends: Mapping[str, Any]) -> Finding:
    wanted_leads, wanted_ends = call.expect["leads_to"], call.expect["ends"]
    for position in (*wanted_leads, *wanted_ends):
        items = f"{position} item{'' if position == '1' else 's'}"
        yours = show(ends[position]) if position in ends else "None" if position in leads_to else "never reached"
        wanted = f"Value.{wanted_ends[position]}" if position in wanted_ends else "None"
        if yours != wanted:
            rows = ((f"terminal_value({position})", wanted, yours),)
            return Finding(NOTHING, f"terminal_value is wrong with {items} left.", rows)
        if position in wanted_leads and leads_to[position] != wanted_leads[position]:
            rows = ((f"{position} leads to", show(wanted_leads[position]), show(leads_to[position])),)
            return Finding(NOTHING, _which(items, wanted_leads[position], leads_to[position]), rows)
    if {*leads_to, *ends} <= {*wanted_leads, *wanted_ends}:
        return RIGHT
    return Finding(NOTHING, "The game reaches a position that it never should.")


def _which(items: str, wanted: list[int], yours: Any) -> str:
    """The first position that no move leads to and one should, or to which one leads that should not."""
    reached = yours if isinstance(yours, list) else []
    missing = [f"no move leads to {position}, and one should" for position in wanted if position not in reached]
    strange = [f"a move leads to {show(position)}, and none should" for position in reached if position not in wanted]
    return f"With {items} left {next(iter([*missing, *strange]), 'the moves are wrong')}."


def _problem(problem: Any) -> str:
    if not (isinstance(problem, list) and len(problem) == 2):
        raise Garbled
    kind, what = problem
    if kind == "begun again":
        return f"Once moves were made, start() gives {show(encoded(what))}; it should be what it was before them."
    if kind == "asked again":
        return f"Asked a second time, the moves at {show(encoded(what))} lead elsewhere; they should not change."
    if kind in ("start", "do_move"):
        given = show({"$other": what})
        return f"A position should be the number of items left, a whole number; {kind} gives {given}."
    raise Garbled


def _made(inputs: Mapping[str, Any]) -> str:
    return f"ZeroBy({inputs['n']}, {tuple(inputs['removals'])})"


KIND = ZeroBy()
