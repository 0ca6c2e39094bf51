"""results.json is what its schema says, for any lab."""

import json
from pathlib import Path

import jsonschema
import pytest

from staff.tests.conftest import KIT
from staff.tests.labs import KINDS, sheet_of

SCHEMA = json.loads((KIT / "grader" / "results.schema.json").read_text(encoding="utf-8"))


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("kind", KINDS)
def test_results_fit_the_schema(kind: str, tmp_path: Path) -> None:
    sheet_of(kind).write(tmp_path / "results.json")
    data = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(SCHEMA).validate(data)


@pytest.mark.parametrize("place", ["", "checkout", "parts", "cases"])
def test_the_schema_is_strict(place: str) -> None:
    data = sheet_of("full").as_data()
    inside = data[place] if place else data
    (inside[0] if isinstance(inside, list) else inside)["surprise"] = 1
    assert not jsonschema.Draft202012Validator(SCHEMA).is_valid(data)
