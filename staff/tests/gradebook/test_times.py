"""make collect TIMES=times.csv: when students handed in, in a system that does not say
so (times.yaml).
"""

from pathlib import Path
from typing import Any

import pytest

from staff.tests.gradebook.desk import Desk, desk_at
from staff.tests.gradebook.samples import lay
from staff.tests.support.masters import decide
from staff.tests.support.tables import named, rows_of
from staff.tests.support.typed import run

ROWS = rows_of(Path(__file__).with_name("times.yaml"))
TAKEN = [row for row in ROWS if "refuses" not in row]
REFUSED = [row for row in ROWS if "refuses" in row]
CANVAS = {
    "grades.csv": 'Student,ID,SIS User ID,SIS Login ID,Section,Lab (77)\n"Doe, Jane",101,,doe,A,\n'
    '"Roe, José",102,,roe,A,\n"Poe, Ann",103,,poe,A,\n'
}
OF_DOE = "doejane_101_9001_lab.py"
OF_ROE = "roejose_LATE_102_9002_lab.py"
TWO = {"submissions.zip": {OF_DOE: "one", OF_ROE: "one"}}
# The table lies beside the downloads, where it is no submission.
TIMES = "downloads/times.csv"


def class_before(row: dict[str, Any], desk: Desk) -> str:
    """Let a row's class be there, before its times are read; the name of its roster."""
    decide(desk.kit, **row.get("course", {}))
    roster = row.get("roster", CANVAS)
    (name,) = roster
    lay(desk.folder, roster)
    for number, earlier in enumerate(row.get("earlier", [])):
        folder = lay(desk.folder / f"earlier-{number}", earlier["downloads"])
        lay(desk.folder, {"earlier.csv": earlier["times"]})
        desk.collected(FROM=folder, ROSTER=name, TIMES="earlier.csv")
    lay(desk.folder / "downloads", row.get("downloads", TWO))
    if "edits" in row:
        desk.collected(FROM="downloads", ROSTER=name)
        for source, cells in row["edits"].items():
            desk.edit(source, **{column: str(cell) for column, cell in cells.items()})
    return str(name)


@pytest.mark.parametrize("row", TAKEN, ids=named)
def test_times_that_people_write(row: dict[str, Any], desk: Desk) -> None:
    roster = class_before(row, desk)
    lay(desk.folder, {TIMES: row["times"]})

    said = desk.collected(FROM="downloads", ROSTER=roster, TIMES=TIMES)
    assert desk.rows() == row["rows"]
    assert max(map(len, said.splitlines())) <= 79
    report = " ".join(said.split())
    assert [words for words in row.get("says", []) if words not in report] == []
    says_not = ["not understood", *row.get("says_not", [])]
    assert [words for words in says_not if words in report] == []

    said_again = desk.collected(TIMES=TIMES)
    assert "kept as decisions" not in said_again
    assert desk.rows() == row["rows"]


@pytest.fixture(scope="module")
def grades(kit: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is in grades/ when two of three in Canvas have handed in, and no time is
    known.
    """
    desk = desk_at(tmp_path_factory.mktemp("open"), kit)
    lay(desk.folder, CANVAS)
    lay(desk.folder / "downloads", TWO)
    desk.collected(FROM="downloads", ROSTER="grades.csv")
    return desk.take_grades()


@pytest.fixture
def open_class(desk: Desk, grades: Path) -> Desk:
    """That class."""
    desk.put_back(grades)
    return desk


@pytest.mark.parametrize("row", REFUSED, ids=named)
def test_a_table_that_is_refused_changes_nothing(
    row: dict[str, Any], open_class: Desk
) -> None:
    if "times" in row:
        lay(open_class.folder, {"times.csv": row["times"]})
    form = open_class.form.read_bytes()
    log = open_class.log()
    done = open_class.collect(TIMES="times.csv")
    assert done.returncode == 2
    assert (done.stdout, done.stderr) == ("", f"{row['refuses']}\n")
    assert open_class.form.read_bytes() == form
    assert open_class.log() == log


TIME = "2027-02-12 23:59:00+01:00"


def read_a_time(desk: Desk) -> None:
    """Let make read a table with a time for one student."""
    lay(desk.folder, {"my times.csv": "id,submitted\ndoe,2027-02-12 23:59\n"})
    done = run(f'make collect TIMES="{desk.folder}/my times.csv"', desk.kit)
    assert done.returncode == 0, done.stderr


def test_a_time_is_kept_in_the_log(open_class: Desk) -> None:
    read_a_time(open_class)
    assert (f"submitted of {OF_DOE}", "", TIME) in open_class.log()


def test_a_spreadsheet_that_was_opened_before_takes_no_time_away(
    open_class: Desk,
) -> None:
    opened_before = open_class.read()
    read_a_time(open_class)
    open_class.write(opened_before)
    assert "edited" not in open_class.collected()
    assert open_class.row(OF_DOE) == f"doe; {TIME}; yes; ready"


def test_a_time_is_edited_and_taken_back_like_any_decision(open_class: Desk) -> None:
    read_a_time(open_class)
    open_class.edit(OF_DOE, submitted="2027-02-13 10:00")
    assert "1 edited cell " in open_class.collected()
    open_class.edit(OF_DOE, submitted="")
    assert "1 edited cell " in open_class.collected()
    assert open_class.row(OF_DOE) == "doe; ; yes; ready"
