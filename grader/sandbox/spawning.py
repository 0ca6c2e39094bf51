"""The sandbox where there is no fork (Windows): one process a function, threads read its pipes.

Without fork a process cannot be had for 2 ms, so the cases of a function share one, and a case
that fails in a shared process is run again in a new one by the caller.  There is no CPU clock to
rely on either, so a wall clock does its work.
"""

import contextlib
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO

from grader.protocol.answer import Answer, Ending, Request
from grader.protocol.limits import PRINTS_END, STARTING_CPU
from grader.sandbox.old import Sandbox, Worker
from grader.sandbox.scratch import Scratch
from grader.sandbox.start import start_worker

LONG_IMPORT = 1.0
LATE_PRINTS = 0.5  # seconds, for a pipe of which nobody knows whether lab.py has closed it


class SpawningWorker(Worker):
    """A worker that runs the cases itself, and the two threads that read its pipes."""

    def __init__(self, lab: Path, scratch: str) -> None:
        super().__init__(start_worker(lab, scratch), scratch)
        self._news = threading.Condition()
        self._closed = set[IO[bytes]]()
        assert self._process.stdout and self._process.stderr
        for pipe, keep in ((self._process.stdout, self._keep_reply), (self._process.stderr, self._keep_print)):
            threading.Thread(target=self._drain, args=(pipe, keep), daemon=True).start()

    @property
    def cpu(self) -> float:
        """The CPU seconds that the case has taken; where nobody counts them, all of its time."""
        return self._watch.cpu if sys.platform == "linux" else self.seconds

    def _send(self, line: bytes) -> None:
        threading.Thread(target=self._write, args=(line,), daemon=True).start()

    def _wait(self, request: Request | None) -> Ending | None:
        """Until a whole reply has come up, and with it, in the other pipe, all that was printed."""
        with self._news:
            while not self._is_over():
                self._news.wait_for(self._is_over, timeout=self._watch.patience())
                if passed := self._watch.look():
                    return passed
            self._news.wait_for(self._has_prints, LATE_PRINTS)
            return self._too_much() or (None if b"\n\n" in self.replies else Ending.EXITED)

    def _is_over(self) -> bool:
        return self._process.stdout in self._closed or b"\n\n" in self.replies or self._too_much() is not None

    def _has_prints(self) -> bool:
        return self._process.stderr in self._closed or self._prints.endswith(PRINTS_END.encode())

    def kill(self) -> None:
        """End the process, unless it has just ended by itself."""
        if self._process.stdout in self._closed:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=0.05)
        super().kill()

    def _write(self, line: bytes) -> None:
        assert self._process.stdin
        with contextlib.suppress(OSError, ValueError):
            while line:
                line = line[self._process.stdin.write(line) or 0 :]

    def _drain(self, pipe: IO[bytes], keep: Callable[[bytes], None]) -> None:
        """Keep what comes out of a pipe, until its end, or until it is too much."""
        while data := pipe.read(1 << 16):
            with self._news:
                keep(data)
                self._news.notify()
                if self._too_much():
                    return
        with self._news:
            self._closed.add(pipe)
            self._news.notify()


class SpawningSandbox(Sandbox):
    """The cases of one function in one process, up to the first that ends it."""

    wall_per_cpu_second = 2
    _function, _import_cost = "", 0.0

    def _new_worker(self) -> SpawningWorker:
        self._scratch.remove()  # with what an earlier one left, which would count as this one's
        self._scratch = Scratch()
        return SpawningWorker(self._lab, self._scratch.path)

    def load(self) -> Answer:
        """Start a worker, which imports lab.py; that Python starts so often is not the lab's doing."""
        before = self.importing
        loaded = super().load()
        self._import_cost = max(0.0, loaded.cost - STARTING_CPU)
        self.importing = before + self._import_cost
        return loaded

    def _make_ready(self, function: str) -> str:
        """A process a function; all share one where the import takes long."""
        if self._function not in ("", function) and self._import_cost < LONG_IMPORT:
            self.renew()
        self.last_was_fresh = self._worker is None or self._function == ""
        self._function = function
        return ""
