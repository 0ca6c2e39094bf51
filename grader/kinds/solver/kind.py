"""A solver: a function from a game to the value of each of its positions."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from boards.graph_games import GraphGame
from grader.bank.cases import Call
from grader.judging.verdict import RIGHT, Finding, wrong
from grader.kinds.difference import NOTHING_THERE, first_difference
from grader.kinds.kind import Kind, Node
from grader.protocol.plain import Garbled, alike, is_count, value_of
from grader.protocol.words import harmless, pairs, plural, returned, show

VALUES = {"WIN", "TIE", "LOSE"}
FORMS = ("moves", "positions")  # of a drawn game


@dataclass(frozen=True)
class Table:
    """A table that came back whole: what it holds by position."""

    entries: Mapping[str, Any]


@dataclass(frozen=True)
class Totals:
    """A large table: how many positions there are of each value, and the digest of all
    its lines.
    """

    numbers: Mapping[str, int]
    digest: str


class Solver(Kind[Any]):
    """The table of values: position by position, or by its totals and digest if it is
    large.
    """

    def read(self, outcome: dict[str, Any]) -> Any:
        """A Table or Totals; plain data if something else than a dict came back."""
        if "totals" in outcome:
            numbers, digest = outcome["totals"], outcome.get("digest")
            sound = (
                isinstance(numbers, dict)
                and numbers.keys() == VALUES
                and all(map(is_count, numbers.values()))
            )
            if not sound or not isinstance(digest, str):
                raise Garbled
            return Totals(numbers, digest)
        value = value_of(outcome)
        return (
            Table(pairs(value))
            if isinstance(value, dict) and "$dict" in value
            else value
        )

    def judge(self, call: Call, answer: Any) -> Finding:
        if not isinstance(answer, Table | Totals):
            return wrong(f"It {returned(answer)}; it should return a dict.")
        if "totals" in call.expect:
            return _judge_totals(call, answer)
        if isinstance(answer, Totals):
            return _wrong_size(sum(answer.numbers.values()), len(call.expect["values"]))
        return _judge_values(call, answer.entries)

    def fingerprint(self, call: Call, answer: Any) -> str:
        if isinstance(answer, Table):
            return alike(answer.entries)
        return alike(
            [answer.numbers, answer.digest] if isinstance(answer, Totals) else answer
        )

    def signature(self, call: Call) -> str:
        game = call.inputs["game"]
        return f"{call.function.name}({'this game' if 'graph' in game else _in_python(game)})"

    def pasted(self, call: Call) -> str:
        game = _in_python(call.inputs["game"])
        return f"from boards.graph_games import GraphGame, Staircase\n{call.function.name}({game})"

    def picture(self, call: Call, answer: Any, node: Node = ()) -> list[str]:
        game = call.inputs["game"]
        forms = [f"{name} come as: {game[name]}" for name in FORMS if name in game]
        return [*game.get("graph", "").splitlines(), *forms]


def _in_python(game: Mapping[str, Any]) -> str:
    """A game in Python."""
    if "tic_tac_toe" in game:
        return "TicTacToe()"
    if "graph" in game:
        options = "".join(f", {name}={game[name]!r}" for name in FORMS if name in game)
        return f'GraphGame("""{game["graph"].strip()}"""{options})'
    [(form, steps)] = game.items()
    return f"Staircase({steps}, jumps={form == 'staircase'})"


def _judge_values(call: Call, yours: Mapping[str, Any]) -> Finding:
    """The values of all positions, and of no other.

    Of several wrong ones, one that leads to right ones alone comes first: there is the
    mistake.
    """
    if no_value := _no_value(yours):
        return no_value
    expected = {
        position: {"$value": name} for position, name in call.expect["values"].items()
    }
    if yours and expected.keys().isdisjoint(yours):
        row = first_difference({}, yours)
        return wrong(
            "No key of the table is a position that can be reached.",
            (row,) if row else (),
        )
    differing = {
        position for position in expected if yours.get(position) != expected[position]
    }
    after = _after(call)
    innermost_first = sorted(
        expected, key=lambda position: not differing.isdisjoint(after.get(position, ()))
    )
    row = first_difference(
        {position: expected[position] for position in innermost_first}, yours
    )
    if row is None:
        return RIGHT
    if row[0] not in expected:
        return wrong(
            "The table holds a position that cannot be reached from the start.", (row,)
        )
    position, below = row[0], after.get(row[0], ())
    if position not in yours:
        return _missing(expected, after, yours)
    if position in after and not below:
        ends = f"The game is over there, and its terminal_value is {call.expect['values'][position]}."
        return wrong(f"The value of `{position}` is wrong. {ends}", (row,))
    right = {one: call.expect["values"][one] for one in below if one not in differing}
    names, values = (
        " and ".join(f"`{one}`" for one in right),
        " and ".join(right.values()),
    )
    leads = (
        f" It leads to {names}, which your table calls {values} for the player to move there."
        if right
        else ""
    )
    return wrong(f"The value of `{position}` is wrong.{leads}", (row,))


def _missing(
    expected: Mapping[str, Any],
    after: Mapping[str, list[str]],
    yours: Mapping[str, Any],
) -> Finding:
    """How many positions are missing, and first of all one that a position of the table
    leads to.
    """
    missing = [position for position in expected if position not in yours]
    next_to_the_table = {
        below for position in after if position in yours for below in after[position]
    }
    first = min(missing, key=lambda position: position not in next_to_the_table)
    if len(missing) == 1:
        message = f"The value of `{first}` is missing."
    else:
        message = f"{len(missing)} positions are missing, and `{first}` is one of them."
    return wrong(message, ((first, show(expected[first]), NOTHING_THERE),))


def _judge_totals(call: Call, answer: Table | Totals) -> Finding:
    """The totals of a large table, and then its digest."""
    expected = call.expect["totals"]
    size = sum(expected.values())
    if isinstance(answer, Table):
        wrong_table = (
            f"The table should hold the {size} positions of the game, and nothing else."
        )
        return _no_value(answer.entries) or wrong(wrong_table)
    if sum(answer.numbers.values()) != size:
        return _wrong_size(sum(answer.numbers.values()), size)
    if row := first_difference(expected, answer.numbers):
        return wrong(f"The number of positions with {row[0]} is wrong.", (row,))
    if answer.digest != call.expect["digest"]:
        return wrong(
            "The totals are right, but not every position of the game has its right value."
        )
    return RIGHT


def _after(call: Call) -> dict[str, list[str]]:
    """Where the moves of each position lead in a drawn game; nothing of another."""
    if "graph" not in call.inputs["game"]:
        return {}
    game = GraphGame(call.inputs["game"]["graph"])
    return {
        one: [game.do_move(one, move) for move in game.get_moves(one)]
        for one in call.expect["values"]
    }


def _no_value(yours: Mapping[str, Any]) -> Finding | None:
    """What to say of the first position whose value is not a Value; None if there is
    none.
    """
    for position, value in yours.items():
        if not (isinstance(value, dict) and "$value" in value):
            row = (harmless(position, 40), "a Value", show(value))
            return wrong(
                f"The value of `{row[0]}` is not a Value (WIN, TIE or LOSE).", (row,)
            )
    return None


def _wrong_size(yours: int, expected: int) -> Finding:
    few = (
        "some are missing"
        if yours < expected
        else "some cannot be reached from the start"
    )
    return wrong(
        f"The table has {plural(yours, 'position')}; the game has {expected}, so {few}."
    )


KIND = Solver()
