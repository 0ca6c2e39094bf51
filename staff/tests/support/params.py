"""Rows of a table as parameters of a test."""

from collections.abc import Collection, Iterable
from typing import Any, Protocol

import pytest


class Named(Protocol):
    """A row with an id."""

    @property
    def id(self) -> str: ...


def by_id(rows: Iterable[Named], long: Collection[str]) -> list[Any]:
    """Return a parameter for each row, named after its id.

    `long` has the ids of the rows that take long: only `make check ALL=1` tests these.
    Raises AssertionError if there is no row with such an id.
    """
    params = []
    for row in rows:
        marks = [pytest.mark.long] if row.id in long else []
        params.append(pytest.param(row, id=row.id, marks=marks))
    assert {*long} <= {param.id for param in params}
    return params
