"""Makes the table that `make run` prints: the values that lab.py finds for a game."""

import re
from collections import Counter
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from api import TicTacToe, Value
from grader.child.encode import VALUES, encode
from grader.protocol.text import show, visible

# The environment variable that says whether to print every position.
ITEMIZED = "ITEMIZED"
MOST_POSITIONS = 100_000_000
_NUMBER = re.compile(r"0*[1-9][0-9]{0,3999}")


class Failed(Exception):
    """Raised if an exception ends the making of the table.

    The text is `ZeroBy` if the game could not be made, and `solve` if the exception
    came later.  The `__cause__` of a Failed is that exception.
    """


class WrongTable(Exception):
    """Raised if lab.py lacks what the table needs, or if `solve` returns no proper
    table.

    The text says in a sentence what is wrong.
    """


@dataclass(frozen=True)
class Chosen:
    """Which table somebody has asked for."""

    # For zero_by, the number of items, followed by the removals.  Empty for another
    # game.
    numbers: tuple[int, ...]
    items: bool  # whether to print every position
    totals: bool  # whether to print how many positions there are of each value


def read_arguments(words: list[str], itemized: str | None) -> Chosen:
    """Return which table the words after `make run` ask for.

    `itemized` is the value of the environment variable ITEMIZED; None if it is not set.
    Raises ValueError if the words ask for no table.  The text of the ValueError says
    why.

    >>> read_arguments(["zero_by", "10", "1", "2"], None)
    Chosen(numbers=(10, 1, 2), items=True, totals=False)
    """
    name, *rest = words or [""]
    if itemized not in (None, "0", "1"):
        raise ValueError(
            f"{ITEMIZED} is {itemized[:40]!r}; it should be 1, 0, or not set"
        )
    if not name:
        raise ValueError("name a game")
    if name not in ("zero_by", "tic_tac_toe"):
        raise ValueError(f"there is no game {name[:40]!r}")
    if name == "tic_tac_toe" and rest:
        raise ValueError("tic_tac_toe takes no numbers")
    if name == "zero_by" and len(rest) < 2:
        raise ValueError("zero_by needs a number of items and at least one removal")
    for word in rest:
        if not _NUMBER.fullmatch(word):
            raise ValueError(
                f"{word[:40]!r} is not a positive whole number of at most 4,000 digits"
            )
    numbers = tuple(map(int, rest))
    # A position is the number of items left.  The division counts the positions that
    # the game reaches after the start if each move takes the smallest removal.
    if numbers and numbers[0] // min(numbers[1:]) >= MOST_POSITIONS:
        raise ValueError(
            f"this game has more than {MOST_POSITIONS:,} positions, "
            "too many for a table"
        )
    if itemized is None:
        return Chosen(numbers, items=bool(numbers), totals=not numbers)
    return Chosen(numbers, items=itemized == "1", totals=True)


def tabulate(chosen: Chosen, lab: ModuleType) -> list[str]:
    """Return the lines of the table, using the functions of lab.py.  Raises WrongTable
    or Failed.
    """
    function = "ZeroBy"
    try:
        if chosen.numbers:
            game = lab.ZeroBy(chosen.numbers[0], chosen.numbers[1:])
        else:
            game = TicTacToe()
        function = "solve"
        return _lines(chosen, lab.solve(game))
    except WrongTable:
        raise
    except BaseException as error:
        if not hasattr(lab, function):
            raise WrongTable(
                f"lab.py has no {function}, which this command needs"
            ) from None
        raise Failed(function) from error


def _lines(chosen: Chosen, values: Any) -> list[str]:
    """Return the lines of the table.

    If `chosen.items` is True, each position has a line `<position>: <VALUE>`.  The
    positions of zero_by come in decreasing order, and those of tic_tac_toe in
    alphabetical order.  If `chosen.totals` is True, the totals come last.

    Raises WrongTable if `values` is not a dict, or holds something that is not a Value.
    """
    if not isinstance(values, dict):
        raise WrongTable(f"solve returned {show(encode(values))}, which is not a dict")
    for position, value in values.items():
        if type(value) is not Value:
            wrong = f"{show(encode(value))}, which is not a Value,"
            raise WrongTable(
                f"solve returned {wrong} for position {show(encode(position))}"
            )
    lines = []
    if chosen.items:
        in_order = sorted(values, reverse=bool(chosen.numbers))
        lines = [f"{position}: {VALUES[id(values[position])]}" for position in in_order]
    if chosen.items and chosen.totals:
        lines.append("")
    if chosen.totals:
        counts = Counter(VALUES[id(value)] for value in values.values())
        lines += [f"{name}: {counts[name]}" for name in VALUES.values()]
        lines.append(f"TOTAL: {len(values)}")
    return lines


def written(lines: list[str]) -> str:
    """Return these lines as one text.  Each line ends with a newline, and an invisible
    character in a line becomes an escape.
    """
    return "".join([f"{visible(line)}\n" for line in lines])
