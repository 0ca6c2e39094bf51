"""Fills in one case file from the model, as `make expectations` does with all of them."""

from pathlib import Path

from staff.expectations import compare, save
from staff.model import Model
from staff.strict.cases import check_files
from staff.strict.reading import read_yaml


def fill_in(file: Path, model: Model, write: bool) -> list[str]:
    """Bring one case file up to date; a line for each difference.  Raises BadFile."""
    check_files([read_yaml(file)], unfilled=True)
    filled = compare(file, file.read_text("utf-8"), model)
    if filled.differences and write:
        save(file, filled.text)
    return filled.differences
