"""The first difference between two tables, for every kind that compares what is
expected with what came back.
"""

from collections.abc import Mapping
from typing import Any

from grader.protocol.plain import alike
from grader.protocol.words import harmless, show

NOTHING_THERE = "not there"

Row = tuple[str, str, str]


def first_difference(
    expected: Mapping[str, Any], yours: Mapping[str, Any]
) -> Row | None:
    """The first entry in which two tables differ: its name, what is expected, and what
    is yours; None if none does.

    The entries of the expected table come first, in their order, and then those that
    stand in yours alone.

    >>> first_difference({"a": 1, "b": 2}, {"a": 1.0, "c": 3})
    ('b', '2', 'not there')
    >>> first_difference({"a": 1}, {"a": 1, "c": 3})
    ('c', 'not there', '3')
    """
    for name, value in expected.items():
        if name not in yours:
            return name, show(value), NOTHING_THERE
        if alike(value) != alike(yours[name]):
            return name, show(value), show(yours[name])
    for name, value in yours.items():
        if name not in expected:
            return harmless(name, 40) or "''", NOTHING_THERE, show(value)
    return None
