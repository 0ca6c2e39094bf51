"""A solver: a function from a game to the value of each of its positions."""

from collections.abc import Mapping
from typing import Any

from grader.bank.cases import Call
from grader.kinds.kind import Kind, Place
from grader.kinds.solver.judge import Table, Totals, read_expected
from grader.protocol.plain import alike, read_as, value_of
from grader.protocol.text import pairs, returned
from grader.verdicts.verdict import Finding, wrong

FORMS = ("moves", "positions")  # what a drawn game may give in another form


class Solver(Kind[Any]):
    """A function that returns a Table, or its Totals if it is large.

    The answer is plain data if the function returns anything but a dict.
    """

    def read(self, outcome: dict[str, Any]) -> Any:
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

    def fingerprint(self, call: Call, answer: Any) -> str:
        if isinstance(answer, Table):
            return alike(answer.entries)
        if isinstance(answer, Totals):
            return alike([vars(answer.totals), answer.digest])
        return alike(answer)

    def signature(self, call: Call) -> str:
        game = call.inputs["game"]
        written = "this game" if "graph" in game else _in_python(game)
        return f"{call.function.name}({written})"

    def picture(self, call: Call, answer: Any, place: Place = ()) -> list[str]:
        game = call.inputs["game"]
        forms = [f"{name} come as: {game[name]}" for name in FORMS if name in game]
        return [*game.get("graph", "").splitlines(), *forms]

    def pasted(self, call: Call) -> str:
        game = _in_python(call.inputs["game"])
        return (
            "from boards.graph_games import GraphGame, Staircase\n"
            f"{call.function.name}({game})"
        )


def _in_python(game: Mapping[str, Any]) -> str:
    """A game in Python."""
    if "tic_tac_toe" in game:
        return "TicTacToe()"
    if "graph" in game:
        forms = "".join(f", {name}={game[name]!r}" for name in FORMS if name in game)
        return f'GraphGame("""{game["graph"].strip()}"""{forms})'
    [(form, steps)] = game.items()
    return f"Staircase({steps}, jumps={form == 'staircase'})"


KIND = Solver()
