"""Plain data as it comes up the pipe: what `encode` in the worker gives, and nothing
else.

None, True, "text", 3, 2.5      stand for themselves
[...]                           a list or a tuple
{"$value": "WIN"}               a member of Value
{"$board": rows and names}      a ConnectFourBoard: its six rows, and its two players
{"$estimate": {"sure": "DRAW"}} a Definitely, or {"guess": 3} for a Guess
{"$dict": [[key, value], ...]}  a dict
{"$other": "a set"}             anything else, by the name of its type
"""

import json
import types
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

LARGEST = 10**1000  # below which whole numbers are
_VALUES, _SIDES = ("WIN", "TIE", "LOSE"), ("MAXIE", "MINNIE", "DRAW")


class Garbled(Exception):
    """A reply that the worker would not send by itself."""


def encoded(value: Any) -> Any:
    """The value, if the worker may send it.  Raises Garbled if not.

    >>> encoded([1, {"$value": "WIN"}])
    [1, {'$value': 'WIN'}]
    """
    for inner in (
        value
        if isinstance(value, list)
        else _inside(value)
        if isinstance(value, dict)
        else ()
    ):
        encoded(inner)
    return value


def value_of(outcome: dict[str, Any]) -> Any:
    """What a call has returned.  Raises Garbled if that is missing, or if the worker
    may not send it.

    >>> value_of({"value": [1, True]})
    [1, True]
    """
    if "value" not in outcome:
        raise Garbled
    return encoded(outcome["value"])


def _inside(value: dict[str, Any]) -> list[Any]:
    """The encoded values that a tagged value holds.  Raises Garbled."""
    match value:
        case {"$other": str(), **rest} if not rest:
            return []
        case {"$value": name, **rest} if not rest and name in _VALUES:
            return []
        case {"$board": [*rows], **rest} if not rest and all(
            isinstance(row, str) for row in rows
        ):
            return []
        case {"$estimate": {"guess": score, **more}, **rest} if not rest and not more:
            return [score]
        case {"$estimate": {"sure": side, **more}, **rest} if (
            not rest and not more and side in _SIDES
        ):
            return []
        case {"$dict": [*pairs], **rest} if not rest and all(
            isinstance(p, list) and len(p) == 2 for p in pairs
        ):
            return [each for pair in pairs for each in pair]
    raise Garbled


def is_number(value: Any) -> bool:
    """Whether this is an int or a float, but neither a bool nor NaN."""
    return type(value) in (int, float) and value == value


def is_count(value: Any) -> bool:
    """Whether this is an int of 0 or more, but no bool."""
    return type(value) is int and value >= 0


def alike(value: Any) -> str:
    """A text that is the same for answers that differ only in the type of a number, or
    in the order of a dict.

    >>> alike({"b": 3.0, "a": [True]}) == alike({"a": (True,), "b": 3})
    True
    """
    return json.dumps(_plainest(value), sort_keys=True)


def _plainest(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plainest(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plainest(inner) for inner in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


_PLAIN: dict[Any, Callable[[Any], bool]] = {
    Any: lambda value: True,
    int: is_count,
    float: is_number,
    bool: lambda value: type(value) is bool,
    str: lambda value: type(value) is str,
    dict[str, Any]: lambda value: type(value) is dict,
}
_hints = cache(get_type_hints)
_taken_apart: Callable[[Any], tuple[Any, Any]] = cache(
    lambda form: (get_origin(form), get_args(form))
)


def read_as(form: Any, data: Any) -> Any:
    """Plain data as a value of this type.  Raises Garbled if it has another form.

    A dataclass is sent as a mapping of its fields, and a tuple as a list; an int is a
    count.  Fields with a default may be missing.

    >>> read_as(tuple[float | None, ...], [1.5, None])
    (1.5, None)
    """
    if form in _PLAIN:
        if _PLAIN[form](data):
            return data
        raise Garbled
    origin, parts = _taken_apart(form)
    if origin in (Union, types.UnionType):
        return None if data is None else read_as(parts[0], data)
    if origin is Literal and type(data) is str and data in parts:
        return data
    if origin is tuple and isinstance(data, list):
        forms = parts[:1] * len(data) if parts[-1] is Ellipsis else parts
        if len(forms) == len(data):
            return tuple(map(read_as, forms, data))
    if is_dataclass(form) and isinstance(data, dict):
        return _read_fields(form, data)
    raise Garbled


def _read_fields(form: Any, data: dict[str, Any]) -> Any:
    """A dataclass of this type out of its fields.  Raises Garbled."""
    types_of = _hints(form)
    if not data.keys() <= types_of.keys():
        raise Garbled
    try:
        return form(**{name: read_as(types_of[name], data[name]) for name in data})
    except TypeError:  # a field without a default is missing
        raise Garbled from None
