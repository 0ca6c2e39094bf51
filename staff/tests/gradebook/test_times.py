"""make collect TIMES=times.csv: when students handed in, in a system that does not say
so (times.yaml).
"""

from pathlib import Path
from typing import Any

import pytest

from staff.tests.gradebook.desk import Desk
from staff.tests.gradebook.samples import lay
from staff.tests.support.masters import decide
from staff.tests.support.tables import rows_of
from staff.tests.support.typed import run

ROWS = rows_of(Path(__file__).with_name("times.yaml"))
TAKEN, REFUSED = (
    [row for row in ROWS if ("refuses" in row) == is_refused]
    for is_refused in (False, True)
)
CANVAS = {
    "grades.csv": 'Student,ID,SIS User ID,SIS Login ID,Section,Lab (77)\n"Doe, Jane",101,,doe,A,\n'
    '"Roe, José",102,,roe,A,\n"Poe, Ann",103,,poe,A,\n'
}
TWO = {
    "submissions.zip": {
        "doejane_101_9001_lab.py": "one",
        "roejose_LATE_102_9002_lab.py": "one",
    }
}


@pytest.mark.parametrize("row", TAKEN, ids=[row["name"] for row in TAKEN])
def test_times_that_people_write(row: dict[str, Any], desk: Desk) -> None:
    decide(desk.kit, **row.get("course", {}))
    roster = row.get("roster", CANVAS)
    lay(desk.folder, roster)
    for number, before in enumerate(row.get("earlier", [])):
        folder = lay(desk.folder / f"earlier-{number}", before["downloads"])
        lay(desk.folder, {"earlier.csv": before["times"]})
        assert (
            desk.collect(
                FROM=folder, ROSTER=next(iter(roster)), TIMES="earlier.csv"
            ).returncode
            == 0
        )
    lay(desk.folder / "downloads", row.get("downloads", TWO))
    words = {
        "FROM": "downloads",
        "ROSTER": next(iter(roster)),
        "TIMES": "downloads/times.csv",
    }
    if "edits" in row:
        assert desk.collect(FROM="downloads", ROSTER=words["ROSTER"]).returncode == 0
        for source, cells in row["edits"].items():
            desk.edit(source, **{column: str(cell) for column, cell in cells.items()})
    lay(
        desk.folder / "downloads", {"times.csv": row["times"]}
    )  # beside the downloads, where it is no submission
    done = desk.collect(**words)
    assert done.returncode == 0, done.stderr
    assert {each["source"]: desk.row(each["source"]) for each in desk.read()} == row[
        "rows"
    ]
    report = " ".join(done.stdout.split())
    for said in row.get("says", []):
        assert said in report
    for said in ["not understood", *row.get("says_not", [])]:
        assert said not in report
    assert max(map(len, done.stdout.splitlines())) <= 79
    again = desk.collect(TIMES="downloads/times.csv")
    assert "kept as decisions" not in again.stdout
    assert {each["source"]: desk.row(each["source"]) for each in desk.read()} == row[
        "rows"
    ]


@pytest.mark.parametrize("row", REFUSED, ids=[row["name"] for row in REFUSED])
def test_a_table_that_is_refused_changes_nothing(
    row: dict[str, Any], desk: Desk
) -> None:
    lay(desk.folder, CANVAS)
    lay(desk.folder / "downloads", TWO)
    assert desk.collect(FROM="downloads", ROSTER="grades.csv").returncode == 0
    form, log = desk.form.read_bytes(), desk.log()
    if "times" in row:
        lay(desk.folder, {"times.csv": row["times"]})
    done = desk.collect(TIMES="times.csv")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"{row['refuses']}\n")
    assert (desk.form.read_bytes(), desk.log()) == (form, log)


def test_a_time_is_a_decision_like_one_in_collected_csv(desk: Desk) -> None:
    lay(desk.folder, {**CANVAS, "my times.csv": "id,submitted\ndoe,2027-02-12 23:59\n"})
    lay(desk.folder / "downloads", TWO)
    assert desk.collect(FROM="downloads", ROSTER="grades.csv").returncode == 0
    opened = desk.read()
    done = run(f'make collect TIMES="{desk.folder}/my times.csv"', desk.kit)
    assert done.returncode == 0, done.stderr
    source, time = "doejane_101_9001_lab.py", "2027-02-12 23:59:00+01:00"
    assert (f"submitted of {source}", "", time) in desk.log()
    desk.write(opened)  # a spreadsheet that was opened before
    assert "edited" not in desk.collect().stdout
    assert desk.row(source) == f"doe; {time}; yes; ready"
    desk.edit(source, submitted="2027-02-13 10:00")
    assert "1 edited cell " in desk.collect().stdout
    desk.edit(source, submitted="")
    assert (
        "1 edited cell " in desk.collect().stdout
        and desk.row(source) == "doe; ; yes; ready"
    )
    assert "make test takes no TIMES=" in run("make test TIMES=x", desk.kit).stderr
