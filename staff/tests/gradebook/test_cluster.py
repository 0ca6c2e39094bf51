"""make grade SCHEDULER=: workers of several kinds on this machine, as docs/gradebook.md
has them typed.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from staff.tests.gradebook.test_grade import forget, master, typed, verdicts
from staff.tests.support.masters import decide, take_as_filled
from staff.tests.support.waiting import LONG, soon

pytestmark = pytest.mark.long

__all__ = ["master"]
distributed = pytest.importorskip("distributed")
PORT = 18786
ADDRESS = f"tcp://127.0.0.1:{PORT}"
Start = Callable[[Path], "subprocess.Popen[bytes]"]


def test_a_scheduler_that_is_not_there(master: Path) -> None:
    forget(master)
    for address in ("nowhere", "ftp://127.0.0.1:1"):
        done = typed(master, f"grade SCHEDULER={address} WHO=dan")
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert done.stderr.startswith(f"SCHEDULER={address} does not answer: ")
    assert verdicts(master) == {}


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """A scheduler that runs; what starts a worker in a folder, with one thread and a
    name that is its folder's.
    """
    started: list[subprocess.Popen[bytes]] = []

    def process(folder: Path, *words: str) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", *words, "--no-dashboard"]
        environment = {
            key: value for key, value in os.environ.items() if key != "PYTHONPATH"
        }
        started.append(
            subprocess.Popen(
                command, cwd=folder, env=environment, stderr=subprocess.DEVNULL
            )
        )
        return started[-1]

    def worker(folder: Path) -> "subprocess.Popen[bytes]":
        words = [
            "distributed.cli.dask_worker",
            ADDRESS,
            "--nthreads",
            "1",
            "--no-nanny",
        ]
        number = len(present())
        started = process(folder, *words, "--local-directory", str(tmp_path))
        assert soon(lambda: len(present()) > number)
        return started

    process(
        tmp_path,
        "distributed.cli.dask_scheduler",
        "--host",
        "127.0.0.1",
        "--port",
        str(PORT),
    )
    assert soon(lambda: present() is not None)
    try:
        yield worker
    finally:
        for each in started:
            each.kill()
            each.wait()


def present() -> list[str]:
    """The workers that the scheduler knows."""
    with (
        contextlib.suppress(OSError),
        distributed.Client(ADDRESS, timeout=LONG) as client,
    ):
        return [*client.scheduler_info(n_workers=-1)["workers"]]
    return []


@pytest.fixture
def other(master: Path, tmp_path: Path) -> Path:
    """A copy of the kit with one other case."""
    kit = shutil.copytree(
        master, tmp_path / "other", ignore=shutil.ignore_patterns("grades", ".git")
    )
    file = next((kit / "boards" / "cases").glob("2a-*.yaml"))
    file.write_text(file.read_text("utf-8").replace("score: ", "score: 1", 1), "utf-8")
    take_as_filled(kit)
    return kit


@pytest.fixture
def whole(master: Path) -> dict[tuple[str, str], str]:
    """What this machine stores by itself; and it is forgotten then."""
    forget(master)
    assert typed(master, "grade --isolate lock").returncode == 0
    stored = verdicts(master)
    forget(master)
    return stored


def grade(kit: Path) -> "subprocess.Popen[str]":
    """Type make grade, without waiting for its end."""
    command = [sys.executable, "grader", "grade", f"SCHEDULER={ADDRESS}"]
    return subprocess.Popen(
        command, cwd=kit, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_two_workers_and_one_of_them_killed_give_the_same(
    start: Start, master: Path, whole: object
) -> None:
    workers = [start(master), start(master)]
    process = grade(master)
    assert soon(lambda: verdicts(master))
    workers[0].send_signal(signal.SIGKILL)
    said, errors = process.communicate(timeout=10 * LONG)
    assert process.returncode == 0, errors
    assert "2 workers may grade" in said
    assert verdicts(master) == whole


def test_a_worker_that_differs_is_refused_by_name(
    start: Start, master: Path, other: Path, whole: object
) -> None:
    """One with another case, one in another folder; and one that joins late."""
    start(other)
    start(other.parent)
    refused = present()
    process = grade(master)
    _, errors = process.communicate(timeout=10 * LONG)
    assert process.returncode == 2 and "has no worker that may grade" in errors
    for address in refused:
        assert f"the worker {address} is refused: it " in errors
    assert (
        errors.count(
            "it has another kit, other cases or another course than this machine"
        )
        == 1
    )
    assert (
        errors.count(
            "it cannot find the kit (No module named 'staff'): start it in the folder of the kit"
        )
        == 1
    )
    assert verdicts(master) == {}
    start(master)
    process = grade(master)
    assert soon(lambda: verdicts(master))
    before = present()
    start(other)
    (late,) = {*present()} - {*before}
    _, errors = process.communicate(timeout=10 * LONG)
    assert process.returncode == 0, errors
    assert f"the worker {late} is refused: it has another kit" in errors
    assert verdicts(master) == whole


def test_a_worker_below_the_isolation_of_the_course_is_refused(
    start: Start, master: Path
) -> None:
    decide(master, isolation="box")
    try:
        start(master)
        process = subprocess.Popen(
            [sys.executable, "grader", "grade", f"SCHEDULER={ADDRESS}", "ISOLATE=lock", "AGAIN=all", "WHO=dan"],
            cwd=master, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        _, errors = process.communicate(timeout=10 * LONG)
    finally:
        decide(master, isolation="lock")
    assert process.returncode == 2
    assert "is refused: it reaches isolation: lock, and the course needs box" in errors


def test_the_only_worker_is_lost_and_nothing_is_stored(
    start: Start, master: Path, whole: object
) -> None:
    worker = start(master)
    process = grade(master)
    assert process.stdout and "submissions to grade" in process.stdout.readline()
    assert "1 worker may grade" in process.stdout.readline()
    worker.send_signal(signal.SIGKILL)
    _, errors = process.communicate(timeout=10 * LONG)
    assert process.returncode == 2
    assert (
        "not graded, and nothing stored: " in errors and "no worker is left" in errors
    )
    assert not [data for data in verdicts(master).values() if "fault" in data]


def test_an_error_on_a_worker_is_told_as_what_it_is(
    start: Start, master: Path, whole: object
) -> None:
    file = master / "staff" / "farm" / "pool.py"
    text = file.read_text("utf-8")
    file.write_text(text.replace("[sys.executable, ", '["no-such-python", '), "utf-8")
    try:
        start(master)
        process = grade(master)
        _, errors = process.communicate(timeout=10 * LONG)
    finally:
        file.write_text(text, "utf-8")
    assert process.returncode == 2
    assert (
        "5 submissions: a worker failed: FileNotFoundError: " in errors
        and "'no-such-python'" in errors
    )
    assert verdicts(master) == {}
