"""In the worker: turns whatever a function returned into plain data.

    None, True, "text", 3, 2.5      stand for themselves
    [...]                           a list or a tuple, or a subclass of them
    {"$value": "WIN"}               a member of Value
    {"$board": rows and names}      a ConnectFourBoard, or a subclass
    {"$estimate": {"sure": "DRAW"}} a Definitely, or {"guess": 3} for a Guess
    {"$dict": [[key, value], ...]}  a dict
    {"$other": "a set"}             anything else, by the name of its type

A subclass of int is not a number, and an object that claims to equal everything equals
nothing: the type counts, not what the object says of itself.
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
from grader.protocol.plain import LARGEST

DEEPEST, MOST_PARTS = 40, 50_000  # several times what any right answer has
LONGEST_TEXT = 10_000
TOO_MUCH = "something too large to be looked at"

VALUES = {
    id(member): member.name for member in Value
}  # lab.py may take a name from a member
_SIDES = {Player.MINNIE: "MINNIE", Player.MAXIE: "MAXIE"}


class _TooMuch(Exception):
    """A value has more parts than are looked at."""


def encode(value: object) -> Any:
    """Plain data for any object.  Raises what the object's own methods raise, if it has
    any.

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
        return (
            value
            if abs(value) < LARGEST
            else {"$other": "a whole number of more than a thousand digits"}
        )
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


def _encode_of_api(value: Any, depth: int, parts: Iterator[int]) -> dict[str, Any]:
    """A value of a class of api; of anything else, and of an estimate that holds
    something else, the type.
    """
    kind = type(value)
    if id(value) in VALUES:
        return {"$value": VALUES[id(value)]}
    if issubclass(kind, ConnectFourBoard):
        names = [name if type(name) is str else "?" for name in value.players]
        return {
            "$board": [
                *("".join(".12"[piece] for piece in row) for row in value.board_array),
                *names,
            ]
        }
    with contextlib.suppress(AttributeError, KeyError, TypeError):
        if issubclass(kind, Guess):
            return {"$estimate": {"guess": _encode(value.score, depth + 1, parts)}}
        if issubclass(kind, Definitely):
            return {
                "$estimate": {
                    "sure": "DRAW"
                    if value.outcome is DRAW
                    else _SIDES[value.outcome.player]
                }
            }
    return {"$other": describe_type(value)}


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
    plain = next(
        (kind.__name__ for kind in (int, float) if issubclass(type(value), kind)), ""
    )
    of_a_kind = (
        f", which is no plain {plain}"
        if plain not in ("", name) and type(value) is not bool
        else ""
    )
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}{of_a_kind}"
