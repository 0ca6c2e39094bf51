"""Disguises a public case: the same question with other names, numbers and boards.

The disguise keeps what makes a case hard, for example which leaves are equal, and which
values lie between alpha and beta.  So code that solves the public case also solves the
disguised case.  Code that only lists the answers to the public cases does not.
"""

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from boards.reading import GAMES, read_boards, read_trees, read_yaml

_WORD = re.compile(r"[A-Za-z_]\w*|-?\d+(?:\.\d+(?:e\+\d+)?)?")
_KEYWORDS = {"WIN", "TIE", "LOSE"}
_WINDOW = ("alpha", "beta")
# If a game of Nim begins with at most this many pieces, the number does not change,
# because the game is too small.
FEWEST_TO_CHANGE = 3
_SYMMETRIES = (
    "630741852",
    "876543210",
    "258147036",
    "210543876",
    "678345012",
    "036147258",
    "852741630",
)
_SYLLABLES = ("bdfgklmnprst", "aeiou", "bdfgklmnprst", "aeiou")
LARGEST_TO_CHANGE = 1e9  # a larger number means infinity, and stays as it is
Written = dict[str, Any]
"""A call as it is written in a case file."""


def disguised(calls: Sequence[Mapping[str, Any]], rng: random.Random) -> list[Written]:
    """Return the calls of a case in disguise, without their expectations.

    All calls of a case get the same disguise, so two calls with the same board still
    have the same board.
    """
    drawn = [_drawn(dict(call)) for call in calls]
    disguise = Disguise(drawn, rng)
    return [disguise.put_on(call) for call in drawn]


def _drawn(value: Any) -> Any:
    """Return a value of a call, without names of boards, trees and games.

    Somebody would recognize such a name.  What the name stands for takes its place.
    The keys `expect`, `id` and `says` are left out.
    """
    if isinstance(value, list):
        return [_drawn(inner) for inner in value]
    if not isinstance(value, dict):
        return value
    data = {
        key: _drawn(inner)
        for key, inner in value.items()
        if key not in ("expect", "id", "says")
    }
    if "tree" in data and "\n" not in data["tree"]:
        named = read_trees()[data["tree"]]
        data["tree"] = named["tree"]
        if named["negates"]:
            data["negates"] = True
    if "graph" in data:
        data["graph"] = read_yaml(GAMES).get(data["graph"], data["graph"])
    if "board" in data and "." not in data["board"] and "\n" not in data["board"]:
        data["board"] = "\n".join(read_boards()[data["board"]]["board"])
    return data


class Disguise:
    """Replaces names, numbers and boards in the calls of a case."""

    def __init__(self, calls: Sequence[Written], rng: random.Random) -> None:
        words = set[str]()
        sizes = set[int]()
        for key, value in _leaves(calls):
            if key in ("tree", "graph"):
                words.update(_WORD.findall(value))
            elif key in _WINDOW and not isinstance(value, str):
                words.add(repr(value))
            elif key in ("n", "removals"):
                sizes.add(value)
        numbers = {word for word in words if word[0] in "-0123456789"}
        labels = words - numbers - _KEYWORDS
        self._words = _renamed(labels, rng) | _stretched(numbers, rng)
        self._sizes = _enlarged(sizes, rng)
        self._symmetry = rng.choice(_SYMMETRIES)
        self._fewer = rng.choice((1, 2))
        self._shorter = rng.uniform(0.85, 0.99)

    def put_on(self, value: Any, key: str = "") -> Any:
        """Disguise a call, or a value in a call.

        `key` is the key of the value; empty for a call.
        """
        if isinstance(value, dict):
            return {inner: self.put_on(value[inner], inner) for inner in value}
        if isinstance(value, list):
            return [self.put_on(inner, key) for inner in value]
        return self._changed(value, key)

    def _changed(self, value: Any, key: str) -> Any:
        """Disguise a value in a call that is neither a list nor a dictionary."""
        if key in ("tree", "graph"):
            return _WORD.sub(lambda match: self._words.get(match[0], match[0]), value)
        if key in _WINDOW and not isinstance(value, str):
            return _number(self._words[repr(value)])
        if key in ("n", "removals"):
            return self._sizes[value]
        if key == "board":
            return "\n".join(row[::-1] for row in value.split()) + "\n"
        if key in ("staircase", "chain"):
            return int(value * self._shorter)
        if key in ("tic_tac_toe", "position") and isinstance(value, str):
            return "".join(value[int(square)] for square in self._symmetry)
        if key in ("nim", "position") and value > FEWEST_TO_CHANGE:
            return value - self._fewer
        return value


def _leaves(value: Any, key: str = "") -> Iterable[tuple[str, Any]]:
    """Yield each number, text or other plain value in calls, together with its key.

    A value in a list has the key of the list.
    """
    if isinstance(value, Mapping):
        for inner_key, inner in value.items():
            yield from _leaves(inner, inner_key)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _leaves(inner, key)
    else:
        yield key, value


def _renamed(labels: set[str], rng: random.Random) -> dict[str, str]:
    """Give each label a new label.  The alphabetical order of the labels stays the
    same.
    """
    new = set[str]()
    while len(new) < len(labels):
        new.add("".join(rng.choice(letters) for letters in _SYLLABLES))
    return dict(zip(sorted(labels), sorted(new), strict=True))


def _stretched(numbers: set[str], rng: random.Random) -> dict[str, str]:
    """Give each number a new number.

    The signs and the order stay the same.  Numbers that are close together stay close
    together.  The new number may be the old one.

    >>> _stretched({"3", "-3", "0", "0.5"}, random.Random(1))
    {'0': '0', '0.5': '0.5', '-3': '-4', '3': '4'}
    """
    stretched = {}
    added = 0
    last = 0.0
    for text in sorted(numbers, key=lambda text: (abs(_number(text)), text)):
        size = abs(_number(text))
        if size - last >= 1:
            added += rng.randint(1, 3)
        last = size
        new = size
        if size < LARGEST_TO_CHANGE:
            new = round(size + added, 9)
        sign = "-" if _number(text) < 0 else ""
        stretched[text] = f"{sign}{new!r}"
    return stretched


def _enlarged(sizes: set[int], rng: random.Random) -> dict[int, int]:
    """Give each whole number a new number, which is as large or a little larger.

    The order of the numbers stays the same.
    """
    enlarged = {}
    added = 0
    for size in sorted(sizes):
        added += rng.randint(0, 2)
        enlarged[size] = size + added
    return enlarged


def _number(text: str) -> float:
    return float(text) if "." in text else int(text)
