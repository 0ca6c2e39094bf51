"""Whose a file is: a table of downloads (downloads.yaml), each with its one correct outcome."""

from pathlib import Path
from typing import Any

import pytest

from staff.tests.gradebook.desk import Desk
from staff.tests.gradebook.samples import lay
from staff.tests.support.masters import decide
from staff.tests.support.tables import rows_of

ROWS = rows_of(Path(__file__).with_name("downloads.yaml"))


@pytest.mark.parametrize("row", ROWS, ids=[row["name"] for row in ROWS])
def test_whose_a_file_is(row: dict[str, Any], desk: Desk) -> None:
    decide(desk.kit, **row.get("course", {}))
    lay(desk.folder, row["roster"])
    (roster,) = row["roster"]
    if "before" in row:
        lay(desk.folder / "earlier", row["before"])
        assert desk.collect(FROM="earlier", ROSTER=roster).returncode == 0
    lay(desk.folder / "downloads", row["downloads"])
    done = desk.collect(FROM="downloads", ROSTER=roster)
    if "refuses" in row:
        assert (done.returncode, done.stdout, done.stderr) == (2, "", f"{row['refuses']}\n")
        return
    assert done.returncode == 0, done.stderr
    assert {each["source"]: each["student"] for each in desk.read()} == row["owners"]
    reasons = {each["source"]: each["reason"] for each in desk.read() if each["state"] == "refused"}
    assert reasons == row.get("refused", {})
    for said in row.get("says", []):
        assert any(each in done.stdout for each in said.split("|")), done.stdout
    for said in row.get("says_not", []):
        assert said not in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 79
    if "names" in row:
        assert desk.names() == row["names"]
    for source in row.get("ready", []):
        desk.edit(source, state="ready", reason="")
    assert desk.collect().returncode == 0
    assert all(desk.row(source).endswith("; yes; ready") for source in row.get("ready", []))
