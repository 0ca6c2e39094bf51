"""Does the work of a class on all cores: a kit process each, one task at a time.

If a process dies with a submission, a new process tries the submission once more.  If
the new process dies too, the submission is ungraded.  Whoever stops reading the results
ends all processes.  `make league` plays its games in the same way.
"""

import contextlib
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from grader.kit import KIT
from grader.protocol.text import harmless
from grader.refusal import Refusal
from staff.farm.kit_process import WALL_SECONDS

TRIES = 2


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


PROCESSES = cores()
MOST_WAITING = 100 * PROCESSES  # functions in memory, however large the class is
SECONDS_TO_END = 1.0  # for a process that is asked to end; then it is killed
LOOK_SECONDS = 0.5  # so that Ctrl-C is heard on every system
DIED = "The process that grades died with this submission, twice."
DIED_AT_WORK = "a process at work died twice ({}); what came before is kept"
GRADES = "staff.farm.kit_process"  # the module that a process runs to grade


@dataclass(frozen=True)
class Task:
    """A submission to grade."""

    sha256: str
    source: bytes = field(repr=False)
    functions: dict[str, str]  # those to grade, with the digests of their verdicts


@dataclass(frozen=True)
class Result:
    """The verdicts on a function."""

    task: Task
    function: str
    # As the kit process wrote it.  Without verdicts, `fault` says why.
    data: dict[str, Any]


@dataclass(frozen=True)
class Failure:
    """A task that failed for a reason outside the submission; nothing is stored."""

    task: Task
    why: str  # for a person, as the end of a sentence


class Ended(Exception):
    """Nobody wants results any more."""


Job = TypeVar("Job")
Outcome = TypeVar("Outcome")
Work = Callable[[Job, "KitProcess"], Iterable[Outcome]]
"""What has a process do a job, and gives its outcomes."""


def run(tasks: Iterable[Task]) -> Iterator[Result]:
    """The results of tasks as they come, one for each function.

    Raises the error of a process that cannot be started.  Closing this iterator ends
    all processes.
    """
    jobs = ((task, len(task.functions)) for task in tasks)
    yield from on_all_cores(jobs, attempts, GRADES)


def on_all_cores(
    jobs: Iterable[tuple[Job, int]], work: "Work[Job, Outcome]", module: str
) -> Iterator[Outcome]:
    """The outcomes of jobs as they come; each job has with it how many it will give.

    The processes run this module.  Errors and closing are as for `run`.
    """
    waiting: queue.SimpleQueue[Job] = queue.SimpleQueue()
    arrived: queue.SimpleQueue[Outcome | Exception] = queue.SimpleQueue()
    processes = [KitProcess(module) for _ in range(PROCESSES)]
    threads = [
        threading.Thread(
            target=_work, args=(process, work, waiting, arrived), daemon=True
        )
        for process in processes
    ]
    expected = 0
    try:
        for thread in threads:
            thread.start()
        for job, number in jobs:
            waiting.put(job)
            expected += number
            while expected > MOST_WAITING:
                expected -= 1
                yield _next(arrived)
        for _ in range(expected):
            yield _next(arrived)
    finally:
        for process in processes:
            process.ask_to_end()
        for process in processes:
            process.end()


Asked = tuple[Any, dict[str, Any]]
"""A request, and an answer to it."""


def ask(requests: Iterable[Any], module: str) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Each request, with the answer of a process that runs a module.

    Raises Refusal if two processes die with a request.
    """
    yield from on_all_cores(((request, 1) for request in requests), _asked, module)


def _asked(request: Any, process: "KitProcess") -> Iterator[tuple[Any, dict[str, Any]]]:
    """A request, with the only answer to it."""
    for _ in range(TRIES):
        answers = list(process.answers(request))
        if answers:
            yield request, answers[0]
            return
    raise Refusal(DIED_AT_WORK.format(harmless(request)))


def _work(
    process: "KitProcess",
    work: "Work[Job, Outcome]",
    waiting: "queue.SimpleQueue[Job]",
    arrived: "queue.SimpleQueue[Outcome | Exception]",
) -> None:
    """In a thread: do the jobs that wait, until nobody wants outcomes any more."""
    while True:
        job = waiting.get()
        try:
            for outcome in work(job, process):
                arrived.put(outcome)
        except Ended:
            return
        except Exception as error:
            arrived.put(error)


def _next(arrived: "queue.SimpleQueue[Outcome | Exception]") -> Outcome:
    """The next outcome.  Raises the exception that a thread met in place of one."""
    while True:
        with contextlib.suppress(queue.Empty):
            outcome = arrived.get(timeout=LOOK_SECONDS)
            if isinstance(outcome, Exception):
                raise outcome
            return outcome


def attempts(task: Task, process: "KitProcess") -> Iterator[Result]:
    """The results of a task, which is tried again if the process dies.

    The functions that are left after the last try have a fault instead of verdicts.
    """
    left = list(task.functions)
    for _ in range(TRIES):
        for result in process.grade(task, left):
            left.remove(result.function)
            yield result
        if not left:
            return
    for function in left:
        yield Result(task, function, {"fault": DIED})


class KitProcess:
    """A process that grades (kit_process.py), or that runs another module.

    The process is started when there is something to do, and again after it has died.
    It has a session of its own: so Ctrl-C reaches only the command, which then ends the
    process.
    """

    def __init__(self, module: str = GRADES) -> None:
        self._module = module
        self._process: subprocess.Popen[bytes] | None = None
        self._has_ended = False
        self._starting = threading.Lock()

    def grade(self, task: Task, functions: Sequence[str]) -> Iterator[Result]:
        """The results for these functions of a submission, until the process dies.

        Raises OSError if no process can be started, and Ended after the end.
        """
        with tempfile.TemporaryDirectory(prefix="submission-") as folder:
            lab = Path(folder, "lab.py")
            lab.write_bytes(task.source)
            for data in self.answers([str(lab), list(functions)]):
                yield Result(task, data.pop("function"), data)

    def answers(self, request: Any) -> Iterator[dict[str, Any]]:
        """The answers to a request, until an empty one, or until the process dies.

        Raises OSError if no process can be started, and Ended after the end.
        """
        process = self._started()
        assert process.stdin and process.stdout
        watchdog = threading.Timer(WALL_SECONDS, process.kill)
        watchdog.daemon = True
        watchdog.start()
        try:
            _send(process, f"{json.dumps(request)}\n".encode())
            for line in process.stdout:
                data = _read(line)
                if data is None:
                    break  # the process died in the middle of a line
                if not data:
                    return
                yield data
        finally:
            watchdog.cancel()
        process.kill()
        process.wait()
        self._process = None

    def ask_to_end(self) -> None:
        """Ask the process to end itself and all that it has started.

        No other process is started any more.
        """
        with self._starting:
            self._has_ended = True
            if self._process:
                self._process.terminate()

    def end(self) -> None:
        """End the process, however busy it is."""
        self.ask_to_end()
        process = self._process
        if process:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(SECONDS_TO_END)
            process.kill()
            process.wait()

    def _started(self) -> "subprocess.Popen[bytes]":
        """The process, which is started now if there is none.

        Raises OSError if the system starts no process, and Ended after the end.
        """
        with self._starting:
            if self._has_ended:
                raise Ended
            if not self._process:
                command = [sys.executable, "-m", self._module]
                self._process = subprocess.Popen(
                    command,
                    cwd=KIT,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    start_new_session=True,
                )
            return self._process


def _send(process: "subprocess.Popen[bytes]", line: bytes) -> None:
    """Send a request to a process.

    If the process has died since the last request, this raises nothing: the caller
    finds that no answers come.
    """
    assert process.stdin
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write(line)
        process.stdin.flush()


def _read(line: bytes) -> dict[str, Any] | None:
    """The data in a line of the process; None for a line that has no end."""
    try:
        data: dict[str, Any] = json.loads(line)
    except ValueError:
        return None
    return data
