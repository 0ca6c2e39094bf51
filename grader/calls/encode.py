"""In the child: turns whatever a function returned into plain data, without trusting any of it.

    None, True, "text", 3, 2.5      stand for themselves
    [...]                           a list or a tuple, or a subclass of them
    {"$value": "WIN"}               a member of Value
    {"$board": rows}                a ConnectFourBoard, or a subclass
    {"$estimate": {"sure": "DRAW"}} a Definitely, or {"guess": 3} for a Guess
    {"$dict": [[key, value], ...]}  a dict
    {"$other": "a set"}             anything else, by the name of its type

A subclass of int is not a number and an object that claims to equal everything equals nothing:
what counts is the type, not what the object says of itself.
"""

from collections.abc import Iterator
from typing import Any

import api
from api import DRAW, ConnectFourBoard, Definitely, Guess, Player, Value, Winner, is_class_instance
from grader.protocol.plain import LARGEST

DEEPEST = 40
MOST = 1 << 20  # of characters, as which each part counts for A_PART: several times what any right answer has
A_PART = 32
LONGEST_TEXT = 10_000
TOO_MUCH = "something too large to be looked at"

_VALUES = {id(member): member.name for member in Value}
_SIDES = {id(Player.MINNIE): "MINNIE", id(Player.MAXIE): "MAXIE"}
_ROWS: Any = ConnectFourBoard.__dict__["board_array"]
_OUTCOME: Any = Definitely.__dict__["outcome"]
_WINNER: Any = Winner.__dict__["player"]
_SCORE: Any = Guess.__dict__["score"]
_OURS = dict(vars(api))


def encode(value: object) -> Any:
    """Plain data for any object.  Never raises and never asks the object for anything.

    >>> encode((1, 2.5, [True, None]))
    [1, 2.5, [True, None]]
    >>> encode({1, 2})
    {'$other': 'a set'}
    >>> encode(10 ** 5000)
    {'$other': 'a whole number of more than a thousand digits'}
    >>> encode([0] * 10 ** 6)
    {'$other': 'something too large to be looked at'}
    """
    try:
        return _encode(value, 0, _Budget())
    except _TooMuch:
        return {"$other": TOO_MUCH}


class _TooMuch(Exception):
    """A value has more parts or more text than is looked at."""


class _Budget:
    """How much of one value may still be encoded."""

    left = MOST

    def spend(self, much: int = A_PART) -> None:
        """Take away one part, or so many characters.  Raises _TooMuch."""
        self.left -= much
        if self.left < 0:
            raise _TooMuch


def _encode(value: Any, depth: int, budget: _Budget) -> Any:
    budget.spend()
    if depth > DEEPEST:
        return {"$other": "something nested without end"}
    kind = type(value)
    if value is None or kind is bool or kind is float:
        return value
    if kind is int:
        return value if abs(value) < LARGEST else {"$other": "a whole number of more than a thousand digits"}
    if issubclass(kind, str):
        return _text(str.__str__(value), budget)
    if issubclass(kind, (list, tuple)):
        return [_encode(item, depth + 1, budget) for item in iterated(value)]
    if issubclass(kind, dict):
        items = dict.items(value)
        return {"$dict": [[_encode(key, depth + 1, budget), _encode(item, depth + 1, budget)] for key, item in items]}
    if kind is Value:
        return {"$value": _VALUES[id(value)]}
    if issubclass(kind, ConnectFourBoard):
        return encode_board(value)
    if issubclass(kind, (Definitely, Guess)):
        return _encode_estimate(value, depth, budget)
    return {"$other": describe_type(value)}


def _encode_estimate(estimate: Any, depth: int, budget: _Budget) -> dict[str, Any]:
    """What an estimate holds; one that holds nothing of ours is told by its type."""
    try:
        if issubclass(type(estimate), Guess):
            return {"$estimate": {"guess": _encode(_SCORE.__get__(estimate), depth + 1, budget)}}
        outcome = _OUTCOME.__get__(estimate)
        sure = "DRAW" if outcome is DRAW else _SIDES[id(_WINNER.__get__(outcome))]
        return {"$estimate": {"sure": sure}}
    except (AttributeError, KeyError, TypeError):
        return {"$other": describe_type(estimate)}


def encode_board(board: ConnectFourBoard) -> dict[str, Any]:
    """A board as its rows.

    >>> encode_board(ConnectFourBoard())["$board"][0]
    '.......'
    """
    rows = ["".join(".12"[piece] for piece in row) for row in _ROWS.fget(board)]
    return {"$board": rows}


def describe_type(value: object) -> str:
    """What kind of thing this is, in words.

    >>> describe_type(ConnectFourBoard), describe_type(3), describe_type(abs)
    ('the class ConnectFourBoard', 'an int', 'the function abs')
    >>> from enum import IntEnum
    >>> describe_type(IntEnum("Score", "WIN LOSS").WIN)
    'a Score, which is no plain int'
    """
    if value is None:
        return "None"
    if isinstance(value, type):
        return f"the class {_name(value)}"
    if callable(value) and type(value).__name__ in ("function", "method", "builtin_function_or_method"):
        return f"the function {getattr(value, '__name__', '?')}"
    if is_class_instance(value, "generator"):
        return "a generator (from `yield`, or `for` in round brackets)"
    name = _name(type(value))
    plain = next((kind.__name__ for kind in (int, float) if issubclass(type(value), kind)), "")
    of_a_kind = f", which is no plain {plain}" if plain not in ("", name) and type(value) is not bool else ""
    if _OURS.get(name, type(value)) is not type(value):
        of_a_kind = ", which is not that of api"
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}{of_a_kind}"


def iterated(sequence: Any) -> Iterator[Any]:
    """What a list or a tuple holds, whatever its class says of itself."""
    return list.__iter__(sequence) if issubclass(type(sequence), list) else tuple.__iter__(sequence)


def items_of(sequence: Any) -> list[Any]:
    """The same as a list."""
    return list(iterated(sequence))


def _name(kind: type) -> str:
    return str(type.__getattribute__(kind, "__name__"))[:80]


def _text(text: str, budget: _Budget) -> Any:
    if len(text) > LONGEST_TEXT:
        return {"$other": f"a text of {len(text)} characters"}
    budget.spend(len(text))
    try:
        text.encode()
    except UnicodeEncodeError:
        return {"$other": "a text with broken characters"}
    return text
