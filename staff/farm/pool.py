"""Does the work of a class on all cores: each core has a process, which does one task
at a time.

If a process dies while it grades a submission, a new process tries the submission once
more.  If the new process dies too, the functions that it has not graded stay ungraded.
If nobody reads the results any more, the pool ends all processes.  `make league` plays
its games in the same way.
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
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


PROCESSES = cores()
# While the pool waits for more outcomes than this, it takes no new job.  So its memory
# does not grow with the class.
MOST_WAITING = 100 * PROCESSES
SECONDS_TO_END = 1.0  # how long a process may take to end before it is killed
# How long one wait for an outcome may last.  Between two waits, Ctrl-C works on every
# system.
LOOK_SECONDS = 0.5
DIED = "The process that grades died with this submission, twice."
DIED_AT_WORK = "a process at work died twice ({}); what came before is kept"
GRADES = "staff.farm.kit_process"  # the module that a process runs to grade


@dataclass(frozen=True)
class Task:
    """A submission to grade."""

    sha256: str
    source: bytes = field(repr=False)
    # The functions to grade, each with the digest of its verdicts.
    functions: dict[str, str]


@dataclass(frozen=True)
class Result:
    """The verdicts on a function of a submission."""

    task: Task
    function: str
    # What the process wrote.  If there are no verdicts, `fault` says why.
    data: dict[str, Any]


@dataclass(frozen=True)
class Failure:
    """A task that failed for a reason outside the submission.  Nothing is stored."""

    task: Task
    why: str  # says why for a person, as the end of a sentence


class Ended(Exception):
    """Raised in a thread if nobody wants results any more."""


Job = TypeVar("Job")
Outcome = TypeVar("Outcome")
Work = Callable[[Job, "KitProcess"], Iterable[Outcome]]
"""A function that lets a process do a job, and yields the outcomes of the job."""


def run(tasks: Iterable[Task]) -> Iterator[Result]:
    """Yield the results of tasks as they come, one for each function.

    If a process cannot be started, `run` raises the error of the operating system.
    Closing this iterator ends all processes.
    """
    jobs = ((task, len(task.functions)) for task in tasks)
    yield from on_all_cores(jobs, attempts, GRADES)


def on_all_cores(
    jobs: Iterable[tuple[Job, int]], work: "Work[Job, Outcome]", module: str
) -> Iterator[Outcome]:
    """Yield the outcomes of jobs as they come.

    Each job comes with the number of outcomes that it will have.  `work` does a job
    with a process.  The processes run the module `module`.  If `work` raises an
    exception, or if a process cannot be started, this function raises that exception.
    Closing this iterator ends all processes.
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
    """Yield each request with the answer to it.

    The answers come from processes that run the module `module`.  Raises Refusal if two
    processes die while they work on the same request.
    """
    yield from on_all_cores(((request, 1) for request in requests), _asked, module)


def _asked(request: Any, process: "KitProcess") -> Iterator[tuple[Any, dict[str, Any]]]:
    """Yield a request with the only answer to it.

    If the process dies without an answer, try once more.  Raises Refusal if that fails
    too.
    """
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
    """In a thread: do the jobs in `waiting`, until nobody wants outcomes any more.

    Outcomes and exceptions go into `arrived`.
    """
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
    """Wait for the next outcome.  If a thread has met an exception instead, raise
    it.
    """
    while True:
        with contextlib.suppress(queue.Empty):
            outcome = arrived.get(timeout=LOOK_SECONDS)
            if isinstance(outcome, Exception):
                raise outcome
            return outcome


def attempts(task: Task, process: "KitProcess") -> Iterator[Result]:
    """Yield the results of a task.  If the process dies, try once more.

    If a function is not graded after the last try, its result says so, and has no
    verdicts.
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
    """A process that grades (kit_process.py) or runs another module.

    This object starts the process when there is something to do.  If the process dies,
    the object starts a new one for the next request.  The process has a session of its
    own, so Ctrl-C reaches only the command.  The command then ends the process.
    """

    def __init__(self, module: str = GRADES) -> None:
        self._module = module
        self._process: subprocess.Popen[bytes] | None = None
        self._has_ended = False
        self._starting = threading.Lock()

    def grade(self, task: Task, functions: Sequence[str]) -> Iterator[Result]:
        """Yield the results for these functions of a submission.

        If the process dies, the results that are missing are left out.  Raises OSError
        if the process cannot be started, and Ended if this object may start no process
        any more.
        """
        with tempfile.TemporaryDirectory(prefix="submission-") as folder:
            lab = Path(folder, "lab.py")
            lab.write_bytes(task.source)
            for data in self.answers([str(lab), list(functions)]):
                yield Result(task, data.pop("function"), data)

    def answers(self, request: Any) -> Iterator[dict[str, Any]]:
        """Yield the answers to a request.

        An empty answer from the process ends them, and is not yielded.  They also end
        if the process dies, or is killed because it takes more than WALL_SECONDS.
        Raises OSError if the process cannot be started, and Ended if this object may
        start no process any more.
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

        From now on this object starts no process.
        """
        with self._starting:
            self._has_ended = True
            if self._process:
                self._process.terminate()

    def end(self) -> None:
        """End the process, even if it is busy."""
        self.ask_to_end()
        process = self._process
        if process:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(SECONDS_TO_END)
            process.kill()
            process.wait()

    def _started(self) -> "subprocess.Popen[bytes]":
        """Return the process.  If there is none, start it.

        Raises OSError if the system cannot start it.  Raises Ended if somebody has
        called `ask_to_end` or `end`.
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

    If the process has died, this function raises nothing.  The caller notices that no
    answer comes.
    """
    assert process.stdin
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write(line)
        process.stdin.flush()


def _read(line: bytes) -> dict[str, Any] | None:
    """Return the data in a line that the process wrote.

    Return None if the line is not whole, because the process died while it wrote.
    """
    try:
        data: dict[str, Any] = json.loads(line)
    except ValueError:
        return None
    return data
