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
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grader.kit import KIT

TRIES = 2
WALL_SECONDS = 900.0  # of one submission: what is still busy then has a fault of the kit's, or no machine to run on


@dataclass(frozen=True)
class Task:
    """A lab.py, and the functions of it that have no verdict yet, with their digests."""

    sha256: str
    source: bytes = field(repr=False)
    functions: dict[str, str]


@dataclass(frozen=True)
class Result:
    """The verdicts on a function, as the kit process wrote them; `fault` says why there are none."""

    task: Task
    function: str
    data: dict[str, Any] = field(default_factory=dict)
    fault: str = ""


def run(tasks: Iterable[Task], cores: int = 0) -> Iterator[Result | Task]:
    """The results of tasks as they come; a task itself when it is done."""
    waiting: queue.SimpleQueue[Task] = queue.SimpleQueue()
    for task in tasks:
        waiting.put(task)
    results: queue.SimpleQueue[Result | Task | None] = queue.SimpleQueue()
    number = min(cores or os.cpu_count() or 1, max(1, waiting.qsize()))
    for _ in range(number):
        threading.Thread(target=_work, args=(waiting, results), daemon=True).start()
    while number:
        result = results.get()
        if result is None:
            number -= 1
        else:
            yield result


def _work(waiting: "queue.SimpleQueue[Task]", results: "queue.SimpleQueue[Result | Task | None]") -> None:
    """Take tasks until there are none."""
    process = KitProcess()
    try:
        while True:
            task = waiting.get_nowait()
            for result in attempts(task, process):
                results.put(result)
            results.put(task)
    except queue.Empty:
        pass
    finally:
        process.close()
        results.put(None)


def attempts(task: Task, process: "KitProcess", tries: int = TRIES) -> Iterator[Result]:
    """The results of a task, which is tried again if the process dies; faults for what is left then."""
    left = list(task.functions)
    for _ in range(tries):
        for result in process.grade(task, left):
            left.remove(result.function)
            yield result
        if not left:
            return
    for function in left:
        yield Result(task, function, fault="The process that grades died with this submission, twice.")


class KitProcess:
    """A process that grades; it is started with the first task, and anew after it has died."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def grade(self, task: Task, functions: Sequence[str]) -> Iterator[Result]:
        """The results for these functions of a lab.py, up to where the process dies."""
        process = self._process = self._process or self._start()
        timer = threading.Timer(WALL_SECONDS, process.kill)
        timer.start()
        try:
            with tempfile.TemporaryDirectory(prefix="submission-") as folder:
                lab = Path(folder, "lab.py")
                lab.write_bytes(task.source)
                words = {"lab": str(lab), "functions": list(functions)}
                assert process.stdin and process.stdout
                process.stdin.write(f"{json.dumps(words)}\n".encode())
                process.stdin.flush()
                for line in process.stdout:
                    data = json.loads(line)
                    if not (function := data.pop("function")):
                        return
                    yield Result(task, function, data)
            self.close()
        except (OSError, ValueError):  # it died between two tasks, or in the middle of a line
            self.close()
        finally:
            timer.cancel()

    def _start(self) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", "staff.gradebook.kit_process"]
        return subprocess.Popen(command, cwd=KIT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def close(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process:
            process.kill()
            process.wait()
