"""A solver: a function from a game to the value of each position, and one to the number of moves to its end."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from boards.cases import Call, Function
from boards.graph_games import GraphGame
from grader.judging.verdict import NOTHING, RIGHT, Finding
from grader.kinds.kind import Kind
from grader.protocol.plain import Garbled, alike, is_count, value_of
from grader.protocol.words import harmless, pairs, plural, returned, show

VALUES = {"WIN", "TIE", "LOSE"}


@dataclass(frozen=True)
class Table:
    """A table that came back whole: what it holds by position.

    `of_many` says that it is the first odd entry of a large one.
    """

    entries: Mapping[str, Any]
    of_many: bool = False


@dataclass(frozen=True)
class Totals:
    """A large table: how many positions there are of each value, and the digest of all its lines."""

    numbers: Mapping[str, int]
    digest: str

    @property
    def size(self) -> int:
        """How many positions the table has."""
        return sum(self.numbers.values())


@dataclass(frozen=True)
class NoTable:
    """Something else than a dict."""

    value: Any


SolverAnswer = Table | Totals | NoTable


class Solver(Kind[SolverAnswer]):
    """The table of values: position by position, or by its totals and digest where it is large.

    Where remoteness is asked for, it is the table of the moves to the end.
    """

    def read(self, outcome: dict[str, Any]) -> SolverAnswer:
        if "totals" in outcome:
            numbers, digest = outcome["totals"], outcome.get("digest")
            sound = isinstance(numbers, dict) and numbers.keys() == VALUES and all(map(is_count, numbers.values()))
            if not sound or not isinstance(digest, str):
                raise Garbled
            return Totals(numbers, digest)
        value = value_of(outcome)
        if isinstance(value, dict) and "$dict" in value:
            return Table(pairs(value), "positions" in outcome)
        return NoTable(value)

    def judge(self, function: Function, call: Call, answer: SolverAnswer) -> Finding:
        expect, of_moves = call.expect, "moves" in call.expect
        if isinstance(answer, NoTable):
            who = "remoteness" if of_moves else "It"
            return Finding(NOTHING, f"{who} {returned(answer.value)}; it should return a dict.", malformed=True)
        if "totals" in expect:
            return _judge_totals(expect, answer)
        wanted = expect["moves"] if of_moves else {place: {"$value": name} for place, name in expect["values"].items()}
        if isinstance(answer, Totals):
            return Finding(NOTHING, _wrong_size(answer.size, len(wanted)))
        return _judge_entries(call, "remoteness" if of_moves else "value", wanted, answer.entries)

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


def _judge_entries(call: Call, what: str, wanted: Mapping[str, Any], yours: Mapping[str, Any]) -> Finding:
    """The table of values, or of remoteness, entry by entry."""
    is_of_values = what == "value"
    if is_of_values and not yours:
        return Finding(NOTHING, "The table is empty; it should hold every position that can be reached.")
    if is_of_values and (no_value := _no_value(yours)):
        return no_value
    strange = [(harmless(key, 40) or "''", "not in the table", show(yours[key])) for key in yours if key not in wanted]
    if is_of_values and len(strange) == len(yours):
        return Finding(NOTHING, "No key of the table is a position that can be reached.", (strange[0],))
    below = {one for place, after in _after(call).items() if place in yours for one in after} if is_of_values else ()
    for position in sorted(wanted, key=lambda one: one in yours or one not in below):
        right = wanted[position]
        if yours.get(position) != right or isinstance(yours[position], bool):
            there = position in yours
            name, is_missing = _named(position), is_of_values and not there
            wrong = f"{name} is missing from the table." if is_missing else f"The {what} of {name} is wrong."
            rows = ((position, show(right), show(yours[position]) if there else "not in the table"),)
            return Finding(NOTHING, f"{wrong}{_why(position, call, yours) if is_of_values else ''}", rows)
    if is_of_values and strange:
        return Finding(NOTHING, "The table holds a position that cannot be reached from the start.", (strange[0],))
    return RIGHT


def _why(position: str, call: Call, yours: Mapping[str, Any]) -> str:
    """What the drawing and the table itself say of a position: where it leads, and what the table has there."""
    if not (after := _after(call)):
        return ""
    if position not in yours:
        above = sorted((one for one in after if position in after[one]), key=lambda one: one not in yours)
        return f" A move leads there from {_named(above[0])}." if above else " It is the start."
    if not after[position]:
        return " The game is over there, and terminal_value says for whom."
    values = {one: show(yours[one]).removeprefix("Value.") for one in after[position] if one in yours}
    if not values:
        return " Your table has no position that it leads to."
    listed = ", ".join(f"{_named(one)} ({value})" for one, value in values.items())
    told = f" It leads, in your table, to {listed}, {'each ' if len(values) > 1 else ''}for the player to move there."
    later = [one for one in list(yours)[list(yours).index(position) :] if one in values]
    asks = f" In your dict it stands before {_named(later[0])}: was it settled before that was known?" if later else ""
    return f"{told}{asks}"


def _after(call: Call) -> dict[str, list[str]]:
    """Where the moves of each position lead in a drawn game; nothing of another."""
    if "graph" not in call.inputs["game"]:
        return {}
    game = GraphGame(call.inputs["game"]["graph"])
    return {one: [game.do_move(one, move) for move in game.get_moves(one)] for one in call.expect["values"]}


def _judge_totals(expect: Mapping[str, Any], answer: Table | Totals) -> Finding:
    wanted: dict[str, int] = expect["totals"]
    positions = sum(wanted.values())
    if isinstance(answer, Table):
        stray = f"The table holds {_named(next(iter(answer.entries), ''))}, which is no position of this game."
        wrong = stray if answer.of_many else _wrong_size(len(answer.entries), positions)
        return _no_value(answer.entries) or Finding(NOTHING, wrong)
    rows = tuple((f"positions with {name}", show(wanted[name]), show(answer.numbers[name])) for name in wanted)
    if answer.numbers != wanted:
        if answer.size != positions:
            return Finding(NOTHING, _wrong_size(answer.size, positions), rows)
        wrong = " and ".join(name for name, number in wanted.items() if answer.numbers[name] != number)
        return Finding(NOTHING, f"The size is right; what is wrong is how many have {wrong}.", rows)
    if answer.digest != expect["digest"]:
        return Finding(NOTHING, "The totals are right, but not every position of the game has its right value.", rows)
    return RIGHT


def _no_value(yours: Mapping[str, Any]) -> Finding | None:
    """What to say of the first position whose value is no Value; None where all are."""
    for position, found in yours.items():
        if not (isinstance(found, dict) and "$value" in found):
            rows = ((harmless(position, 40) or "''", "a Value", show(found)),)
            said = f"The value of {_named(position)} is no Value: WIN, TIE or LOSE."
            return Finding(NOTHING, said, rows, malformed=True)
    return None


def _named(position: str) -> str:
    """A position in a sentence, so that a name such as `none` is told from the words around it."""
    name = harmless(position if position.strip() else repr(position), 40)
    return name if name.isdecimal() else f"`{name}`"


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
        lines.append("each position is a number: the last line's is 0, the one above it 2, and so on")
    return lines


KIND = Solver()
