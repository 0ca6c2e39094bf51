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
from pathlib import Path
from typing import Any

import pytest

from staff.tests.gradebook.desk import Desk
from staff.tests.gradebook.samples import lay
from staff.tests.support.masters import decide
from staff.tests.support.tables import rows_of
from staff.tests.support.typed import run

ROWS = rows_of(Path(__file__).with_name("collect.yaml"))


@pytest.fixture
def small(desk: Desk) -> Desk:
    """A class of three whose files are collected."""
    (desk.folder / "roster.csv").write_text(
        "id,name\nalice,Alice A\nbob,Bob B\n007,J B\n"
    )
    lay(
        desk.folder / "downloads",
        {
            "alice/lab.py": "one",
            "bob/games.py": "two",
            "007.py": "three",
            "x/lab.py": "four",
        },
    )
    assert desk.collect(FROM="downloads", ROSTER="roster.csv").returncode == 0
    return desk


@pytest.mark.parametrize("row", ROWS, ids=[row["name"] for row in ROWS])
def test_what_downloads_hold(row: dict[str, Any], desk: Desk) -> None:
    decide(desk.kit, **row.get("course", {}))
    words: dict[str, object] = {"FROM": row["origin"]} if "origin" in row else {}
    for name in row.get("roster", {}):
        lay(desk.folder, row["roster"])
        words["ROSTER"] = name
    if "downloads" in row:
        words["FROM"] = lay(desk.folder / "downloads", row["downloads"])
    before = sorted(desk.folder.rglob("*"))
    done = desk.collect(**words)
    assert sorted(desk.folder.rglob("*")) == before  # nothing is unpacked
    if "refuses" in row:
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert done.stderr.startswith(row["refuses"])
        assert not desk.form.exists()
        return
    assert done.returncode == 0, done.stderr
    assert {each["source"]: desk.row(each["source"]) for each in desk.read()} == row[
        "rows"
    ]
    for said in row.get("says", []):
        assert said in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 79
    again = desk.collect(**words)
    assert {each["source"]: desk.row(each["source"]) for each in desk.read()} == row[
        "rows"
    ]
    assert " 0 new" in again.stdout and "edited" not in again.stdout


def test_an_edited_cell_is_a_decision(small: Desk) -> None:
    small.edit(
        "x/lab.py",
        student="alice",
        submitted="2027-02-13 00:20",
        counts="yes",
        reason="by mail",
    )
    small.edit("007.py", student="7")  # as a spreadsheet writes it, and no edit
    small.edit("bob/games.py", state="Ready")
    said = small.collect().stdout
    assert "6 edited cells of grades/collected.csv, kept as decisions" in said
    assert "1 late, counts as 1 day: alice" in said and "3 no time known" in said
    assert (
        small.row("x/lab.py") == "alice; 2027-02-13 00:20:00+01:00; yes; ready, by mail"
    )
    assert small.row("alice/lab.py") == "alice; ; no; ready"
    assert small.row("bob/games.py") == "bob; ; yes; ready"
    assert ("submitted of x/lab.py", "", "2027-02-13 00:20:00+01:00") in small.log()
    before = small.form.read_bytes()
    assert "edited" not in small.collect(FROM="downloads", ROSTER="roster.csv").stdout
    assert small.form.read_bytes() == before
    small.form.unlink()
    small.collect()
    assert small.form.read_bytes() == before


@pytest.mark.parametrize(
    ("cells", "says"),
    [
        (
            {"student": "alcie"},
            "line 2: 'alcie' is not on the roster; do you mean alice?",
        ),
        (
            {"form": "77"},
            "line 2: `form` is '77', which is not a number of the kit's; copy another line's",
        ),
        (
            {"submitted": "02/03/2027 10:00"},
            "line 2: '02/03/2027 10:00' cannot be read; write it as",
        ),
        (
            {"submitted": "soon"},
            "line 2: 'soon' cannot be read; write it as 2027-02-12 23:59",
        ),
        (
            {"submitted": "2027-03-28 02:30"},
            "line 2: '2027-03-28 02:30' is skipped by the clocks of Europe/Zurich",
        ),
        (
            {"submitted": "9999-12-31 23:59"},
            "line 2: '9999-12-31 23:59' cannot be read; write it as",
        ),
        ({"counts": "ja"}, "line 2: counts is 'ja'; write yes or no"),
        ({"state": "graded"}, "line 2: state is 'graded'; write ready or refused"),
        (
            {"source": "alice/lab.py"},
            "line 4: the source 'alice/lab.py' is in another line already, or the",
        ),
    ],
)
def test_a_form_that_cannot_be_read_changes_nothing(
    cells: dict[str, str], says: str, small: Desk
) -> None:
    log = small.log()
    small.edit("x/lab.py", **cells)
    before = small.form.read_bytes()
    done = small.collect(FROM="downloads")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (
        2,
        "",
        1,
    ) and says in done.stderr
    assert (small.form.read_bytes(), small.log()) == (before, log)


def test_a_column_that_is_missing_or_new_changes_nothing(small: Desk) -> None:
    rows = small.read()
    small.write(
        [{key: cell for key, cell in row.items() if key != "state"} for row in rows]
    )
    assert "the first line must be source,size," in small.collect().stderr
    small.write([row | {"notes": "x"} for row in rows])
    assert "'notes' is none of these" in small.collect().stderr


def test_other_bytes_under_the_same_name_are_another_file(small: Desk) -> None:
    small.edit("alice/lab.py", submitted="2027-02-12 10:00")
    small.collect()
    lay(small.folder / "downloads", {"alice/lab.py": "new"})
    small.collect(FROM="downloads")
    assert small.row("alice/lab.py") == "alice; 2027-02-12 10:00:00+01:00; no; ready"
    assert small.row("alice/lab.py (2)") == "alice; ; yes; ready"
    lay(
        small.folder / "downloads", {"alice/lab.py": "one"}
    )  # an old download, once more
    small.collect(FROM="downloads")
    assert small.row("alice/lab.py (2)").endswith("; yes; ready")


def test_a_kill_between_store_and_form_invents_no_edit(small: Desk) -> None:
    old = small.form.read_bytes()
    lay(small.folder / "downloads", {"alice/lab.py": "new"})
    small.collect(FROM="downloads")
    small.form.write_bytes(old)
    with (
        contextlib.closing(sqlite3.connect(small.form.with_name("grades.db"))) as db,
        db,
    ):  # as a kill leaves it
        assert db.execute(
            "SELECT 1 FROM form_written WHERE sha256 = ?",
            (hashlib.sha256(old).hexdigest(),),
        ).fetchone()
    assert "edited" not in small.collect().stdout
    assert not [what for what, _, _ in small.log() if " of " in what]


def test_a_decision_is_taken_back_by_emptying_its_cell(small: Desk) -> None:
    small.edit("alice/lab.py", counts="no")
    assert (
        "1 edited cell " in small.collect().stdout
        and small.row("alice/lab.py") == "alice; ; no; ready"
    )
    small.edit("alice/lab.py", counts="")
    assert (
        "1 edited cell " in small.collect().stdout
        and small.row("alice/lab.py") == "alice; ; yes; ready"
    )
    assert ("counts of alice/lab.py", "no", "") in small.log()


def test_nothing_is_a_decision_that_has_a_word(small: Desk) -> None:
    small.edit("alice/lab.py", student="Nobody", submitted="2027-02-12 10:00")
    small.collect()
    assert small.row("alice/lab.py") == "; 2027-02-12 10:00:00+01:00; no; ready"
    small.edit("alice/lab.py", student="", submitted="unknown")
    small.collect()
    assert small.row("alice/lab.py") == "alice; ; yes; ready"


def test_a_spreadsheet_that_is_saved_late_decides_nothing_by_itself(
    small: Desk,
) -> None:
    """It was opened before a newer file came in and before somebody decided otherwise;
    only its new edits count.
    """
    small.edit("alice/lab.py", counts="no", submitted="2027-02-12 10:00")
    small.collect()
    opened = small.read()
    lay(small.folder / "downloads", {"alice/lab.py": "new"})
    small.collect(FROM="downloads")
    small.edit("alice/lab.py", counts="", submitted="2027-02-12 11:00")
    small.edit("x/lab.py", student="bob")
    small.collect()
    decided = [
        small.row(source)
        for source in ("alice/lab.py", "alice/lab.py (2)", "x/lab.py", "007.py")
    ]
    small.write(opened)
    assert "edited" not in small.collect().stdout
    assert [
        small.row(source)
        for source in ("alice/lab.py", "alice/lab.py (2)", "x/lab.py", "007.py")
    ] == decided
    for row in opened:
        row["note"] = "look" if row["source"] == "007.py" else ""
    small.write(opened)
    assert "1 edited cell " in small.collect().stdout
    assert [
        small.row(source)
        for source in ("alice/lab.py", "alice/lab.py (2)", "x/lab.py", "007.py")
    ] == decided


def test_what_the_kit_says_is_written_back(small: Desk) -> None:
    before = small.form.read_bytes()
    small.edit("alice/lab.py", kit_counts="no", kit_student="bob", sha256="0", size="1")
    assert "edited" not in small.collect().stdout and small.form.read_bytes() == before


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


def test_a_store_and_a_form_of_an_older_kit_keep_every_decision(small: Desk) -> None:
    """The store that the kit wrote before it had steps, and its form, in which one cell
    was edited since then.
    """
    old = Path(__file__).with_name("old")
    shutil.rmtree(small.form.parent)
    small.form.parent.mkdir()
    with contextlib.closing(sqlite3.connect(small.store)) as db:
        db.executescript((old / "grades.sql").read_text("utf-8"))
    shutil.copy(old / "collected.csv", small.form)
    assert tuple(small.read()[0]) == OLD_COLUMNS
    done = small.type("why WHO=alice")
    assert (done.returncode, done.stderr) == (0, "")
    rows = small.read()
    next(row for row in rows if row["source"] == "x/lab.py")["counts"] = "no"
    small.write(rows)
    assert small.type("log").stdout.count("submitted of x/lab.py"), (
        "who only reads takes no step"
    )
    assert "1 edited cell " in small.collect().stdout
    assert (
        small.row("x/lab.py") == "alice; 2027-02-13 00:20:00+01:00; no; ready, by mail"
    )
    assert small.row("bob/games.py") == "bob; ; yes; ready"
    assert ("counts of x/lab.py", "yes", "no") in small.log()
    small.write(rows)
    done = small.collect()
    assert (done.returncode, done.stderr.count("\n")) == (
        2,
        1,
    ) and "saved late; delete it" in done.stderr


def test_whoever_an_older_kit_has_dropped_may_have_left(small: Desk) -> None:
    """An older kit kept of them nothing but their publications, and the decisions on
    their files.
    """
    shutil.rmtree(small.form.parent)
    small.form.parent.mkdir()
    with contextlib.closing(sqlite3.connect(small.store)) as db:
        db.executescript(
            Path(__file__).with_name("old").joinpath("grades.sql").read_text("utf-8")
        )
        db.execute("INSERT INTO published VALUES (1, 'cy', 'missing', '{}', '{}')")
        db.execute("INSERT INTO decision VALUES ('007.py', 'student', '007, dee, eli')")
        db.commit()
    course = small.kit / "staff" / "course.yaml"
    text = course.read_text("utf-8")
    course.write_text(
        f"{text}\nleft: {{cy: dropped, dee: dropped, eli: dropped}}\n", "utf-8"
    )
    done = small.collect()
    assert done.returncode == 0 and "3 left: cy, dee, eli\n" in done.stdout, (
        done.stdout + done.stderr
    )
    done = small.type("why WHO=cy,dee,eli")
    assert (done.returncode, done.stdout.count("State: left; dropped\n")) == (0, 3), (
        done.stderr
    )


def test_what_a_spreadsheet_makes_of_a_cell_is_read(small: Desk) -> None:
    rows = small.read()
    next(row for row in rows if row["source"] == "x/lab.py").update(
        student="7", submitted="27.02.2027 20:11", counts="Yes"
    )
    for row in rows:
        row["Form"] = row.pop("form")
        row[""] = row[" "] = ""
    small.write(rows)
    assert "3 edited cells" in small.collect().stdout
    assert small.row("x/lab.py") == "007; 2027-02-27 20:11:00+01:00; yes; ready"


def test_a_file_name_is_no_formula(small: Desk) -> None:
    names = [f"{sign}cmd.py" for sign in "=+-@"]
    lay(small.folder / "mail", {**dict.fromkeys(names, "x"), "alice/+x.py": "y"})
    small.collect(FROM="mail")
    assert {f"'{name}" for name in names} <= {row["source"] for row in small.read()}
    small.edit("'=cmd.py", student="bob")
    assert "1 edited cell " in small.collect().stdout and small.row(
        "'=cmd.py"
    ).startswith("bob; ")


def test_late_in_canvas_and_on_time_here_is_listed(desk: Desk) -> None:
    (desk.folder / "roster.csv").write_text(
        'Student,ID,SIS User ID,SIS Login ID,Section\n"Doe, J",1,,doe,A\n'
    )
    lay(desk.folder / "s.zip_", {"doej_LATE_1_2_lab.py": "one"})
    desk.collect(FROM="s.zip_", ROSTER="roster.csv")
    desk.edit("doej_LATE_1_2_lab.py", submitted="2027-02-12 23:00")
    assert (
        "1 marked LATE, and on time here: doej_LATE_1_2_lab.py" in desk.collect().stdout
    )


def test_best_is_open_until_it_is_graded(small: Desk) -> None:
    decide(small.kit, counts="best")
    lay(small.folder / "downloads", {"alice/lab.py": "new"})
    small.collect(FROM="downloads")
    assert [small.row(f"alice/lab.py{more}") for more in ("", " (2)")] == [
        "alice; ; maybe; ready"
    ] * 2


def test_the_store_is_private_locked_and_logs_for_ever(small: Desk) -> None:
    assert (
        stat.S_IMODE(small.store.stat().st_mode)
        == 0o600
        == stat.S_IMODE(small.form.stat().st_mode)
    )
    with sqlite3.connect(small.store) as db:
        assert db.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        assert (
            db.execute("SELECT bytes FROM roster").fetchone()[0]
            == (small.folder / "roster.csv").read_bytes()
        )
        replaced = "INSERT OR REPLACE INTO log (id, who) VALUES (1, 'me')"
        for change in ("DELETE FROM log", "UPDATE log SET who = 'me'", replaced):
            with pytest.raises(
                sqlite3.IntegrityError, match="the log is only added to"
            ):
                db.execute(change)
    lock = str(small.store.with_name("lock"))
    hold = "import sqlite3, sys, time; db = sqlite3.connect(sys.argv[1]); db.execute('BEGIN EXCLUSIVE')"
    holder = subprocess.Popen(
        [sys.executable, "-c", f"{hold}; print(flush=True); time.sleep(99)", lock],
        stdout=subprocess.PIPE,
    )
    assert holder.stdout and holder.stdout.readline()
    done = small.collect()
    assert (done.returncode, done.stderr) == (
        2,
        "another command is writing into grades/; wait until it has ended\n",
    )
    holder.kill()
    holder.wait()
    assert small.collect().returncode == 0
    small.store.write_bytes(b"no database at all" * 99)
    done = small.collect()
    assert (done.returncode, done.stderr.count("\n")) == (
        2,
        1,
    ) and "grades/grades.db is damaged" in done.stderr


def test_make_collect(desk: Desk) -> None:
    (desk.folder / "my roster.csv").write_text("id\nalice\n")
    lay(desk.folder / "my downloads", {"alice.py": "one"})
    typed = f'make collect FROM="{desk.folder}/my downloads" ROSTER="{desk.folder}/my roster.csv"'
    done = run(typed, desk.kit)
    assert done.returncode == 0 and "1 no time known: alice" in done.stdout, done.stderr
    assert run("git init -q && git status --short grades", desk.kit).stdout == ""
    assert (
        run("git add -A && git add -f grades/collected.csv", desk.kit).returncode == 0
    )
    assert (
        "what belongs to a class is not part of the kit"
        in run("make release OUT=build/out", desk.kit).stderr
    )
    assert "make test takes no FROM=" in run("make test FROM=x", desk.kit).stderr


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
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("the disk is full (") and "move" not in done.stderr
    assert small.log()[: len(before)] == before
    assert small.collect(FROM="more").returncode == 0
    assert small.row("bob.py").startswith("bob; ; ")


def test_a_store_of_a_newer_kit_is_left_alone(small: Desk) -> None:
    with contextlib.closing(sqlite3.connect(small.store)) as db, db:
        db.execute("PRAGMA user_version = 99")
    for words in ("collect", "log"):
        done = small.type(words)
        assert (done.returncode, done.stderr.count("\n")) == (
            2,
            1,
        ) and "written by a newer kit" in done.stderr
