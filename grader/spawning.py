"""The sandbox where there is no fork (Windows): one process a function, threads read its pipes.

Without fork a process cannot be had for 2 ms, so the cases of a function share one, and a case
that fails in a shared process is run again in a new one by the caller.  There is no CPU clock to
rely on either, so a wall clock does its work.
"""

import contextlib
import os
import subprocess
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import IO

from grader.answer import (
    Answer,
    Ending,
    NeverStarted,
    Request,
    killed_by,
    read_import,
    read_outcomes,
    timed,
    with_last_words,
)
from grader.confine import adopt_orphans
from grader.locks import NO_LOCKS, read_locks
from grader.processes import cpu_seconds, descendants, kill_tree, reap
from grader.sandbox import IMPORT_WALL, KEPT_OUTPUT, MOST_ANSWER, MOST_OUTPUT, STARTING_CPU, Scratch, start_worker
from grader.worker import IMPORT_SECONDS

WALL_PER_CPU_SECOND = 2


class SpawningSandbox:
    """The cases of one function in one process, up to the first that ends it."""

    def __init__(self, lab: Path) -> None:
        self._lab = lab
        self._scratch = Scratch()
        self._process: _Process | None = None
        self._function = ""
        self.last_was_fresh = True
        self.locks = NO_LOCKS
        self.importing = 0.0

    def renew(self) -> None:
        """Run the next case in a new process."""
        if self._process is not None:
            self._process.kill()
            self._process = None

    def load(self) -> Answer:
        """Start a process, which imports lab.py."""
        started = time.monotonic()
        process = self._process = _Process(self._lab, self._scratch.path)
        ending = process.wait_for_reply(IMPORT_WALL)
        seconds = time.monotonic() - started
        data = process.take_reply()
        self.locks = read_locks(data)
        try:
            reply = read_import(data)
        except NeverStarted:
            self.renew()
            raise
        if ending is None and reply:
            process.count_cpu()
            self.importing += max(0.0, process.cpu - STARTING_CPU)
            return Answer(Ending.ANSWERED, [reply], printed=process.printed(), seconds=seconds, cpu=process.cpu)
        self.renew()
        ended = timed(process.how_it_ended(ending or Ending.GARBLED, seconds), process.cpu, IMPORT_SECONDS)
        self.importing += max(0.0, ended.cost - STARTING_CPU)
        return ended

    def answer(self, request: Request) -> Answer:
        """Run one case, in the process that its function has."""
        if self._process is not None and self._function not in ("", request.function):
            self.renew()
        self.last_was_fresh = self._process is None or self._function == ""
        self._function = request.function
        if self._process is None and not (loaded := self.load()).imported:
            return loaded
        process = self._process
        assert process is not None
        answer = self._run(process, request)
        return timed(answer, process.cpu, request.seconds)

    def _run(self, process: "_Process", request: Request) -> Answer:
        started = time.monotonic()
        process.send(request.line())
        ending = process.wait_for_reply(request.seconds * WALL_PER_CPU_SECOND)
        seconds = time.monotonic() - started
        if ending is not None:
            self.renew()
            return with_last_words(process.how_it_ended(ending, seconds), request, process.take_reply(), self._lab)
        process.count_cpu()
        return read_outcomes(request, process.take_reply(), process.printed(), seconds)

    def close(self) -> None:
        """End the process and remove the scratch folder."""
        self.renew()
        self._scratch.remove()


class _Process:
    """A worker without fork, and the two threads that read its pipes."""

    def __init__(self, lab: Path, scratch: str) -> None:
        adopt_orphans()
        self._others = descendants(os.getpid())
        self._process = start_worker(lab, scratch)
        self._replies, self._prints = bytearray(), bytearray()
        self._printed_bytes, self._cpu_before, self.cpu = 0, 0.0, 0.0
        self._news = threading.Condition()
        self._closed = False
        assert self._process.stdout and self._process.stderr
        for read, pipe in ((self._read_replies, self._process.stdout), (self._read_prints, self._process.stderr)):
            threading.Thread(target=read, args=(pipe,), daemon=True).start()

    def send(self, line: bytes) -> None:
        """Hand a request to the process, which may be gone."""
        assert self._process.stdin
        with self._news:
            self._prints.clear()
            self._printed_bytes = 0
        self._cpu_before, self.cpu = cpu_seconds([self._process.pid]), 0.0
        with contextlib.suppress(OSError):
            self._process.stdin.write(line)
            self._process.stdin.flush()

    def count_cpu(self, below: Iterable[int] = ()) -> None:
        """Find out how much CPU time the case has taken; `below` are processes that still live."""
        self.cpu = max(self.cpu, cpu_seconds([self._process.pid, *below]) - self._cpu_before)

    def wait_for_reply(self, wall: float) -> Ending | None:
        """Wait until a whole reply has come up; an Ending where none will."""
        with self._news:
            happened = self._news.wait_for(
                lambda: self._closed or b"\n\n" in self._replies or self._too_much() is not None, timeout=wall
            )
            if self._too_much() or not happened:
                return self._too_much() or Ending.TIMED_OUT
            return None if b"\n\n" in self._replies else Ending.EXITED

    def take_reply(self) -> bytes:
        """All that has come up so far."""
        with self._news:
            data = bytes(self._replies)
            self._replies.clear()
        return data

    def printed(self) -> str:
        """What was printed during the case, at most 64 KiB of it."""
        with self._news:
            return self._prints.decode("utf-8", "replace")

    def how_it_ended(self, ending: Ending, seconds: float) -> Answer:
        """The Answer for a process that is gone."""
        code = self._process.wait()
        if ending is Ending.EXITED and code < 0:
            return killed_by(-code, self.printed(), seconds)
        detail = code if ending is Ending.EXITED else 0
        return Answer(ending, detail=detail, printed=self.printed(), seconds=seconds)

    def kill(self) -> None:
        """End the process, unless it has just ended by itself."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.count_cpu(descendants(self._process.pid))
            self._process.wait(timeout=0.05 if self._closed else 0)
        killed = kill_tree(self._process.pid)
        self._process.kill()
        self._process.wait()
        for orphan in descendants(os.getpid()) - self._others:
            killed |= {orphan} | kill_tree(orphan)
        reap(killed)

    def _too_much(self) -> Ending | None:
        if self._printed_bytes > MOST_OUTPUT:
            return Ending.FLOODED
        return Ending.TOO_LARGE if len(self._replies) > MOST_ANSWER else None

    def _read_replies(self, pipe: IO[bytes]) -> None:
        while data := pipe.read1(1 << 16):  # type: ignore[attr-defined]
            with self._news:
                self._replies += data
                self._news.notify()
                if self._too_much():
                    return
        with self._news:
            self._closed = True
            self._news.notify()

    def _read_prints(self, pipe: IO[bytes]) -> None:
        while data := pipe.read1(1 << 16):  # type: ignore[attr-defined]
            with self._news:
                self._printed_bytes += len(data)
                self._prints += data[: KEPT_OUTPUT - len(self._prints)]
                if self._too_much():
                    self._news.notify()
                    return
