"""In the child: turns any value that a function returned into plain data.

protocol/plain.py has the table of plain data.  The type of an object decides what the
object becomes.  No method of the object is asked what the object is, because student
code may have written a method that lies.
"""

import contextlib
import itertools
from collections.abc import Iterator
from typing import Any

from api import (
    DRAW,
    ConnectFourBoard,
    Definitely,
    Guess,
    Player,
    Value,
    is_class_instance,
)
from boards.excerpts import rows_of
from grader.protocol.plain import LARGEST, Data

# Each of these limits is several times larger than what any right answer needs.
DEEPEST = 40
MOST_PARTS = 50_000
LONGEST_TEXT = 10_000
TOO_MUCH = "something too large to be looked at"

# The name of each member of Value.  The key is id(member), because lab.py may delete
# the name from the member itself.
VALUES = {id(member): member.name for member in Value}
_SIDES = {Player.MINNIE: "MINNIE", Player.MAXIE: "MAXIE"}


class _TooMuch(Exception):
    """Raised for a value with more than MOST_PARTS parts."""


def encode(value: object) -> Any:
    """Return any object as plain data.

    If a method of the object raises an exception, `encode` may raise that exception
    too.

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
        return _encode(value, 0, itertools.count(1))
    except _TooMuch:
        return {"$other": TOO_MUCH}


def _encode(value: Any, depth: int, parts: Iterator[int]) -> Any:
    if next(parts) > MOST_PARTS:
        raise _TooMuch
    if depth > DEEPEST:
        return {"$other": "something nested without end"}
    kind = type(value)
    if value is None or kind is bool or kind is float:
        return value
    if kind is int:
        if abs(value) >= LARGEST:
            return {"$other": "a whole number of more than a thousand digits"}
        return value
    if issubclass(kind, str):
        return _encode_text(str.__str__(value))
    if issubclass(kind, (list, tuple)):
        return [_encode(item, depth + 1, parts) for item in value]
    if issubclass(kind, dict):
        return {"$dict": [_encode(pair, depth + 1, parts) for pair in value.items()]}
    return _encode_of_api(value, depth, parts)


def _encode_text(text: str) -> Any:
    if len(text) > LONGEST_TEXT:
        return {"$other": f"a text of {len(text)} characters"}
    try:
        text.encode()
    except UnicodeEncodeError:
        return {"$other": "a text with broken characters"}
    return text


def _encode_of_api(value: Any, depth: int, parts: Iterator[int]) -> Data:
    """Return a Value, a ConnectFourBoard, a Guess or a Definitely as plain data.

    For any other object, return only the name of its type.  A Guess without a score,
    and a Definitely without an outcome of the game, are treated as other objects.
    """
    kind = type(value)
    if id(value) in VALUES:
        return {"$value": VALUES[id(value)]}
    if issubclass(kind, ConnectFourBoard):
        names = [name if type(name) is str else "?" for name in value.players]
        return {"$board": rows_of(value) + names}
    with contextlib.suppress(AttributeError, KeyError, TypeError):
        if issubclass(kind, Guess):
            return {"$estimate": {"guess": _encode(value.score, depth + 1, parts)}}
        if issubclass(kind, Definitely):
            is_draw = value.outcome is DRAW
            side = "DRAW" if is_draw else _SIDES[value.outcome.player]
            return {"$estimate": {"sure": side}}
    return {"$other": describe_type(value)}


def describe_type(value: object) -> str:
    """Say in words what type a value has.

    >>> describe_type(ConnectFourBoard), describe_type(3), describe_type(abs)
    ('the class ConnectFourBoard', 'an int', 'the function abs')
    >>> from enum import IntEnum
    >>> describe_type(IntEnum("Score", "WIN LOSS").WIN)
    'a Score, which is not a plain int'
    """
    if value is None:
        return "None"
    if isinstance(value, type):
        return f"the class {value.__name__:.80}"
    if callable(value) and type(value).__name__ in (
        "function",
        "method",
        "builtin_function_or_method",
    ):
        return f"the function {getattr(value, '__name__', '?')}"
    if is_class_instance(value, "generator"):
        return "a generator (from `yield`, or `for` in parentheses)"
    name = type(value).__name__[:80]
    article = "an" if name[:1].lower() in "aeiou" else "a"
    for number in (int, float):
        is_subclass = issubclass(type(value), number) and type(value) is not bool
        if is_subclass and name != number.__name__:
            return f"{article} {name}, which is not a plain {number.__name__}"
    return f"{article} {name}"
