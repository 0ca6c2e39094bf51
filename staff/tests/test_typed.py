"""What is typed at a shell, and what comes out of it (tables/typed.yaml)."""

import sys
from pathlib import Path
from typing import Any

import pytest

from staff.submissions.rows import Lab
from staff.tests.conftest import KIT
from staff.tests.support.tables import table_of
from staff.tests.support.typed import run


@pytest.mark.parametrize("row", table_of("typed"))
def test_what_is_typed_and_what_comes_out(
    row: dict[str, Any], model: str, tmp_path: Path
) -> None:
    lab = KIT / "lab.py"
    if "lab" in row:
        lab = tmp_path / "lab.py"
        lab.write_text(Lab(**row["lab"]).text(model), encoding="utf-8")
    command = row["typed"].replace("grader ", f'"{sys.executable}" -m grader ', 1)
    typed = row.get("then", "").replace("/", "\n")
    done = run(f"{command} ", typed=typed, LAB=str(lab), **row.get("with", {}))
    says, shows = row.get("says", ""), row.get("shows", [])
    errors = [
        line for line in done.stderr.splitlines() if not line.startswith("make: ***")
    ]
    assert (done.returncode, len(errors)) == (
        row.get("status", 2 if says else 0),
        1 if says else 0,
    ), done
    assert says in done.stderr
    shown = done.stdout.replace(str(lab.parent), "")
    assert bool(shown) is bool(shows) and shown.isascii() and "Traceback" not in shown
    assert (
        max(
            len(line)
            for line in ["", *shown.splitlines()]
            if not line.startswith("-> ")
        )
        < 80
    )  # of lab.py
    rest = " ".join(shown.split())
    for words in shows:
        assert " ".join(words.split()) in rest, done.stdout
        rest = rest.partition(" ".join(words.split()))[2]
