"""Finds the first difference between an expected table and the table that came back."""

from collections.abc import Mapping
from typing import Any

from grader.protocol.plain import alike
from grader.protocol.text import harmless, show
from grader.verdicts.verdict import Row

NOTHING_THERE = "not there"


def first_difference(
    expected: Mapping[str, Any], yours: Mapping[str, Any]
) -> Row | None:
    """Return the first entry in which two tables differ: its name, the expected value,
    and the value that came back.

    Return None if no entry differs.  First, all entries of the expected table are
    compared, in their order.  After that come entries that only the other table has.

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
