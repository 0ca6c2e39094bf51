"""make grade, doctor and hidden in a master copy with few cases: what is graded, again, elsewhere, and behind what."""

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

from staff.tests.support.masters import copy_master, decide, with_few_cases
from staff.tests.support.typed import run

LABS = {
    "ann": ("", ""),
    "bob": ("alpha >= beta", "alpha > beta"),
    "cat": ("max if maximize else min", "min"),
    "dan": ("import time", "import nothing_of_that_name"),
    "fay": ("import time", "import os; os.abort()"),
}

# Each verdict that is stored is counted, and takes a tenth of a second of CPU, so that a run is killed in its middle.
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
    model = (kit / "lab.py").read_text("utf-8")
    for name, (old, new) in LABS.items():
        (folder / "downloads" / name).mkdir(parents=True)
        (folder / "downloads" / name / "lab.py").write_text(model.replace(old, new) if old else model, "utf-8")
    (folder / "roster.csv").write_text("id\n" + "\n".join([*LABS, "eve"]) + "\n", "utf-8")
    assert typed(kit, "collect --from ../downloads --roster ../roster.csv").returncode == 0
    return kit


def typed(kit: Path, words: str) -> "subprocess.CompletedProcess[str]":
    """Type `python grader` and these words."""
    return run(f'"{sys.executable}" grader {words}', kit)


def verdicts(kit: Path) -> dict[tuple[str, str], str]:
    """What the store holds of each function of each lab."""
    with sqlite3.connect(kit / "grades" / "grades.db") as db:
        return {(lab, function): data for lab, function, data in db.execute("SELECT lab, function, cases FROM verdict")}


def forget(kit: Path) -> None:
    with sqlite3.connect(kit / "grades" / "grades.db") as db:
        db.execute("DELETE FROM verdict")


def test_a_class_is_graded_once_and_what_was_killed_goes_on(master: Path) -> None:
    assert typed(master, "grade --isolate lock").returncode == 0
    whole = verdicts(master)
    assert len(whole) == len(LABS) * len({function for _, function in whole}) >= 4 * 8
    assert {status for data in whole.values() for status in re.findall(r'"status": "([a-z -]+)"', data)} >= {
        "pass",
        "crash",
    }
    assert not re.search(r"/tmp|submission-|seconds", "".join(whole.values()))

    again = typed(master, "grade")
    assert (again.returncode, "to grade" in again.stdout) == (0, False)

    forget(master)
    with sqlite3.connect(master / "grades" / "grades.db") as db:
        db.executescript(COUNTED_SLOWLY)
    command = [sys.executable, "grader", "grade", "ISOLATE=lock"]
    kept = []
    for _ in range(10):
        process, before = subprocess.Popen(command, cwd=master, stdout=subprocess.DEVNULL), len(verdicts(master))
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
        assert "to grade" in done.stdout, done.stderr
        with sqlite3.connect(master / "grades" / "grades.db") as db:
            counts = dict(db.execute("SELECT function, count(*) FROM verdict GROUP BY function"))
        new = {function for function, count in counts.items() if count > len(LABS)}
        assert "minimax_search_alphabeta" in new
        assert not new & {"solve", "ZeroBy"}
    finally:
        cases.write_text(old, "utf-8")
    assert "to grade" not in typed(master, "grade").stdout
    forget(master)


@pytest.mark.parametrize(
    "words", ["grade --isolate nothing", "grade --who nobody", "grade --again all", "doctor --isolate no"]
)
def test_a_slip_is_one_line(master: Path, words: str) -> None:
    done = typed(master, words)
    assert (done.returncode, done.stdout) == (2, "")
    assert len([line for line in done.stderr.splitlines() if "has changed since" not in line]) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="Landlock is Linux's")
def test_the_doctor_says_what_is_refused(master: Path) -> None:
    done = typed(master, "doctor --isolate lock")
    assert done.returncode == 0
    refused = re.findall(r"^  (.+?) {2,}refused$", done.stdout, re.MULTILINE)
    assert {"read the cases", "connect to a server", "outlive its function"} <= {*refused}
    assert done.stdout.endswith("isolation: lock; the course needs lock\n")
    decide(master, isolation="box")
    done = typed(master, "doctor --isolate lock")
    decide(master, isolation="lock")
    assert done.returncode == 1 and "isolation: lock; the course needs box: install bubblewrap" in done.stdout


@pytest.mark.skipif(not shutil.which("bwrap"), reason="bubblewrap is not installed")
def test_a_box_hides_the_machine_and_changes_no_verdict(master: Path) -> None:
    done = typed(master, "doctor --isolate bwrap")
    assert (done.returncode, "NOT REFUSED" in done.stdout) == (0, False)
    typed(master, "grade --isolate lock")
    whole = verdicts(master)
    forget(master)
    assert "isolation: box" in typed(master, "grade --isolate bwrap").stdout
    assert verdicts(master) == whole


def test_two_workers_and_one_of_them_killed_give_the_same(master: Path) -> None:
    distributed = pytest.importorskip("distributed")
    typed(master, "grade --isolate lock")
    whole = verdicts(master)
    forget(master)
    environment = os.environ | {"PYTHONPATH": str(master)}
    address = "tcp://127.0.0.1:18786"

    def start(words: str) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", *f"distributed.cli.{words} --no-dashboard".split()]
        return subprocess.Popen(command, cwd=master, env=environment, stderr=subprocess.DEVNULL)

    scheduler = start("dask_scheduler --host 127.0.0.1 --port 18786")
    workers = [start(f"dask_worker {address} --nthreads 1 --no-nanny") for _ in range(2)]
    try:
        client = distributed.Client(address)
        client.wait_for_workers(2, timeout=60)
        client.close()
        process = subprocess.Popen([sys.executable, "grader", "grade", "--scheduler", address], cwd=master)
        while not verdicts(master):
            time.sleep(0.1)
        workers[0].send_signal(signal.SIGKILL)
        assert process.wait() == 0
        assert verdicts(master) == whole
    finally:
        for one in (*workers, scheduler):
            one.kill()
            one.wait()


def test_hidden_cases_are_the_same_for_the_same_seed(master: Path, tmp_path: Path) -> None:
    kit = shutil.copytree(master, tmp_path / "kit")
    done = typed(kit, "hidden --seed one")
    assert done.returncode == 0, done.stderr
    assert "every right lab passes them" in done.stdout
    texts = {file.name: file.read_bytes() for file in (kit / "staff" / "hidden").iterdir()}
    assert typed(kit, "hidden --seed one").returncode == 0
    assert {file.name: file.read_bytes() for file in (kit / "staff" / "hidden").iterdir()} == texts
    assert typed(kit, "hidden --seed two").returncode == 0
    assert {file.name: file.read_bytes() for file in (kit / "staff" / "hidden").iterdir()} != texts
    assert " hidden cases" in typed(kit, "test COURSE=1").stdout.splitlines()[0]
