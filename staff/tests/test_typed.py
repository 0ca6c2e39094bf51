"""What is typed at a shell, and what comes out of it (tables/typed.yaml)."""

import subprocess
import sys
from typing import Any

import pytest

from staff.submissions.rows import Lab
from staff.tests.conftest import KIT, Submit
from staff.tests.support.tables import table_of
from staff.tests.support.typed import run

WIDTH = 79
LINE_OF_LAB_PY = "-> "  # the debugger shows such a line as it is


def type_a_row(
    row: dict[str, Any], model: str, submit: Submit
) -> "subprocess.CompletedProcess[str]":
    """Type the command of a row, and then what the row types into it."""
    lab = KIT / "lab.py"
    if "lab" in row:
        lab = submit(Lab(**row["lab"]).text(model))
    grader = f'"{sys.executable}" -m grader '
    command = row["typed"].replace("grader ", grader, 1)
    typed = row.get("then", "").replace("/", "\n")
    done = run(f"{command} ", typed=typed, LAB=str(lab), **row.get("with", {}))
    done.stdout = done.stdout.replace(str(lab.parent), "")
    return done


def squeezed(text: str) -> str:
    """A text without its line breaks."""
    return " ".join(text.split())


@pytest.mark.parametrize("row", table_of("typed"))
def test_what_is_typed_and_what_comes_out(
    row: dict[str, Any], model: str, submit: Submit
) -> None:
    done = type_a_row(row, model, submit)
    check_errors(done, row)
    check_screen(done.stdout, row.get("shows", []))


def check_errors(done: "subprocess.CompletedProcess[str]", row: dict[str, Any]) -> None:
    """Nothing is on standard error but the one line that the row says."""
    says = row.get("says", "")
    lines = done.stderr.splitlines()
    errors = [line for line in lines if not line.startswith("make: ***")]
    assert done.returncode == row.get("status", 2 if says else 0), done
    assert len(errors) == (1 if says else 0), done
    assert says in done.stderr


def check_screen(screen: str, shows: list[str]) -> None:
    """The words are on the screen, in this order, and without words nothing is."""
    assert bool(screen) is bool(shows)
    assert screen.isascii()
    assert "Traceback" not in screen
    lines = screen.splitlines()
    own_lines = [line for line in lines if not line.startswith(LINE_OF_LAB_PY)]
    assert [line for line in own_lines if len(line) > WIDTH] == []
    rest = squeezed(screen)
    for words in map(squeezed, shows):
        before, found, rest = rest.partition(words)
        assert found, (words, before)
