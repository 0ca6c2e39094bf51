"""The table that `make run` prints: which one is wanted, and what lab.py makes of it."""

import reprlib
from collections import Counter
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from api import Game, TicTacToe, Value
from grader.protocol.words import harmless, visible

ITEMIZED = "ITEMIZED"
MOST_DIGITS = 4_000  # Python's own limit is 4,300
MOST_POSITIONS = 100_000_000


class Failed(Exception):
    """Raised where a function of lab.py raised; the exception is its cause.

    `own` are its name, and those of its methods where it is a class.
    """

    def __init__(self, function: str) -> None:
        super().__init__(function)
        self.function = function
        self.own = (function, *(("__init__", *vars(Game)) if function == "ZeroBy" else ()))


class WrongTable(Exception):
    """Raised where solve or remoteness gave what cannot be printed; the text is the sentence."""


@dataclass(frozen=True)
class Wanted:
    """What is to be printed: which game (no numbers: tic-tac-toe), every position, the totals."""

    numbers: tuple[int, ...]
    items: bool
    totals: bool
    remoteness: bool


def tabulate(wanted: Wanted, lab: ModuleType) -> list[str]:
    """The lines of the table.  WrongTable where there is none, Failed where lab.py raises."""
    numbers, game = wanted.numbers, TicTacToe()
    if numbers:
        game = _asked(lab, "ZeroBy", numbers[0], numbers[1:])
    values = _asked(lab, "solve", game)
    moves = _asked(lab, "remoteness", game) if wanted.remoteness else None
    try:
        check_tables(game, {"solve": values, **({"remoteness": moves} if wanted.remoteness else {})})
        return format_table(wanted, game, values, moves)
    except WrongTable:
        raise
    except BaseException as error:
        raise Failed("remoteness" if wanted.remoteness else "solve") from error


def _asked(lab: ModuleType, function: str, *arguments: Any) -> Any:
    """What a function of lab.py gives, or its class."""
    if not hasattr(lab, function):
        raise WrongTable(f"lab.py has no {function}, which this command runs on")
    try:
        return getattr(lab, function)(*arguments)
    except BaseException as error:
        raise Failed(function) from error


def read_arguments(words: list[str], itemized: str | None) -> Wanted:
    """The game that the words name.  ValueError, with a sentence, where they name none.

    >>> read_arguments(["zero_by", "10", "1", "2"], None)
    Wanted(numbers=(10, 1, 2), items=True, totals=False, remoteness=False)
    """
    remoteness = "--remoteness" in words
    name, *rest = [word for word in words if word != "--remoteness"] or [""]
    if itemized not in (None, "0", "1"):
        raise ValueError(f"{ITEMIZED} is {itemized[:40]!r}; it is 1, 0, or not set")
    if name not in ("zero_by", "tic_tac_toe"):
        raise ValueError(f"there is no game {name[:40]!r}" if name else "no game is named")
    if name == "tic_tac_toe" and rest:
        raise ValueError("tic_tac_toe goes without numbers")
    if name == "zero_by" and len(rest) < 2:
        raise ValueError("zero_by needs a number of items and at least one removal")
    numbers = []
    for word in rest:
        if not (word.isascii() and word.isdigit() and word.strip("0")):
            raise ValueError(f"{word[:40]!r} is not a positive whole number")
        if len(word) > MOST_DIGITS:
            raise ValueError(f"a number of {len(word):,} digits is too long; it may have {MOST_DIGITS:,}")
        numbers.append(int(word))
    if numbers and numbers[0] // min(numbers[1:]) >= MOST_POSITIONS:  # as the smallest removal alone reaches so many
        raise ValueError(f"these are more than {MOST_POSITIONS:,} positions, too many for a table")
    items = itemized == "1" or (itemized is None and name == "zero_by")
    return Wanted(tuple(numbers), items, itemized is not None or name == "tic_tac_toe", remoteness)


def check_tables(game: Game, tables: dict[str, Any]) -> None:
    """Raise WrongTable, with a sentence, where what a function gave is no dict or holds something else.

    >>> check_tables(TicTacToe(), {"solve": {3: "WIN"}})
    Traceback (most recent call last):
    grader.kinds.command.table.WrongTable: solve gave 'WIN' for position 3, which is no Value
    """
    for function, table in tables.items():
        if not isinstance(table, dict):
            raise WrongTable(f"{function} gave {_shown(table)}, which is no dict")
    values = tables["solve"]
    if set(map(type, values.values())) - {Value}:
        position, value = next(item for item in values.items() if type(item[1]) is not Value)
        shown = _shown(value), _shown(position)
        raise WrongTable(f"solve gave {shown[0]} for position {shown[1]}, which is no Value")
    if "remoteness" not in tables:
        return
    if game.start() not in values:
        raise WrongTable(f"solve gave no value for the start, {_shown(game.start())}")
    for position in values:
        if position not in tables["remoteness"]:
            raise WrongTable(f"remoteness gave no number for position {_shown(position)}")


def _shown(value: object) -> str:
    """A value of the student's in a sentence; of a huge one only the beginning is looked at."""
    short = reprlib.Repr()
    short.maxstring = short.maxother = short.maxlong = 200
    return harmless(short.repr(value), 60)


def format_table(wanted: Wanted, game: Game, values: dict[Any, Any], moves: dict[Any, Any] | None) -> list[str]:
    """The lines `<position>: <VALUE>`, with ` in <moves>` where these are given, and then the totals.

    Numbers come the highest first, other positions in the order of their characters.
    """
    names = {id(member): member.name for member in Value}
    lines = []
    if wanted.items:
        try:
            in_order = sorted(values, reverse=bool(wanted.numbers))
        except TypeError as error:
            raise WrongTable(f"the positions in solve's dict cannot be put in order: {harmless(error)}") from None
        if moves is None:
            lines = [f"{position}: {names[id(values[position])]}\n" for position in in_order]
        else:
            lines = [f"{position}: {names[id(values[position])]} in {moves[position]}\n" for position in in_order]
    if wanted.totals:
        counts = Counter(names[id(value)] for value in values.values())
        lines += ["\n"] if wanted.items else []
        lines += [f"{value.name}: {counts[value.name]}\n" for value in (Value.WIN, Value.TIE, Value.LOSE)]
        lines += [f"TOTAL: {len(values)}\n"]
        if moves is not None:
            lines.append(f"START: {names[id(values[game.start()])]} in {moves[game.start()]}\n")
    return lines


def written(lines: list[str]) -> str:
    """Lines in one text; what a position of the student's holds that cannot be seen is spelled out."""
    text = "".join(lines)
    if text.count("\n") == len(lines) and text.replace("\n", "").isprintable():
        return text
    return "".join(f"{visible(line[:-1])}\n" for line in lines)
