"""Tables of the kit's own tests: YAML files that hold a list of rows."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from grader.bank.cases import Call, Case
from grader.bank.points import read_points

TABLES = Path(__file__).parent.parent / "tables"
GRADED = {
    name: function for part in read_points() for name, function in part.graded.items()
}


def rows_of(file: Path) -> list[dict[str, Any]]:
    """The rows of a table."""
    rows: list[dict[str, Any]] = yaml.safe_load(file.read_text("utf-8"))
    return rows


def named(row: dict[str, Any]) -> str:
    """The name of a row, which is the id of its test."""
    return str(row["name"])


def table_of(name: str) -> list[Any]:
    """The rows of a table in tables/, each as a parameter that is named by its first
    value.
    """
    rows = rows_of(TABLES / f"{name}.yaml")
    return [pytest.param(row, id=str(next(iter(row.values())))[:40]) for row in rows]


def case_of(function: str, expect: dict[str, Any], **inputs: Any) -> Case:
    """A case of a graded function with one call."""
    return Case(
        "x/y",
        2,
        GRADED[function],
        "says",
        (Call(GRADED[function], "", inputs, expect),),
    )
