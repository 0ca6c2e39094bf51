"""make grade, why, publish and log: what comes out of a class that is graded once, and
what happens to it then.
"""

import csv
import hashlib
import io
import json
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from staff.tests.gradebook.samples import lay
from staff.tests.support.browser import CHROMEDRIVER, CHROMIUM, Browser
from staff.tests.support.masters import change, decide, take_as_filled
from staff.tests.support.tables import rows_of
from staff.tests.support.typed import clone_into, run
from staff.wrong_labs import build, load_wrong_labs, with_body

pytestmark = pytest.mark.long
SYSTEMS = rows_of(Path(__file__).with_name("outputs.yaml"))
HOSTILE = 'raise ValueError("</pre><script>alert(1)</script> ``` # forged")'
FILES = {
    "annlee_1_11_lab.py": "",
    "bobray_LATE_2_12_lab.py": "alphabeta-cuts-only-when-greater",
    "diday_3_13_lab.py": "ALIKE",
    "evecu_4_14_lab.py": f"{HOSTILE}\n",
    "fingo_5_15_lab.ipynb": "{}",
}
BY_MAIL = {"hum.py": "ALIKE# by myself"}  # of which nothing says when it came


STATES = {
    "ann": "graded", "bob": "graded", "di": "graded", "eve": "graded", "fin": "refused", "hum": "graded",
    "ida": "missing", "jo": "excused",
}  # fmt: skip
SCORED = [id for id, state in STATES.items() if state == "graded"]
KEPT = (
    "grades.db",
    "lock",
    "collected.csv",
    "hand.csv",
)  # of grades/, all else is made
AS_GRADED = "as graded"
CHANGED = ("staff/course.yaml", "staff/filled.json")  # by tests, besides two folders


class Class:
    """A class that is graded, in a master copy of a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.kit = folder / "kit"
        self.grades = self.kit / "grades"

    def type(self, words: str, status: int = 0) -> str:
        """Type `python grader …`; what it says."""
        done = run(f'"{sys.executable}" "{self.kit}/grader" {words}', self.folder)
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout if status == 0 else done.stderr

    def refuses(self, words: str) -> str:
        """Type `python grader …`, which refuses; what it says."""
        return self.type(words, 2)

    def collect(self, folder: str, files: dict[str, Any]) -> str:
        """Collect more files out of a folder; what is said."""
        lay(self.folder / folder, files)
        return self.type(f'collect FROM="{folder}"')

    def table(self, name: str) -> list[dict[str, str]]:
        """The rows of a table in grades/."""
        text = (self.grades / name).read_text("utf-8-sig")
        return list(csv.DictReader(io.StringIO(text)))

    def rows(self, name: str = "gradebook.csv") -> dict[str, dict[str, str]]:
        """A table in grades/, by id."""
        return {row["id"]: row for row in self.table(name)}

    def causes(self) -> dict[str, str]:
        """Why scores have changed, by id."""
        return {id: row["cause"] for id, row in self.rows("changes.csv").items()}

    def read(self, name: str) -> str:
        return (self.grades / name).read_text("utf-8")

    def look_at(self) -> str:
        """The part of summary.html that says at whom the staff should look."""
        page = self.read("summary.html")
        return page[page.index("Look at these") : page.index("<h2>Scores")]

    def by_hand(self, *lines: str) -> None:
        """Write changes by hand, in place of earlier ones."""
        text = "\n".join(["id,what,points,reason,by", *lines])
        (self.grades / "hand.csv").write_text(text, "utf-8")

    def edit(self, change: Callable[[dict[str, str]], object]) -> None:
        """Edit each row of collected.csv."""
        rows = self.table("collected.csv")
        for row in rows:
            change(row)
        file = self.grades / "collected.csv"
        with file.open("w", encoding="utf-8", newline="") as form:
            writer = csv.DictWriter(form, rows[0])
            writer.writeheader()
            writer.writerows(rows)

    def files(self) -> dict[str, bytes]:
        """All that came out."""
        return {
            file.relative_to(self.grades).as_posix(): file.read_bytes()
            for file in sorted(self.grades.rglob("*"))
            if file.is_file() and file.name not in KEPT
        }

    def preview(self) -> dict[str, bytes]:
        """What stands in grades/ beside the publications."""
        files = self.files().items()
        return {name: data for name, data in files if not name.startswith("published/")}

    def published(self, number: int) -> dict[str, bytes]:
        """What was published under a number."""
        place = f"published/{number}/"
        return {
            name.removeprefix(place): data
            for name, data in self.files().items()
            if name.startswith(place)
        }

    def save(self, name: str) -> None:
        """Keep the class as it is now under a name."""
        kept = self.folder / name
        shutil.copytree(self.grades, kept / "grades")
        shutil.copytree(self.kit / "boards", kept / "boards")
        for file in CHANGED:
            shutil.copy(self.kit / file, kept)

    def restore(self, name: str) -> None:
        """Let the class be as it was."""
        kept = self.folder / name
        for folder in ("grades", "boards"):
            shutil.rmtree(self.kit / folder)
            shutil.copytree(kept / folder, self.kit / folder)
        for file in CHANGED:
            shutil.copy(kept / Path(file).name, self.kit / file)

    def reach(self, name: str, steps: Callable[[], None]) -> None:
        """Let the class be as it is after these steps, which are taken once."""
        if (self.folder / name).exists():
            self.restore(name)
        else:
            steps()
            self.save(name)


def set_up(kit: Path) -> None:
    """Parts 2 and 3 of a course, with hidden cases of alpha-beta."""
    clone_into(kit)
    decide(
        kit,
        parts="[2, 3]",
        excused="{jo: ill}",
        isolation=f"lock\ncolumn: {SYSTEMS[0]['column']}",
    )
    public = (kit / "boards/cases/2d-alphabeta.yaml").read_text("utf-8")
    head, *cases = re.split(r"^(?=  - id: )", public, flags=re.MULTILINE)
    hidden = f"hidden: true\n{head}{''.join(cases[3:5])}"
    lay(kit / "staff" / "hidden", {"2z-covered-well.yaml": hidden})
    take_as_filled(kit)


def texts_of(files: dict[str, str], kit: Path) -> dict[str, str]:
    """What these files hold: a wrong lab, or the text itself, or the model."""
    labs = {lab.id: lab for lab in load_wrong_labs()}
    model = (kit / "lab.py").read_text("utf-8")
    alike = with_body("dfs_maximizing", "return [state], 7, 1", model)
    texts = {}
    for name, given in files.items():
        if given in labs:
            texts[name] = build(labs[given], model)
        else:
            texts[name] = given.replace("ALIKE", alike) or model
    return texts


def fill_in_a_time(row: dict[str, str]) -> None:
    """All were on time but bob, and nothing says when hum's file came."""
    times = {"bob": "2027-02-13 08:00", "hum": ""}
    row["submitted"] = times.get(row["kit_student"], "2027-02-12 20:00")


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Class:
    """A class of eight, of whom six have handed in; it is graded."""
    graded = Class(tmp_path_factory.mktemp("a class"))
    set_up(graded.kit)
    lay(graded.folder / "downloads", texts_of(FILES, graded.kit))
    lay(graded.folder / "mail", texts_of(BY_MAIL, graded.kit))
    (roster,) = SYSTEMS[0]["roster"]
    lay(graded.folder, SYSTEMS[0]["roster"])
    graded.type(f"collect FROM=downloads ROSTER={roster}")
    graded.type("collect FROM=mail")
    graded.edit(fill_in_a_time)
    assert "has edited cells: type python grader collect" in graded.refuses("grade")
    graded.type("collect")
    graded.type("grade ISOLATE=none" if sys.platform != "linux" else "grade")
    graded.save(AS_GRADED)
    return graded


@pytest.fixture
def a_class(graded: Class) -> Iterator[Class]:
    """The class as it was graded."""
    yield graded
    graded.restore(AS_GRADED)


@pytest.fixture
def published(a_class: Class) -> Class:
    """The class after its first publication."""
    a_class.reach("as published", lambda: publish_first(a_class))
    return a_class


def publish_first(a_class: Class) -> None:
    said = a_class.type("publish ONTIME=1")
    assert "nothing was published before" in said


# --- the gradebook -------------------------------------------------------------------


def test_everybody_has_a_state(a_class: Class) -> None:
    rows = a_class.rows()
    assert {id: row["state"] for id, row in rows.items()} == STATES


def numbers_in(row: dict[str, str]) -> list[str]:
    """The cells of a row that hold points."""
    words = ("id", "name", "state", "ungraded", "note", "staff note")
    return [cell for column, cell in row.items() if column not in words]


def test_whoever_is_graded_has_all_numbers_and_nobody_else_has_one(
    a_class: Class,
) -> None:
    for row in a_class.rows().values():
        if row["state"] == "graded":
            assert all(numbers_in(row)), row
        else:
            assert not any(numbers_in(row)), row


@pytest.mark.parametrize("id", SCORED)
def test_a_row_of_the_gradebook_adds_up(id: str, a_class: Class) -> None:
    row = a_class.rows()[id]
    raw = Decimal(row["raw"])
    assert sum(Decimal(row[part]) for part in row if "part" in part) == raw
    assert raw - Decimal(row["penalty"]) == Decimal(row["score"])


def test_the_model_gets_everything_and_a_file_without_a_lab_gets_nothing(
    a_class: Class,
) -> None:
    rows = a_class.rows()
    assert rows["ann"]["score"] == "48.00"
    assert rows["eve"]["score"] == "0.00"


def test_lateness_is_noted_and_costs_a_tenth(a_class: Class) -> None:
    rows = a_class.rows()
    assert rows["hum"]["note"] == "time unknown"
    assert rows["bob"]["note"] == "late, counts as 1 day"
    tenth = int(float(rows["bob"]["raw"]) * 10) / 100
    assert float(rows["bob"]["penalty"]) == tenth


def test_a_name_cannot_be_a_formula(a_class: Class) -> None:
    assert a_class.rows()["jo"]["name"].startswith("'=")


# --- exports -------------------------------------------------------------------------


def replaced(table: bytes, place: str, old: str, new: str, coding: str) -> bytes:
    """A table with another text in a place, where `@` stands for the text."""
    before = place.replace("@", old).encode(coding)
    assert table.count(before) == 1, place
    return table.replace(before, place.replace("@", new).encode(coding))


@pytest.mark.parametrize("row", SYSTEMS, ids=[row["system"] for row in SYSTEMS])
def test_the_export_comes_back(row: dict[str, Any], a_class: Class) -> None:
    """Read by the system's rules: its own cells to the byte, and a grade in each cell
    that it takes.
    """
    name, *_ = row["roster"]
    lay(a_class.folder, row["roster"])
    excused = "{jo: ill}" if "jo" in str(row["roster"]) else "{}"
    decide(a_class.kit, column=f'"{row["column"]}"', excused=excused)
    mark = row.get("decimal", ".")
    new = {id: each["score"].replace(".", mark) for id, each in a_class.rows().items()}
    new |= row.get("writes", {})

    a_class.type(f'collect ROSTER="{name}"')
    said = a_class.type("grade")
    assert " to grade;" not in said
    assert [line for line in row["says"] if line not in said] == []

    file = a_class.grades / "upload" / name
    assert file.exists() == ("takes" in row)
    table = (a_class.folder / name).read_bytes()
    for taken in (row.get("takes", {}), row.get("over", {})):
        for id, place in taken.items():
            old = row.get("holds", {}).get(id, "")
            table = replaced(table, place, old, new[id], row.get("coding", "utf-8"))
        assert not file.exists() or file.read_bytes() == table
        a_class.type("grade OVER=1")


# --- feedback ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("level", "shows_count", "shows_place", "says"),
    [
        ("full", True, True, "PARTLY RIGHT  alphabeta/equal-bounds"),
        ("place", False, True, "PARTLY RIGHT  alphabeta/equal-bounds"),
        ("verdict", False, False, "alphabeta/equal-bounds"),
    ],
)
def test_feedback_shows_what_the_course_allows(
    level: str, shows_count: bool, shows_place: bool, says: str, a_class: Class
) -> None:
    decide(a_class.kit, feedback=level)
    a_class.type("grade")
    for page in ("feedback/bob.html", "feedback/bob.md"):
        text = a_class.read(page)
        assert ("evaluations too many" in text) == shows_count, page
        assert ("1st evaluated" in text) == shows_place, page
        assert says in text
        assert "a hidden case of minimax_search_alphabeta" in text
    pages = [name for name in a_class.files() if name.startswith("feedback/")]
    assert [name for name in pages if "covered-well" in a_class.read(name)] == []


def test_feedback_says_what_lateness_costs_and_that_there_is_no_score(
    a_class: Class,
) -> None:
    assert "10% of" in a_class.read("feedback/bob.md")
    assert "Score: none" in a_class.read("feedback/ida.md")


def test_text_of_a_student_is_text_in_feedback(a_class: Class) -> None:
    page = a_class.read("feedback/eve.html")
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    fence = r"^````text\n.*```"
    assert re.search(fence, a_class.read("feedback/eve.md"), re.MULTILINE)


def test_feedback_goes_back_under_the_original_names(a_class: Class) -> None:
    with zipfile.ZipFile(a_class.grades / "upload/feedback.zip") as archive:
        pages = {name: archive.read(name).decode() for name in archive.namelist()}
    assert sorted(pages) == sorted(
        str(Path(name).with_suffix(".html")) for name in FILES
    )
    assert pages["bobray_LATE_2_12_lab.html"] == a_class.read("feedback/bob.html")


def test_feedback_that_is_collected_belongs_to_its_students(a_class: Class) -> None:
    said = a_class.type("collect FROM=kit/grades/upload/feedback.zip")
    assert "feedback.zip: Canvas, 5 files" in said
    assert "nobody" not in said


# --- the summary ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reason", "students"),
    [
        ("refused", "1: fin"),
        ("the file cannot be imported", "1: eve"),
        ("0 points", "1: eve"),
        ("no time known", "1: hum"),
        ("missing", "1: ida"),
    ],
)
def test_the_staff_look_at_these_first(
    reason: str, students: str, a_class: Class
) -> None:
    line = f'<b>{reason}</b> <span class="quiet">{students}</span>'
    assert line in a_class.look_at()


@pytest.mark.skipif(not (CHROMIUM and CHROMEDRIVER), reason="no Chromium here")
def test_the_summary_in_a_browser(a_class: Class) -> None:
    colours = set()
    with Browser() as browser:
        for mode in ("light", "dark"):
            scheme = {"name": "prefers-color-scheme", "value": mode}
            browser.emulate("Emulation.setEmulatedMedia", features=[scheme])
            browser.open((a_class.grades / "summary.html").as_uri())
            colour = "return getComputedStyle(document.body).backgroundColor"
            colours.add(browser.run(colour))
        text = browser.text("body")
        complaints = browser.complaints()
    assert len(colours) == 2
    assert complaints == []
    assert "cuts off only when alpha > beta, not when they are equal. 1: bob" in text
    assert "dfs_maximizing, such as dfs/" in text
    assert "2: di, hum" in text


# --- why -----------------------------------------------------------------------------


def test_why_tells_each_lost_point(a_class: Class) -> None:
    said = a_class.type("why WHO=bob")
    row = a_class.rows()["bob"]
    assert f"= {row['raw']}\n" in said
    assert f"{row['raw']} - {row['penalty']} = {row['score']}\n" in said
    points = re.findall(r"\((\S+) of (\S+) points\)$", said, re.MULTILINE)
    lost = sum(Decimal(most) - Decimal(got) for got, most in points)
    assert lost == 48 - Decimal(row["raw"])
    assert "covered-well/equal-bounds" in said
    assert "    evaluations   4            6\n" in said


def test_why_says_how_to_run_its_commands_on_that_file(a_class: Class) -> None:
    said = a_class.type("why WHO=bob")
    written = re.search(r"^python grader (why WHO=bob OUT=(\S+)), and add", said, re.M)
    assert written and f"add LAB={written[2]} to it" in said
    grader = f'"{sys.executable}" grader'
    runs = f"{grader} test K=alphabeta/equal-bounds"
    run(f"{grader} {written[1]}", a_class.kit)
    theirs = run(f"{runs} LAB={written[2]}", a_class.kit)
    assert re.search("evaluations   4 +6\n", theirs.stdout)
    assert run(runs, a_class.kit).returncode == 0
    (a_class.kit / written[2]).unlink()


def test_why_tells_when_which_file_was_handed_in(a_class: Class) -> None:
    said = a_class.type("why WHO=bob")
    assert "Handed in: Saturday 13 February 2027, 08:00 (Europe" in said
    assert "bobray_LATE_2_12_lab.py" in said


def test_why_tells_of_one_case(a_class: Class) -> None:
    said = a_class.type("why WHO=bob CASE=covered-well/equal-bounds")
    assert "covered-well/equal-bounds" in said
    assert "alphabeta/nim" not in said


def test_why_tells_who_has_no_score(a_class: Class) -> None:
    said = a_class.type("why WHO=ida CASE=alphabeta/nim")
    assert said.startswith("ida Ida É\nState: missing\n")
    assert "State: missing" in a_class.type("why WHO=ida,jo")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("WHO=bob CASE=nin", "there is no case 'nin'"),
        ("WHO=bop", "do you mean bob?"),
    ],
)
def test_why_refuses_what_is_not_there(words: str, says: str, a_class: Class) -> None:
    assert says in a_class.refuses(f"why {words}")


def test_who_only_reads_writes_nothing(a_class: Class) -> None:
    (a_class.grades / "lock").unlink()

    def times() -> dict[Path, int]:
        return {file: file.stat().st_mtime_ns for file in a_class.grades.rglob("*")}

    before = times()
    a_class.type("why WHO=bob,ida,jo")
    a_class.type("log")
    assert times() == before


def test_who_reads_may_stop_reading(a_class: Class) -> None:
    why = f'"{sys.executable}" "{a_class.kit}/grader" why WHO=ann,bob,eve'
    done = run(f"{{ {why}; echo status $? >&2; }} | head -n 1", a_class.folder)
    assert (done.stdout, done.stderr) == ("ann Lee, Ann\n", "status 0\n")


@pytest.fixture
def newer(a_class: Class) -> str:
    """The text of a newer file of eve's, which counts now."""
    model = (a_class.folder / "downloads/annlee_1_11_lab.py").read_text("utf-8")
    text = f"{model}# newer\n"
    a_class.collect("more", {"evecu_4_24_lab-1.py": text})
    return text


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_why_names_each_file(newer: str, a_class: Class) -> None:
    said = a_class.type("why WHO=eve")
    counts = f"evecu_4_24_lab-1.py (no time; SHA-256 {digest_of(newer)[:12]}): counts\n"
    assert counts in said
    does_not = r"evecu_4_14_lab.py \(Friday .*; SHA-256 \w{12}\): does not count: another file is the last"
    assert re.search(does_not, said)


@pytest.mark.parametrize("named", ["the one that counts", "by name", "by digest"])
def test_why_gives_a_file_back_and_replaces_none(
    named: str, newer: str, a_class: Class
) -> None:
    words = {
        "the one that counts": "",
        "by name": "FILE=evecu_4_14_lab.py",
        "by digest": f"FILE={digest_of(newer)[:8]}",
    }
    texts = {"by name": f"{HOSTILE}\n"}
    command = f'why WHO=eve {words[named]} OUT="lab-of-eve.py"'
    a_class.type(command)
    out = a_class.folder / "lab-of-eve.py"
    assert out.read_text("utf-8") == texts.get(named, newer)
    assert "already exists" in a_class.refuses(command)
    out.unlink()


def test_why_gives_back_no_file_of_somebody_elses(a_class: Class) -> None:
    said = a_class.refuses("why WHO=eve FILE=nothing OUT=lab-of-eve.py")
    assert "FILE=nothing names no file of eve; there" in said


# --- a publication and an appeal -----------------------------------------------------


def test_a_file_without_a_time_stops_a_publication(a_class: Class) -> None:
    said = a_class.refuses("publish")
    assert "nothing is published: these have a file without a time: hum" in said
    assert not (a_class.grades / "published/1").exists()


def test_a_publication_has_the_gradebook_the_export_and_the_feedback(
    published: Class,
) -> None:
    assert published.published(1).keys() >= {
        "gradebook.csv",
        "upload/grades.csv",
        "feedback/ann.html",
    }


def void_a_case(a_class: Class) -> None:
    """Declare a case void; its expectations are not filled in again."""
    change(
        a_class.kit / "boards/cases/2d-alphabeta.yaml", "  - id: equal-bounds\n",
        "  - id: equal-bounds\n    void: {how: full, why: two readings}\n",
    )  # fmt: skip


@pytest.mark.parametrize("verb", ["grade", "publish ONTIME=1"])
def test_a_void_case_is_filled_in_before_anything_is_graded(
    verb: str, a_class: Class
) -> None:
    void_a_case(a_class)
    says = "has changed since its expectations were filled in"
    assert says in a_class.refuses(verb)


def hear_appeals(a_class: Class) -> None:
    """Declare a case void, change points by hand, and grade."""
    void_a_case(a_class)
    take_as_filled(a_class.kit)
    a_class.by_hand(
        "ann,alphabeta/nim,0.1,copied,Prof",
        "di,total,20.5,oral exam,Prof",
        "ida,part 3,8,on paper,Prof",
    )
    (a_class.grades / "said.txt").write_text(a_class.type("grade"), "utf-8")


@pytest.fixture
def appealed(published: Class) -> Class:
    """The published class after a void case and changes by hand."""
    published.reach("as appealed", lambda: hear_appeals(published))
    return published


def test_nothing_runs_again_and_the_steps_are_counted(appealed: Class) -> None:
    said = appealed.read("said.txt")
    assert " to grade;" not in said
    before = appealed.rows("published/1/gradebook.csv")
    now = appealed.rows()
    steps = {
        id: Decimal(now[id]["score"]) - Decimal(before[id]["score"]) for id in SCORED
    }
    up = [step for step in steps.values() if step > 0]
    says = f"since publication 1: {len(up)} up (+{min(up):.2f} to +{max(up):.2f})"
    assert says in said
    assert f"2 down ({steps['ann']:.2f} to " in said


def test_each_step_has_its_cause(appealed: Class) -> None:
    causes = appealed.causes()
    assert "void, alphabeta/equal-bounds: full: two readings" in causes["bob"]
    assert "by hand, alphabeta/nim: 0.1 points by Prof: copied" in causes["ann"]
    assert "ida" not in causes


def test_students_read_what_was_decided(appealed: Class) -> None:
    di = appealed.rows()["di"]
    assert di["score"] == "20.50"
    assert "set by hand" in di["note"]
    assert "oral exam" in appealed.read("feedback/di.md")
    assert "two readings" in appealed.read("feedback/bob.md")


def test_nobody_gets_less_without_a_reason(appealed: Class) -> None:
    said = appealed.refuses("publish ONTIME=1")
    says = "would get less than before: ann, di: grades/changes.csv says why; to publish anyway, type python grader publish LOWER="
    assert says in said


@pytest.fixture
def twice(appealed: Class) -> Class:
    """The class after its second publication, which lowers two scores."""

    def publish() -> None:
        said = appealed.type('publish ONTIME=1 LOWER="as agreed"')
        assert "published: grades/published/2/" in said

    appealed.reach("as published twice", publish)
    return appealed


def test_a_publication_that_was_deleted_comes_back(twice: Class) -> None:
    first = twice.published(1)
    shutil.rmtree(twice.grades / "published/1")
    twice.by_hand()
    assert "2 up" in twice.type("grade")
    assert twice.published(1) == first


def test_the_log_has_it_all(twice: Class) -> None:
    twice.by_hand()
    twice.type("grade")
    log = twice.type("log")
    lines = [
        "publish, kit",
        "publication 1 takes as on time, without a time: hum",
        "publication 2 lowers: ann, di: as agreed",
        "void of alphabeta/equal-bounds: full: two readings",
        "submitted of bobray_LATE_2_12_lab.py: 2027",
        "by hand, di, total: 20.5 points by Prof: oral exam -> nothing\n",
    ]
    assert [line for line in lines if line not in log] == []


def test_the_store_has_what_was_published(twice: Class) -> None:
    with sqlite3.connect(twice.grades / "grades.db") as db:
        first, second = db.execute(
            "SELECT number, state, sums, made_of FROM published WHERE student = 'ann' ORDER BY number"
        )
    number, state, sums, made_of = first
    assert (number, state, second[0]) == (1, "graded", 2)
    assert json.loads(sums)["score"] == "48.00"
    assert json.loads(made_of)["file"].startswith("annlee_1_11_lab.py (")


def test_a_later_file_a_time_and_a_case_are_causes(
    published: Class,
) -> None:
    model = (published.folder / "downloads/annlee_1_11_lab.py").read_text("utf-8")
    decide(published.kit, extensions="{bob: 2027-02-19 23:59}", excused="{}")
    published.collect("more", {"evecu_4_24_lab-1.py": model})
    said = published.type("grade")
    assert " to grade;" not in said
    assert "since publication 1: 2 up" in said
    assert "0 down, 6 same" in said
    causes = published.causes()
    assert "time: late, counts as 1 day -> on time" in causes["bob"]
    assert "-> evecu_4_24_lab-1.py (" in causes["eve"]
    assert "case" not in causes["eve"]
    assert causes["jo"] == "state: excused; ill -> missing"
    no_score = published.rows("changes.csv")["jo"]
    assert (no_score["published score"], no_score["score"]) == ("", "")
    log = published.type("log")
    assert "excused, jo: ill -> nothing\n" in log
    assert "extension of bob: Friday 19 February 2027, 23:59" in log


# --- the same bytes ------------------------------------------------------------------


def kill_while_it_writes(a_class: Class) -> None:
    """Type `make grade`, and kill it when the feedback is there."""
    command = [sys.executable, str(a_class.kit / "grader"), "grade"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    while not (a_class.grades / "feedback").exists() and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()


def test_the_same_store_gives_the_same_bytes(published: Class) -> None:
    published.type("grade")
    before = published.files()
    for name in ("feedback", "upload"):
        shutil.rmtree(published.grades / name)
    (published.grades / "gradebook.csv").unlink()
    kill_while_it_writes(published)
    published.type("grade")
    assert published.files() == before


def unpacked(data: bytes) -> bytes:
    """All that a zip holds, one after the other."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return b"\n".join(archive.read(name) for name in archive.namelist())


def test_what_comes_out_says_nothing_of_this_machine(published: Class) -> None:
    place = str(published.folder)
    secrets = (socket.gethostname(), place, time.strftime("%Y-%m-%d"))
    for name, data in published.files().items():
        text = unpacked(data) if name.endswith(".zip") else data
        assert [secret for secret in secrets if secret.encode() in text] == [], name


# --- changes by hand -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ("ann,alphabeta/nim,0.1,copied, from page 3,Prof", "2: 6 cells; put quotes around text that contains a comma"),
        ("ann,alphabeta/nin,0.1,copied,Prof", "2: there is no 'alphabeta/nin'; do you mean alphabeta/nim"),
        ("ann,alphabeta/nim,a half,copied,Prof", "2: points are 'a half'; write a number such as 2.5"),
        ("ann,total,48.01,copied,Prof", "2: total is worth 48 points, and not 48.01"),
        ("ann,total,1,,Prof", "2: a change needs an id, a reason, and whoever made it"),
        ("ann,total,1,copied,Prof\nann,total,2,copied,Prof", "3: ann has a line for total already; keep one"),
    ],
)  # fmt: skip
def test_what_people_write_wrongly_is_one_line(
    lines: str, says: str, a_class: Class
) -> None:
    a_class.by_hand(lines)
    assert a_class.refuses("grade").startswith(f"grades/hand.csv, line {says}")


def test_a_hidden_case_by_hand_counts_among_the_hidden_ones(a_class: Class) -> None:
    before = a_class.rows()["bob"]
    a_class.by_hand("bob,covered-well/equal-bounds,0.02,her reading,Prof")
    a_class.type("grade")
    now = a_class.rows()["bob"]
    hidden, part_2, raw = (
        Decimal(now[column]) - Decimal(before[column])
        for column in ("hidden", "part 2", "raw")
    )
    assert hidden != 0
    assert hidden == part_2 == raw


def test_a_function_cannot_lose_its_only_case(a_class: Class) -> None:
    questions = a_class.kit / "boards/cases/3-questions.yaml"
    first = "  - id: question-1\n"
    change(questions, first, f"{first}    void: {{how: drop, why: unclear}}\n")
    take_as_filled(a_class.kit)
    says = "but no other public case of ANSWER_1 can take its points: how: full"
    assert says in a_class.refuses("grade")


def test_points_by_hand_replace_what_was_earned(a_class: Class) -> None:
    before = a_class.rows()
    a_class.by_hand(
        "ann,Part 3,2,on paper,Prof", 'bob,alphabeta/nim,"0,2",her reading,Prof'
    )
    a_class.type("grade")
    now = a_class.rows()
    assert (before["ann"]["part 3"], now["ann"]["part 3"]) == ("8.00", "2.00")
    assert float(now["ann"]["raw"]) == float(before["ann"]["raw"]) - 6
    # In place of what was earned, and not besides.
    assert float(now["bob"]["part 2"]) < float(before["bob"]["part 2"]) + 0.2


def test_the_staff_have_notes_of_their_own(a_class: Class) -> None:
    note = "her doctor wrote on 3 February"
    decide(a_class.kit, excused=f"{{jo: {{reason: ill, note: {note}}}}}")
    hand = "id,what,points,reason,by,note\ndi,total,20,oral exam,Prof,cheated before"
    (a_class.grades / "hand.csv").write_text(hand, "utf-8")
    a_class.type("grade")
    rows = a_class.rows()
    assert (rows["jo"]["note"], rows["jo"]["staff note"]) == ("ill", note)
    assert rows["di"]["staff note"] == "cheated before"
    assert f"For the staff: {note}" in a_class.type("why WHO=jo")
    names = [name for name in a_class.files() if name.endswith((".md", ".html"))]
    pages = "".join(map(a_class.read, names))
    assert "oral exam" in pages
    assert note not in pages
    assert "cheated before" not in pages


# --- who has no score ----------------------------------------------------------------

NO_SCORE = "{jo: ill}\nmissing: 0\nleft: {hum: dropped}"


def test_what_a_system_gets_for_who_has_no_score(a_class: Class) -> None:
    """With `missing: 0`, missing students get 0, and nobody else: not the refused, the
    excused, or who has left.
    """
    decide(a_class.kit, excused=NO_SCORE)
    a_class.type("grade")
    export = a_class.read("upload/grades.csv")
    cells = dict(re.findall(r",s\d,(\w+),A,[^,]*,([^,]*),", export))
    assert cells["ida"] == "0.00"
    assert cells["fin"] == ""
    assert cells["jo"] == "EX"
    assert cells["hum"] == ""


def test_who_has_left_has_no_score_and_no_feedback(a_class: Class) -> None:
    decide(a_class.kit, excused=NO_SCORE)
    assert "left: hum\n" in a_class.type("grade")
    hum = a_class.rows()["hum"]
    assert (hum["state"], hum["score"], hum["note"]) == ("left", "", "dropped")
    assert not (a_class.grades / "feedback/hum.html").exists()


def test_who_has_left_counts_as_lowered_once(published: Class) -> None:
    decide(published.kit, excused="{jo: ill}\nleft: {hum: dropped}")
    assert "these would get less than before: hum" in published.refuses("publish")
    assert "left: hum\n" in published.type("publish LOWER=dropped")
    row = published.rows("published/2/changes.csv")["hum"]
    assert (row["state"], row["score"]) == ("left", "")
    assert row["cases"] != "0"
    published.by_hand("ann,total,48,a trifle,Prof")
    assert "published: grades/published/3/" in published.type("publish")


@pytest.mark.parametrize(
    ("decision", "says"),
    [
        ({"extensions": "{bop: 2027-02-19 23:59}"}, "`extensions`: 'bop' is not on the roster; do you mean bob?"),
        ({"excused": "{bop: ill}"}, "`excused`: 'bop' is not on the roster; do you mean bob?"),
        ({"excused": "{}\nleft: {bop: dropped}"}, "`left`: 'bop' was never on a roster; do you mean bob?"),
        (
            {"excused": "{}\nleft: {bob: dropped, qqq: dropped}"},
            "`left`: 'qqq' was never on a roster; write an id from the roster",
        ),
    ],
)  # fmt: skip
def test_who_is_not_on_the_roster_is_refused(
    decision: dict[str, str], says: str, a_class: Class
) -> None:
    decide(a_class.kit, **decision)
    for verb in ("grade", "publish ONTIME=1", "why WHO=ann"):
        assert a_class.refuses(verb) == f"staff/course.yaml: {says}\n"
    assert "1 in course.yaml, and not on the roster: " in a_class.type("collect")
    assert not (a_class.grades / "published").exists()


# --- publications that stay ----------------------------------------------------------


def test_an_unchanged_publication_has_no_new_number(published: Class) -> None:
    said = published.type("publish")
    assert said.endswith("nothing has changed since publication 1\n")
    folders = (published.grades / "published").iterdir()
    assert [folder.name for folder in folders] == ["1"]


def test_publications_that_are_missing_are_written_again(published: Class) -> None:
    """Also after a command that was killed while it wrote them."""
    first = published.published(1)
    shutil.rmtree(published.grades / "published")
    (published.grades / "published/.killed/publication").mkdir(parents=True)
    said = published.type("publish")
    says = "missing in grades/, and written again: published/1/\n"
    assert said.startswith(says)
    assert said.endswith("nothing has changed since publication 1\n")
    assert published.published(1) == first
    folders = (published.grades / "published").iterdir()
    assert [folder.name for folder in folders] == ["1"]


def test_a_publication_that_was_changed_is_written_again(published: Class) -> None:
    first = published.published(1)
    (published.grades / "published/1/gradebook.csv").write_text("changed")
    shutil.rmtree(published.grades / "published/1/upload")
    said = published.type("grade")
    missing = "missing in grades/, and written again: published/1/upload/feedback.zip, published/1/upload/grades"
    assert missing in said
    changed = (
        "changed since it was published, and written again: published/1/gradebook.csv\n"
    )
    assert changed in said
    assert "written again" not in published.type("publish")
    assert published.published(1) == first


def test_a_publication_of_another_store_is_never_replaced(a_class: Class) -> None:
    """As if grades.db had been lost after a publication."""
    lost = a_class.grades / "published" / "1" / "gradebook.csv"
    lost.parent.mkdir(parents=True)
    lost.write_text("frozen", "utf-8")
    said = a_class.refuses("publish ONTIME=1")
    says = "grades/published/1/ is there, and grades/grades.db knows nothing of it: put your copy of "
    assert said.startswith(says)
    assert said.count("\n") == 1
    assert lost.read_text("utf-8") == "frozen"


# --- the preview ---------------------------------------------------------------------


@pytest.fixture
def decided(a_class: Class) -> Class:
    """A class that is published after a decision; nobody has typed make grade."""

    def publish() -> None:
        a_class.by_hand("di,total,20.5,oral exam,Prof")
        a_class.type("publish ONTIME=1")

    a_class.reach("as decided", publish)
    return a_class


def test_the_preview_is_what_was_published(decided: Class) -> None:
    assert decided.preview() == decided.published(1)
    assert decided.rows()["di"]["score"] == "20.50"


def test_a_refused_publication_writes_the_changes_that_it_names(decided: Class) -> None:
    decided.by_hand("di,total,19,oral exam,Prof")
    decided.refuses("publish ONTIME=1")
    assert not (decided.grades / "published/2").exists()
    assert "19 points by Prof" in decided.causes()["di"]


def test_the_preview_of_a_second_publication_is_what_was_published(
    decided: Class,
) -> None:
    decided.by_hand("di,total,19,oral exam,Prof")
    (decided.grades / "upload/old.csv").write_text("of an older roster", "utf-8")
    decided.type("publish ONTIME=1 LOWER=agreed")
    assert decided.preview() == decided.published(2)
    assert decided.rows()["di"]["score"] == "19.00"


def test_the_preview_is_what_was_published_if_nothing_new_is(decided: Class) -> None:
    """But for the changes since, of which there are none."""
    decided.by_hand("di,total,48,oral exam,Prof")
    decided.type("grade")
    decided.by_hand("di,total,20.5,oral exam,Prof")
    said = decided.type("publish")
    assert said.endswith("nothing has changed since publication 1\n")
    preview = decided.preview() | {"changes.csv": b""}
    assert preview == decided.published(1) | {"changes.csv": b""}
    assert decided.rows("changes.csv") == {}


# --- what stops a publication --------------------------------------------------------

CANVAS = SYSTEMS[0]["roster"]["grades.csv"]
SEVERAL_COLUMNS = "write the heading to fill as `column` into staff/course.yaml: Essay (76) or Games lab (77)"
UNFILLED = {
    "no column is named": (CANVAS, "", SEVERAL_COLUMNS),
    "in another case": (CANVAS, "games lab (77)", "do you mean Games lab (77)?"),
    "with a slip": (CANVAS, "Gamse lab (77)", "do you mean Games lab (77)?"),
    "of nothing like it": (CANVAS, "Xyz", "write Essay (76) or Games lab (77)"),
    "not there yet": (
        CANVAS.replace(" (76)", "").replace(" (77)", ""), "",
        "it has no column of an assignment; export it again from Canvas with one, and type python grader collect ROS",
    ),
    "there twice": (
        CANVAS.replace("Essay (76)", "Games lab (77)"), "Games lab (77)",
        "the heading 'Games lab (77)' appears 2 times; rename the others",
    ),
    "no grades in Moodle": ("Identifier,ID number,Grade,grade\n1,ann,,\n", "", "the heading to fill as `column`"),
    "another maximum": (CANVAS.replace(",10,48,", ",10,50,"), "Games lab (77)", "; write `points: 50` into"),
    "another maximum in German": (
        "ID;ID-Nummer;Bewertung;Bestwertung\n1;ann;;50,00\n", "", "; write `points: 50` into staff/course.yaml",
    ),
    "another maximum in Moodle": ("Identifier;ID number;GRADE;Maximum_grade\n1;ann;;50\n", "", "; write `points: 50`"),
    "another maximum in Blackboard": (
        "Username\tLast Name\tFirst Name\tLab [Total Pts: 12,5 Score] |5\nann\tLee\tAnn\t\n", "",
        "; write `points: 12.5` into staff/course.yaml",
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("roster", "column", "way_out"), UNFILLED.values(), ids=UNFILLED
)
def test_an_export_that_cannot_be_filled_in_stops_a_publication(
    roster: str, column: str, way_out: str, a_class: Class
) -> None:
    lay(a_class.folder, {"other.csv": roster})
    decide(a_class.kit, column=f'"{column}"' if column else "Grade", excused="{}")
    if not column:
        change(a_class.kit / "staff/course.yaml", "column: Grade\n", "")
    a_class.type("collect ROSTER=other.csv")
    before = a_class.files()
    log = a_class.type("log")
    said = a_class.refuses("publish ONTIME=1")
    begins = ("other.csv cannot be filled in: ", "other.csv: the column ")
    assert said.startswith(begins)
    assert said.count("\n") == 1
    assert way_out in said
    assert a_class.files() == before
    assert a_class.type("log") == log


TWO_OF_HUM = "hum (hum.py, hum/lab.py)"
SETTLE = (
    "write `yes` into `counts` of the one that counts, or their times into `submitted`"
)


@pytest.fixture
def two_files(a_class: Class) -> Class:
    """A class in which nothing says which of hum's two files is the last."""
    said = a_class.collect("mail again", {"hum/lab.py": "# another one by mail\n"})
    says = f"1 several files, and nothing says which is the last: {TWO_OF_HUM}"
    assert says in " ".join(said.split())
    return a_class


def test_grade_says_how_to_settle_which_file_counts(two_files: Class) -> None:
    said = two_files.type("grade")
    says = f"{TWO_OF_HUM}: in grades/collected.csv, {SETTLE}, and type python grader collect\n"
    assert says in said
    head = two_files.look_at()
    assert f"{SETTLE}</b>" in head
    assert f"1: {TWO_OF_HUM}</span>" in head
    assert "<b>ungraded</b>" not in head


def test_an_open_question_about_files_stops_a_publication(two_files: Class) -> None:
    said = two_files.refuses("publish")
    open_question = f"these have several files, and nothing says which is the last: {TWO_OF_HUM}: in grades/"
    assert open_question in said
    anyway = f'{SETTLE}, and type python grader collect; or, to publish anyway, type python grader publish UNGRADED="the reason"'
    assert anyway in said
    assert "grader grade" not in said
    two_files.type("publish UNGRADED=later")
    assert "publication 1 leaves ungraded: hum: later" in two_files.type("log")


def count_the_first(row: dict[str, str]) -> None:
    """Decide that the first of hum's files counts."""
    if row["source"] == "hum.py":
        row["counts"] = "yes"


def test_a_person_settles_which_file_counts(two_files: Class) -> None:
    two_files.edit(count_the_first)
    assert "nothing says which" not in two_files.type("collect")
    assert "several files" not in two_files.type("grade")
    assert two_files.rows()["hum"]["state"] == "graded"


LOSE_VERDICTS = """
DELETE FROM verdict
WHERE function = 'solve' OR lab IN (SELECT sha256 FROM submission WHERE source LIKE 'ann%')
"""


def test_ungraded_students_stop_a_publication(a_class: Class) -> None:
    with sqlite3.connect(a_class.grades / "grades.db") as db:
        db.execute(LOSE_VERDICTS)
    said = a_class.refuses("publish ONTIME=1")
    assert "nothing is published: these are ungraded: ann: python grader why" in said
    assert "grade AGAIN=ungraded tries again; if that does not help, " in said
    assert "hand.csv; or, to publish anyway, type python grader publish UNGR" in said
    said = a_class.type('publish ONTIME=1 UNGRADED="the kit fails"')
    assert "published: grades/published/1/" in said
    assert "publication 1 leaves ungraded: ann: the kit fails" in a_class.type("log")
    row = a_class.rows("published/1/gradebook.csv")["ann"]
    assert row["score"] == ""
    assert row["note"].startswith("no verdict on ")
    assert "/" not in row["note"]


def take_the_time_away(row: dict[str, str]) -> None:
    """Let nothing say when ann's file and bob's came, except that bob's is LATE."""
    if row["kit_student"] in ("ann", "bob"):
        row["submitted"] = ""


@pytest.fixture
def without_times(a_class: Class) -> Class:
    """A class in which only Canvas knows who was late."""
    a_class.edit(take_the_time_away)
    a_class.type("collect")
    return a_class


def test_late_without_a_time_always_stops(without_times: Class) -> None:
    said = without_times.refuses("publish ONTIME=1")
    says = "these are marked LATE, and no time is known: bob: write the time into `submitted` in grades/"
    assert says in said


def test_the_systems_own_due_date_decides_of_who_is_not_late(
    without_times: Class,
) -> None:
    said = without_times.type("grade")
    says = "Canvas's own due date decided that 1 file without LATE and without a time came on time\n"
    assert says in said
    on_time = "Handed in: on time, as Canvas's own due date has it"
    assert on_time in without_times.read("feedback/ann.md")
    assert "Handed in: late, as Canvas has it" in without_times.read("feedback/bob.md")
    assert "marked LATE, time unknown</b>" in without_times.read("summary.html")


def test_where_a_system_subtracts_nobody_is_asked(without_times: Class) -> None:
    decide(without_times.kit, late="{per_day: 10, days: 3, by: course system}")
    assert "published: grades/published/1/" in without_times.type("publish")


@pytest.mark.parametrize("maximum", ["50", "12.5"])
def test_a_column_with_another_maximum_is_refused(maximum: str, a_class: Class) -> None:
    roster = CANVAS.replace(",10,48,", f",10,{maximum},")
    lay(a_class.folder, {"grades.csv": roster})
    a_class.type("collect ROSTER=grades.csv")
    says = f"grades.csv: the column 'Games lab (77)' takes {maximum} points, and the lab has 48; write `points: {maximum}`"
    for verb in ("grade", "publish"):
        assert a_class.refuses(verb).startswith(says)
    decide(a_class.kit, points=maximum)
    a_class.type("grade")
    assert float(a_class.rows()["ann"]["score"]) == float(maximum)


# --- make ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words", ["UNGRADED='it''s late' ONTIME=0", 'ONTIME=0 LOWER="a reason" OVER=1']
)
def test_make_passes_the_words_of_a_publication_on(words: str, a_class: Class) -> None:
    done = run(f"make publish {words}", a_class.kit)
    assert done.returncode == 2
    assert "a file without a time: hum" in done.stderr


def test_make_passes_the_words_of_a_question_on(a_class: Class) -> None:
    done = run("make why WHO=ann CASE=alphabeta/nim", a_class.kit)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("ann Lee, Ann\n")
