"""The table that `make run` prints: which one is meant, and what lab.py makes of it."""

import re
import reprlib
from collections import Counter
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from api import Game, TicTacToe, Value
from grader.protocol.words import harmless, visible

ITEMIZED, REMOTENESS = "ITEMIZED", "--remoteness"
MOST_POSITIONS = 100_000_000
_NUMBER = re.compile(r"0*[1-9][0-9]{0,3999}")


class Failed(Exception):
    """Raised if a function of lab.py raises; that is the cause.  The text is the name of the function."""


class WrongTable(Exception):
    """Raised if solve or remoteness gives what cannot be printed; the text is the sentence."""


@dataclass(frozen=True)
class Chosen:
    """What is to be printed: which game (no numbers: tic-tac-toe), every position, the totals."""

    numbers: tuple[int, ...]
    items: bool
    totals: bool
    remoteness: bool


def read_arguments(words: list[str], itemized: str | None) -> Chosen:
    """The game that the words name.  ValueError, with a sentence, if they name none.

    >>> read_arguments(["zero_by", "10", "1", "2"], None)
    Chosen(numbers=(10, 1, 2), items=True, totals=False, remoteness=False)
    """
    name, *rest = [word for word in words if word != REMOTENESS] or [""]
    if itemized not in (None, "0", "1"):
        raise ValueError(f"{ITEMIZED} is {itemized[:40]!r}; it is 1, 0, or not set")
    if name not in ("zero_by", "tic_tac_toe"):
        raise ValueError(f"there is no game {name[:40]!r}" if name else "no game is named")
    if name == "tic_tac_toe" and rest:
        raise ValueError("tic_tac_toe goes without numbers")
    if name == "zero_by" and len(rest) < 2:
        raise ValueError("zero_by needs a number of items and at least one removal")
    for word in rest:
        if not _NUMBER.fullmatch(word):
            raise ValueError(f"{word[:40]!r} is not a positive whole number of at most 4,000 digits")
    numbers = tuple(map(int, rest))
    if numbers and numbers[0] // min(numbers[1:]) >= MOST_POSITIONS:  # as the smallest removal alone reaches so many
        raise ValueError(f"these are more than {MOST_POSITIONS:,} positions, too many for a table")
    items = itemized == "1" or (itemized is None and name == "zero_by")
    return Chosen(numbers, items, itemized is not None or name == "tic_tac_toe", REMOTENESS in words)


def tabulate(chosen: Chosen, lab: ModuleType) -> list[str]:
    """The lines of the table.  Raises WrongTable if there is none, Failed if lab.py raises."""
    function = "ZeroBy"
    try:
        game = lab.ZeroBy(chosen.numbers[0], chosen.numbers[1:]) if chosen.numbers else TicTacToe()
        function = "solve"
        values, moves = lab.solve(game), None
        _check_is_dict("solve", values)
        if chosen.remoteness:
            function = "remoteness"
            moves = lab.remoteness(game)
            _check_is_dict("remoteness", moves)
        return _lines(chosen, game, values, moves)
    except WrongTable:
        raise
    except BaseException as error:
        if not hasattr(lab, function):
            raise WrongTable(f"lab.py has no {function}, which this command runs on") from None
        raise Failed(function) from error


def _check_is_dict(function: str, table: object) -> None:
    if not isinstance(table, dict):
        raise WrongTable(f"{function} gave {_shown(table)}, which is no dict")


def _lines(chosen: Chosen, game: Game, values: dict[Any, Any], moves: dict[Any, Any] | None) -> list[str]:
    """The lines `<position>: <VALUE>`, with ` in <moves>` if these are given, and then the totals.

    Numbers come the highest first, other positions in the order of their characters.
    """
    for position in [position for position, value in values.items() if type(value) is not Value][:1]:
        raise WrongTable(f"solve gave {_shown(values[position])} for position {_shown(position)}, which is no Value")
    if moves is not None:
        for position in (game.start(), *values):
            if position not in values or position not in moves:
                function = "remoteness" if position in values else "solve"
                raise WrongTable(f"{function} gave nothing for position {_shown(position)}")
    names = {id(member): member.name for member in Value}
    lines = []
    if chosen.items:
        in_order = sorted(values, reverse=bool(chosen.numbers))
        lines = [f"{position}: {names[id(values[position])]}" for position in in_order]
        if moves is not None:
            lines = [f"{line} in {moves[position]}" for line, position in zip(lines, in_order, strict=True)]
    if chosen.totals:
        counts = Counter(names[id(value)] for value in values.values())
        lines += [""] if chosen.items else []
        lines += [f"{name}: {counts[name]}" for name in names.values()]
        lines += [f"TOTAL: {len(values)}"]
        if moves is not None:
            lines += [f"START: {names[id(values[game.start()])]} in {moves[game.start()]}"]
    return lines


def _shown(value: object) -> str:
    """A value of the student's in a sentence; of a huge one only the beginning is looked at."""
    short = reprlib.Repr()
    short.maxstring = short.maxother = short.maxlong = 200
    return harmless(short.repr(value), 60)


def written(lines: list[str]) -> str:
    """Lines in one text; what a position of the student's holds that cannot be seen is spelled out."""
    text = "".join([f"{line}\n" for line in lines])
    if text.count("\n") == len(lines) and text.replace("\n", "").isprintable():
        return text
    return "".join(f"{visible(line)}\n" for line in lines)
