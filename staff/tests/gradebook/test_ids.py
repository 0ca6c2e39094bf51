"""Ids do not move: what a roster may change, what is refused, and by which line."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from staff.tests.gradebook.desk import Desk, desk_at
from staff.tests.gradebook.samples import lay
from staff.tests.support.masters import decide
from staff.tests.support.typed import refusal

CANVAS = "Student,ID,SIS User ID,SIS Login ID,Section,Lab (77)\n"
JANE = '"Doe, Jane",101,s1,doe,A,\n'
BOB = '"Roe, Bob",102,s2,roe,A,\n'
FIRST = f"{CANVAS}{JANE}{BOB}"
WITHOUT_BOB = f"{CANVAS}{JANE}"
GUEST = '"Guest, Late",109,s9,,A,\n'
AGAIN = '"Doe, Jane",103,s3,doe,A,\n'
MOODLE = "Identifier,Full name,Email address,Grade\nParticipant 1,Jane Doe,doe,\nParticipant 2,Bob Roe,roe,\n"
OF_BOB = "roebob_102_9001_lab.py"
OF_GUEST = "guestlate_109_9002_lab.py"
TWO = {"grades.csv": FIRST, "downloads/s.zip": {OF_BOB: "one"}}


@pytest.fixture(scope="module")
def grades(kit: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is in grades/ after the first roster, when one of two has handed in."""
    desk = desk_at(tmp_path_factory.mktemp("known"), kit)
    lay(desk.folder, TWO)
    said = desk.collected(FROM="downloads", ROSTER="grades.csv")
    assert "known by SIS Login ID" in said
    return desk.take_grades()


@pytest.fixture
def known(desk: Desk, grades: Path) -> Desk:
    """That class, with its download."""
    desk.put_back(grades)
    lay(desk.folder, TWO)
    return desk


def rostered(desk: Desk, text: str) -> "subprocess.CompletedProcess[str]":
    """Collect with a later roster."""
    lay(desk.folder, {"later.csv": text})
    return desk.collect(ROSTER="later.csv")


def let_leave(desk: Desk, *ids: str) -> None:
    """Write into course.yaml that students have left."""
    course = desk.kit / "staff" / "course.yaml"
    text = course.read_text("utf-8").partition("\nleft: ")[0]
    left = ", ".join(f"{id}: dropped" for id in ids)
    course.write_text(f"{text}\nleft: {{{left}}}\n", "utf-8")


# --- students without an id ----------------------------------------------------------


def test_a_late_guest_without_an_id_moves_nobody(known: Desk) -> None:
    known.edit(OF_BOB, student="roe", counts="no")
    known.collected()
    said = rostered(known, FIRST + GUEST).stdout
    assert "2 students on the roster (Canvas), known by SIS Login ID" in said
    listed = said.partition("Look at these.")[2].splitlines()
    assert listed[1] == "    1 no id yet, and left out: Guest, Late (line 4)"
    assert known.names().keys() == {"doe", "roe"}
    assert known.row(OF_BOB) == "roe; ; no; ready"


def test_the_file_of_a_guest_is_listed_and_belongs_to_the_guest_later(
    known: Desk,
) -> None:
    lay(known.folder, {"more/s.zip": {OF_GUEST: "two"}})
    rostered(known, FIRST + GUEST)
    says = f"1 perhaps of Guest, Late, without an id yet: {OF_GUEST}"
    assert says in known.collected(FROM="more")
    assert known.row(OF_GUEST).startswith("; ")
    rostered(known, FIRST + GUEST.replace("s9,,", "s9,late,"))
    assert known.row(OF_GUEST).startswith("late; ")


# --- the column that identifies ------------------------------------------------------


def test_each_system_keeps_its_own_column(known: Desk) -> None:
    assert "known by Email address" in rostered(known, MOODLE).stdout
    assert "known by SIS Login ID" in rostered(known, FIRST + GUEST).stdout


def test_a_store_of_before_keeps_the_column_of_its_roster(known: Desk) -> None:
    known.forget_the_column()
    says = "2 students on the roster (Canvas), known by SIS Login ID"
    assert says in rostered(known, FIRST + GUEST).stdout


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
    assert refusal(rostered(known, roster)).startswith(says)
    assert known.log() == before
    assert known.names().keys() == {"doe", "roe"}


def test_a_roster_that_is_not_there(desk: Desk) -> None:
    says = "ROSTER=nowhere.csv: No such file or directory; name the table that "
    assert refusal(desk.collect(ROSTER="nowhere.csv")).startswith(says)


# --- what hangs on an id -------------------------------------------------------------


Tie = Callable[[Desk], str]  # lets something hang on roe; the words about that


def decision(desk: Desk) -> str:
    desk.edit(OF_BOB, student="doe, roe", counts="yes", reason="by mail")
    desk.collected()
    return f"which grades/collected.csv has as `student` of {OF_BOB}"


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


TIES = pytest.mark.parametrize(
    "tie", [decision, extension, excuse, change_by_hand, publication]
)
IN_THE_ROSTER = "fix the student's line in the roster"
NO_ID = "line 3 has no id: if Roe, Bob there is roe, write the id into it"


# Lines in the place of Bob's, and what is said of them.
OTHER_LINES = {
    "": IN_THE_ROSTER,
    '"Roe, Bob",102,s2,,A,\n': NO_ID,
    '"Poe, Ann",102,s2,,A,\n': IN_THE_ROSTER,
    '"Roe, Bob",102,s2,bob,A,\n': IN_THE_ROSTER,
}


@TIES
@pytest.mark.parametrize(("line", "fix"), OTHER_LINES.items())
def test_an_id_that_something_hangs_on_does_not_go(
    tie: Tie, line: str, fix: str, known: Desk
) -> None:
    why = tie(known)
    before = known.log()
    said = refusal(rostered(known, WITHOUT_BOB + line))
    way_out = f"{fix}, or write `left: {{roe: dropped}}` into staff/course.yaml"
    assert said == f"later.csv: no line has the id roe, {why}; {way_out}\n"
    assert known.log() == before
    assert known.names().keys() == {"doe", "roe"}


def test_an_id_that_nothing_hangs_on_may_go(known: Desk) -> None:
    assert rostered(known, WITHOUT_BOB).returncode == 0


# --- who has left --------------------------------------------------------------------


@TIES
def test_whoever_has_left_stops_no_grade(tie: Tie, known: Desk) -> None:
    """The refusal says to write `left`: nothing then refuses that the id is gone."""
    tie(known)
    let_leave(known, "roe")
    done = rostered(known, WITHOUT_BOB)
    assert (done.returncode, done.stderr) == (0, "")
    done = known.type("grade")
    assert done.returncode == 0, done.stderr
    assert "left: roe\n" in done.stdout
    gradebook = (known.kit / "grades" / "gradebook.csv").read_text("utf-8-sig")
    # The name that the last roster had.
    assert '\nroe,"Roe, Bob",left,' in gradebook
    done = known.type("why WHO=roe")
    assert done.stdout.startswith("roe Roe, Bob\n")
    assert "dropped" in done.stdout


@pytest.mark.parametrize("line", OTHER_LINES)
def test_whoever_has_left_may_go_whatever_the_roster_says(
    line: str, known: Desk
) -> None:
    extension(known)
    let_leave(known, "roe")
    done = rostered(known, WITHOUT_BOB + line)
    assert (done.returncode, done.stderr) == (0, "")
    assert "1 left: roe" in done.stdout
    assert "roe" not in known.names()


@pytest.fixture
def gone(known: Desk) -> Desk:
    """The class two rosters after a student has gone on whom nothing hangs."""
    for _ in range(2):
        rostered(known, WITHOUT_BOB)
    return known


def test_whoever_was_once_there_may_have_left(gone: Desk) -> None:
    let_leave(gone, "roe")
    assert "1 left: roe\n" in gone.collected()
    assert gone.type("grade").returncode == 0


def test_whoever_was_never_there_has_not_left(gone: Desk) -> None:
    let_leave(gone, "roo")
    said = gone.collected()
    assert "1 in course.yaml, and not on the roster: roo\n" in said
    assert "left: roo" not in said
    says = "staff/course.yaml: `left`: 'roo' was never on a roster; do you mean roe?\n"
    assert refusal(gone.type("grade")) == says


def test_a_file_may_be_given_to_whoever_has_left(known: Desk) -> None:
    let_leave(known, "roe")
    rostered(known, WITHOUT_BOB)
    known.edit(OF_BOB, student="ROE")
    done = known.collect()
    assert (done.returncode, done.stderr) == (0, "")
    assert known.row(OF_BOB).startswith("roe; ")


# --- stores of before ----------------------------------------------------------------

OLD_OWNERS: dict[str, tuple[list[list[list[str]]], str]] = {
    "by both": ([[["canvas", "102"], ["name", "roebob"]]], "roe"),
    "by one of them": ([[["canvas", "102"], ["name", "redteam"]]], ""),
    "by an ending": (
        [[["username at the end", "Lab 1_x_roe"], ["id at the end", "Lab 1_x_roe"]]],
        "",
    ),
    "by the id": ([[["id", "roe"], ["name", "roe"]]], "roe"),
    "by numbers": (
        [[["sid", "s1"], ["email", "x@x"], ["id", "s1"], ["id", "x@x"]]],
        "doe",
    ),
}
"""Owners as a kit wrote them in which the first key decided, and who owns the file."""


def owner(desk: Desk) -> str:
    """Who owns the file."""
    return desk.row(OF_BOB).partition(";")[0]


@pytest.mark.parametrize(("keys", "student"), OLD_OWNERS.values(), ids=OLD_OWNERS)
def test_files_in_a_store_of_before(
    keys: list[list[list[str]]], student: str, known: Desk
) -> None:
    known.put_owners(keys)
    known.collected()
    assert owner(known) == student
    known.collected(FROM="downloads")
    assert owner(known) == "roe"
