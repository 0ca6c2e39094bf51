"""Runs submissions on all cores: a kit process each, one submission at a time.

If a process dies with a submission, that gets one more try in a new one, and is
ungraded then.  Whoever stops reading the results ends all processes.
"""

import contextlib
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grader.kit import KIT
from staff.farm.kit_process import WALL_SECONDS

TRIES = 2
MOST_WAITING = 100 * (
    os.cpu_count() or 1
)  # functions: no more are held in memory, however large the class is
SECONDS_TO_END = 1.0  # for a process that is asked to end; then it is killed
LOOK_SECONDS = 0.5  # so that Ctrl-C is heard on every system
DIED = "The process that grades died with this submission, twice."


@dataclass(frozen=True)
class Task:
    """A lab.py, and the functions of it that have no verdict yet, with their
    digests.
    """

    sha256: str
    source: bytes = field(repr=False)
    functions: dict[str, str]


@dataclass(frozen=True)
class Result:
    """The verdicts on a function, as the kit process wrote them; or `fault`, which says
    why there are none.
    """

    task: Task
    function: str
    data: dict[str, Any]


@dataclass(frozen=True)
class Failure:
    """A task that met what has nothing to do with the lab.py: nothing is stored, and
    `why` is told.
    """

    task: Task
    why: str


class Ended(Exception):
    """Nobody wants results any more."""


def run(tasks: Iterable[Task]) -> Iterator[Result]:
    """The results of tasks as they come, one for each function.

    Raises what a process could not be started for.  Closing this iterator ends all
    processes.
    """
    waiting: queue.SimpleQueue[Task] = queue.SimpleQueue()
    arrived: queue.SimpleQueue[Result | Exception] = queue.SimpleQueue()
    processes = [KitProcess() for _ in range(os.cpu_count() or 1)]
    threads = [
        threading.Thread(target=_work, args=(each, waiting, arrived), daemon=True)
        for each in processes
    ]
    expected = 0
    try:
        for thread in threads:
            thread.start()
        for task in tasks:
            waiting.put(task)
            expected += len(task.functions)
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


def _work(
    process: "KitProcess",
    waiting: "queue.SimpleQueue[Task]",
    arrived: "queue.SimpleQueue[Result | Exception]",
) -> None:
    """In a thread: grade what waits, until nobody wants results any more."""
    with contextlib.suppress(Ended):
        while True:
            task = waiting.get()
            try:
                for result in attempts(task, process):
                    arrived.put(result)
            except Exception as error:
                if isinstance(error, Ended):
                    raise
                arrived.put(error)


def _next(arrived: "queue.SimpleQueue[Result | Exception]") -> Result:
    """The next result.  Raises what a thread met in its place."""
    while True:
        with contextlib.suppress(queue.Empty):
            result = arrived.get(timeout=LOOK_SECONDS)
            if isinstance(result, Exception):
                raise result
            return result


def attempts(task: Task, process: "KitProcess") -> Iterator[Result]:
    """The results of a task, which is tried again if the process dies; faults for what
    is left then.
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
    """A process that grades (kit_process.py), started when there is something to do,
    and anew after it has died.

    It is in a session of its own, so that Ctrl-C reaches this process alone, which then
    ends the other.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._has_ended = False
        self._starting = threading.Lock()

    def grade(self, task: Task, functions: Sequence[str]) -> Iterator[Result]:
        """The results for these functions of a lab.py, up to where the process dies.
        Raises OSError and Ended.
        """
        process = self._started()
        assert process.stdin and process.stdout
        watchdog = threading.Timer(WALL_SECONDS, process.kill)
        watchdog.daemon = True
        watchdog.start()
        try:
            with tempfile.TemporaryDirectory(prefix="submission-") as folder:
                lab = Path(folder, "lab.py")
                lab.write_bytes(task.source)
                _send(process, f"{json.dumps([str(lab), list(functions)])}\n".encode())
                for line in process.stdout:
                    data = _read(line)
                    if data is None:
                        break  # it died in the middle of a line
                    function = data.pop("function")
                    if not function:
                        return
                    yield Result(task, function, data)
        finally:
            watchdog.cancel()
        process.kill()
        process.wait()
        self._process = None

    def ask_to_end(self) -> None:
        """Let the process end what it has started, and then itself; no other is started
        any more.
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
        """The process.  Raises OSError if the system starts none, and Ended after the
        end.
        """
        with self._starting:
            if self._has_ended:
                raise Ended
            if not self._process:
                command = [sys.executable, "-m", "staff.farm.kit_process"]
                self._process = subprocess.Popen(
                    command,
                    cwd=KIT,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    start_new_session=True,
                )
            return self._process


def _send(process: "subprocess.Popen[bytes]", line: bytes) -> None:
    """Send a task; a process that has died between two tasks gives no results, which is
    seen then.
    """
    assert process.stdin
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write(line)
        process.stdin.flush()


def _read(line: bytes) -> dict[str, Any] | None:
    """What a line of the process says; None for one that has no end."""
    try:
        data: dict[str, Any] = json.loads(line)
    except ValueError:
        return None
    return data
