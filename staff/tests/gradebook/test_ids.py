"""Ids do not move: what a roster may change, what is refused, and by which line."""

from pathlib import Path
from typing import Any

import pytest

from staff.tests.gradebook.desk import Desk
from staff.tests.gradebook.samples import lay
from staff.tests.support.masters import decide

CANVAS = "Student,ID,SIS User ID,SIS Login ID,Section,Lab (77)\n"
FIRST = f'{CANVAS}"Doe, Jane",101,s1,doe,A,\n"Roe, Bob",102,s2,roe,A,\n'
GUEST = '"Guest, Late",109,s9,,A,\n'
AGAIN = '"Doe, Jane",103,s3,doe,A,\n'
MOODLE = "Identifier,Full name,Email address,Grade\nParticipant 1,Jane Doe,doe,\nParticipant 2,Bob Roe,roe,\n"


@pytest.fixture
def known(desk: Desk) -> Desk:
    """A class of two by the first roster, of whom one has handed in a file."""
    lay(
        desk.folder,
        {"grades.csv": FIRST, "downloads/s.zip": {"roebob_102_9001_lab.py": "one"}},
    )
    done = desk.collect(FROM="downloads", ROSTER="grades.csv")
    assert done.returncode == 0 and "known by SIS Login ID" in done.stdout, done.stderr
    return desk


def rostered(desk: Desk, text: str, name: str = "later.csv") -> Any:
    lay(desk.folder, {name: text})
    return desk.collect(ROSTER=name)


def test_a_late_guest_without_an_id_moves_nobody(known: Desk) -> None:
    known.edit("roebob_102_9001_lab.py", student="roe", counts="no")
    known.collect()
    done = rostered(known, FIRST + GUEST)
    assert "2 students on the roster (Canvas), known by SIS Login ID" in done.stdout
    listed = done.stdout.partition("Look at these.")[2].splitlines()
    assert listed[1] == "    1 no id yet, and left out: Guest, Late (line 4)"
    assert set(known.names()) == {"doe", "roe"}
    assert known.row("roebob_102_9001_lab.py") == "roe; ; no; ready"


def test_the_file_of_a_guest_is_listed_and_belongs_to_the_guest_later(
    known: Desk,
) -> None:
    lay(known.folder, {"more/s.zip": {"guestlate_109_9002_lab.py": "two"}})
    rostered(known, FIRST + GUEST)
    said = known.collect(FROM="more").stdout
    assert (
        "1 perhaps of Guest, Late, without an id yet: guestlate_109_9002_lab.py" in said
    )
    assert known.row("guestlate_109_9002_lab.py").startswith("; ")
    rostered(known, FIRST + GUEST.replace("s9,,", "s9,late,"))
    assert known.row("guestlate_109_9002_lab.py").startswith("late; ")


def test_each_system_keeps_its_own_column(known: Desk) -> None:
    assert "known by Email address" in rostered(known, MOODLE).stdout
    assert "known by SIS Login ID" in rostered(known, FIRST + GUEST).stdout


def test_a_store_of_before_keeps_the_column_of_its_roster(known: Desk) -> None:
    known.forget_the_column()
    assert (
        "2 students on the roster (Canvas), known by SIS Login ID"
        in rostered(known, FIRST + GUEST).stdout
    )


@pytest.mark.parametrize(
    ("roster", "says"),
    [
        (
            FIRST + AGAIN,
            "later.csv, line 4: the id 'doe' is in line 2 already; give each student an id of their own",
        ),
        (
            f"sep=,\n{FIRST}{AGAIN}",
            "later.csv, line 5: the id 'doe' is in line 3 already; give each student an id",
        ),
        (
            f'{CANVAS}"Doe, J",1,s1,,A,\n',
            "later.csv: the column `SIS Login ID`, which identifies the students, is",
        ),
        (
            "Student,ID,Section\nJane,101,A\n",
            "later.csv has no column `SIS Login ID`, which has identified the students so",
        ),
        (
            FIRST.replace("doe", "d\u200boe"),
            "later.csv, line 2: the id 'd\\u200boe' contains an invisible character; type",
        ),
    ],
)
def test_a_roster_that_is_refused_by_line(roster: str, says: str, known: Desk) -> None:
    before = known.log()
    done = rostered(known, roster)
    assert (done.returncode, done.stdout) == (2, "") and done.stderr.startswith(says), (
        done.stderr
    )
    assert (known.log(), set(known.names())) == (before, {"doe", "roe"})


def decision(desk: Desk) -> str:
    desk.edit("roebob_102_9001_lab.py", student="roe", counts="yes", reason="by mail")
    desk.edit("roebob_102_9001_lab.py", student="doe, roe")
    desk.collect()
    return "which grades/collected.csv has as `student` of roebob_102_9001_lab.py"


def extension(desk: Desk) -> str:
    decide(desk.kit, extensions="{roe: 2027-02-19 23:59}")
    return "which has an extension in staff/course.yaml"


def excuse(desk: Desk) -> str:
    decide(desk.kit, excused="{roe: ill}")
    return "which is excused in staff/course.yaml"


def change_by_hand(desk: Desk) -> str:
    hand = "Id,what,points,reason,by\n\nroe,total,60,oral exam,A. Turing\n"
    desk.form.with_name("hand.csv").write_text(hand, "utf-8")
    return "which grades/hand.csv has in line 3"


def publication(desk: Desk) -> str:
    desk.publish_somebody("roe")
    return "which is in publication 1"


IN_THE_ROSTER = "fix the student's line in the roster"


@pytest.mark.parametrize(
    "tie", [decision, extension, excuse, change_by_hand, publication]
)
@pytest.mark.parametrize(
    ("line", "fix"),
    [
        ("", IN_THE_ROSTER),
        (
            '"Roe, Bob",102,s2,,A,\n',
            "line 3 has no id: if Roe, Bob there is roe, write the id into it",
        ),
        ('"Poe, Ann",102,s2,,A,\n', IN_THE_ROSTER),
        ('"Roe, Bob",102,s2,bob,A,\n', IN_THE_ROSTER),
    ],
)
def test_an_id_that_something_hangs_on_does_not_go(
    tie: Any, line: str, fix: str, known: Desk
) -> None:
    why = tie(known)
    without = FIRST.partition('"Roe')[0] + line
    before = known.log()
    done = rostered(known, without)
    way_out = f"{fix}, or write `left: {{roe: dropped}}` into staff/course.yaml"
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"later.csv: no line has the id roe, {why}; {way_out}\n"
    assert (known.log(), set(known.names())) == (before, {"doe", "roe"})
    course = Path(known.kit / "staff" / "course.yaml")
    course.write_text(f"{course.read_text('utf-8')}\nleft: {{roe: dropped}}\n", "utf-8")
    done = known.collect(ROSTER="later.csv")
    assert done.returncode == 0 and "1 left: roe" in done.stdout, done.stderr
    assert "roe" not in known.names()


@pytest.mark.parametrize(
    "tie", [decision, extension, excuse, change_by_hand, publication]
)
def test_whoever_has_left_stops_no_grade(tie: Any, known: Desk) -> None:
    """The refusal says to write `left`: nothing may then refuse the id that the roster
    has no longer.
    """
    tie(known)
    course = Path(known.kit / "staff" / "course.yaml")
    course.write_text(f"{course.read_text('utf-8')}\nleft: {{roe: dropped}}\n", "utf-8")
    done = rostered(known, FIRST.partition('"Roe')[0])
    assert (done.returncode, done.stderr) == (0, "")
    done = known.type("grade")
    assert done.returncode == 0 and "left: roe\n" in done.stdout, done.stderr
    done = known.type("why WHO=roe")
    assert (
        done.returncode == 0
        and done.stdout.startswith("roe Roe, Bob\n")
        and "dropped" in done.stdout
    ), done.stderr
    gradebook = (known.kit / "grades" / "gradebook.csv").read_text("utf-8-sig")
    assert '\nroe,"Roe, Bob",left,' in gradebook, "the name that the last roster had"


def test_whoever_was_once_there_may_have_left(known: Desk) -> None:
    """Of a student on whom nothing hangs, two rosters later."""
    for number in (1, 2):
        rostered(known, FIRST.partition('"Roe')[0], f"{number}.csv")
    course = Path(known.kit / "staff" / "course.yaml")
    text = course.read_text("utf-8")
    course.write_text(f"{text}\nleft: {{roe: dropped}}\n", "utf-8")
    assert "1 left: roe\n" in known.collect().stdout
    assert known.type("grade").returncode == 0
    course.write_text(f"{text}\nleft: {{roo: dropped}}\n", "utf-8")
    said = known.collect().stdout
    assert (
        "1 in course.yaml, and not on the roster: roo\n" in said
        and "left: roo" not in said
    )
    done = known.type("grade")
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        done.stderr
        == "staff/course.yaml: `left`: 'roo' was never on a roster; do you mean roe?\n"
    )


def test_a_file_may_be_given_to_whoever_has_left(known: Desk) -> None:
    course = Path(known.kit / "staff" / "course.yaml")
    course.write_text(f"{course.read_text('utf-8')}\nleft: {{roe: dropped}}\n", "utf-8")
    rostered(known, FIRST.partition('"Roe')[0])
    known.edit("roebob_102_9001_lab.py", student="ROE")
    done = known.collect()
    assert (done.returncode, done.stderr) == (0, "")
    assert known.row("roebob_102_9001_lab.py").startswith("roe; ")


OLD_OWNERS = {  # as a kit wrote them in which the first key decided
    "by both": [[["canvas", "102"], ["name", "roebob"]]],
    "by one of them": [[["canvas", "102"], ["name", "redteam"]]],
    "by an ending": [
        [["username at the end", "Lab 1_x_roe"], ["id at the end", "Lab 1_x_roe"]]
    ],
    "by the id": [[["id", "roe"], ["name", "roe"]]],
    "by numbers": [[["sid", "s1"], ["email", "x@x"], ["id", "s1"], ["id", "x@x"]]],
}


@pytest.mark.parametrize(
    ("kind", "owner"),
    [
        ("by both", "roe"),
        ("by one of them", ""),
        ("by an ending", ""),
        ("by the id", "roe"),
        ("by numbers", "doe"),
    ],
)
def test_files_in_a_store_of_before(kind: str, owner: str, known: Desk) -> None:
    known.put_owners(OLD_OWNERS[kind])
    assert known.collect().returncode == 0
    assert known.row("roebob_102_9001_lab.py").partition(";")[0] == owner
    known.collect(FROM="downloads")
    assert known.row("roebob_102_9001_lab.py").partition(";")[0] == "roe"


def test_an_id_that_nothing_hangs_on_may_go(known: Desk) -> None:
    assert rostered(known, FIRST.partition('"Roe')[0]).returncode == 0


def test_a_roster_that_is_not_there(desk: Desk) -> None:
    done = desk.collect(ROSTER="nowhere.csv")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith(
        "ROSTER=nowhere.csv: No such file or directory; name the table that "
    )
