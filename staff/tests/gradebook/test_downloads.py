"""Whose a file is: a table of downloads (downloads.yaml), each with its one correct
outcome.
"""

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
        assert (done.returncode, done.stdout, done.stderr) == (
            2,
            "",
            f"{row['refuses']}\n",
        )
        return
    assert done.returncode == 0, done.stderr
    assert {each["source"]: each["kit_student"] for each in desk.read()} == row[
        "owners"
    ]
    reasons = {
        each["source"]: each["kit_reason"]
        for each in desk.read()
        if each["kit_state"] == "refused"
    }
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
    assert all(
        desk.row(source).endswith("; yes; ready") for source in row.get("ready", [])
    )


def test_a_class_of_which_nothing_says_where_the_logins_begin(desk: Desk) -> None:
    logins = [f"s{number:02}" for number in range(20)]
    pushes = [f"hw-1-{login},c,2027-02-12T10:00:00Z" for login in logins]
    lay(
        desk.folder,
        {
            "roster.csv": "\n".join(
                ["id,github", *(f"id-{login},{login}" for login in logins)]
            )
        },
    )
    lay(
        desk.folder / "downloads",
        {"pushes.csv": "\n".join(["repository,commit,pushed", *pushes])},
    )
    lay(desk.folder / "downloads", {f"hw-1-{login}/lab.py": login for login in logins})
    said = desk.collect(FROM="downloads", ROSTER="roster.csv").stdout
    assert "downloads: nothing says for sure where the logins begin" in said
    assert (
        said.count("perhaps of id-s") == 12
        and "      and 8 more lines such as these\n" in said
    )
    assert {row["kit_student"] for row in desk.read()} == {""}
    pushes = [f"hw-1-{login},c,2027-02-12T10:00:00Z,{login}" for login in logins]
    lay(
        desk.folder / "downloads",
        {"pushes.csv": "\n".join(["repository,commit,pushed,login", *pushes])},
    )
    said = desk.collect(FROM="downloads").stdout
    assert "20 on time" in said and "perhaps" not in said
    assert {row["source"]: row["kit_student"] for row in desk.read()} == {
        f"hw-1-{id}/lab.py": f"id-{id}" for id in logins
    }
