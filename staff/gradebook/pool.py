"""Runs submissions on all cores: a kit process each, one submission at a time.

If a process dies with a submission, that gets one more try in a new one, and is ungraded then.
"""

import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grader.kit import KIT

TRIES = 2
MOST_WAITING = 100 * (os.cpu_count() or 1)  # functions: no more are held in memory, however large the class is
WALL_SECONDS = 900.0  # of a submission: what is busy then has met a fault of the kit's, or no machine to run on


@dataclass(frozen=True)
class Task:
    """A lab.py, and the functions of it that have no verdict yet, with their digests."""

    sha256: str
    source: bytes = field(repr=False)
    functions: dict[str, str]


@dataclass(frozen=True)
class Result:
    """The verdicts on a function, as the kit process wrote them; or `fault`, which says why there are none."""

    task: Task
    function: str
    data: dict[str, Any]


def run(tasks: Iterable[Task]) -> Iterator[Result]:
    """The results of tasks as they come, one for each function."""
    arrived: queue.SimpleQueue[Result] = queue.SimpleQueue()
    of_thread = threading.local()

    def work(task: Task) -> None:
        of_thread.process = getattr(of_thread, "process", None) or KitProcess()
        for result in attempts(task, of_thread.process):
            arrived.put(result)

    expected = 0
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for task in tasks:
            threads.submit(work, task)
            expected += len(task.functions)
            while expected > MOST_WAITING:
                expected -= 1
                yield arrived.get()
        for _ in range(expected):
            yield arrived.get()


def attempts(task: Task, process: "KitProcess") -> Iterator[Result]:
    """The results of a task, which is tried again if the process dies; faults for what is left then."""
    left = list(task.functions)
    for _ in range(TRIES):
        for result in process.grade(task, left):
            left.remove(result.function)
            yield result
        if not left:
            return
    yield from faults(task, left, "The process that grades died with this submission, twice.")


def faults(task: Task, functions: Iterable[str], why: str) -> Iterator[Result]:
    """Results without any verdict."""
    for function in functions:
        yield Result(task, function, {"fault": why})


class KitProcess:
    """A process that grades (kit_process.py).  It ends with this one, and is started anew after it has died."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def grade(self, task: Task, functions: Sequence[str]) -> Iterator[Result]:
        """The results for these functions of a lab.py, up to where the process dies."""
        command = [sys.executable, "-m", "staff.gradebook.kit_process"]
        process = self._process or subprocess.Popen(command, cwd=KIT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._process = process
        assert process.stdin and process.stdout
        watchdog = threading.Timer(WALL_SECONDS, process.kill)
        watchdog.start()
        try:
            with tempfile.TemporaryDirectory(prefix="submission-") as folder:
                lab = Path(folder, "lab.py")
                lab.write_bytes(task.source)
                process.stdin.write(f"{json.dumps([str(lab), list(functions)])}\n".encode())
                process.stdin.flush()
                for line in process.stdout:
                    data = json.loads(line)
                    if not (function := data.pop("function")):
                        return
                    yield Result(task, function, data)
        except (OSError, ValueError):  # it died between two tasks, or in the middle of a line
            pass
        finally:
            watchdog.cancel()
        process.kill()
        process.wait()
        self._process = None
