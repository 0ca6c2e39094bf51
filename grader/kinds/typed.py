"""Plain data from the pipe, read by the types that it should have."""

import types
from collections.abc import Callable
from dataclasses import is_dataclass
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from grader.pipe.plain import Garbled, is_count, is_number

_PLAIN: dict[Any, Callable[[Any], bool]] = {
    Any: lambda value: True,
    int: is_count,
    float: is_number,
    bool: lambda value: type(value) is bool,
    str: lambda value: type(value) is str,
}
_hints = cache(get_type_hints)


def read_as(form: Any, data: Any) -> Any:
    """What plain data stands for, as a value of this type.  Raises Garbled where it is none.

    A dataclass stands in it as a mapping of its fields, and a tuple as a list; an int is a count.

    >>> read_as(tuple[float | None, ...], [1.5, None])
    (1.5, None)
    """
    if form in _PLAIN:
        if _PLAIN[form](data):
            return data
        raise Garbled
    origin, parts = get_origin(form), get_args(form)
    if origin in (Union, types.UnionType):
        return None if data is None else read_as(parts[0], data)
    if origin is Literal and type(data) is str and data in parts:
        return data
    if origin is tuple and isinstance(data, list):
        return tuple(read_as(parts[0], each) for each in data)
    if is_dataclass(form) and isinstance(data, dict) and data.keys() <= _hints(form).keys():  # type: ignore[arg-type]
        read = {name: read_as(_hints(form)[name], value) for name, value in data.items()}  # type: ignore[arg-type]
        try:
            return form(**read)  # type: ignore[operator]
        except TypeError:  # a field without a default is missing
            raise Garbled from None
    raise Garbled
