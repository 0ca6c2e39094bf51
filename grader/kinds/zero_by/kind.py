"""Judges a zero-by game by its graph, which says where the moves of each position
lead.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from grader.bank.cases import Call
from grader.kinds.difference import first_difference
from grader.kinds.kind import Kind
from grader.protocol.plain import Data, Garbled, encoded
from grader.protocol.text import pairs, plural, show
from grader.verdicts.verdict import RIGHT, Finding, wrong

START = "start()"
ASKED = """\
print([game.terminal_value(n) for n in range({end})])
leads_to = lambda n: {{game.do_move(n, move) for move in game.get_moves(n)}}
game.start(), {{n: leads_to(n) for n in range(1, {end})}}, game.start()"""


@dataclass(frozen=True)
class Graph:
    """The positions of a game, and where their moves lead.

    The keys of both mappings are positions.  A position is a number, written as text.
    """

    start: Any  # what start() returns
    # For each position where the game goes on, the positions to which its moves lead.
    leads_to: Mapping[str, Any]
    # For each position where the game is over, its terminal_value.
    ends: Mapping[str, Any]

    @property
    def positions(self) -> Data:
        """All facts about the game as one dict.

        The first entry is what start() returns.  Each further entry is a position, with
        the positions to which its moves lead, or with its terminal_value.
        """
        return {START: self.start, **self.leads_to, **self.ends}


@dataclass(frozen=True)
class Problem:
    """The reason why a game has no graph."""

    parts: Any  # what is wrong, and where, as worker.py sends it


def read_expected(call: Call) -> Graph:
    """Return the graph that the case expects."""
    expect = call.expect
    ends = {position: {"$value": name} for position, name in expect["ends"].items()}
    return Graph(expect["start"], expect["leads_to"], ends)


class ZeroBy(Kind):
    """How the student's class of zero-by games is judged and shown.  The class
    inherits from Game.
    """

    methods = ("__init__", "start", "get_moves", "do_move", "terminal_value")

    def read(self, outcome: Data) -> Graph | Problem:
        if "problem" in outcome:
            return Problem(outcome["problem"])
        leads_to = pairs(outcome.get("leads_to"))
        ends = pairs(outcome.get("ends"))
        return Graph(encoded(outcome.get("start")), leads_to, ends)

    def judge(self, call: Call, answer: Graph | Problem) -> Finding:
        if isinstance(answer, Problem):
            return wrong(_sentence(answer.parts))
        return _judge_positions(read_expected(call), answer)

    def signature(self, call: Call) -> str:
        return ", and then ".join(_games(call))

    def pasted(self, call: Call) -> str:
        game, *others = _games(call)
        asked = ASKED.format(end=call.inputs["n"] + 1)
        return "\n".join([f"game = {game}", *others, asked])


def _judge_positions(expected: Graph, yours: Graph) -> Finding:
    """Return the finding on the first difference between two graphs.

    The finding says whether the start is wrong, where the moves of a position lead, or
    what terminal_value returns for a position.
    """
    row = first_difference(expected.positions, yours.positions)
    if row is None:
        return RIGHT
    position, expected_there, yours_there = row
    if position == START:
        return wrong("The game should begin with a different number of items.", (row,))
    if position not in expected.positions:
        return wrong("The game reaches a position that it should never reach.")
    left = f"with {plural(int(position), 'item')} left"
    goes_on = position in expected.leads_to
    is_over = position in yours.ends
    message = f"terminal_value is wrong {left}."
    if goes_on and is_over:
        message = (
            f"The game should go on {left}, so terminal_value should be None there."
        )
        expected_there = f"moves to {expected_there}"
        yours_there = f"over: {yours_there}"
    elif goes_on:
        message = f"Your moves {left} lead to the wrong set of positions."
    elif not is_over:
        message = (
            f"The game should be over {left}, "
            "so terminal_value should not be None there."
        )
        expected_there = f"over: {expected_there}"
        yours_there = f"moves to {yours_there}"
    return wrong(message, ((left, expected_there, yours_there),))


def _sentence(problem: Any) -> str:
    """Say why a game has no graph.

    Raises Garbled for a problem that worker.py would never send.
    """
    match problem:
        case ["begun again", start]:
            return (
                f"After some moves, start() returns {show(encoded(start))}; "
                "it should still return what it returned before."
            )
        case ["asked again", position, _, []]:
            asked = f"get_moves({show(encoded(position))})"
            return (
                f"The second time, {asked} gives no moves. "
                "Is something used up, such as a generator?"
            )
        case ["asked again", position, first, second]:
            moves = f"The moves at {show(encoded(position))}"
            now = show(encoded(second))
            return (
                f"{moves} first lead to {show(encoded(first))}, "
                f"and to {now} when asked again."
            )
        case ["start" | "do_move" as method, type_of_position]:
            return (
                "A position should be the number of items left, a whole number; "
                f"{method} returns {show({'$other': type_of_position})}."
            )
    raise Garbled


def _games(call: Call) -> list[str]:
    """Return the game of a call as Python.  If the call has `another`, return the
    second game too.
    """
    inputs = [call.inputs]
    if "another" in call.inputs:
        inputs.append(call.inputs["another"])
    return [f"ZeroBy({game['n']}, {tuple(game['removals'])})" for game in inputs]


KIND = ZeroBy()
