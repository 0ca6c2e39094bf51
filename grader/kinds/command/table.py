"""The table that `make run` prints: which one is meant, and what lab.py makes of it."""

import re
from collections import Counter
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from api import TicTacToe, Value
from grader.calls.encode import VALUES, encode
from grader.protocol.words import show, visible

ITEMIZED = "ITEMIZED"
MOST_POSITIONS = 100_000_000
_NUMBER = re.compile(r"0*[1-9][0-9]{0,3999}")


class Failed(Exception):
    """Raised if a function of lab.py raises; that is the cause.  The text is the name
    of the function.
    """


class WrongTable(Exception):
    """Raised if solve returns what cannot be printed; the text is the sentence."""


@dataclass(frozen=True)
class Chosen:
    """What to print: which game (tic-tac-toe if there are no numbers), every position
    or not, the totals or not.
    """

    numbers: tuple[int, ...]
    items: bool
    totals: bool


def read_arguments(words: list[str], itemized: str | None) -> Chosen:
    """The game that the words name.  Raises ValueError, with a sentence, if they name
    none.

    >>> read_arguments(["zero_by", "10", "1", "2"], None)
    Chosen(numbers=(10, 1, 2), items=True, totals=False)
    """
    name, *rest = words or [""]
    if itemized not in (None, "0", "1"):
        raise ValueError(f"{ITEMIZED} is {itemized[:40]!r}; it is 1, 0, or not set")
    if name not in ("zero_by", "tic_tac_toe"):
        raise ValueError(
            f"there is no game {name[:40]!r}" if name else "no game is named"
        )
    if name == "tic_tac_toe" and rest:
        raise ValueError("tic_tac_toe goes without numbers")
    if name == "zero_by" and len(rest) < 2:
        raise ValueError("zero_by needs a number of items and at least one removal")
    for word in rest:
        if not _NUMBER.fullmatch(word):
            raise ValueError(
                f"{word[:40]!r} is not a positive whole number of at most 4,000 digits"
            )
    numbers = tuple(map(int, rest))
    if (
        numbers and numbers[0] // min(numbers[1:]) >= MOST_POSITIONS
    ):  # as the smallest removal alone reaches so many
        raise ValueError(
            f"these are more than {MOST_POSITIONS:,} positions, too many for a table"
        )
    items = itemized == "1" or (itemized is None and name == "zero_by")
    return Chosen(numbers, items, totals=itemized is not None or name == "tic_tac_toe")


def tabulate(chosen: Chosen, lab: ModuleType) -> list[str]:
    """The lines of the table.  Raises WrongTable if there is none, Failed if lab.py
    raises.
    """
    function = "ZeroBy"
    try:
        game = (
            lab.ZeroBy(chosen.numbers[0], chosen.numbers[1:])
            if chosen.numbers
            else TicTacToe()
        )
        function = "solve"
        return _lines(chosen, lab.solve(game))
    except WrongTable:
        raise
    except BaseException as error:
        if not hasattr(lab, function):
            raise WrongTable(
                f"lab.py has no {function}, which this command runs on"
            ) from None
        raise Failed(function) from error


def _lines(chosen: Chosen, values: Any) -> list[str]:
    """The lines `<position>: <VALUE>`, and then the totals.

    Numbers come the highest first, other positions in the order of their characters.
    """
    if not isinstance(values, dict):
        raise WrongTable(f"solve returned {show(encode(values))}, which is not a dict")
    for position, value in values.items():
        if type(value) is not Value:
            what = f"{show(encode(value))} for position {show(encode(position))}"
            raise WrongTable(f"solve returned {what}, which is not a Value")
    lines = []
    if chosen.items:
        in_order = sorted(values, reverse=bool(chosen.numbers))
        lines = [f"{position}: {VALUES[id(values[position])]}" for position in in_order]
    if chosen.totals:
        counts = Counter(VALUES[id(value)] for value in values.values())
        lines += [""] if chosen.items else []
        lines += [f"{name}: {counts[name]}" for name in VALUES.values()]
        lines += [f"TOTAL: {len(values)}"]
    return lines


def written(lines: list[str]) -> str:
    """Lines as one text; what cannot be seen in a student's position is spelled out."""
    text = "".join([f"{line}\n" for line in lines])
    if text.count("\n") == len(lines) and text.replace("\n", "").isprintable():
        return text
    return "".join(f"{visible(line)}\n" for line in lines)
