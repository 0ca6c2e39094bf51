"""Judges a solver: a function that takes a game and returns the value of each position.

A case expects either the whole table, or only the totals of the table.  Each of these
two forms has a class.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from boards.graph_games import GraphGame
from grader.bank.cases import Call
from grader.kinds.difference import NOTHING_THERE, first_difference
from grader.kinds.kind import Kind, Place
from grader.protocol.plain import Data, read_as, value_of
from grader.protocol.text import harmless, pairs, plural, returned, show
from grader.verdicts.verdict import RIGHT, Finding, wrong


@dataclass(frozen=True)
class Table:
    """A table of positions and values, which the child has sent as a whole."""

    entries: Mapping[str, Any]  # the keys are positions


@dataclass(frozen=True)
class Counts:
    """How many positions there are with each value."""

    WIN: int
    TIE: int
    LOSE: int


@dataclass(frozen=True)
class Totals:
    """The totals of a table.

    They take the place of a table that is too large for the child to send, or for a
    case to list.
    """

    totals: Counts
    digest: str  # of all its lines

    @property
    def size(self) -> int:
        """How many positions the table has."""
        return sum(vars(self.totals).values())

    def judge(self, answer: "Table | Totals") -> Finding:
        """Return the finding on an answer, which should be a table with these totals.

        The answer is the table itself or its totals.
        """
        if isinstance(answer, Table):
            return _no_value(answer) or wrong(
                f"The table should hold the {self.size} positions of the game, "
                "and nothing else."
            )
        if answer.size != self.size:
            return _of_another_size(answer, self.size)
        if row := first_difference(vars(self.totals), vars(answer.totals)):
            return wrong(f"The number of positions with {row[0]} is wrong.", (row,))
        if answer == self:
            return RIGHT
        return wrong(
            "The totals are right, "
            "but not every position of the game has its right value."
        )


@dataclass(frozen=True)
class ExpectedValues:
    """The case expects the value of each position of a small game."""

    values: Mapping[str, Any]  # the value of each position, as plain data
    # For each position, the positions to which its moves lead.  Empty if the case does
    # not draw the game as a graph.
    after: Mapping[str, list[str]]

    def judge(self, answer: Table | Totals) -> Finding:
        """Return the finding on a table that should hold exactly these values."""
        if isinstance(answer, Totals):
            return _of_another_size(answer, len(self.values))
        if no_value := _no_value(answer):
            return no_value
        yours = answer.entries
        differing = {
            name for name in self.values if yours.get(name) != self.values[name]
        }
        row = first_difference(self._innermost_first(differing), yours)
        if row is None:
            return RIGHT
        position = row[0]
        if position not in self.values:
            message = (
                "Your table holds a position that cannot be reached from the start."
            )
            return wrong(message, (row,))
        if position in yours:
            why = self._why(position, differing)
            return wrong(f"The value of `{position}` is wrong.{why}", (row,))
        unreachable = first_difference({}, yours)
        if unreachable and self.values.keys().isdisjoint(yours):
            message = "No key of your table is a position that can be reached."
            return wrong(message, (unreachable,))
        return self._missing(yours)

    def _innermost_first(self, differing: set[str]) -> Data:
        """Return the expected values in another order.

        First come the positions whose moves lead only to positions with right values.
        If one of them has a wrong value itself, the mistake must be there.  `differing`
        has the positions whose values are wrong or missing.
        """
        in_order = sorted(
            self.values,
            key=lambda name: not differing.isdisjoint(self.after.get(name, ())),
        )
        return {position: self.values[position] for position in in_order}

    def _why(self, position: str, differing: set[str]) -> str:
        """Return a sentence that shows why the value of a position is wrong; empty if
        nothing shows it.
        """
        below = self.after.get(position)
        if below == []:
            value = self.values[position]["$value"]
            return f" The game is over there, and its terminal_value is {value}."
        right = [name for name in dict.fromkeys(below or ()) if name not in differing]
        if not right:
            return ""
        next_values = [f"`{name}` ({self.values[name]['$value']})" for name in right]
        return (
            f" In your table, its moves lead to {' and '.join(next_values)}, "
            "from the other player's point of view."
        )

    def _missing(self, yours: Mapping[str, Any]) -> Finding:
        """Return the finding on a table in which positions are missing.

        The finding names one of these positions.  If possible, it is one that a move
        leads to from a position in the table.
        """
        missing = [position for position in self.values if position not in yours]
        next_to_the_table = set[str]()
        for position in yours:
            next_to_the_table.update(self.after.get(position, ()))
        first = min(missing, key=lambda position: position not in next_to_the_table)
        message = f"The value of `{first}` is missing."
        if len(missing) > 1:
            message = (
                f"{len(missing)} positions are missing, and `{first}` is one of them."
            )
        return wrong(message, ((first, show(self.values[first]), NOTHING_THERE),))


def read_expected(call: Call) -> Totals | ExpectedValues:
    """Return what the case expects of this call."""
    expect = call.expect
    if "totals" in expect:
        return Totals(Counts(**expect["totals"]), expect["digest"])
    values = {name: {"$value": value} for name, value in expect["values"].items()}
    after: dict[str, list[str]] = {}
    if "graph" in call.inputs["game"]:
        arrows = GraphGame(call.inputs["game"]["graph"]).arrows
        after = {name: arrows.get(name, []) for name in values}
    return ExpectedValues(values, after)


def _no_value(answer: Table) -> Finding | None:
    """Return the finding on the first entry whose value is not a Value; None if there
    is no such entry.
    """
    for position, value in answer.entries.items():
        if not (isinstance(value, dict) and "$value" in value):
            row = (harmless(position, 40), "a Value", show(value))
            message = f"The value of `{row[0]}` is not a Value (WIN, TIE or LOSE)."
            return wrong(message, (row,))
    return None


def _of_another_size(answer: Totals, size: int) -> Finding:
    """Return the finding on a table that has too many or too few positions.

    `size` is the number of positions of the game.
    """
    why = "some cannot be reached from the start"
    if answer.size < size:
        why = "some are missing"
    positions = plural(answer.size, "position")
    return wrong(f"Your table has {positions}; the game has {size}, so {why}.")


# If a case draws a game, these keys may say in which form the game gives its moves and
# its positions.
FORMS = ("moves", "positions")


class Solver(Kind):
    """How a solver is judged and shown.

    The answer to a call is a Table, or Totals if the table is large.  If the function
    does not return a dict, the answer is whatever it returned, as plain data.
    """

    def read(self, outcome: Data) -> Any:
        if "totals" in outcome:
            return read_as(Totals, outcome)
        value = value_of(outcome)
        if isinstance(value, dict) and "$dict" in value:
            return Table(pairs(value))
        return value

    def judge(self, call: Call, answer: Any) -> Finding:
        if not isinstance(answer, Table | Totals):
            return wrong(f"It {returned(answer)}; it should return a dict.")
        return read_expected(call).judge(answer)

    def signature(self, call: Call) -> str:
        game = call.inputs["game"]
        written = "this game" if "graph" in game else _in_python(game)
        return f"{call.function.name}({written})"

    def picture(self, call: Call, answer: Any, place: Place) -> list[str]:
        game = call.inputs["game"]
        forms = [f"{name} are given as: {game[name]}" for name in FORMS if name in game]
        return [*game.get("graph", "").splitlines(), *forms]

    def pasted(self, call: Call) -> str:
        return f"{call.function.name}({_in_python(call.inputs['game'])})"


def _in_python(game: Mapping[str, Any]) -> str:
    """Return a game as Python."""
    if "tic_tac_toe" in game:
        return "TicTacToe()"
    if "graph" in game:
        forms = "".join(f", {name}={game[name]!r}" for name in FORMS if name in game)
        return f'GraphGame("""{game["graph"].strip()}"""{forms})'
    [(form, steps)] = game.items()
    return f"Staircase({steps}, jumps={form == 'staircase'})"


KIND = Solver()
