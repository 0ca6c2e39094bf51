"""Tables of the kit's own tests: YAML files that hold a list of rows."""

from pathlib import Path
from typing import Any

import yaml


def rows_of(file: Path) -> list[dict[str, Any]]:
    """The rows of a table."""
    rows: list[dict[str, Any]] = yaml.safe_load(file.read_text("utf-8"))
    return rows
