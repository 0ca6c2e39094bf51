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
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from staff.tests.gradebook.samples import lay
from staff.tests.support.browser import CHROMEDRIVER, CHROMIUM, Browser
from staff.tests.support.masters import change, decide, take_as_filled
from staff.tests.support.tables import rows_of
from staff.tests.support.typed import clone_into, run
from staff.wrong_labs import build, load_wrong_labs, with_body

SYSTEMS = rows_of(Path(__file__).with_name("outputs.yaml"))
FILES = {
    "annlee_1_11_lab.py": "",
    "bobray_LATE_2_12_lab.py": "alphabeta-cuts-only-when-greater",
    "diday_3_13_lab.py": "ALIKE",
    "fingo_5_15_lab.ipynb": "{}",
}
BY_MAIL = {"hum.py": "ALIKE# by myself"}  # of which nothing says when it came
HOSTILE = 'raise ValueError("</pre><script>alert(1)</script> ``` # forged")'


class Class:
    """A class that is graded, in a master copy of a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.kit = folder, folder / "kit"
        self.grades = self.kit / "grades"

    def type(self, words: str, status: int = 0) -> str:
        """Type `python grader …`; what it says."""
        done = run(f'"{sys.executable}" "{self.kit}/grader" {words}', self.folder)
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout if status == 0 else done.stderr

    def rows(self, name: str = "gradebook.csv") -> dict[str, dict[str, str]]:
        """A table in grades/, by id."""
        return {
            row["id"]: row
            for row in csv.DictReader(
                io.StringIO((self.grades / name).read_text("utf-8-sig"))
            )
        }

    def read(self, name: str) -> str:
        return (self.grades / name).read_text("utf-8")

    def by_hand(self, *lines: str) -> None:
        (self.grades / "hand.csv").write_text(
            "\n".join(["id,what,points,reason,by", *lines]), "utf-8"
        )

    def files(self) -> dict[str, bytes]:
        """All that came out."""
        kept = ("grades.db", "lock", "collected.csv", "hand.csv")
        files = [
            file
            for file in sorted(self.grades.rglob("*"))
            if file.is_file() and file.name not in kept
        ]
        return {
            file.relative_to(self.grades).as_posix(): file.read_bytes()
            for file in files
        }


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Class:
    """Part 2 of a course, with hidden cases of alpha-beta; seven students, whose times
    are filled in but for one.
    """
    graded = Class(tmp_path_factory.mktemp("a class"))
    clone_into(graded.kit)
    decide(
        graded.kit,
        parts="[2, 3]",
        excused="{jo: ill}",
        isolation=f"lock\ncolumn: {SYSTEMS[0]['column']}",
    )
    public = (graded.kit / "boards/cases/2d-alphabeta.yaml").read_text("utf-8")
    head, *cases = re.split(r"^(?=  - id: )", public, flags=re.MULTILINE)
    (graded.kit / "staff/hidden").mkdir()
    (graded.kit / "staff/hidden/2z-covered-well.yaml").write_text(
        f"hidden: true\n{head}{''.join(cases[3:5])}", "utf-8"
    )
    take_as_filled(graded.kit)
    labs = {lab.id: lab for lab in load_wrong_labs()}
    model = (graded.kit / "lab.py").read_text("utf-8")
    alike = with_body("dfs_maximizing", "return [state], 7, 1", model)
    texts = {
        name: build(labs[id], model)
        if id in labs
        else id.replace("ALIKE", alike) or model
        for name, id in (FILES | BY_MAIL).items()
    }
    lay(graded.folder / "mail", {name: texts.pop(name) for name in BY_MAIL})
    texts["evecu_4_14_lab.py"] = f"{HOSTILE}\n"
    lay(graded.folder / "downloads", texts)
    lay(graded.folder, SYSTEMS[0]["roster"])
    graded.type(f"collect FROM=downloads ROSTER={next(iter(SYSTEMS[0]['roster']))}")
    graded.type("collect FROM=mail")
    form = graded.grades / "collected.csv"
    rows = list(csv.DictReader(io.StringIO(form.read_text("utf-8-sig"))))
    for row in rows:
        row["submitted"] = {"bob": "2027-02-13 08:00", "hum": ""}.get(
            row["kit_student"], "2027-02-12 20:00"
        )
    with form.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    assert "has edited cells: type python grader collect" in graded.type("grade", 2)
    graded.type("collect")
    graded.type("grade ISOLATE=none" if sys.platform != "linux" else "grade")
    shutil.copytree(graded.grades, graded.folder / "as graded")
    shutil.copytree(graded.kit / "boards", graded.folder / "boards")
    shutil.copy(graded.kit / "staff/course.yaml", graded.folder)
    shutil.copy(graded.kit / "staff/filled.json", graded.folder)
    return graded


@pytest.fixture
def a_class(graded: Class) -> Iterator[Class]:
    yield graded
    for name, place in (
        ("as graded", graded.grades),
        ("boards", graded.kit / "boards"),
    ):
        shutil.rmtree(place)
        shutil.copytree(graded.folder / name, place)
    for name in ("course.yaml", "filled.json"):
        shutil.copy(graded.folder / name, graded.kit / "staff")


def test_the_gradebook_adds_up(a_class: Class) -> None:
    rows = a_class.rows()
    assert {name: row["state"] for name, row in rows.items()} == {
        "ann": "graded", "bob": "graded", "di": "graded", "eve": "graded", "fin": "refused", "hum": "graded",
        "ida": "missing", "jo": "excused",
    }  # fmt: skip
    for row in rows.values():
        numbers = [
            row[name]
            for name in row
            if name not in ("id", "name", "state", "ungraded", "note", "staff note")
        ]
        assert all(numbers) == any(numbers) == (row["state"] == "graded")
        if row["state"] == "graded":
            assert (
                sum(round(float(row[part]) * 100) for part in row if "part" in part)
                == float(row["raw"]) * 100
            )
            assert (
                abs(float(row["raw"]) - float(row["penalty"]) - float(row["score"]))
                < 0.001
            )
    assert rows["ann"]["score"] == "48.00" and rows["eve"]["score"] == "0.00"
    assert (
        rows["bob"]["note"] == "late, counts as 1 day"
        and rows["hum"]["note"] == "time unknown"
    )
    assert float(rows["bob"]["penalty"]) == int(float(rows["bob"]["raw"]) * 10) / 100
    assert rows["jo"]["name"].startswith("'=")


@pytest.mark.parametrize("row", SYSTEMS, ids=[row["system"] for row in SYSTEMS])
def test_the_export_comes_back(row: dict[str, Any], a_class: Class) -> None:
    """Read by the system's rules: its own cells to the byte, and a grade in each cell
    that it takes.
    """
    mark = row.get("decimal", ".")
    scores = {
        name: cells["score"].replace(".", mark)
        for name, cells in a_class.rows().items()
    }
    lay(a_class.folder, row["roster"])
    name, before = next(
        (name, (a_class.folder / name).read_bytes()) for name in row["roster"]
    )
    decide(
        a_class.kit,
        column=f'"{row["column"]}"',
        excused="{jo: ill}" if "jo" in str(row["roster"]) else "{}",
    )
    a_class.type(f'collect ROSTER="{name}"')
    said = a_class.type("grade")
    assert (
        " to grade;" not in said
        and [line for line in row["says"] if line not in said] == []
    )
    file = a_class.grades / "upload" / name
    assert file.exists() == ("takes" in row)
    for taken in (row.get("takes", {}), row.get("over", {})):
        for student, place in taken.items():
            texts = (
                row.get("holds", {}).get(student, ""),
                row.get("writes", {}).get(student) or scores[student],
            )
            old, new = (
                place.replace("@", text).encode(row.get("coding", "utf-8"))
                for text in texts
            )
            assert before.count(old) == 1, place
            before = before.replace(old, new)
        assert not file.exists() or file.read_bytes() == before
        a_class.type("grade OVER=1")


def test_feedback_shows_what_the_course_allows(a_class: Class) -> None:
    for level, expected, place in (
        ("full", True, True),
        ("place", False, True),
        ("verdict", False, False),
    ):
        decide(a_class.kit, feedback=level)
        a_class.type("grade")
        for ending in ("html", "md"):
            text = a_class.read(f"feedback/bob.{ending}")
            assert ("evaluations too many" in text) == expected, level
            assert ("1st evaluated" in text) == place, level
            assert "PARTLY RIGHT  alphabeta/equal-bounds" in text or (
                level == "verdict" and "alphabeta/equal-bounds" in text
            )
            assert "a hidden case of minimax_search_alphabeta" in text
            assert "covered-well" not in "".join(
                a_class.read(f"feedback/{each}.{ending}") for each in a_class.rows()
            )
    assert "10 % of" in a_class.read(
        "feedback/bob.md"
    ) and "Score: none" in a_class.read("feedback/ida.md")
    assert "<script>" not in a_class.read(
        "feedback/eve.html"
    ) and "&lt;script&gt;" in a_class.read("feedback/eve.html")
    assert re.search(r"^````text\n.*```", a_class.read("feedback/eve.md"), re.MULTILINE)


def test_feedback_goes_back_under_the_original_names(a_class: Class) -> None:
    with zipfile.ZipFile(a_class.grades / "upload/feedback.zip") as archive:
        pages = {name: archive.read(name).decode() for name in archive.namelist()}
    names = [
        str(Path(name).with_suffix(".html")) for name in [*FILES, "evecu_4_14_lab.py"]
    ]
    assert sorted(pages) == sorted(names) and pages[
        "bobray_LATE_2_12_lab.html"
    ] == a_class.read("feedback/bob.html")
    said = a_class.type("collect FROM=kit/grades/upload/feedback.zip")
    assert "feedback.zip: Canvas, 5 files" in said and "nobody" not in said


@pytest.mark.skipif(not (CHROMIUM and CHROMEDRIVER), reason="no Chromium here")
def test_the_summary_in_a_browser(a_class: Class) -> None:
    with Browser() as browser:
        colours = []
        for mode in ("light", "dark"):
            browser.emulate(
                "Emulation.setEmulatedMedia",
                features=[{"name": "prefers-color-scheme", "value": mode}],
            )
            browser.open((a_class.grades / "summary.html").as_uri())
            colours.append(
                browser.run("return getComputedStyle(document.body).backgroundColor")
            )
        said, complaints = browser.text("body"), browser.complaints()
    assert colours[0] != colours[1] and complaints == []
    for words in (
        "cuts off only when alpha > beta, not when they are equal. 1: bob",
        "dfs_maximizing, such as dfs/",
        "2: di, hum",
    ):
        assert words in said


def test_why_tells_each_lost_point(a_class: Class) -> None:
    before = a_class.files()
    said = a_class.type("why WHO=bob")
    raw, penalty, score = (
        a_class.rows()["bob"][name] for name in ("raw", "penalty", "score")
    )
    assert f"= {raw}\n" in said and f"{raw} - {penalty} = {score}\n" in said
    assert (
        "Handed in: Saturday 13 February 2027, 08:00 (Europe" in said
        and "bobray_LATE_2_12_lab.py" in said
    )
    lost = [
        (float(got), float(most))
        for got, most in re.findall(r"\((\S+) of (\S+) points\)$", said, re.MULTILINE)
    ]
    assert round(sum(most - got for got, most in lost), 2) == round(48 - float(raw), 2)
    assert (
        "covered-well/equal-bounds" in said
        and "    evaluations   4            6\n" in said
    )
    alone = a_class.type("why WHO=bob CASE=covered-well/equal-bounds")
    assert "covered-well/equal-bounds" in alone and "alphabeta/nim" not in alone
    assert "there is no case 'nin'" in a_class.type("why WHO=bob CASE=nin", 2)
    assert a_class.type("why WHO=ida CASE=alphabeta/nim").startswith(
        "ida Ida É\nState: missing\n"
    )
    assert "do you mean bob?" in a_class.type("why WHO=bop", 2)
    assert (
        "State: missing" in a_class.type("why WHO=ida,jo") and a_class.files() == before
    )


def test_a_publication_and_an_appeal(a_class: Class) -> None:
    assert (
        "nothing is published: these have a file without a time: hum"
        in a_class.type("publish", 2)
    )
    assert not (a_class.grades / "published/1").exists()
    assert "nothing was published before" in a_class.type("publish ONTIME=1")
    frozen = {
        name: data
        for name, data in a_class.files().items()
        if name.startswith("published/1/")
    }
    assert {
        "published/1/gradebook.csv",
        "published/1/upload/grades.csv",
        "published/1/feedback/ann.html",
    } <= set(frozen)
    before = a_class.rows()
    change(
        a_class.kit / "boards/cases/2d-alphabeta.yaml", "  - id: equal-bounds\n",
        "  - id: equal-bounds\n    void: {how: full, why: two readings}\n",
    )  # fmt: skip
    assert "has changed since its expectations were filled in" in a_class.type(
        "grade", 2
    )
    assert "has changed since its expectations were filled in" in a_class.type(
        "publish ONTIME=1", 2
    )
    take_as_filled(a_class.kit)
    a_class.by_hand(
        "ann,alphabeta/nim,0.1,copied,Prof",
        "di,total,20.5,oral exam,Prof",
        "ida,part 3,8,on paper,Prof",
    )
    said = a_class.type("grade")
    assert " to grade;" not in said
    now, causes = (
        a_class.rows(),
        {name: row["cause"] for name, row in a_class.rows("changes.csv").items()},
    )
    steps = [
        float(now[name]["score"]) - float(before[name]["score"])
        for name in ("bob", "eve", "hum")
    ]
    up, down = (
        [step for step in steps if step > 0],
        float(now["ann"]["score"]) - float(before["ann"]["score"]),
    )
    assert (
        f"since publication 1: {len(up)} up (+{min(up):.2f} to +{max(up):.2f})" in said
    )
    assert f"2 down ({down:.2f} to " in said
    assert "void, alphabeta/equal-bounds: full: two readings" in causes["bob"]
    assert "by hand, alphabeta/nim: 0.1 points by Prof: copied" in causes["ann"]
    assert (
        "ida" not in causes
        and now["di"]["score"] == "20.50"
        and "set by hand" in now["di"]["note"]
    )
    assert "oral exam" in a_class.read(
        "feedback/di.md"
    ) and "two readings" in a_class.read("feedback/bob.md")
    said = a_class.type("publish ONTIME=1", 2)
    assert (
        "would get less than before: ann, di: grades/changes.csv says why; to publish anyway, type python grader publish LOWER="
        in said
    )
    assert "published: grades/published/2/" in a_class.type(
        'publish ONTIME=1 LOWER="as agreed"'
    )
    assert frozen.items() <= a_class.files().items()
    shutil.rmtree(a_class.grades / "published/1")
    a_class.by_hand()
    assert "2 up" in a_class.type("grade")
    assert frozen.items() <= a_class.files().items(), (
        "a publication that was deleted comes back"
    )
    log = a_class.type("log")
    for line in (
        "publish, kit", "publication 1 takes as on time, without a time: hum",
        "publication 2 lowers: ann, di: as agreed",
        "void of alphabeta/equal-bounds: full: two readings", "submitted of bobray_LATE_2_12_lab.py: 2027",
        "by hand, di, total: 20.5 points by Prof: oral exam -> nothing\n",
    ):  # fmt: skip
        assert line in log, line
    with sqlite3.connect(a_class.grades / "grades.db") as db:
        rows = db.execute(
            "SELECT number, state, sums, made_of FROM published WHERE student = 'ann' ORDER BY number"
        )
        (_, state, sums, made_of), (second, *_) = rows
    assert (state, json.loads(sums)["score"], second) == ("graded", "48.00", 2)
    assert json.loads(made_of)["file"].startswith("annlee_1_11_lab.py (")


def test_a_later_file_a_time_and_a_case_are_causes(a_class: Class) -> None:
    a_class.type("publish ONTIME=1")
    lay(
        a_class.folder / "more",
        {
            "evecu_4_24_lab-1.py": (
                a_class.folder / "downloads/annlee_1_11_lab.py"
            ).read_text()
        },
    )
    decide(a_class.kit, extensions="{bob: 2027-02-19 23:59}", excused="{}")
    a_class.type("collect FROM=more")
    said = a_class.type("grade")
    assert (
        " to grade;" not in said
        and "since publication 1: 2 up" in said
        and "0 down, 6 same" in said
    )
    causes = {name: row["cause"] for name, row in a_class.rows("changes.csv").items()}
    assert "time: late, counts as 1 day -> on time" in causes["bob"]
    assert "-> evecu_4_24_lab-1.py (" in causes["eve"] and "case" not in causes["eve"]
    assert causes["jo"] == "state: excused; ill -> missing"
    log = a_class.type("log")
    assert (
        "excused, jo: ill -> nothing\n" in log
        and "extension of bob: Friday 19 February 2027, 23:59" in log
    )
    jo = a_class.rows("changes.csv")["jo"]
    assert (jo["published score"], jo["score"]) == ("", ""), "no score is not 0"


def test_the_same_store_gives_the_same_bytes(a_class: Class) -> None:
    a_class.type("publish ONTIME=1")
    a_class.type("grade")
    before = a_class.files()
    for name in ("feedback", "upload"):
        shutil.rmtree(a_class.grades / name)
    (a_class.grades / "gradebook.csv").unlink()
    command = [sys.executable, str(a_class.kit / "grader"), "grade"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    while not (a_class.grades / "feedback").exists() and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    a_class.type("grade")
    assert a_class.files() == before
    secrets = [
        socket.gethostname().encode(),
        str(a_class.folder).encode(),
        time.strftime("%Y-%m-%d").encode(),
    ]
    for name, data in before.items():
        texts = [data]
        if name.endswith(".zip"):
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                texts = [archive.read(each) for each in archive.namelist()]
        assert not [secret for secret in secrets for text in texts if secret in text], (
            name
        )


HAND = {
    "ann,alphabeta/nim,0.1,copied, from page 3,Prof": "line 2: 6 cells; put quotes around text that contains a comma",
    "ann,alphabeta/nin,0.1,copied,Prof": "line 2: there is no 'alphabeta/nin'; do you mean alphabeta/nim",
    "ann,alphabeta/nim,a half,copied,Prof": "line 2: points are 'a half'; write a number such as 2.5",
    "ann,total,48.01,copied,Prof": "line 2: total is worth 48 points, and not 48.01",
    "ann,total,1,,Prof": "line 2: a change needs an id, a reason, and whoever made it",
    "ann,total,1,copied,Prof\nann,total,2,copied,Prof": "line 3: ann has a line for total already; keep one",
}


def test_what_people_write_wrongly_is_one_line(a_class: Class) -> None:
    for lines, says in HAND.items():
        a_class.by_hand(lines)
        assert a_class.type("grade", 2).startswith(f"grades/hand.csv, {says}")
    before = a_class.rows()["bob"]
    a_class.by_hand("bob,covered-well/equal-bounds,0.02,her reading,Prof")
    a_class.type("grade")
    steps = [
        float(a_class.rows()["bob"][column]) - float(before[column])
        for column in ("hidden", "part 2", "raw")
    ]
    assert steps[0] and steps == pytest.approx(steps[:1] * 3), (
        "a hidden case counts among the hidden ones"
    )
    questions = a_class.kit / "boards/cases/3-questions.yaml"
    change(
        questions,
        "  - id: question-1\n",
        "  - id: question-1\n    void: {how: drop, why: unclear}\n",
    )
    take_as_filled(a_class.kit)
    assert (
        "but no other case of ANSWER_1 can take its points: how: full"
        in a_class.type("grade", 2)
    )


def test_points_by_hand_replace_what_was_earned(a_class: Class) -> None:
    before = a_class.rows()
    a_class.by_hand(
        "ann,Part 3,2,on paper,Prof", 'bob,alphabeta/nim,"0,2",her reading,Prof'
    )
    a_class.type("grade")
    now = a_class.rows()
    assert (before["ann"]["part 3"], now["ann"]["part 3"]) == ("8.00", "2.00")
    assert float(now["ann"]["raw"]) == float(before["ann"]["raw"]) - 6
    assert float(now["bob"]["part 2"]) < float(before["bob"]["part 2"]) + 0.2, (
        "in place of, and not besides"
    )


def test_what_a_system_gets_for_who_has_no_score(a_class: Class) -> None:
    """With `missing: 0`, missing students get 0, and nobody else: not the refused, the
    excused, or who has left.
    """
    decide(a_class.kit, excused="{jo: ill}\nmissing: 0\nleft: {hum: dropped}")
    said = a_class.type("grade")
    assert "left: hum\n" in said
    export = a_class.read("upload/grades.csv")
    cells = dict(re.findall(r",s\d,(\w+),A,[^,]*,([^,]*),", export))
    assert (cells["ida"], cells["fin"], cells["jo"], cells["hum"]) == (
        "0.00",
        "",
        "EX",
        "",
    )
    rows = a_class.rows()
    assert [rows["hum"][name] for name in ("state", "score", "note")] == [
        "left",
        "",
        "dropped",
    ]
    assert not (a_class.grades / "feedback/hum.html").exists()


def test_who_has_left_counts_as_lowered_once(a_class: Class) -> None:
    a_class.type("publish ONTIME=1")
    decide(a_class.kit, excused="{jo: ill}\nleft: {hum: dropped}")
    assert "these would get less than before: hum" in a_class.type("publish", 2)
    assert "left: hum\n" in a_class.type("publish LOWER=dropped")
    row = a_class.rows("published/2/changes.csv")["hum"]
    assert (row["state"], row["score"], row["cases"] != "0") == ("left", "", True)
    a_class.by_hand("ann,total,48,a trifle,Prof")
    assert "published: grades/published/3/" in a_class.type("publish")


def test_an_unchanged_publication_has_no_new_number(a_class: Class) -> None:
    a_class.type("publish ONTIME=1")
    frozen = {
        name: data
        for name, data in a_class.files().items()
        if name.startswith("published/1/")
    }
    shutil.rmtree(a_class.grades / "published")
    (a_class.grades / "published/.killed/publication").mkdir(parents=True)
    said = a_class.type("publish")
    assert said.startswith("missing in grades/, and written again: published/1/\n")
    assert said.endswith("nothing has changed since publication 1\n")
    (a_class.grades / "published/1/gradebook.csv").write_text("changed")
    shutil.rmtree(a_class.grades / "published/1/upload")
    said = a_class.type("grade")
    assert (
        "missing in grades/, and written again: published/1/upload/feedback.zip, published/1/upload/grades"
        in said
    )
    assert (
        "changed since it was published, and written again: published/1/gradebook.csv\n"
        in said
    )
    assert "written again" not in a_class.type("publish")
    assert {
        name: data
        for name, data in a_class.files().items()
        if name.startswith("published/")
    } == frozen
    assert [folder.name for folder in (a_class.grades / "published").iterdir()] == ["1"]


def preview_and(number: int, files: dict[str, bytes]) -> list[dict[str, bytes]]:
    """What stands in grades/ as a preview, and what was published under a number."""
    place = f"published/{number}/"
    preview = {
        name: data for name, data in files.items() if not name.startswith("published/")
    }
    return [
        preview,
        {
            name.removeprefix(place): data
            for name, data in files.items()
            if name.startswith(place)
        },
    ]


def test_the_preview_is_what_was_published(a_class: Class) -> None:
    """Also if nobody has typed make grade after a decision, and if nothing new was
    published.
    """
    a_class.by_hand("di,total,20.5,oral exam,Prof")
    a_class.type("publish ONTIME=1")
    preview, published = preview_and(1, a_class.files())
    assert preview == published and a_class.rows()["di"]["score"] == "20.50"
    a_class.by_hand("di,total,19,oral exam,Prof")
    a_class.type("publish ONTIME=1", 2)
    assert not (a_class.grades / "published/2").exists()
    assert "19 points by Prof" in a_class.rows("changes.csv")["di"]["cause"], (
        "the refusal names this file"
    )
    (a_class.grades / "upload/old.csv").write_text("of an older roster", "utf-8")
    a_class.type("publish ONTIME=1 LOWER=agreed")
    preview, published = preview_and(2, a_class.files())
    assert preview == published and a_class.rows()["di"]["score"] == "19.00"
    a_class.by_hand("di,total,48,oral exam,Prof")
    a_class.type("grade")
    a_class.by_hand("di,total,19,oral exam,Prof")
    assert a_class.type("publish").endswith("nothing has changed since publication 2\n")
    preview, published = preview_and(2, a_class.files())
    assert {**preview, "changes.csv": b""} == {**published, "changes.csv": b""}
    assert a_class.rows("changes.csv") == {}


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


@pytest.mark.parametrize("what", UNFILLED)
def test_an_export_that_cannot_be_filled_in_stops_a_publication(
    what: str, a_class: Class
) -> None:
    roster, column, way_out = UNFILLED[what]
    lay(a_class.folder, {"other.csv": roster})
    decide(a_class.kit, column=f'"{column}"' if column else "Grade", excused="{}")
    if not column:
        change(a_class.kit / "staff/course.yaml", "column: Grade\n", "")
    a_class.type("collect ROSTER=other.csv")
    before, log = a_class.files(), a_class.type("log")
    said = a_class.type("publish ONTIME=1", 2)
    assert (
        said.startswith(("other.csv cannot be filled in: ", "other.csv: the column "))
        and said.count("\n") == 1
    )
    assert way_out in said
    assert (a_class.files(), a_class.type("log")) == (before, log)


def test_files_of_which_nothing_says_which_counts(a_class: Class) -> None:
    lay(a_class.folder / "mail again", {"hum/lab.py": "# another one by mail\n"})
    said = " ".join(a_class.type('collect FROM="mail again"').split())
    assert (
        "1 several files, and nothing says which is the last: hum (hum.py, hum/lab.py)"
        in said
    )
    way_out = "write `yes` into `counts` of the one that counts, or their times into `submitted`"
    said = a_class.type("grade")
    assert (
        f"hum (hum.py, hum/lab.py): in grades/collected.csv, {way_out}, and type python grader collect\n"
        in said
    )
    page = a_class.read("summary.html")
    head = page[page.index("Look at these") : page.index("<h2>Scores")]
    assert (
        f"{way_out}</b>" in head
        and "1: hum (hum.py, hum/lab.py)</span>" in head
        and "<b>ungraded</b>" not in head
    )
    said = a_class.type("publish", 2)
    assert (
        "these have several files, and nothing says which is the last: hum (hum.py, hum/lab.py): in grades/"
        in said
    )
    assert (
        f'{way_out}, and type python grader collect, or, to publish anyway, python grader publish UNGRADED="the reason"'
        in said
    )
    assert "grader grade" not in said
    a_class.type("publish UNGRADED=later")
    assert "publication 1 leaves ungraded: hum: later" in a_class.type("log")
    form = a_class.grades / "collected.csv"
    rows = list(csv.DictReader(io.StringIO(form.read_text("utf-8-sig"))))
    next(row for row in rows if row["source"] == "hum.py")["counts"] = "yes"
    with form.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    assert "nothing says which" not in a_class.type("collect")
    assert (
        "several files" not in a_class.type("grade")
        and a_class.rows()["hum"]["state"] == "graded"
    )


def test_a_publication_of_another_store_is_never_replaced(a_class: Class) -> None:
    """As if grades.db had been lost after a publication."""
    lost = a_class.grades / "published" / "1" / "gradebook.csv"
    lost.parent.mkdir(parents=True)
    lost.write_text("frozen", "utf-8")
    said = a_class.type("publish ONTIME=1", 2)
    assert said.startswith(
        "grades/published/1/ is there, and grades/grades.db knows nothing of it: put your copy of "
    )
    assert said.count("\n") == 1 and lost.read_text("utf-8") == "frozen"


def test_ungraded_students_stop_a_publication(a_class: Class) -> None:
    with sqlite3.connect(a_class.grades / "grades.db") as db:
        db.execute("DELETE FROM verdict WHERE function = 'solve' OR lab IN (SELECT sha256 FROM submission WHERE source "
                   "LIKE 'ann%')")  # fmt: skip
    says = "nothing is published: these are ungraded: ann: type python grader grade AGAIN=ungraded, or, to publish anyway, "
    assert says in a_class.type("publish ONTIME=1", 2)
    assert "published: grades/published/1/" in a_class.type(
        'publish ONTIME=1 UNGRADED="the kit fails"'
    )
    assert "publication 1 leaves ungraded: ann: the kit fails" in a_class.type("log")
    row = a_class.rows()["ann"] if (a_class.grades / "gradebook.csv").exists() else {}
    row = a_class.rows("published/1/gradebook.csv")["ann"]
    assert (
        row["score"] == ""
        and row["note"].startswith("no verdict on ")
        and row["note"].count("/") == 0
    )


def test_late_without_a_time_always_stops(a_class: Class) -> None:
    """Canvas marks the file, and its own due date decides of the others; where a system
    subtracts, nobody is asked.
    """
    rows = list(
        csv.DictReader(
            io.StringIO((a_class.grades / "collected.csv").read_text("utf-8-sig"))
        )
    )
    for row in rows:
        if row["kit_student"] in ("ann", "bob"):
            row["submitted"] = ""
    with (a_class.grades / "collected.csv").open(
        "w", encoding="utf-8", newline=""
    ) as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    a_class.type("collect")
    said = a_class.type("publish ONTIME=1", 2)
    assert (
        "these are marked LATE, and no time is known: bob: write the time into `submitted` in grades/"
        in said
    )
    said = a_class.type("grade")
    assert (
        "Canvas's own due date decided that 1 file without LATE and without a time came on time\n"
        in said
    )
    assert "Handed in: on time, as Canvas's own due date has it" in a_class.read(
        "feedback/ann.md"
    )
    assert "Handed in: late, as Canvas has it" in a_class.read("feedback/bob.md")
    assert "marked LATE, time unknown</b>" in a_class.read("summary.html")
    decide(a_class.kit, late="{per_day: 10, days: 3, by: course system}")
    assert "published: grades/published/1/" in a_class.type("publish")


@pytest.mark.parametrize("maximum", ["50", "12.5"])
def test_a_column_with_another_maximum_is_refused(maximum: str, a_class: Class) -> None:
    lay(
        a_class.folder,
        {
            "grades.csv": SYSTEMS[0]["roster"]["grades.csv"].replace(
                ",10,48,", f",10,{maximum},"
            )
        },
    )
    a_class.type("collect ROSTER=grades.csv")
    says = f"grades.csv: the column 'Games lab (77)' takes {maximum} points, and the lab has 48; write `points: {maximum}`"
    assert a_class.type("grade", 2).startswith(says) and a_class.type(
        "publish", 2
    ).startswith(says)
    decide(a_class.kit, points=maximum)
    a_class.type("grade")
    assert float(a_class.rows()["ann"]["score"]) == float(maximum)


def test_the_staff_look_at_these_first(a_class: Class) -> None:
    page = a_class.read("summary.html")
    head = page[page.index("Look at these") : page.index("<h2>Scores")]
    for reason, students in {
        "refused": "1: fin", "the file cannot be imported": "1: eve", "0 points": "1: eve", "no time known": "1: hum",
        "missing": "1: ida",
    }.items():  # fmt: skip
        assert f'<b>{reason}</b> <span class="quiet">{students}</span>' in head
    assert page.index("Look at these") < page.index("<h2>Scores")


def test_the_staff_have_notes_of_their_own(a_class: Class) -> None:
    note = "her doctor wrote on 3 February"
    decide(a_class.kit, excused=f"{{jo: {{reason: ill, note: {note}}}}}")
    lines = [
        "id,what,points,reason,by,note",
        "di,total,20,oral exam,Prof,cheated before",
    ]
    (a_class.grades / "hand.csv").write_text("\n".join(lines), "utf-8")
    a_class.type("grade")
    rows = a_class.rows()
    assert (rows["jo"]["note"], rows["jo"]["staff note"]) == ("ill", note)
    assert rows["di"]["staff note"] == "cheated before"
    assert f"For the staff: {note}" in a_class.type("why WHO=jo")
    pages = "".join(
        a_class.read(name)
        for name in a_class.files()
        if name.endswith((".md", ".html"))
    )
    assert note not in pages and "cheated before" not in pages and "oral exam" in pages


def test_why_names_each_file_and_gives_one_back(a_class: Class) -> None:
    newer = (a_class.folder / "downloads/annlee_1_11_lab.py").read_text(
        "utf-8"
    ) + "# newer\n"
    lay(a_class.folder / "more", {"evecu_4_24_lab-1.py": newer})
    a_class.type("collect FROM=more")
    said = a_class.type("why WHO=eve")
    digest = hashlib.sha256(newer.encode()).hexdigest()
    assert f"evecu_4_24_lab-1.py (no time; SHA-256 {digest[:12]}): counts\n" in said
    assert re.search(
        r"evecu_4_14_lab.py \(Friday .*; SHA-256 \w{12}\): does not count: another file is the last",
        said,
    )
    assert "FILE=nothing names no file of eve; there" in a_class.type(
        "why WHO=eve FILE=nothing OUT=lab-of-eve.py", 2
    )
    for words, text in (
        ("", newer),
        ("FILE=evecu_4_14_lab.py", f"{HOSTILE}\n"),
        (f"FILE={digest[:8]}", newer),
    ):
        a_class.type(f'why WHO=eve {words} OUT="lab-of-eve.py"')
        assert (a_class.folder / "lab-of-eve.py").read_text("utf-8") == text
        assert "already exists" in a_class.type(
            f'why WHO=eve {words} OUT="lab-of-eve.py"', 2
        )
        (a_class.folder / "lab-of-eve.py").unlink()


def test_who_only_reads_writes_nothing_and_may_stop_reading(a_class: Class) -> None:
    (a_class.grades / "lock").unlink()
    before = sorted(
        (file, file.stat().st_mtime_ns) for file in a_class.grades.rglob("*")
    )
    a_class.type("why WHO=bob")
    a_class.type("log")
    assert (
        sorted((file, file.stat().st_mtime_ns) for file in a_class.grades.rglob("*"))
        == before
    )
    why = f'"{sys.executable}" "{a_class.kit}/grader" why WHO=ann,bob,eve'
    done = run(f"{{ {why}; echo status $? >&2; }} | head -n 1", a_class.folder)
    assert (done.stdout, done.stderr) == ("ann Lee, Ann\n", "status 0\n")


def test_who_is_not_on_the_roster_is_refused(a_class: Class) -> None:
    for key, value, says in (
        (
            "extensions",
            "{bop: 2027-02-19 23:59}",
            "`extensions`: 'bop' is not on the roster; do you mean bob?\n",
        ),
        (
            "excused",
            "{bop: ill}",
            "`excused`: 'bop' is not on the roster; do you mean bob?\n",
        ),
        (
            "excused",
            "{}\nleft: {bop: dropped}",
            "`left`: 'bop' was never on a roster; do you mean bob?\n",
        ),
        (
            "left",
            "{bob: dropped, qqq: dropped}",
            "`left`: 'qqq' was never on a roster; write an id from the roster\n",
        ),
    ):
        decide(a_class.kit, **{key: value})
        for verb in ("grade", "publish ONTIME=1", "why WHO=ann"):
            assert a_class.type(verb, 2) == f"staff/course.yaml: {says}"
        assert "1 in course.yaml, and not on the roster: " in a_class.type("collect")
        decide(a_class.kit, **{key: "{}"})
    assert not (a_class.grades / "published").exists()


def test_make_passes_the_words_on(a_class: Class) -> None:
    done = run("make publish UNGRADED='it''s late' ONTIME=0", a_class.kit)
    assert done.returncode == 2 and "a file without a time: hum" in done.stderr
    said = run("make why WHO=ann CASE=alphabeta/nim", a_class.kit)
    assert said.returncode == 0 and said.stdout.startswith("ann Lee, Ann\n"), (
        said.stderr
    )
    done = run('make publish ONTIME=0 LOWER="a reason" OVER=1', a_class.kit)
    assert done.returncode == 2 and "a file without a time: hum" in done.stderr
    assert "make log takes no WHO=" in run("make log WHO=x", a_class.kit).stderr
