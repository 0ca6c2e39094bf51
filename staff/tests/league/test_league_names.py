"""LEAGUE_NAME, which the league reads as text."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from staff.league.names import league_name, unique

ROWS = yaml.safe_load(Path(__file__).with_name("names.yaml").read_text("utf-8"))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["lab"][:40])
def test_the_name_is_a_literal_and_no_code_runs(
    row: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    recwarn: pytest.WarningsRecorder,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert league_name(row["lab"].encode()) == row["name"]
    assert [*tmp_path.iterdir()] == [] and [*recwarn] == []


@pytest.mark.parametrize(
    "source",
    [
        b"LEAGUE_NAME = 'x'\n" + b"(" * 100_000,
        b"LEAGUE_NAME = 'x'\n" + b"-" * 100_000 + b"1",
        b"LEAGUE_NAME = 'x'\n# coding: no such thing\n\xff",
    ],
    ids=["brackets", "signs", "encoding"],
)
def test_what_python_cannot_read_has_no_name_or_its_own(source: bytes) -> None:
    assert league_name(source) in ("", "x")


def test_a_name_of_another_encoding_is_read() -> None:
    source = "# coding: latin-1\nLEAGUE_NAME = 'Zoë'".encode("latin-1")
    assert league_name(source) == "Zoë"


def test_names_are_unique_whatever_their_letters_look_like() -> None:
    taken = ["Rung 5"]
    for name in ("rung 5", "\uff32ung 5", "RUNG 5"):
        taken.append(unique(name, taken))
    assert taken == ["Rung 5", "rung 5 (2)", "\uff32ung 5 (3)", "RUNG 5 (4)"]
