"""A zero-by game of the student's own, whose moves are followed from its start."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from grader.bank.cases import Call
from grader.judging.verdict import RIGHT, Finding, wrong
from grader.kinds.difference import first_difference
from grader.kinds.kind import Kind
from grader.protocol.plain import Garbled, alike, encoded
from grader.protocol.words import pairs, show


@dataclass(frozen=True)
class Graph:
    """What the game's own moves lead through: from each position to others, and the
    value where it ends.

    Keys are numbers as text; `problem` has what is wrong, and where, if there is no
    graph.
    """

    start: Any = None
    leads_to: Mapping[str, Any] | None = None
    ends: Mapping[str, Any] | None = None
    problem: Any = None


class ZeroBy(Kind[Graph]):
    """A class that inherits from Game."""

    methods = ("__init__", "start", "get_moves", "do_move", "terminal_value")

    def read(self, outcome: dict[str, Any]) -> Graph:
        if "problem" in outcome:
            return Graph(problem=outcome["problem"])
        ends, leads_to = pairs(outcome.get("ends")), pairs(outcome.get("leads_to"))
        return Graph(encoded(outcome.get("start")), leads_to, ends)

    def judge(self, call: Call, answer: Graph) -> Finding:
        if answer.leads_to is None or answer.ends is None:
            return wrong(_problem(answer.problem))
        expect = call.expect
        if row := first_difference(
            {"start()": expect["start"]}, {"start()": answer.start}
        ):
            return wrong("The game should begin with another number of items.", (row,))
        return _judge_graph(expect, answer.leads_to, answer.ends)

    def fingerprint(self, call: Call, answer: Graph) -> str:
        return alike([answer.start, answer.leads_to, answer.ends, answer.problem])

    def signature(self, call: Call) -> str:
        another = call.inputs.get("another")
        return (
            f"{_made(call.inputs)}{f', and then {_made(another)}' if another else ''}"
        )

    def pasted(self, call: Call) -> str:
        end = call.inputs["n"] + 1
        lines = [f"game = {_made(call.inputs)}"]
        if "another" in call.inputs:
            lines.append(_made(call.inputs["another"]))
        lines.append(f"print([game.terminal_value(n) for n in range({end})])")
        lines.append(
            "leads_to = lambda n: {game.do_move(n, move) for move in game.get_moves(n)}"
        )
        lines.append(
            f"game.start(), {{n: leads_to(n) for n in range(1, {end})}}, game.start()"
        )
        return "\n".join(lines)


def _judge_graph(
    expect: Mapping[str, Any], leads_to: Mapping[str, Any], ends: Mapping[str, Any]
) -> Finding:
    """Where each position leads to, and what it is worth if the game is over there."""
    expected = expect["leads_to"] | {
        position: {"$value": name} for position, name in expect["ends"].items()
    }
    row = first_difference(expected, {**leads_to, **ends})
    if row is None:
        return RIGHT
    position, leads, yours = row
    if position not in expected:
        return wrong("The game reaches a position that it should never reach.")
    left = f"{position} item{'' if position == '1' else 's'} left"
    goes_on, is_over = position in expect["leads_to"], position in ends
    if goes_on and is_over:
        message = f"The game should go on with {left}, so terminal_value should be None there."
        return wrong(
            message, ((f"with {left}", f"moves to {leads}", f"over: {yours}"),)
        )
    if not goes_on and not is_over:
        message = f"The game should be over with {left}, so terminal_value should not be None there."
        return wrong(
            message, ((f"with {left}", f"over: {leads}", f"moves to {yours}"),)
        )
    message = (
        "terminal_value is wrong"
        if is_over
        else "The moves do not lead where they should"
    )
    return wrong(f"{wrong} with {left}.", ((f"with {left}", leads, yours),))


def _problem(problem: Any) -> str:
    match problem:
        case ["begun again", what]:
            return f"After some moves start() returns {show(encoded(what))}; it should return what it did before them."
        case ["asked again", position, _, []]:
            asked = f"get_moves({show(encoded(position))})"
            return f"The second time, {asked} gives no moves. Is something used up, such as a generator?"
        case ["asked again", position, first, second]:
            led, lead = show(encoded(first)), show(encoded(second))
            return f"The moves at {show(encoded(position))} first lead to {led}, and to {lead} when asked again."
        case ["start" | "do_move" as method, what]:
            yours = show({"$other": what})
            return f"A position should be the number of items left, a whole number; {method} returns {yours}."
    raise Garbled


def _made(inputs: Mapping[str, Any]) -> str:
    return f"ZeroBy({inputs['n']}, {tuple(inputs['removals'])})"


KIND = ZeroBy()
