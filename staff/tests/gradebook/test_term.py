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
    """A student: the row of the data, and the words that a system's names and lines are
    made of.
    """

    id: str
    row: dict[str, Any]
    words: dict[str, Any]

    @property
    def state(self) -> str:
        return str(self.row.get("state", "graded"))

    def has(self, stage: str) -> str:
        """raw - penalty = score, at this stage of the term; empty without a score."""
        sums = [
            self.row[name]
            for name in STAGES[: STAGES.index(stage) + 1]
            if name in self.row
        ]
        return sums[-1] if sums else ""

    def score(self, stage: str) -> str:
        return self.has(stage).rpartition(" ")[2]


def read_students() -> Iterator[Student]:
    """The students as the data lists them."""
    people = [(id, row) for row in TERM["students"] for id in row["who"].split()]
    for number, (id, row) in enumerate(people):
        first, last = (
            id.capitalize(),
            TERM["last names"][number % len(TERM["last names"])],
        )
        letters = unicodedata.normalize("NFKD", f"{last}{first}".lower())
        words = {
            "id": id,
            "n": 101 + number,
            "first": first,
            "last": last,
            "key": re.sub(r"\W", "", letters),
        }
        words["modified"] = (
            f"{row['handed']:%A, %d %B %Y, %I:%M %p}"
            if row.get("by") == "Moodle"
            else "-"
        )
        yield Student(id, row, words)


STUDENTS = list(read_students())


@dataclass(frozen=True)
class File:
    """A file that a student hands in: its row of the data, and its folder or zip and
    name, as the system gives them.
    """

    student: Student
    row: dict[str, Any]

    @property
    def words(self) -> dict[str, Any]:
        time, id = self.row.get("handed"), self.row.get("team", self.student.id)
        late = "_LATE" if time and time > DUE else ""
        return {
            **self.student.words,
            "file": "lab.py",
            "number": 9000,
            **self.row,
            "id": id,
            "late": late,
        }

    @property
    def way(self) -> dict[str, str]:
        return {
            name: text.format(**self.words)
            for name, text in TERM["ways"][self.row["by"]].items()
        }

    @property
    def source(self) -> str:
        return self.way["named"].rpartition("//")[2]


FILES = [File(student, student.row) for student in STUDENTS if "by" in student.row]
ALSO = [
    File(student, student.row | student.row["also"])
    for student in STUDENTS
    if "also" in student.row
]


def downloads(labs: dict[str, Any]) -> dict[str, Any]:
    """What the systems export, for samples.py."""
    texts: dict[str, Any] = {}
    for file in FILES + ALSO:
        text, way = labs[file.row["lab"]], file.way
        texts[way["named"]] = (
            {"zip": {"games/lab.py": text}} if file.source.endswith(".zip") else text
        )
        if "beside" in way:
            texts[way["beside"]] = texts.get(way["beside"], way["head"]) + way["line"]
    laid: dict[str, Any] = {}
    for place, text in texts.items():
        folder, _, name = place.rpartition("//")
        if folder.endswith(".zip"):
            laid.setdefault(folder, {})[name] = text
        else:
            laid[f"{folder}/{name}"] = text
    return laid


def export(system: str, cells: dict[str, str]) -> bytes:
    """A system's table of the class, with these grades."""
    roster = TERM["rosters"][system]
    lines = [
        roster["line"].format(grade=cells.get(each.id, ""), **each.words)
        for each in STUDENTS
    ]
    text: str = roster["head"] + "".join(lines) + roster.get("foot", "")
    return text.encode(roster.get("coding", "utf-8"))


def read_back(system: str, data: bytes) -> dict[str, str]:
    """The grades in such a table, by id, as the system reads them."""
    roster = TERM["rosters"][system]
    text = data.decode(roster.get("coding", "utf-8-sig"))
    lines = csv.DictReader(
        io.StringIO(text, newline=""), delimiter="\t" if "\t" in text else ","
    )
    return {
        line[roster["id"]]: line[roster["column"]]
        for line in lines
        if line[roster["id"]]
    }


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
        preview = {
            name: data
            for name, data in self.files().items()
            if not name.startswith("published/")
        }
        assert {f"feedback/{each.id}.html" for each in STUDENTS} <= set(preview)
        self.make(f"publish {words}")
        files = {
            name: data
            for name, data in self.files().items()
            if name.startswith(f"published/{number}/")
        }
        assert files == {
            f"published/{number}/{name}": data for name, data in preview.items()
        }


@dataclass
class Year:
    """The term so far: the class, its labs, and the stages that are over."""

    term: Term
    labs: dict[str, Any] = field(default_factory=dict)
    over: list[str] = field(default_factory=list)

    def reach(self, name: str) -> None:
        """Go through all stages up to this one; if one before it fails, that is another
        test's failure.
        """
        for stage in STAGES_OF_A_TERM:
            if stage.__name__ == name:
                break
            if stage.__name__ not in self.over:
                pytest.skip(
                    f"the stage before it has failed, or was not run: {stage.__name__}"
                )
        stage(self)
        self.over.append(name)


@pytest.fixture(scope="module")
def year(tmp_path_factory: pytest.TempPathFactory) -> Year:
    return Year(Term(tmp_path_factory.mktemp("term")))


def the_kit_is_set_up(year: Year) -> None:
    set_up(year.term.kit)
    year.labs = texts_of(TERM["labs"], year.term.kit)


def a_student_runs_the_release(year: Year) -> None:
    name = "two faults"
    a_student_tests(year.term.folder / "release", year.labs[name], TERM["labs"][name])


def all_is_collected(year: Year) -> None:
    lay(year.term.folder, downloads(year.labs))
    collect_all(year.term)


def people_fill_in_what_no_system_says(year: Year) -> None:
    edit_the_form(year.term, Desk(year.term.folder))


def the_class_is_graded_and_published(year: Year) -> None:
    grade_all(year.term)


def a_case_is_void(year: Year) -> None:
    void_a_case(year.term)


def an_appeal_is_heard(year: Year) -> None:
    hear_an_appeal(year.term)


def a_score_is_lowered(year: Year) -> None:
    lower_a_score(year.term)


def all_is_made_again(year: Year) -> None:
    begin_anew(year.term)


STAGES_OF_A_TERM: tuple[Callable[[Year], None], ...] = (
    the_kit_is_set_up, a_student_runs_the_release, all_is_collected, people_fill_in_what_no_system_says,
    the_class_is_graded_and_published, a_case_is_void, an_appeal_is_heard, a_score_is_lowered, all_is_made_again,
)  # fmt: skip


@pytest.mark.skipif(sys.platform != "linux", reason="Landlock is Linux's")
@pytest.mark.parametrize("stage", [stage.__name__ for stage in STAGES_OF_A_TERM])
def test_a_term(stage: str, year: Year) -> None:
    """Stage by stage: each goes on where the one before it has ended."""
    year.reach(stage)


def set_up(kit: Path) -> None:
    """A kit with few cases, the course's rules, hidden cases whose expectations the kit
    fills in, and a release.
    """
    with_few_cases(copy_master(kit))
    decide(kit, **TERM["course"])
    lay(kit / "staff" / "hidden", TERM["hidden"])
    done = run("make expectations && git add --all && make release OUT=../release", kit)
    assert (
        done.returncode == 0
        and "and passes 2 hidden cases, none of which ships" in done.stdout
    ), done.stderr


def texts_of(labs: dict[str, Any], kit: Path) -> dict[str, Any]:
    """The labs of the data, made of the model's, and the stub that the release has."""
    wrong_labs, model = (
        {lab.id: lab for lab in load_wrong_labs()},
        (kit / "lab.py").read_text("utf-8"),
    )
    texts: dict[str, Any] = {
        "stub": (kit.parent / "release" / "lab.py").read_text("utf-8")
    }
    for name, lab in labs.items():
        text = model + lab.get("more", "").replace("KIT", str(kit))
        for id in lab.get("wrong", []):
            text = build(wrong_labs[id], text)
        texts.setdefault(name, lab.get("text", text))
    return texts


def a_student_tests(release: Path, text: str, lab: dict[str, Any]) -> None:
    """The verdict of the release is what the gradebook says later without hidden
    cases.
    """
    (release / "lab.py").write_text(text, "utf-8")
    run("make test", release)
    results = json.loads((release / "build" / "results.json").read_text("utf-8"))
    assert results["score"] == pytest.approx(sum(lab["parts"]) - lab["hidden"])
    assert (results["out_of"], results["later"]) == (94.5, 5.5)


def collect_all(term: Term) -> None:
    """One system after another, and three at once; first Moodle's, whose table has the
    times.
    """
    for system, roster in TERM["rosters"].items():
        (term.folder / roster["file"]).write_bytes(
            export(system, roster.get("holds", {}))
        )
    for folder, row in TERM["collected"].items():
        said = term.make(f"collect FROM=../{folder} {row.get('words', '')}")
        assert [line for line in row["says"] if line not in said] == []


def edit_the_form(term: Term, desk: Desk) -> None:
    """Fill in what no system says; that is kept, and logged."""
    for file in FILES + ALSO:
        if file.row["by"] in TERM["without times"] and "handed" in file.row:
            desk.edit(file.source, submitted=str(file.row["handed"]))
        if "team" in file.row:
            desk.edit(file.source, student=file.row["who"].replace(" ", ", "))
    assert "on time here: leemia_LATE_113_9000_lab.py" in term.make("collect")
    form = desk.form.read_bytes()
    for folder in TERM["collected"]:
        assert " 0 new" in term.make(f"collect FROM=../{folder}")
    assert desk.form.read_bytes() == form
    assert (
        desk.row("team-7/lab.py") == "xav, yul; 2027-02-13 12:00:00+01:00; yes; ready"
    )
    assert ("student of team-7/lab.py", "", "xav, yul") in desk.log()


def grade_all(term: Term) -> None:
    """Each lab once, under however many students, in the table of each system;
    published with one time unknown.
    """
    labs = {file.row["lab"] for file in FILES if file.student.state != "refused"}
    assert f"{len(labs)} submissions to grade;" in term.make("grade")
    check_gradebook(term, "has")
    for system in TERM["rosters"]:
        check_export(term, system, "has")
    assert (
        "oto" in term.type("publish", 2)
        and not (term.grades / "published" / "1").exists()
    )
    term.publish(1, f"ONTIME=1 {UNGRADED}")


def check_gradebook(term: Term, stage: str) -> None:
    """Everybody's row, against the data."""
    rows = term.rows()
    assert list(rows) == [each.id for each in STUDENTS]
    for each in STUDENTS:
        row = rows[each.id]
        points = [row[name] for name in row if name.startswith("part ")]
        assert row["state"] == each.state, each.id
        if each.state != "graded":
            assert {
                *points,
                row["raw"],
                row["penalty"],
                row["score"],
                row["hidden"],
            } == {""}, each.id
            continue
        assert f"{row['raw']} - {row['penalty']} = {row['score']}" == each.has(stage), (
            each.id
        )
        assert sum(map(Decimal, points)) == Decimal(row["raw"]), each.id
        lab = TERM["labs"][each.row["lab"]]
        gain = lab["gain"] if stage != "has" else 0
        expected = [*lab["parts"], lab["hidden"] + gain]
        expected[2] += gain
        if "by hand" not in each.row:
            assert [*map(float, points), float(row["hidden"])] == pytest.approx(
                expected
            ), each.id


def check_export(term: Term, system: str, stage: str) -> None:
    """A system's table with the scores, all else to the byte; and nothing changes once
    that is downloaded again.
    """
    roster, upload = TERM["rosters"][system], term.grades / "upload"
    cells = {
        each.id: each.score(stage) or roster["unscored"].get(each.state, "")
        for each in STUDENTS
    }
    cells |= roster.get("holds", {})
    decide(term.kit, column=f'"{roster["column"]}"')
    for folder in (term.folder, upload):
        term.make(f"collect ROSTER='{folder / roster['file']}'")
        assert f"{roster['says']}\n" in term.regrade()
        data = (upload / roster["file"]).read_bytes()
        assert data == export(system, cells) and read_back(system, data) == cells
    if roster["feedback"]:
        names = [
            str(Path(file.source).with_suffix(".html"))
            for file in FILES
            if file.row["by"] == system
        ]
        with zipfile.ZipFile(upload / "feedback.zip") as archive:
            assert sorted(archive.namelist()) == sorted(names)


def difference(number: int, before: str, after: str) -> str:
    """What make grade says since a publication, if nobody falls."""
    scores = [
        (Decimal(each.score(before)), Decimal(each.score(after)))
        for each in STUDENTS
        if each.has(before)
    ]
    steps = [new - old for old, new in scores if new != old]
    same = len(STUDENTS) - len(steps)
    return f"since publication {number}: {len(steps)} up (+{min(steps)} to +{max(steps)}), 0 down, {same} same\n"


def void_a_case(term: Term) -> None:
    """Nothing runs again, who had lost points there rises, and the table of changes
    says why.
    """
    case, void = (
        "  - id: equal-bounds\n",
        "    void: {how: full, why: it can be read in two ways}\n",
    )
    change(term.kit / "staff" / "hidden" / "2z-bounds.yaml", case, case + void)
    assert "has changed since its expectations were filled in" in term.type("grade", 2)
    take_as_filled(term.kit)
    assert difference(1, "has", "void") in term.regrade()
    check_gradebook(term, "void")
    changes = term.rows("changes.csv")
    assert set(changes) == {
        each.id for each in STUDENTS if each.score("has") != each.score("void")
    }
    for row in changes.values():
        assert "bounds/equal-bounds: full: it can be read in two ways" in row["cause"]
    pages = [name for name in term.files() if name.startswith("feedback/")]
    assert not [name for name in pages if "equal-bounds" in term.read(name)]
    term.publish(2, f"ONTIME=1 {UNGRADED}")


def hear_an_appeal(term: Term) -> None:
    """What somebody asks is answered to the hundredth, and a point that is given is
    published.
    """
    said = term.make("why WHO=tom CASE=solve/one-good-move")
    assert [text for text in TERM["why"] if text not in said] == []
    term.by_hand(TERM["by hand"])
    assert difference(2, "void", "by hand") in term.regrade()
    check_gradebook(term, "by hand")
    assert set(term.rows("changes.csv")) == {"tom"}
    term.publish(3, f"ONTIME=1 {UNGRADED}")


def lower_a_score(term: Term) -> None:
    """Nobody falls without a reason; the log has all of the term, in its order."""
    term.by_hand(TERM["by hand"], TERM["lowered"])
    assert "0 up, 1 down (-40.00 to -40.00)" in term.regrade()
    assert (
        "joy" in term.type("publish ONTIME=1", 2)
        and not (term.grades / "published" / "4").exists()
    )
    term.publish(4, f"ONTIME=1 {UNGRADED} LOWER='copied from ken'")
    check_gradebook(term, "lowered")
    check_export(term, "Blackboard", "lowered")
    assert re.search("(?s:.*)".join(TERM["log"]), term.make("log"))


def begin_anew(term: Term) -> None:
    """All in grades/ is made again but the store, people's tables and what is
    published.
    """
    before, old = term.files(), term.grades.rename(term.folder / "old grades")
    term.grades.mkdir()
    for name in ("grades.db", "collected.csv", "hand.csv", "published"):
        (old / name).rename(term.grades / name)
    term.regrade()
    assert term.files() == before
