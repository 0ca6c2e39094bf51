"""A solver: a function from a game to the value of each position, and one to the number of moves to its end."""

from collections.abc import Mapping
from typing import Any

from boards.cases import Call
from boards.graph_games import GraphGame
from boards.points import Function
from grader.judging.verdict import NOTHING, RIGHT, Finding
from grader.kinds.kind import Kind
from grader.kinds.solver.answer import NoTable, SolverAnswer, Table, Totals, read_answer
from grader.pipe.plain import alike, is_number
from grader.pipe.words import harmless, plural, returned, show


class Solver(Kind[SolverAnswer]):
    """The table of values: position by position, or by its totals and digest where it is large.

    Where remoteness is asked for, it is the table of the moves to the end.
    """

    def read(self, outcome: dict[str, Any]) -> SolverAnswer:
        return read_answer(outcome)

    def judge(self, function: Function, call: Call, answer: SolverAnswer) -> Finding:
        if "moves" in call.expect:
            return _judge_moves(call.expect["moves"], answer)
        if isinstance(answer, NoTable):
            return Finding(NOTHING, f"It {returned(answer.value)}; it should return a dict.")
        if "values" in call.expect:
            return _judge_values(call, answer)
        return _judge_totals(call.expect, answer)

    def gist(self, function: Function, call: Call, answer: SolverAnswer) -> str:
        match answer:
            case Table(entries):
                return alike(entries)
            case Totals(numbers, digest):
                return alike([numbers, digest])
        return alike(answer.value)

    def signature(self, function: Function, call: Call) -> str:
        game = call.inputs["game"]
        named = {key: f"a {key} of {game.get(key)} steps" for key in ("staircase", "chain")}
        named["tic_tac_toe"] = "TicTacToe()"
        asked = "remoteness" if call.inputs.get("remoteness") else function.name
        return f"{asked}({next((text for key, text in named.items() if key in game), 'the game below')})"

    def pasted(self, function: Function, call: Call) -> str:
        game = call.inputs["game"]
        asked = self.signature(function, call).partition("(")[0]
        if "tic_tac_toe" in game:
            return f"{asked}(TicTacToe())"
        if "graph" not in game:
            steps = game.get("staircase") or game["chain"]
            return f"from boards.graph_games import Staircase\n{asked}(Staircase({steps}, {'staircase' in game}))"
        options = "".join(f", {name}={game[name]!r}" for name in ("moves", "positions") if name in game)
        drawing = f'"""{game["graph"].strip()}"""'
        return f"from boards.graph_games import GraphGame\n{asked}(GraphGame({drawing}{options}))"

    def picture(self, function: Function, call: Call, answer: SolverAnswer | None) -> list[str]:
        return _draw_game(call.inputs["game"]) if "graph" in call.inputs["game"] else []

    def is_deep(self, call: Call) -> bool:
        return bool({"staircase", "chain"} & call.inputs["game"].keys())


def _judge_values(call: Call, answer: Table | Totals) -> Finding:
    wanted: dict[str, str] = call.expect["values"]
    if isinstance(answer, Totals):
        return Finding(NOTHING, _wrong_size(answer.size, len(wanted)))
    yours = answer.entries
    if no_value := _no_value(yours):
        return no_value
    for position, name in wanted.items():
        if yours.get(position) != {"$value": name}:
            there = position in yours
            rows = ((position, f"Value.{name}", show(yours[position]) if there else "not in the table"),)
            wrong = f"The value of {position} is wrong." if there else f"{position} is missing from the table."
            return Finding(NOTHING, f"{wrong}{_why(position, call, yours)}", rows)
    for position in yours:
        if position not in wanted:
            rows = ((harmless(position, 40), "not in the table", show(yours[position])),)
            return Finding(NOTHING, "The table holds a position that cannot be reached from the start.", rows)
    return RIGHT


def _why(position: str, call: Call, yours: Mapping[str, Any]) -> str:
    """What the drawing and the table itself say of a position: where it leads, and what the table has there."""
    if "graph" not in call.inputs["game"]:
        return ""
    game, wanted = GraphGame(call.inputs["game"]["graph"]), call.expect["values"]
    after = {one: [game.do_move(one, move) for move in game.get_moves(one)] for one in wanted}
    if position not in yours:
        above = next((one for one in wanted if position in after[one]), "")
        return f" A move leads there from {above}." if above else " It is the start."
    if not after[position]:
        return " The game is over there, and terminal_value says for whom."
    values = {one: show(yours[one]).removeprefix("Value.") for one in after[position] if one in yours}
    listed = ", ".join(f"{one} ({value})" for one, value in values.items())
    return f" It leads, in your table, to {listed}, each for the player to move there."


def _judge_totals(expect: Mapping[str, Any], answer: Table | Totals) -> Finding:
    wanted: dict[str, int] = expect["totals"]
    if isinstance(answer, Table):
        return _judge_small_table(answer, sum(wanted.values()))
    rows = tuple(
        (f"positions with {name}", show(number), show(answer.numbers[name])) for name, number in wanted.items()
    )
    if answer.numbers != wanted:
        if answer.size != sum(wanted.values()):
            return Finding(NOTHING, _wrong_size(answer.size, sum(wanted.values())), rows)
        wrong = " and ".join(name for name, number in wanted.items() if answer.numbers[name] != number)
        return Finding(NOTHING, f"The size is right; what is wrong is how many have {wrong}.", rows)
    if answer.digest != expect["digest"]:
        return Finding(NOTHING, "The totals are right, but some positions have each other's values.", rows)
    return RIGHT


def _judge_small_table(answer: Table, positions: int) -> Finding:
    """A table of another size than the game's; or what is odd in a large one, of which only that comes back."""
    if no_value := _no_value(answer.entries):
        return no_value
    if answer.of_many:
        stranger = harmless(next(iter(answer.entries), ""), 40)
        return Finding(NOTHING, f"The table holds {stranger}, which is no position of this game.")
    return Finding(NOTHING, _wrong_size(len(answer.entries), positions))


def _judge_moves(wanted: Mapping[str, int], answer: SolverAnswer) -> Finding:
    if not isinstance(answer, Table):
        value = answer.value if isinstance(answer, NoTable) else None
        return Finding(NOTHING, f"remoteness {returned(value)}; it should return a dict.")
    yours = answer.entries
    for position, moves in wanted.items():
        if not is_number(yours.get(position)) or yours[position] != moves:
            found = show(yours[position]) if position in yours else "not in the table"
            return Finding(NOTHING, f"The remoteness of {position} is wrong.", ((position, str(moves), found),))
    return RIGHT


def _no_value(yours: Mapping[str, Any]) -> Finding | None:
    """What to say of the first position whose value is no Value; None where all are."""
    for position, found in yours.items():
        if not (isinstance(found, dict) and "$value" in found):
            rows = ((harmless(position, 40), "a Value", show(found)),)
            return Finding(NOTHING, f"The value of {harmless(position, 40)} is no Value: WIN, TIE or LOSE.", rows)
    return None


def _wrong_size(yours: int, wanted: int) -> str:
    few = "some are missing" if yours < wanted else "some cannot be reached from the start"
    return f"The table has {plural(yours, 'position')}; the game has {wanted}, so {few}."


def _draw_game(game: Mapping[str, Any]) -> list[str]:
    """The drawing of a graph, and in what form it gives its moves and its positions."""
    lines: list[str] = game["graph"].splitlines()
    if game.get("moves", "list") != "list":
        lines.append(f"get_moves gives a {game['moves']}")
    if game.get("positions") == "tuples":
        lines.append(f"each position is a tuple, such as {(lines[0].split()[0],)}")
    if game.get("positions") == "numbers":
        lines.append(f"each position is a number: {lines[0].split()[0]} is 0, the next line 1, and so on")
    return lines


KIND = Solver()
