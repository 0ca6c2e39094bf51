"""make grade, doctor and hidden in a master copy with few cases: what is graded, again,
elsewhere, and behind what.
"""

import contextlib
import itertools
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from staff import progress
from staff.farm.isolation import complaint_of_bubblewrap
from staff.tests.gradebook.samples import lay
from staff.tests.support.masters import (
    change,
    copy_master,
    decide,
    take_as_filled,
    with_few_cases,
)
from staff.tests.support.typed import run
from staff.tests.support.waiting import LONG, soon

LABS = {
    "ann": ("", ""),
    "bob": ("alpha >= beta", "alpha > beta"),
    "cat": ("max if maximize else min", "min"),
    "dan": ("import time", "import nothing_of_that_name"),
    "fay": ("import time", "import os; os.abort()"),
}

# Each verdict that is stored is counted, and takes a tenth of a second of CPU, so that
# a run is killed in its middle.
COUNTED_SLOWLY = """
CREATE TABLE stored (lab, function);
CREATE VIEW slow AS WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n WHERE x < 700000)
  SELECT max(x) FROM n;
CREATE TRIGGER count_them AFTER INSERT ON verdict
BEGIN INSERT INTO stored SELECT new.lab, new.function FROM slow; END;
"""


@pytest.fixture(scope="module")
def master(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A master copy with few cases, whose class has handed in."""
    folder = tmp_path_factory.mktemp("class")
    kit = with_few_cases(copy_master(folder / "kit"))
    decide(kit, parts="[0, 2]")
    (kit / "boards" / "misconceptions").mkdir()
    (kit / MISTAKES).write_text(KNOWN, "utf-8")
    take_as_filled(kit)
    model = (kit / "lab.py").read_text("utf-8")
    for name, (old, new) in LABS.items():
        (folder / "downloads" / name).mkdir(parents=True)
        (folder / "downloads" / name / "lab.py").write_text(
            model.replace(old, new) if old else model, "utf-8"
        )
    (folder / "roster.csv").write_text(
        "id\n" + "\n".join([*LABS, "eve"]) + "\n", "utf-8"
    )
    assert (
        typed(kit, "collect --from ../downloads --roster ../roster.csv").returncode == 0
    )
    return kit


MISTAKES = "boards/misconceptions/dfs_maximizing.json"
KNOWN = """{"misconceptions": [
{"name": "finds the minimum", "hint": "a hint", "question": "a question?",
 "wrong": {"a": {"cases": {"dfs/one": "ffff"}}}}
]}
"""


def typed(kit: Path, words: str) -> "subprocess.CompletedProcess[str]":
    """Type `python grader` and these words."""
    return run(f'"{sys.executable}" grader {words}', kit)


def verdicts(kit: Path) -> dict[tuple[str, str], str]:
    """What the store holds of each function of each lab."""
    with sqlite3.connect(kit / "grades" / "grades.db") as db:
        return {
            (lab, function): data
            for lab, function, data in db.execute(
                "SELECT lab, function, cases FROM verdict"
            )
        }


def forget(kit: Path) -> None:
    with sqlite3.connect(kit / "grades" / "grades.db") as db:
        db.execute("DELETE FROM verdict")


@pytest.mark.long
def test_a_class_is_graded_once_and_what_was_killed_goes_on(master: Path) -> None:
    assert typed(master, "grade --isolate lock").returncode == 0
    whole = verdicts(master)
    assert len(whole) == len(LABS) * len({function for _, function in whole}) >= 4 * 8
    assert {
        status
        for data in whole.values()
        for status in re.findall(r'"status": "([a-z -]+)"', data)
    } >= {
        "pass",
        "crash",
    }
    assert not re.search(r"/tmp|submission-|seconds", "".join(whole.values()))

    again = typed(master, "grade")
    assert (again.returncode, "submission to grade" in again.stdout) == (0, False)

    forget(master)
    with sqlite3.connect(master / "grades" / "grades.db") as db:
        db.executescript(COUNTED_SLOWLY)
    command = [sys.executable, "grader", "grade", "ISOLATE=lock"]
    kept = []
    for _ in range(10):
        process, before = (
            subprocess.Popen(command, cwd=master, stdout=subprocess.DEVNULL),
            len(verdicts(master)),
        )
        while process.poll() is None and len(verdicts(master)) == before:
            time.sleep(0.02)
        time.sleep(random.uniform(0, 0.2))
        process.kill()
        process.wait()
        kept.append(len(verdicts(master)))
    assert 0 < kept[0] < len(whole)
    assert typed(master, "grade ISOLATE=lock").returncode == 0
    assert verdicts(master) == whole
    with sqlite3.connect(master / "grades" / "grades.db") as db:
        assert db.execute("SELECT count(*) FROM stored").fetchone()[0] == len(whole)
        db.executescript("DROP TRIGGER count_them; DROP VIEW slow; DROP TABLE stored")


def test_only_what_a_change_touches_is_graded_again(master: Path) -> None:
    typed(master, "grade --isolate lock")
    cases = next((master / "boards" / "cases").glob("2d-*.yaml"))
    old = cases.read_text("utf-8")
    cases.write_text(old.replace("score: 3", "score: 4", 1), "utf-8")
    try:
        done = typed(master, "grade --isolate lock")
        assert (
            done.returncode == 2
            and "2d-alphabeta.yaml has changed since its expectations" in done.stderr
        )
        take_as_filled(master)
        done = typed(master, "grade --isolate lock")
        assert "to grade; " in done.stdout, done.stderr
        with sqlite3.connect(master / "grades" / "grades.db") as db:
            counts = dict(
                db.execute("SELECT function, count(*) FROM verdict GROUP BY function")
            )
        new = {function for function, count in counts.items() if count > len(LABS)}
        assert "minimax_search_alphabeta" in new
        assert not new & {"solve", "ZeroBy"}
    finally:
        cases.write_text(old, "utf-8")
        take_as_filled(master)
    assert "submission to grade" not in typed(master, "grade").stdout
    forget(master)


# A file, what is replaced in it by what, and the functions that are graded again then;
# None is every one.
DECIDES: dict[str, tuple[str, str, str, set[str] | None]] = {
    "the code of a kind": ("grader/kinds/search/kind.py", '"""', '# new\n"""', None),
    "the words of a verdict": ("grader/verdicts/sentences.yaml", "", "# new\n", None),
    "what the sandbox refuses": ("grader/child/filter.txt", "setsid 112 157", "setsid 112 157 ", None),
    "a limit": ("staff/farm/kit_process.py", "MOST_SECONDS = 40.0", "MOST_SECONDS = 39.0", None),
    "a tree that lab.py can see": ("boards/trees.yaml", "", "# new\n", None),
    "what a known mistake answers": (MISTAKES, '"ffff"', '"fffe"', {"dfs_maximizing"}),
    "a reference trace": ("boards/reference_traces/2a-dfs.json", '"call"', '"CALL"', {"dfs_maximizing"}),
    "a case of a function that others need": (
        "boards/cases/0a-zeroby.yaml", "  - id: ", "  - id: x", {"ZeroBy", "make_run"},
    ),
    "what a known mistake is called": (MISTAKES, "finds the minimum", "finds the least one", set()),
    "its hint": (MISTAKES, "a hint", "another hint", set()),
    "its question": (MISTAKES, "a question?", "another question?", set()),
    "how a page is drawn": ("grader/showing/markdown.py", '"""', '# new\n"""', set()),
    "points": ("boards/points.yaml", "{points: 4, kind: command", "{points: 3, kind: command", set()),
    "what a case says": ("boards/cases/0a-zeroby.yaml", "says: ", "says: Now ", set()),
}  # fmt: skip


@pytest.mark.parametrize("what", DECIDES)
def test_what_decides_a_verdict_is_graded_again(what: str, master: Path) -> None:
    """By the lab.py that cannot be imported, whose verdicts are there at once."""
    name, old, new, again = DECIDES[what]
    typed(master, "grade --isolate lock --who dan")
    file = master / name
    text = file.read_text("utf-8")
    with sqlite3.connect(master / "grades" / "grades.db") as db:
        before = {
            tuple(row) for row in db.execute("SELECT function, digest FROM verdict")
        }
    file.write_text(text.replace(old, new, 1), "utf-8")
    try:
        take_as_filled(master)
        done = typed(master, "grade --isolate lock --who dan")
    finally:
        file.write_text(text, "utf-8")
        take_as_filled(master)
    assert done.returncode == 0, done.stderr
    with sqlite3.connect(master / "grades" / "grades.db") as db:
        now = {tuple(row) for row in db.execute("SELECT function, digest FROM verdict")}
    graded = {function for function, _ in now - before}
    assert graded == ({function for function, _ in before} if again is None else again)


def test_again_grades_what_has_verdicts(master: Path) -> None:
    forget(master)
    typed(master, "grade --isolate lock")
    whole = verdicts(master)
    (lab, function), *_ = whole
    with sqlite3.connect(master / "grades" / "grades.db") as db:
        fault = json.dumps({"fault": "no machine"})
        db.execute(
            "UPDATE verdict SET cases = ? WHERE lab = ? AND function = ?",
            (fault, lab, function),
        )
    said = typed(master, "grade").stdout
    assert "submission to grade" not in said
    (names,) = re.findall(r"^ungraded: (\w+): .*AGAIN=ungraded", said, re.MULTILINE)
    assert names in LABS
    assert (
        "1 submission to grade"
        in typed(master, "grade --isolate lock AGAIN=ungraded").stdout
    )
    assert verdicts(master) == whole
    assert "submission to grade" not in typed(master, "grade AGAIN=ungraded").stdout
    assert (
        "1 submission to grade"
        in typed(master, "grade --isolate lock AGAIN=all WHO=dan").stdout
    )
    assert verdicts(master) == whole


def marks(kit: Path) -> int:
    """How many verdicts are still to be found again."""
    with sqlite3.connect(kit / "grades" / "grades.db") as db:
        return int(db.execute("SELECT count(*) FROM again").fetchone()[0])


ALL_AGAIN = pytest.param("grade ISOLATE=lock AGAIN=all", marks=pytest.mark.long)


@pytest.mark.parametrize("then", [ALL_AGAIN, "grade ISOLATE=lock"])
def test_again_goes_on_where_it_was_stopped(then: str, master: Path) -> None:
    """Each verdict is found again once, however the command is typed the second
    time.
    """
    typed(master, "grade --isolate lock")
    whole = verdicts(master)
    with sqlite3.connect(master / "grades" / "grades.db") as db:
        db.executescript(COUNTED_SLOWLY)

    def stored() -> int:
        with sqlite3.connect(master / "grades" / "grades.db") as db:
            return int(db.execute("SELECT count(*) FROM stored").fetchone()[0])

    command = [sys.executable, "grader", "grade", "ISOLATE=lock", "AGAIN=all"]
    process = subprocess.Popen(command, cwd=master, stdout=subprocess.DEVNULL)
    assert soon(lambda: stored() > 0)
    process.kill()
    process.wait()
    assert 0 < stored() < len(whole)
    assert marks(master) == len(whole) - stored()
    done = typed(master, then)
    assert (done.returncode, stored(), marks(master)) == (0, len(whole), 0), done.stderr
    with sqlite3.connect(master / "grades" / "grades.db") as db:
        db.executescript("DROP TRIGGER count_them; DROP VIEW slow; DROP TABLE stored")
    assert verdicts(master) == whole
    assert "submission to grade" not in typed(master, "grade").stdout


def test_a_command_that_is_refused_marks_nothing(master: Path) -> None:
    typed(master, "grade --isolate lock WHO=dan")
    decide(master, isolation="box")
    done = typed(master, "grade --isolate lock WHO=dan AGAIN=all")
    decide(master, isolation="lock")
    assert (done.returncode, marks(master)) == (2, 0), done.stderr


def test_what_is_no_terminal_gets_a_line_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for seconds, lines in (
        (
            0.0,
            [
                "graded: 1 of 3 functions",
                "graded: 2 of 3 functions",
                "graded: 3 of 3 functions",
            ],
        ),
        (99.0, []),
    ):
        monkeypatch.setattr(progress, "LINE_SECONDS", seconds)
        monkeypatch.setattr(time, "monotonic", itertools.count().__next__)
        assert [*progress.with_progress("abc", 3, "graded", "function")] == [*"abc"]
        assert capsys.readouterr().out.splitlines() == lines


def test_below_the_isolation_of_the_course_nothing_runs(master: Path) -> None:
    forget(master)
    decide(master, isolation="box")
    done = typed(master, "grade --isolate lock")
    decide(master, isolation="lock")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert (
        "the course asks for isolation: box, and this machine has lock" in done.stderr
    )
    assert verdicts(master) == {}


def test_a_way_of_isolation_that_does_not_hold_is_refused(master: Path) -> None:
    forget(master)
    file = master / "staff" / "farm" / "isolation.py"
    text = file.read_text("utf-8")
    change(file, 'str(shutil.which("bwrap"))', '"no-such-bwrap"')
    try:
        done = typed(master, "grade ISOLATE=bwrap WHO=dan")
    finally:
        file.write_text(text, "utf-8")
    said = "ISOLATE=bwrap does not work on this machine (python grader doctor says "
    assert (done.returncode, done.stderr.count("\n")) == (
        2,
        1,
    ) and done.stderr.startswith(said)
    assert verdicts(master) == {}


BEFORE_A_LAB = "    with Session(lab, bank, seconds=MOST_SECONDS"
DIES = """
    if Path("deaths").exists():
        with open("deaths", "r+") as file:
            left = file.read()
            file.seek(0)
            file.truncate()
            file.write(left[1:])
        if left:
            os._exit(9)
"""


@pytest.mark.parametrize(("deaths", "fault"), [("x", False), ("xx", True)])
def test_a_process_that_dies_is_tried_once_more(
    deaths: str, fault: bool, master: Path
) -> None:
    forget(master)
    file = master / "staff" / "farm" / "kit_process.py"
    text = file.read_text("utf-8")
    change(file, BEFORE_A_LAB, DIES + BEFORE_A_LAB)
    (master / "deaths").write_text(deaths)
    try:
        done = typed(master, "grade --isolate lock WHO=dan")
    finally:
        file.write_text(text, "utf-8")
        (master / "deaths").unlink()
    assert done.returncode == 0, done.stderr
    stored = {*verdicts(master).values()}
    died = json.dumps(
        {"fault": "The process that grades died with this submission, twice."}
    )
    assert (
        len(stored) >= 1 and (stored == {died}) == fault and (died in stored) == fault
    )
    forget(master)


LOSES_AN_INTERRUPT = """
    import time

    class Closes:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGTERM)

    Closes()
    for _ in range(1000):
        time.sleep(0.01)
"""


def test_an_interrupt_that_python_drops_still_ends_the_process(master: Path) -> None:
    """As if Ctrl-C came while Python ran a `__del__`; a process that goes on waits, and
    grades then.
    """
    forget(master)
    file = master / "staff" / "farm" / "kit_process.py"
    text = file.read_text("utf-8")
    change(file, BEFORE_A_LAB, LOSES_AN_INTERRUPT + BEFORE_A_LAB)
    try:
        done = typed(master, "grade --isolate lock WHO=dan")
    finally:
        file.write_text(text, "utf-8")
    assert (done.returncode, done.stderr) == (0, "")
    stored = {*verdicts(master).values()}
    assert stored == {
        json.dumps(
            {"fault": "The process that grades died with this submission, twice."}
        )
    }
    forget(master)


def test_a_process_that_cannot_be_started_ends_the_command(master: Path) -> None:
    file = master / "staff" / "farm" / "pool.py"
    text = file.read_text("utf-8")
    file.write_text(text.replace("[sys.executable, ", '["no-such-python", '), "utf-8")
    try:
        done = typed(master, "grade --isolate lock WHO=dan AGAIN=all")
    finally:
        file.write_text(text, "utf-8")
    assert (done.returncode, done.stderr) == (
        2,
        "No such file or directory: 'no-such-python'\n",
    )


ENDLESS = "def solve(*given):\n    while True:\n        pass\n"


def children_of(kit: Path) -> list[str]:
    """The processes that grade in a kit."""
    processes = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words = (process / "cmdline").read_bytes().decode().split("\0")
            in_kit = (
                os.readlink(process / "cwd").startswith(str(kit)) or str(kit) in words
            )
            if in_kit and (
                "staff.farm.kit_process" in words
                or "grader.child.main" in " ".join(words)
            ):
                processes.append(" ".join(words))
    return processes


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize(
    ("again", "says"),
    [
        ("", "grade goes on from there"),
        ("all", "grade goes on from there"),
    ],
)
def test_ctrl_c_ends_it_all(again: str, says: str, master: Path) -> None:
    """With labs that would be at work for minutes, in processes of two kinds."""
    forget(master)
    typed(master, "grade --isolate lock")
    whole = verdicts(master)
    for name in LABS:
        model = (master / "lab.py").read_text("utf-8") + f"\n\n{ENDLESS}\n# {name}\n"
        lay(master.parent / "endless", {f"{name}.py": model})
    assert typed(master, "collect --from ../endless").returncode == 0
    command = [sys.executable, "grader", "grade", "ISOLATE=lock", f"AGAIN={again}"]
    process = subprocess.Popen(
        command,
        cwd=master,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert soon(lambda: len(children_of(master)) >= 3)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=LONG)
    assert process.returncode == 130 and says in said
    assert soon(lambda: not children_of(master))
    assert len(verdicts(master)) < 2 * len(whole)
    shutil.rmtree(master.parent / "endless")
    for row in (master / "grades").glob("collected.csv"):
        row.unlink()
    with sqlite3.connect(master / "grades" / "grades.db") as db:
        db.execute(
            "DELETE FROM submission WHERE source LIKE '%.py' AND source NOT LIKE '%/%'"
        )


@pytest.mark.parametrize(
    "words",
    [
        "grade --isolate nothing",
        "grade --who nobody",
        "grade --again yes",
        "doctor --isolate no",
    ],
)
def test_a_slip_is_one_line(master: Path, words: str) -> None:
    done = typed(master, words)
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        len(
            [
                line
                for line in done.stderr.splitlines()
                if "has changed since" not in line
            ]
        )
        == 1
    )


@pytest.mark.skipif(sys.platform != "linux", reason="Landlock is Linux's")
def test_the_doctor_says_what_is_refused(master: Path) -> None:
    done = typed(master, "doctor --isolate lock")
    assert done.returncode == 0
    refused = re.findall(r"^  (.+?) {2,}refused$", done.stdout, re.MULTILINE)
    assert {"read the cases", "connect to a server", "outlive its function"} <= {
        *refused
    }
    assert done.stdout.endswith(
        "\nisolation: lock, which is what the course asks for\n"
    )
    for needed, status, says in (
        ("box", 1, "which is not enough, since the course asks for box: "),
        (
            "none",
            0,
            "which is enough: it is stronger than none, the least that the course asks for\n",
        ),
    ):
        decide(master, isolation=needed)
        done = typed(master, "doctor --isolate lock")
        decide(master, isolation="lock")
        assert done.returncode == status and f"\nisolation: lock, {says}" in done.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="Landlock is Linux's")
def test_the_doctor_says_why_the_status_is_bad(master: Path) -> None:
    """With a probe that no isolation refuses."""
    file = master / "staff" / "farm" / "probes.yaml"
    text = file.read_text("utf-8")
    file.write_text(
        f'- {{tries: breathe, code: "pass"}}\n{text.splitlines()[-2]}\n', "utf-8"
    )
    try:
        done = typed(master, "doctor --isolate lock")
    finally:
        file.write_text(text, "utf-8")
    assert done.returncode == 1 and done.stdout.endswith(
        "does not keep what lock promises: see NOT REFUSED above.\n"
    )


@pytest.mark.skipif(
    bool(complaint_of_bubblewrap()), reason="bubblewrap makes no box here"
)
def test_a_box_hides_the_machine_and_changes_no_verdict(master: Path) -> None:
    done = typed(master, "doctor --isolate bwrap")
    assert (done.returncode, "NOT REFUSED" in done.stdout) == (0, False)
    typed(master, "grade --isolate lock")
    whole = verdicts(master)
    forget(master)
    assert "isolation: box" in typed(master, "grade --isolate bwrap").stdout
    assert verdicts(master) == whole


@pytest.mark.long
def test_hidden_cases_are_the_same_for_the_same_seed(
    master: Path, tmp_path: Path
) -> None:
    kit = shutil.copytree(master, tmp_path / "kit")
    done = typed(kit, "hidden --seed one")
    assert done.returncode == 0, done.stderr
    assert "every right lab passes them" in done.stdout
    texts = {
        file.name: file.read_bytes() for file in (kit / "staff" / "hidden").iterdir()
    }
    assert typed(kit, "hidden --seed one").returncode == 0
    assert {
        file.name: file.read_bytes() for file in (kit / "staff" / "hidden").iterdir()
    } == texts
    assert typed(kit, "hidden --seed two").returncode == 0
    assert {
        file.name: file.read_bytes() for file in (kit / "staff" / "hidden").iterdir()
    } != texts
    assert " hidden cases" in typed(kit, "test COURSE=1").stdout.splitlines()[0]


BY_HAND = """part: 2
function: dfs_maximizing
hidden: true
cases:
  - id: of-mine
    says: A tree of mine.
    state: {tree: FOUR_BY_FOUR}
"""


@pytest.mark.long
def test_hidden_cases_written_by_hand_stay(master: Path, tmp_path: Path) -> None:
    kit = shutil.copytree(master, tmp_path / "kit")
    lay(kit / "staff" / "hidden", {"2y-mine.yaml": BY_HAND})
    assert typed(kit, "expectations").returncode == 0
    before = (kit / "staff" / "hidden" / "2y-mine.yaml").read_bytes()
    assert typed(kit, "hidden --seed one").returncode == 0
    assert (kit / "staff" / "hidden" / "2y-mine.yaml").read_bytes() == before
    (kit / "staff" / "hidden" / "2y-mine.yaml").rename(
        kit / "staff" / "hidden" / "2a-dfs-in-disguise.yaml"
    )
    done = typed(kit, "hidden --seed one")
    assert (
        done.returncode == 2
        and "2a-dfs-in-disguise.yaml was written by hand; rename it" in done.stderr
    )


def test_a_right_lab_that_loses_points_stops_hidden_cases(
    master: Path, tmp_path: Path
) -> None:
    kit = shutil.copytree(master, tmp_path / "kit")
    wrong = (
        (kit / "lab.py").read_text("utf-8").replace("max if maximize else min", "min")
    )
    lay(
        kit / "staff" / "submissions" / "right_labs",
        {"wrong.py": f"{wrong}\ntry_it = None\n"},
    )
    done = typed(kit, "hidden --seed one")
    assert (
        done.returncode == 1
        and "a right lab loses points: delete these cases" in done.stderr
    )
    assert (
        "wrong.py: minimax-endgame-in-disguise/" in done.stdout
        and "every right lab passes" not in done.stdout
    )


@pytest.mark.long
def test_a_hidden_twin_follows_its_public_case_or_is_named(
    master: Path, tmp_path: Path
) -> None:
    kit = shutil.copytree(master, tmp_path / "kit")
    assert typed(kit, "hidden --seed one").returncode == 0
    cases = kit / "boards" / "cases" / "2a-dfs.yaml"
    text = cases.read_text("utf-8")
    first, second = re.findall(r"^  - id: (\S+)", text, re.MULTILINE)[:2]
    void = "    void: {how: full, why: two readings}\n"
    text = text.replace(f"  - id: {first}\n", f"  - id: {first}\n{void}")
    cases.write_text(
        re.sub(
            rf"(  - id: {second}\n(?:    .*\n)*?    .*tree: )\w+",
            r"\g<1>EQUAL_BOUNDS",
            text,
        ),
        "utf-8",
    )
    done = typed(kit, "expectations")
    assert done.returncode == 0, done.stderr
    named = f"dfs-in-disguise/{second} is made of a public case that asks something else now: make hidden writes it"
    assert (
        named.replace("make ", "python grader ") in done.stdout or named in done.stdout
    )
    said = typed(kit, "grade --isolate lock WHO=dan").stdout
    assert f"void like the public case: dfs-in-disguise/{first}\n" in said
    assert f"so look at them: dfs-in-disguise/{second}\n" in said
    assert (
        f"void of dfs-in-disguise/{first}: full: two readings"
        in typed(kit, "log").stdout
    )
    assert typed(kit, "hidden --seed one").returncode == 0
    said = typed(kit, "grade --isolate lock WHO=dan").stdout
    assert "public case" not in said, (
        "a void case has no twin, and the other one is new"
    )
