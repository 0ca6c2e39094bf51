"""A course of 60 through a whole term, as an instructor types it: who hands in what,
and has what then (term.yaml).
"""

import csv
import io
import json
import re
import sys
import unicodedata
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml

from staff.tests.gradebook.desk import Desk
from staff.tests.gradebook.samples import lay
from staff.tests.gradebook.test_outputs import Class
from staff.tests.support.masters import (
    change,
    copy_master,
    decide,
    take_as_filled,
    with_few_cases,
)
from staff.tests.support.typed import run
from staff.wrong_labs import build, load_wrong_labs

pytestmark = pytest.mark.long

TERM: dict[str, Any] = yaml.safe_load(
    Path(__file__).with_name("term.yaml").read_text("utf-8")
)
STAGES = ("has", "void", "by hand", "lowered")
UNGRADED = "UNGRADED='two files, and nobody knows which'"
DUE = datetime.fromisoformat("2027-02-12 23:59:59")


@dataclass(frozen=True)
class Student:
    """A student of the data."""

    id: str
    row: dict[str, Any]  # of term.yaml
    words: dict[str, Any]  # what the names and lines of the systems are made of

    @property
    def state(self) -> str:
        return str(self.row.get("state", "graded"))

    def has(self, stage: str) -> str:
        """raw - penalty = score, at this stage of the term; empty without a score."""
        so_far = STAGES[: STAGES.index(stage) + 1]
        sums = [self.row[name] for name in so_far if name in self.row]
        return sums[-1] if sums else ""

    def score(self, stage: str) -> str:
        return self.has(stage).rpartition(" ")[2]


def words_of(id: str, number: int, row: dict[str, Any]) -> dict[str, Any]:
    """The words of the student with this number on the list."""
    first = id.capitalize()
    last = TERM["last names"][number % len(TERM["last names"])]
    letters = unicodedata.normalize("NFKD", f"{last}{first}".lower())
    modified = "-"
    if row.get("by") == "Moodle":
        modified = f"{row['handed']:%A, %d %B %Y, %I:%M %p}"
    return {
        "id": id,
        "n": 101 + number,
        "first": first,
        "last": last,
        "key": re.sub(r"\W", "", letters),
        "modified": modified,
    }


def read_students() -> Iterator[Student]:
    """The students as the data lists them."""
    people = [(id, row) for row in TERM["students"] for id in row["who"].split()]
    for number, (id, row) in enumerate(people):
        yield Student(id, row, words_of(id, number, row))


STUDENTS = list(read_students())


@dataclass(frozen=True)
class File:
    """A file that a student hands in."""

    student: Student
    row: dict[str, Any]  # of term.yaml, about this file

    @property
    def words(self) -> dict[str, Any]:
        """The words that the file's name is made of, with those of the student."""
        time = self.row.get("handed")
        is_late = time and time > DUE
        return {
            **self.student.words,
            "file": "lab.py",
            "number": 9000,
            **self.row,
            "id": self.row.get("team", self.student.id),
            "late": "_LATE" if is_late else "",
        }

    @property
    def way(self) -> dict[str, str]:
        """How the system names the file, and what it lists beside."""
        way = TERM["ways"][self.row["by"]]
        return {name: text.format(**self.words) for name, text in way.items()}

    @property
    def source(self) -> str:
        """The name of the file in its folder or zip."""
        return self.way["named"].rpartition("//")[2]


FILES = [File(student, student.row) for student in STUDENTS if "by" in student.row]
ALSO = [
    File(student, student.row | student.row["also"])
    for student in STUDENTS
    if "also" in student.row
]


def downloads(labs: dict[str, Any]) -> dict[str, Any]:
    """What the systems export, for samples.py."""
    exported: dict[str, Any] = {}
    for place, text in texts_by_place(labs).items():
        folder, _, name = place.rpartition("//")
        if folder.endswith(".zip"):
            exported.setdefault(folder, {})[name] = text
        else:
            exported[f"{folder}/{name}"] = text
    return exported


def texts_by_place(labs: dict[str, Any]) -> dict[str, Any]:
    """What each file holds that a system exports, by its folder or zip and its name."""
    texts: dict[str, Any] = {}
    for file in FILES + ALSO:
        text = labs[file.row["lab"]]
        way = file.way
        if file.source.endswith(".zip"):
            text = {"zip": {"games/lab.py": text}}
        texts[way["named"]] = text
        if "beside" in way:
            texts.setdefault(way["beside"], way["head"])
            texts[way["beside"]] += way["line"]
    return texts


def export(system: str, cells: dict[str, str]) -> bytes:
    """A system's table of the class, with these grades."""
    roster = TERM["rosters"][system]
    text: str = roster["head"]
    for student in STUDENTS:
        grade = cells.get(student.id, "")
        text += roster["line"].format(grade=grade, **student.words)
    text += roster.get("foot", "")
    return text.encode(roster.get("coding", "utf-8"))


def read_back(system: str, data: bytes) -> dict[str, str]:
    """The grades in such a table, by id, as the system reads them."""
    roster = TERM["rosters"][system]
    text = data.decode(roster.get("coding", "utf-8-sig"))
    delimiter = "\t" if "\t" in text else ","
    lines = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    grades = {line[roster["id"]]: line[roster["column"]] for line in lines}
    grades.pop("", None)
    return grades


class Term(Class):
    """The class, graded by make."""

    def make(self, words: str) -> str:
        """Type `make …`; what it says."""
        done = run(f"make {words}", self.kit)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def regrade(self) -> str:
        """Type `make grade`, which runs nothing."""
        said = self.make("grade")
        assert " to grade;" not in said
        return said

    def publish(self, number: int, words: str) -> None:
        """Publish, and see that what was previewed is frozen, with a page for
        everybody.
        """
        preview = self.preview()
        self.make(f"publish {words}")
        assert {f"feedback/{student.id}.html" for student in STUDENTS} <= set(preview)
        assert self.published(number) == preview

    def is_published(self, number: int) -> bool:
        return (self.grades / "published" / str(number)).exists()


@dataclass
class Year:
    """The term so far."""

    term: Term
    # What the labs of the data hold, by their names.
    labs: dict[str, Any] = field(default_factory=dict)
    over: list[str] = field(default_factory=list)  # the stages that are over

    def reach(self, name: str) -> None:
        """Go through all stages up to this one; if one before it fails, that is another
        test's failure.
        """
        names = [stage.__name__ for stage in STAGES_OF_A_TERM]
        number = names.index(name)
        for before in names[:number]:
            if before not in self.over:
                pytest.skip(f"the stage before has failed, or was not run: {before}")
        STAGES_OF_A_TERM[number](self)
        self.over.append(name)


@pytest.fixture(scope="module")
def year(tmp_path_factory: pytest.TempPathFactory) -> Year:
    return Year(Term(tmp_path_factory.mktemp("term")))


# --- the stages ----------------------------------------------------------------------


def the_kit_is_set_up(year: Year) -> None:
    """A kit with few cases, the course's rules, hidden cases whose expectations the kit
    fills in, and a release.
    """
    kit = with_few_cases(copy_master(year.term.kit))
    decide(kit, **TERM["course"])
    lay(kit / "staff" / "hidden", TERM["hidden"])
    done = run("make expectations && git add --all && make release OUT=../release", kit)
    assert done.returncode == 0, done.stderr
    assert "and passes 2 hidden cases, none of which ships" in done.stdout
    year.labs = texts_of(TERM["labs"], kit)


def texts_of(labs: dict[str, Any], kit: Path) -> dict[str, Any]:
    """The labs of the data, made of the model's, and the stub that the release has."""
    wrong_labs = {wrong_lab.id: wrong_lab for wrong_lab in load_wrong_labs()}
    model = (kit / "lab.py").read_text("utf-8")
    stub = (kit.parent / "release" / "lab.py").read_text("utf-8")
    texts: dict[str, Any] = {}
    for name, lab in labs.items():
        text = model + lab.get("more", "").replace("KIT", str(kit))
        for id in lab.get("wrong", []):
            text = build(wrong_labs[id], text)
        texts[name] = lab.get("text", text)
    return texts | {"stub": stub}


def a_student_runs_the_release(year: Year) -> None:
    """The verdict of the release is what the gradebook says later without hidden
    cases.
    """
    release = year.term.folder / "release"
    (release / "lab.py").write_text(year.labs["two faults"], "utf-8")

    run("make test", release)

    lab = TERM["labs"]["two faults"]
    results = json.loads((release / "build" / "results.json").read_text("utf-8"))
    assert results["score"] == pytest.approx(sum(lab["parts"]) - lab["hidden"])
    assert (results["out_of"], results["later"]) == (94.5, 5.5)


def all_is_collected(year: Year) -> None:
    """One system after another, and three at once; first Moodle's, whose table has the
    times.
    """
    term = year.term
    lay(term.folder, downloads(year.labs))
    for system, roster in TERM["rosters"].items():
        table = export(system, roster.get("holds", {}))
        (term.folder / roster["file"]).write_bytes(table)
    for folder, row in TERM["collected"].items():
        said = term.make(f"collect FROM=../{folder} {row.get('words', '')}")
        assert [line for line in row["says"] if line not in said] == []


def people_fill_in_what_no_system_says(year: Year) -> None:
    """What they fill in is kept, and logged."""
    desk = Desk(year.term.folder)
    for file in FILES + ALSO:
        if file.row["by"] in TERM["without times"] and "handed" in file.row:
            desk.edit(file.source, submitted=str(file.row["handed"]))
        if "team" in file.row:
            desk.edit(file.source, student=file.row["who"].replace(" ", ", "))

    said = year.term.make("collect")

    assert "on time here: leemia_LATE_113_9000_lab.py" in said
    of_the_team = "xav, yul; 2027-02-13 12:00:00+01:00; yes; ready"
    assert desk.row("team-7/lab.py") == of_the_team
    assert ("student of team-7/lab.py", "", "xav, yul") in desk.log()
    form = desk.form.read_bytes()
    for folder in TERM["collected"]:
        assert " 0 new" in year.term.make(f"collect FROM=../{folder}")
    assert desk.form.read_bytes() == form


def the_class_is_graded_and_published(year: Year) -> None:
    """Each lab once, under however many students, in the table of each system;
    published with one time unknown.
    """
    term = year.term
    labs = {file.row["lab"] for file in FILES if file.student.state != "refused"}
    assert f"{len(labs)} submissions to grade;" in term.make("grade")
    check_gradebook(term, "has")
    for system in TERM["rosters"]:
        check_export(term, system, "has")

    assert "oto" in term.refuses("publish")
    assert not term.is_published(1)
    term.publish(1, f"ONTIME=1 {UNGRADED}")


VOID = "    void: {how: full, why: it can be read in two ways}\n"


def a_case_is_void(year: Year) -> None:
    """Nothing runs again, who had lost points there rises, and the table of changes
    says why.
    """
    term = year.term
    case = "  - id: equal-bounds\n"
    change(term.kit / "staff" / "hidden" / "2z-bounds.yaml", case, case + VOID)
    assert "has changed since its expectations were filled in" in term.refuses("grade")
    take_as_filled(term.kit)

    assert difference(1, "has", "void") in term.regrade()

    check_gradebook(term, "void")
    risen = {each.id for each in STUDENTS if each.score("has") != each.score("void")}
    causes = term.causes()
    assert set(causes) == risen
    why = "bounds/equal-bounds: full: it can be read in two ways"
    assert [cause for cause in causes.values() if why not in cause] == []
    pages = [name for name in term.files() if name.startswith("feedback/")]
    assert [name for name in pages if "equal-bounds" in term.read(name)] == []
    term.publish(2, f"ONTIME=1 {UNGRADED}")


def an_appeal_is_heard(year: Year) -> None:
    """What somebody asks is answered to the hundredth, and a point that is given is
    published.
    """
    term = year.term
    said = term.make("why WHO=tom CASE=solve/one-good-move")
    assert [text for text in TERM["why"] if text not in said] == []

    term.by_hand(TERM["by hand"])

    assert difference(2, "void", "by hand") in term.regrade()
    check_gradebook(term, "by hand")
    assert set(term.causes()) == {"tom"}
    term.publish(3, f"ONTIME=1 {UNGRADED}")


def a_score_is_lowered(year: Year) -> None:
    """Nobody falls without a reason; the log has all of the term, in its order."""
    term = year.term
    term.by_hand(TERM["by hand"], TERM["lowered"])
    assert "0 up, 1 down (-40.00 to -40.00)" in term.regrade()
    assert "joy" in term.refuses("publish ONTIME=1")
    assert not term.is_published(4)

    term.publish(4, f"ONTIME=1 {UNGRADED} LOWER='copied from ken'")

    check_gradebook(term, "lowered")
    check_export(term, "Blackboard", "lowered")
    assert re.search("(?s:.*)".join(TERM["log"]), term.make("log"))


def all_is_made_again(year: Year) -> None:
    """All in grades/ is made again but the store, people's tables and what is
    published.
    """
    term = year.term
    before = term.files()
    old = term.grades.rename(term.folder / "old grades")
    term.grades.mkdir()
    for name in ("grades.db", "collected.csv", "hand.csv", "published"):
        (old / name).rename(term.grades / name)

    term.regrade()

    assert term.files() == before


STAGES_OF_A_TERM: tuple[Callable[[Year], None], ...] = (
    the_kit_is_set_up, a_student_runs_the_release, all_is_collected, people_fill_in_what_no_system_says,
    the_class_is_graded_and_published, a_case_is_void, an_appeal_is_heard, a_score_is_lowered, all_is_made_again,
)  # fmt: skip


@pytest.mark.skipif(sys.platform != "linux", reason="Landlock is Linux's")
@pytest.mark.parametrize("stage", [stage.__name__ for stage in STAGES_OF_A_TERM])
def test_a_term(stage: str, year: Year) -> None:
    """Stage by stage: each goes on where the one before it has ended."""
    year.reach(stage)


# --- what a stage checks -------------------------------------------------------------


def check_gradebook(term: Term, stage: str) -> None:
    """Everybody's row, against the data."""
    rows = term.rows()
    assert list(rows) == [student.id for student in STUDENTS]
    for student in STUDENTS:
        row = rows[student.id]
        assert row["state"] == student.state, student.id
        if student.state == "graded":
            check_points(student, row, stage)
        else:
            check_that_there_are_no_points(student, row)


def points_in(row: dict[str, str]) -> list[str]:
    """The points of each part."""
    return [row[name] for name in row if name.startswith("part ")]


def check_that_there_are_no_points(student: Student, row: dict[str, str]) -> None:
    sums = [row["raw"], row["penalty"], row["score"], row["hidden"]]
    assert {*points_in(row), *sums} == {""}, student.id


def check_points(student: Student, row: dict[str, str], stage: str) -> None:
    """The row of a student who is graded adds up, and holds what the data say."""
    total = f"{row['raw']} - {row['penalty']} = {row['score']}"
    assert total == student.has(stage), student.id
    points = points_in(row)
    assert sum(map(Decimal, points)) == Decimal(row["raw"]), student.id
    if "by hand" in student.row:
        return
    lab = TERM["labs"][student.row["lab"]]
    gain = lab["gain"] if stage != "has" else 0
    parts = list(lab["parts"])
    parts[2] += gain
    assert list(map(float, points)) == pytest.approx(parts), student.id
    assert float(row["hidden"]) == pytest.approx(lab["hidden"] + gain), student.id


def check_export(term: Term, system: str, stage: str) -> None:
    """A system's table with the scores, all else to the byte; and nothing changes once
    that is downloaded again.
    """
    roster = TERM["rosters"][system]
    upload = term.grades / "upload"
    cells = {}
    for student in STUDENTS:
        unscored = roster["unscored"].get(student.state, "")
        cells[student.id] = student.score(stage) or unscored
    cells |= roster.get("holds", {})
    decide(term.kit, column=f'"{roster["column"]}"')
    for folder in (term.folder, upload):
        term.make(f"collect ROSTER='{folder / roster['file']}'")
        assert f"{roster['says']}\n" in term.regrade()
        table = (upload / roster["file"]).read_bytes()
        assert table == export(system, cells)
        assert read_back(system, table) == cells
    if roster["feedback"]:
        check_feedback_for(system, upload)


def check_feedback_for(system: str, upload: Path) -> None:
    """The zip for a system has a page for each file that came from it."""
    sources = [Path(file.source) for file in FILES if file.row["by"] == system]
    pages = [str(source.with_suffix(".html")) for source in sources]
    with zipfile.ZipFile(upload / "feedback.zip") as archive:
        assert sorted(archive.namelist()) == sorted(pages)


def difference(number: int, before: str, after: str) -> str:
    """What make grade says since a publication, if nobody falls."""
    scored = [student for student in STUDENTS if student.has(before)]
    steps = [
        Decimal(student.score(after)) - Decimal(student.score(before))
        for student in scored
    ]
    up = [step for step in steps if step]
    same = len(STUDENTS) - len(up)
    return f"since publication {number}: {len(up)} up (+{min(up)} to +{max(up)}), 0 down, {same} same\n"
