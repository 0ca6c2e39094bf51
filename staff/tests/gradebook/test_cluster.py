"""make grade SCHEDULER=: workers of several kinds on this machine, as docs/gradebook.md
has them typed.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from staff.tests.gradebook.small_class import SmallClass
from staff.tests.support.masters import change, decide, take_as_filled
from staff.tests.support.waiting import LONG, soon

pytestmark = pytest.mark.long

distributed = pytest.importorskip("distributed")
PORT = 18786
ADDRESS = f"tcp://127.0.0.1:{PORT}"
SCHEDULER = [
    "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(PORT),
]  # fmt: skip
WORKER = ["distributed.cli.dask_worker", ADDRESS, "--nthreads", "1", "--no-nanny"]
OTHER_KIT = "it has another kit, other cases or another course than this machine"
NO_KIT = "it cannot find the kit (No module named 'staff'): start it in the folder of the kit"


# --- the scheduler and its workers ---------------------------------------------------


def present() -> list[str]:
    """The addresses of the workers that the scheduler knows; none without it."""
    with (
        contextlib.suppress(OSError),
        distributed.Client(ADDRESS, timeout=LONG) as client,
    ):
        return [*client.scheduler_info(n_workers=-1)["workers"]]
    return []


class Scheduler:
    """A scheduler that runs, and the workers that were started for it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.processes: list[subprocess.Popen[bytes]] = []

    def run(self, folder: Path, words: list[str]) -> "subprocess.Popen[bytes]":
        """Run a module of Dask in a folder."""
        command = [sys.executable, "-m", *words, "--no-dashboard"]
        environment = {**os.environ}
        environment.pop("PYTHONPATH", None)
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stderr=subprocess.DEVNULL
        )
        self.processes.append(process)
        return process

    def start_worker(self, folder: Path) -> "subprocess.Popen[bytes]":
        """Start a worker with one thread in a folder, and wait until it is present."""
        before = len(present())
        worker = self.run(folder, [*WORKER, "--local-directory", str(self.folder)])
        assert soon(lambda: len(present()) > before)
        return worker

    def end(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[Scheduler]:
    """A scheduler without a worker."""
    folder = tmp_path / "scheduler"
    folder.mkdir()
    scheduler = Scheduler(folder)
    scheduler.run(folder, SCHEDULER)
    assert soon(scheduler_answers)
    yield scheduler
    scheduler.end()


def scheduler_answers() -> bool:
    """Whether the scheduler can be reached."""
    try:
        distributed.Client(ADDRESS, timeout=LONG).close()
    except OSError:
        return False
    return True


@pytest.fixture
def other_kit(ungraded: SmallClass, tmp_path: Path) -> Path:
    """A copy of the kit with one other case."""
    left_out = shutil.ignore_patterns("grades", ".git")
    kit = shutil.copytree(ungraded.kit, tmp_path / "other kit", ignore=left_out)
    (cases,) = (kit / "boards" / "cases").glob("2a-*.yaml")
    text = cases.read_text("utf-8")
    cases.write_text(text.replace("score: ", "score: 1", 1), "utf-8")
    take_as_filled(kit)
    return kit


def begin_to_grade(small_class: SmallClass, *words: str) -> "subprocess.Popen[str]":
    """Type make grade, without waiting for its end."""
    command = [sys.executable, "grader", "grade", f"SCHEDULER={ADDRESS}", *words]
    return subprocess.Popen(
        command, cwd=small_class.kit, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )  # fmt: skip


def end_of(process: "subprocess.Popen[str]") -> tuple[int, str, str]:
    """The status of make grade, and what it has printed."""
    printed, errors = process.communicate(timeout=10 * LONG)
    return process.returncode, printed, errors


# --- who grades ----------------------------------------------------------------------


@pytest.mark.parametrize("address", ["nowhere", "ftp://127.0.0.1:1"])
def test_a_scheduler_that_is_not_there(address: str, ungraded: SmallClass) -> None:
    done = ungraded.type(f"grade SCHEDULER={address} WHO=dan")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith(f"SCHEDULER={address} does not answer: ")
    assert ungraded.verdicts() == {}


def test_two_workers_and_one_of_them_killed_give_the_same(
    scheduler: Scheduler, ungraded: SmallClass, as_graded: SmallClass
) -> None:
    first = scheduler.start_worker(ungraded.kit)
    scheduler.start_worker(ungraded.kit)

    process = begin_to_grade(ungraded)
    assert soon(ungraded.verdicts)
    first.send_signal(signal.SIGKILL)
    status, printed, errors = end_of(process)

    assert status == 0, errors
    assert "2 workers may grade" in printed
    assert ungraded.verdicts() == as_graded.verdicts()


def test_a_worker_that_differs_is_refused_by_name(
    scheduler: Scheduler, ungraded: SmallClass, other_kit: Path
) -> None:
    """One worker has another case, and one is not in the folder of a kit."""
    scheduler.start_worker(other_kit)
    scheduler.start_worker(other_kit.parent)
    refused = present()

    status, _, errors = end_of(begin_to_grade(ungraded))

    assert status == 2
    assert "has no worker that may grade" in errors
    for address in refused:
        assert f"the worker {address} is refused: it " in errors
    assert errors.count(OTHER_KIT) == 1
    assert errors.count(NO_KIT) == 1
    assert ungraded.verdicts() == {}


def test_a_worker_that_joins_late_and_differs_is_refused_by_name(
    scheduler: Scheduler,
    ungraded: SmallClass,
    as_graded: SmallClass,
    other_kit: Path,
) -> None:
    scheduler.start_worker(ungraded.kit)
    process = begin_to_grade(ungraded)
    assert soon(ungraded.verdicts)
    before = present()

    scheduler.start_worker(other_kit)
    (late,) = {*present()} - {*before}
    status, _, errors = end_of(process)

    assert status == 0, errors
    assert f"the worker {late} is refused: it has another kit" in errors
    assert ungraded.verdicts() == as_graded.verdicts()


def test_a_worker_below_the_isolation_of_the_course_is_refused(
    scheduler: Scheduler, ungraded: SmallClass
) -> None:
    decide(ungraded.kit, isolation="box")
    scheduler.start_worker(ungraded.kit)

    process = begin_to_grade(ungraded, "ISOLATE=lock", "WHO=dan")
    status, _, errors = end_of(process)

    assert status == 2
    assert "is refused: it reaches isolation: lock, and the course needs box" in errors


# --- faults --------------------------------------------------------------------------


def test_the_only_worker_is_lost_and_nothing_is_stored(
    scheduler: Scheduler, ungraded: SmallClass
) -> None:
    worker = scheduler.start_worker(ungraded.kit)
    process = begin_to_grade(ungraded)
    assert process.stdout
    assert "submissions to grade" in process.stdout.readline()
    assert "1 worker may grade" in process.stdout.readline()

    worker.send_signal(signal.SIGKILL)
    status, _, errors = end_of(process)

    assert status == 2
    assert "not graded, and nothing stored: " in errors
    assert "no worker is left" in errors
    stored = ungraded.verdicts().values()
    assert [verdict for verdict in stored if "fault" in verdict] == []


def test_an_error_on_a_worker_is_told_as_what_it_is(
    scheduler: Scheduler, ungraded: SmallClass
) -> None:
    pool = ungraded.kit / "staff" / "farm" / "pool.py"
    change(pool, "[sys.executable, ", '["no-such-python", ')
    scheduler.start_worker(ungraded.kit)

    status, _, errors = end_of(begin_to_grade(ungraded))

    assert status == 2
    assert "5 submissions: a worker failed: FileNotFoundError: " in errors
    assert "'no-such-python'" in errors
    assert ungraded.verdicts() == {}
