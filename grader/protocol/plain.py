"""Plain data: the form in which the child sends values of lab.py to the grader.

    None, True, "text", 3, 2.5      stand for themselves
    [...]                           a list or a tuple
    {"$value": "WIN"}               a member of Value
    {"$board": rows and names}      a ConnectFourBoard: six rows, and two players
    {"$estimate": {"sure": "DRAW"}} a Definitely, or {"guess": 3} for a Guess
    {"$dict": [[key, value], ...]}  a dict
    {"$other": "a set"}             anything else, by the name of its type

If the type of a value is a subclass of one of these types, the value is sent like a
value of that type.  Only subclasses of int and float are different: their values are
sent as {"$other": ...}.  In the child, `encode` turns any value into plain data.  This
module checks and reads plain data.
"""

import json
import types
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

Data = dict[str, Any]  # plain data with a name for each part
LARGEST = 10**1000  # every whole number that the child sends is smaller
_VALUES = ("WIN", "TIE", "LOSE")
_SIDES = ("MAXIE", "MINNIE", "DRAW")


class Garbled(Exception):
    """Raised for data that does not have the form that the child sends.

    The grader's own code in the child of a submission never sends such data, so there
    student code has sent it.  But a stored trace or game may be damaged, and a new
    kind.py may not fit its worker.py.
    """


def encoded(value: Any) -> Any:
    """Return `value` unchanged if it is plain data that `encode` may have made.

    Raises Garbled if `encode` cannot have made it.

    >>> encoded([1, {"$value": "WIN"}])
    [1, {'$value': 'WIN'}]
    """
    parts: list[Any] = []
    if isinstance(value, list):
        parts = value
    elif isinstance(value, dict):
        parts = _parts_of_tagged(value)
    for part in parts:
        encoded(part)
    return value


def value_of(outcome: Data) -> Any:
    """Return what a call has returned, as plain data.

    Raises Garbled if the outcome has no value, or if `encode` cannot have made the
    value.

    >>> value_of({"value": [1, True]})
    [1, True]
    """
    if "value" not in outcome:
        raise Garbled
    return encoded(outcome["value"])


def _parts_of_tagged(value: Data) -> list[Any]:
    """Return the values inside a mapping such as {"$dict": ...}.  Nothing has checked
    these values yet.

    Raises Garbled if the mapping has no form that `encode` makes.
    """
    if len(value) != 1:
        raise Garbled
    match value:
        case {"$other": str()}:
            return []
        case {"$value": name} if name in _VALUES:
            return []
        case {"$board": [*rows]} if all(isinstance(row, str) for row in rows):
            return []
        case {"$estimate": {"guess": score, **more}} if not more:
            return [score]
        case {"$estimate": {"sure": side, **more}} if not more and side in _SIDES:
            return []
        case {"$dict": [*pairs]} if all(
            isinstance(pair, list) and len(pair) == 2 for pair in pairs
        ):
            return [part for pair in pairs for part in pair]
    raise Garbled


def is_number(value: Any) -> bool:
    """Whether `value` is an int or a float, but neither a bool nor NaN."""
    return type(value) in (int, float) and value == value


def is_count(value: Any) -> bool:
    """Whether `value` is an int that is not negative.  A bool is not a count."""
    return type(value) is int and value >= 0


def alike(value: Any) -> str:
    """Return a text for this data.  Two values have the same text if they are equal.

    It makes no difference to the text whether a number is an int or a float, or in
    which order the keys of a dict are.  The value is plain data, or a dataclass that
    holds plain data.

    >>> alike({"b": 3.0, "a": [True]}) == alike({"a": (True,), "b": 3})
    True
    """
    return json.dumps(_plainest(value), sort_keys=True)


def _plainest(value: Any) -> Any:
    if is_dataclass(value):
        value = vars(value)
    if isinstance(value, Mapping):
        return {str(key): _plainest(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plainest(inner) for inner in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


_PLAIN: dict[Any, Callable[[Any], bool]] = {
    Any: lambda value: True,
    int: is_count,
    float: is_number,
    bool: lambda value: type(value) is bool,
    str: lambda value: type(value) is str,
    Data: lambda value: type(value) is dict,
}
_hints = cache(get_type_hints)
_taken_apart: Callable[[Any], tuple[Any, Any]] = cache(
    lambda form: (get_origin(form), get_args(form))
)


def read_as(form: Any, data: Any) -> Any:
    """Read `data`, which is plain data, as a value of the type `form`.

    Raises Garbled if the data does not fit this type.  The child sends a dataclass as a
    mapping of its fields, and a tuple as a list.  An int must not be negative.  A field
    that has a default may be missing.

    >>> read_as(tuple[float | None, ...], [1.5, None])
    (1.5, None)
    """
    if form in _PLAIN:
        if _PLAIN[form](data):
            return data
        raise Garbled
    origin, parts = _taken_apart(form)
    if origin in (Union, types.UnionType):
        if data is None:
            return None
        return read_as(parts[0], data)
    if origin is Literal and type(data) is str and data in parts:
        return data
    if origin is tuple and isinstance(data, list):
        forms = parts
        if parts[-1] is Ellipsis:
            forms = parts[:1] * len(data)
        if len(forms) == len(data):
            return tuple(map(read_as, forms, data))
    if is_dataclass(form) and isinstance(data, dict):
        return _read_fields(form, data)
    raise Garbled


def _read_fields(form: Any, data: Data) -> Any:
    """Return an object of the dataclass `form`, made from a mapping of its fields.

    Raises Garbled if a field is missing, unknown or of the wrong type.
    """
    types_of_fields = _hints(form)
    if not data.keys() <= types_of_fields.keys():
        raise Garbled
    fields = {name: read_as(types_of_fields[name], data[name]) for name in data}
    try:
        return form(**fields)
    except TypeError:  # A field without a default is missing.
        raise Garbled from None
