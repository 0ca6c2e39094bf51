"""make collect: downloads of every system, matched and listed (collect.yaml); what
people edit is kept.
"""

import contextlib
import hashlib
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from staff.tests.gradebook.desk import Desk, Form, desk_at
from staff.tests.gradebook.samples import lay
from staff.tests.support.masters import decide
from staff.tests.support.tables import named, rows_of
from staff.tests.support.typed import refusal, run

ROWS = rows_of(Path(__file__).with_name("collect.yaml"))
TAKEN = [row for row in ROWS if "refuses" not in row]
REFUSED = [row for row in ROWS if "refuses" in row]
SMALL = {
    "roster.csv": "id,name\nalice,Alice A\nbob,Bob B\n007,J B\n",
    "downloads/alice/lab.py": "one",
    "downloads/bob/games.py": "two",
    "downloads/007.py": "three",
    "downloads/x/lab.py": "four",
}


def words_of(row: dict[str, Any], desk: Desk) -> dict[str, object]:
    """Let a row's roster and downloads be there; the words that are typed."""
    decide(desk.kit, **row.get("course", {}))
    words: dict[str, object] = {"FROM": row["origin"]} if "origin" in row else {}
    for name in row.get("roster", {}):
        lay(desk.folder, row["roster"])
        words["ROSTER"] = name
    if "downloads" in row:
        words["FROM"] = lay(desk.folder / "downloads", row["downloads"])
    return words


@pytest.mark.parametrize("row", TAKEN, ids=named)
def test_what_downloads_hold(row: dict[str, Any], desk: Desk) -> None:
    """Nothing is unpacked, and the same downloads once more change nothing."""
    words = words_of(row, desk)
    before = sorted(desk.folder.rglob("*"))

    report = desk.collected(**words)
    assert sorted(desk.folder.rglob("*")) == before
    assert desk.rows() == row["rows"]
    assert [said for said in row.get("says", []) if said not in report] == []
    assert max(map(len, report.splitlines())) <= 79

    again = desk.collected(**words)
    assert desk.rows() == row["rows"]
    assert " 0 new" in again
    assert "edited" not in again


@pytest.mark.parametrize("row", REFUSED, ids=named)
def test_downloads_that_are_refused_leave_no_form(
    row: dict[str, Any], desk: Desk
) -> None:
    words = words_of(row, desk)
    before = sorted(desk.folder.rglob("*"))
    assert refusal(desk.collect(**words)).startswith(row["refuses"])
    assert sorted(desk.folder.rglob("*")) == before
    assert not desk.form.exists()


@pytest.fixture(scope="module")
def grades(kit: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is in grades/ when the files of a class of three are collected."""
    desk = desk_at(tmp_path_factory.mktemp("small"), kit)
    lay(desk.folder, SMALL)
    desk.collected(FROM="downloads", ROSTER="roster.csv")
    return desk.take_grades()


@pytest.fixture
def small(desk: Desk, grades: Path) -> Desk:
    """That class, with its downloads."""
    desk.put_back(grades)
    lay(desk.folder, SMALL)
    return desk


def collect_newer(desk: Desk) -> None:
    """Collect the downloads with a newer file of Alice's."""
    lay(desk.folder / "downloads", {"alice/lab.py": "new"})
    desk.collected(FROM="downloads")


# --- edited cells --------------------------------------------------------------------


@pytest.fixture
def edited(small: Desk) -> Desk:
    """That class after a person has edited cells, before they are read."""
    small.edit(
        "x/lab.py",
        student="alice",
        submitted="2027-02-13 00:20",
        counts="yes",
        reason="by mail",
    )
    small.edit("007.py", student="7")  # as a spreadsheet writes it, and no edit
    small.edit("bob/games.py", state="Ready")
    return small


def test_an_edited_cell_is_a_decision(edited: Desk) -> None:
    report = edited.collected()
    assert "6 edited cells of grades/collected.csv, kept as decisions" in report
    assert "1 late, counts as 1 day: alice" in report
    assert "3 no time known" in report
    rows = edited.rows()
    time = "2027-02-13 00:20:00+01:00"
    assert rows["x/lab.py"] == f"alice; {time}; yes; ready, by mail"
    assert rows["alice/lab.py"] == "alice; ; no; ready"
    assert rows["bob/games.py"] == "bob; ; yes; ready"
    assert ("submitted of x/lab.py", "", time) in edited.log()


def test_decisions_are_kept_whatever_becomes_of_the_form(edited: Desk) -> None:
    edited.collected()
    before = edited.form.read_bytes()
    said = edited.collected(FROM="downloads", ROSTER="roster.csv")
    assert "edited" not in said
    assert edited.form.read_bytes() == before
    edited.form.unlink()
    edited.collected()
    assert edited.form.read_bytes() == before


UNREADABLE = {
    "student": ("alcie", "line 2: 'alcie' is not on the roster; do you mean alice?"),
    "form": ("77", "line 2: `form` is '77', which is not a number of the kit's; copy another line's"),
    "counts": ("ja", "line 2: counts is 'ja'; write yes or no"),
    "state": ("graded", "line 2: state is 'graded'; write ready or refused"),
    "source": ("alice/lab.py", "line 4: the source 'alice/lab.py' is in another line already, or the"),
}  # fmt: skip
NO_TIMES = {
    "02/03/2027 10:00": "cannot be read; write it as",
    "soon": "cannot be read; write it as 2027-02-12 23:59",
    "2027-03-28 02:30": "is skipped by the clocks of Europe/Zurich",
    "9999-12-31 23:59": "cannot be read; write it as",
}


@pytest.mark.parametrize(
    ("column", "cell", "says"),
    [
        *((column, *cell_and_words) for column, cell_and_words in UNREADABLE.items()),
        *(
            ("submitted", time, f"line 2: '{time}' {why}")
            for time, why in NO_TIMES.items()
        ),
    ],
)
def test_a_form_that_cannot_be_read_changes_nothing(
    column: str, cell: str, says: str, small: Desk
) -> None:
    log = small.log()
    rows = small.read()
    (row,) = (row for row in rows if row["source"] == "x/lab.py")
    row[column] = cell
    small.write(rows)
    before = small.form.read_bytes()
    assert says in refusal(small.collect(FROM="downloads"))
    assert small.form.read_bytes() == before
    assert small.log() == log


def test_a_column_that_is_missing_changes_nothing(small: Desk) -> None:
    rows = small.read()
    for row in rows:
        del row["state"]
    small.write(rows)
    assert "the first line must be source,size," in refusal(small.collect())


def test_a_column_that_is_new_changes_nothing(small: Desk) -> None:
    small.write([row | {"notes": "x"} for row in small.read()])
    assert "'notes' is none of these" in refusal(small.collect())


def test_a_decision_is_taken_back_by_emptying_its_cell(small: Desk) -> None:
    small.edit("alice/lab.py", counts="no")
    assert "1 edited cell " in small.collected()
    assert small.row("alice/lab.py") == "alice; ; no; ready"
    small.edit("alice/lab.py", counts="")
    assert "1 edited cell " in small.collected()
    assert small.row("alice/lab.py") == "alice; ; yes; ready"
    assert ("counts of alice/lab.py", "no", "") in small.log()


def test_nothing_is_a_decision_that_has_a_word(small: Desk) -> None:
    small.edit("alice/lab.py", student="Nobody", submitted="2027-02-12 10:00")
    small.collected()
    assert small.row("alice/lab.py") == "; 2027-02-12 10:00:00+01:00; no; ready"
    small.edit("alice/lab.py", student="", submitted="unknown")
    small.collected()
    assert small.row("alice/lab.py") == "alice; ; yes; ready"


def test_what_the_kit_says_is_written_back(small: Desk) -> None:
    before = small.form.read_bytes()
    small.edit("alice/lab.py", kit_counts="no", kit_student="bob", sha256="0", size="1")
    assert "edited" not in small.collected()
    assert small.form.read_bytes() == before


def test_what_a_spreadsheet_makes_of_a_cell_is_read(small: Desk) -> None:
    small.edit("x/lab.py", student="7", submitted="27.02.2027 20:11", counts="Yes")
    rows = small.read()
    for row in rows:
        row["Form"] = row.pop("form")
        row[""] = row[" "] = ""
    small.write(rows)
    assert "3 edited cells" in small.collected()
    assert small.row("x/lab.py") == "007; 2027-02-27 20:11:00+01:00; yes; ready"


def test_a_file_name_is_no_formula(small: Desk) -> None:
    names = [f"{sign}cmd.py" for sign in "=+-@"]
    lay(small.folder / "mail", {**dict.fromkeys(names, "x"), "alice/+x.py": "y"})
    small.collected(FROM="mail")
    assert {f"'{name}" for name in names} <= small.rows().keys()
    small.edit("'=cmd.py", student="bob")
    assert "1 edited cell " in small.collected()
    assert small.row("'=cmd.py").startswith("bob; ")


# --- a spreadsheet that is saved late ------------------------------------------------


@dataclass(frozen=True)
class Late:
    """A class, and the rows of a spreadsheet that was opened before a newer file came
    in and before somebody decided otherwise.
    """

    desk: Desk
    opened: Form
    rows: dict[str, str]  # what holds since then


@pytest.fixture
def late(small: Desk) -> Late:
    small.edit("alice/lab.py", counts="no", submitted="2027-02-12 10:00")
    small.collected()
    opened = small.read()
    collect_newer(small)
    small.edit("alice/lab.py", counts="", submitted="2027-02-12 11:00")
    small.edit("x/lab.py", student="bob")
    small.collected()
    return Late(small, opened, small.rows())


def test_a_spreadsheet_that_is_saved_late_decides_nothing_by_itself(
    late: Late,
) -> None:
    late.desk.write(late.opened)
    assert "edited" not in late.desk.collected()
    assert late.desk.rows() == late.rows


def test_of_a_spreadsheet_that_is_saved_late_only_the_new_edits_count(
    late: Late,
) -> None:
    for row in late.opened:
        row["note"] = "look" if row["source"] == "007.py" else ""
    late.desk.write(late.opened)
    assert "1 edited cell " in late.desk.collected()
    assert late.desk.rows() == late.rows


def test_a_kill_between_store_and_form_invents_no_edit(small: Desk) -> None:
    """The store then knows the digest of the form that is there."""
    old = small.form.read_bytes()
    collect_newer(small)
    small.form.write_bytes(old)
    digest = hashlib.sha256(old).hexdigest()
    with contextlib.closing(sqlite3.connect(small.store)) as db:
        known = db.execute("SELECT sha256 FROM form_written").fetchall()
    assert (digest,) in known
    assert "edited" not in small.collected()
    assert [what for what, _, _ in small.log() if " of " in what] == []


# --- which file counts ---------------------------------------------------------------


def test_other_bytes_under_the_same_name_are_another_file(small: Desk) -> None:
    small.edit("alice/lab.py", submitted="2027-02-12 10:00")
    small.collected()
    collect_newer(small)
    assert small.row("alice/lab.py") == "alice; 2027-02-12 10:00:00+01:00; no; ready"
    assert small.row("alice/lab.py (2)") == "alice; ; yes; ready"


def test_an_old_download_once_more_changes_nothing(small: Desk) -> None:
    collect_newer(small)
    before = small.rows()
    lay(small.folder, SMALL)
    small.collected(FROM="downloads")
    assert small.rows() == before


def test_late_in_canvas_and_on_time_here_is_listed(desk: Desk) -> None:
    roster = 'Student,ID,SIS User ID,SIS Login ID,Section\n"Doe, J",1,,doe,A\n'
    lay(desk.folder, {"roster.csv": roster})
    lay(desk.folder / "s.zip_", {"doej_LATE_1_2_lab.py": "one"})
    desk.collected(FROM="s.zip_", ROSTER="roster.csv")
    desk.edit("doej_LATE_1_2_lab.py", submitted="2027-02-12 23:00")
    says = "1 marked LATE, and on time here: doej_LATE_1_2_lab.py"
    assert says in desk.collected()


def test_best_is_open_until_it_is_graded(small: Desk) -> None:
    decide(small.kit, counts="best")
    collect_newer(small)
    assert small.row("alice/lab.py") == "alice; ; maybe; ready"
    assert small.row("alice/lab.py (2)") == "alice; ; maybe; ready"


# --- stores of other kits ------------------------------------------------------------

OLD = Path(__file__).with_name("old")
OLD_COLUMNS = (
    "source",
    "sha256",
    "size",
    "found",
    "student",
    "submitted",
    "counts",
    "state",
    "reason",
)


@pytest.fixture
def older(small: Desk) -> Desk:
    """The class with the store and the form that the kit wrote before it had steps."""
    shutil.rmtree(small.form.parent)
    small.form.parent.mkdir()
    with contextlib.closing(sqlite3.connect(small.store)) as db:
        db.executescript((OLD / "grades.sql").read_text("utf-8"))
    shutil.copy(OLD / "collected.csv", small.form)
    assert tuple(small.read()[0]) == OLD_COLUMNS
    return small


def test_who_only_reads_may_read_the_store_of_an_older_kit(older: Desk) -> None:
    done = older.type("why WHO=alice")
    assert (done.returncode, done.stderr) == (0, "")
    assert "submitted of x/lab.py" in older.type("log").stdout


def test_a_store_and_a_form_of_an_older_kit_keep_every_decision(older: Desk) -> None:
    """And what was edited in the form since then."""
    older.edit("x/lab.py", counts="no")
    assert "1 edited cell " in older.collected()
    time = "2027-02-13 00:20:00+01:00"
    assert older.row("x/lab.py") == f"alice; {time}; no; ready, by mail"
    assert older.row("bob/games.py") == "bob; ; yes; ready"
    assert ("counts of x/lab.py", "yes", "no") in older.log()


def test_a_form_of_an_older_kit_that_is_saved_late_is_refused(older: Desk) -> None:
    opened = older.read()
    older.collected()
    older.write(opened)
    assert "saved late; delete it" in refusal(older.collect())


def test_whoever_an_older_kit_has_dropped_may_have_left(older: Desk) -> None:
    """An older kit kept of them nothing but their publications, and the decisions on
    their files.
    """
    older.form.unlink()
    with contextlib.closing(sqlite3.connect(older.store)) as db, db:
        db.execute("INSERT INTO published VALUES (1, 'cy', 'missing', '{}', '{}')")
        db.execute("INSERT INTO decision VALUES ('007.py', 'student', '007, dee, eli')")
    course = older.kit / "staff" / "course.yaml"
    left = "left: {cy: dropped, dee: dropped, eli: dropped}"
    course.write_text(f"{course.read_text('utf-8')}\n{left}\n", "utf-8")
    assert "3 left: cy, dee, eli\n" in older.collected()
    done = older.type("why WHO=cy,dee,eli")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("State: left; dropped\n") == 3


# --- the store -----------------------------------------------------------------------


def test_the_store_and_the_form_are_private(small: Desk) -> None:
    for file in (small.store, small.form):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_the_store_is_one_file_and_keeps_the_roster(small: Desk) -> None:
    with contextlib.closing(sqlite3.connect(small.store)) as db:
        (mode,) = db.execute("PRAGMA journal_mode").fetchone()
        (roster,) = db.execute("SELECT bytes FROM roster").fetchone()
    assert mode == "delete"
    assert roster == (small.folder / "roster.csv").read_bytes()


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM log",
        "UPDATE log SET who = 'me'",
        "INSERT OR REPLACE INTO log (id, who) VALUES (1, 'me')",
    ],
)
def test_the_log_is_for_ever(change: str, small: Desk) -> None:
    refused = pytest.raises(sqlite3.IntegrityError, match="the log is only added to")
    with contextlib.closing(sqlite3.connect(small.store)) as db, refused:
        db.execute(change)


HOLD = """
import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1])
db.execute('BEGIN EXCLUSIVE')
print(flush=True)
time.sleep(99)
"""


@contextlib.contextmanager
def another_command(desk: Desk) -> Iterator[None]:
    """Another command, which writes into grades/ and is killed in the end."""
    command = [sys.executable, "-c", HOLD, str(desk.store.with_name("lock"))]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as holder:
        assert holder.stdout
        assert holder.stdout.readline()
        yield
        holder.kill()


def test_two_commands_do_not_write_at_once(small: Desk) -> None:
    with another_command(small):
        done = small.collect()
    says = "another command is writing into grades/; wait until it has ended\n"
    assert refusal(done) == says


def test_a_command_that_was_killed_locks_nothing(small: Desk) -> None:
    with another_command(small):
        pass
    small.collected()


def test_a_store_that_is_damaged_is_said_to_be(small: Desk) -> None:
    small.store.write_bytes(b"no database at all" * 99)
    assert "grades/grades.db is damaged" in refusal(small.collect())


# --- make ----------------------------------------------------------------------------


def test_make_collect(desk: Desk) -> None:
    lay(desk.folder, {"my roster.csv": "id\nalice\n"})
    lay(desk.folder / "my downloads", {"alice.py": "one"})
    words = f'FROM="{desk.folder}/my downloads" ROSTER="{desk.folder}/my roster.csv"'
    done = run(f"make collect {words}", desk.kit)
    assert done.returncode == 0, done.stderr
    assert "1 no time known: alice" in done.stdout


def test_git_knows_nothing_of_a_class(small: Desk) -> None:
    done = run("git init -q && git status --short grades", small.kit)
    assert done.stdout == ""


def test_what_belongs_to_a_class_is_in_no_release(small: Desk) -> None:
    add = "git init -q && git add -A && git add -f grades/collected.csv"
    assert run(add, small.kit).returncode == 0
    done = run("make release OUT=build/out", small.kit)
    assert "what belongs to a class is not part of the kit" in done.stderr


# --- full disks ----------------------------------------------------------------------


FAILING = """
import errno, pathlib, sqlite3, sys

WHAT, KIT = sys.argv[1:3]
sys.path.insert(0, KIT)
if WHAT == "no room for the form":
    write_bytes = pathlib.Path.write_bytes
    def full(file, data):
        if "collected.csv" in file.name:
            raise OSError(errno.ENOSPC, "No space left on device", str(file))
        return write_bytes(file, data)
    pathlib.Path.write_bytes = full
if WHAT == "no room for the store":
    connect = sqlite3.connect
    def full(*words, **more):
        db = connect(*words, **more)
        db.execute("PRAGMA max_page_count = 1")  # which SQLite takes for as many as there are
        return db
    sqlite3.connect = full
if WHAT == "no room for the lock":
    touch = pathlib.Path.touch
    def full(file, *words, **more):
        raise OSError(errno.ENOSPC, "No space left on device", str(file))
    pathlib.Path.touch = full
from grader.cli import enter
sys.exit(enter(["collect", *sys.argv[3:]]))
"""


@pytest.mark.parametrize(
    "what", ["no room for the form", "no room for the store", "no room for the lock"]
)
def test_a_full_disk_is_told_as_that_and_loses_nothing(what: str, small: Desk) -> None:
    before = small.log()
    lay(small.folder / "more", {"bob.py": {"size": 200_000}})
    command = [sys.executable, "-c", FAILING, what, str(small.kit), "FROM=more"]
    done = subprocess.run(command, cwd=small.folder, capture_output=True, text=True)
    said = refusal(done)
    assert said.startswith("the disk is full (")
    assert "move" not in said
    assert small.log()[: len(before)] == before
    small.collected(FROM="more")
    assert small.row("bob.py").startswith("bob; ; ")


@pytest.mark.parametrize("verb", ["collect", "log"])
def test_a_store_of_a_newer_kit_is_left_alone(verb: str, small: Desk) -> None:
    with contextlib.closing(sqlite3.connect(small.store)) as db, db:
        db.execute("PRAGMA user_version = 99")
    assert "written by a newer kit" in refusal(small.type(verb))
