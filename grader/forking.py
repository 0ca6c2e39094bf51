"""The sandbox where there is fork: one worker imports lab.py once and forks a process a case."""

import contextlib
import dataclasses
import os
import selectors
import signal
import time
from collections.abc import Iterable
from pathlib import Path

from grader.answer import (
    Answer,
    Ending,
    NeverStarted,
    Request,
    killed_by,
    last_place,
    read_import,
    read_outcomes,
    read_status,
    timed,
    with_last_words,
)
from grader.confine import adopt_orphans
from grader.locks import NO_LOCKS, read_locks
from grader.processes import cpu_seconds, descendants, kill_tree, reap
from grader.sandbox import (
    IMPORT_WALL,
    KEPT_OUTPUT,
    MOST_ANSWER,
    MOST_OUTPUT,
    STARTING_CPU,
    WALL_PER_CPU_SECOND,
    Scratch,
    start_worker,
)
from grader.worker import IMPORT_SECONDS

MOST_STATUS = 1_000


class ForkingSandbox:
    """Every case in a fresh process, forked from a worker that has imported lab.py."""

    def __init__(self, lab: Path) -> None:
        self._lab = lab
        self._scratch = Scratch()
        self._worker: _Worker | None = None
        self.last_was_fresh = True
        self.locks = NO_LOCKS
        self.importing = 0.0

    def renew(self) -> None:
        """Nothing to do: every case has a process of its own."""

    def load(self) -> Answer:
        """Start the worker, which imports lab.py."""
        started = time.monotonic()
        worker = self._worker = _Worker(self._lab, self._scratch.path)
        ending = worker.read_until(b"\n\n", IMPORT_WALL, in_replies=True)
        data = bytes(worker.replies)
        worker.replies.clear()
        self.locks = read_locks(data)
        try:
            reply = read_import(data)
        except NeverStarted:
            self._stop()
            raise
        seconds = time.monotonic() - started
        if ending is None and reply:
            worker.count_cpu()
            self.importing += max(0.0, worker.cpu - STARTING_CPU)
            return Answer(Ending.ANSWERED, [reply], printed=worker.printed(), seconds=seconds, cpu=worker.cpu)
        self._stop()
        ended = timed(worker.how_it_ended(ending or Ending.GARBLED, seconds), worker.cpu, IMPORT_SECONDS)
        self.importing += max(0.0, ended.cost - STARTING_CPU)
        return dataclasses.replace(ended, where=last_place(data, self._lab))

    def answer(self, request: Request) -> Answer:
        """Run one case; a worker that did not survive the last one is started again."""
        if self._worker is None:
            loaded = self.load()
            if not loaded.imported:
                return loaded
        worker = self._worker
        assert worker is not None
        answer = self._run(worker, request)
        return timed(answer, worker.cpu, request.seconds)

    def _run(self, worker: "_Worker", request: Request) -> Answer:
        started = time.monotonic()
        self._scratch.clear()
        worker.begin()
        ending = worker.send(request.line()) or worker.read_until(b"\n", request.seconds * WALL_PER_CPU_SECOND)
        seconds = time.monotonic() - started
        if ending is not None:
            self._stop()
            return with_last_words(worker.how_it_ended(ending, seconds), request, bytes(worker.replies), self._lab)
        worker.count_cpu()
        status, survivors = read_status(bytes(worker.statuses)) or (None, True)
        printed = worker.printed()
        if survivors:
            self._stop()
        if status is None:
            return Answer(Ending.GARBLED, printed=printed, seconds=seconds)
        if os.WIFSIGNALED(status):
            return with_last_words(
                killed_by(os.WTERMSIG(status), printed, seconds), request, bytes(worker.replies), self._lab
            )
        if not worker.replies.endswith(b"\n\n"):
            ended = Answer(Ending.EXITED, detail=os.WEXITSTATUS(status), printed=printed, seconds=seconds)
            return with_last_words(ended, request, bytes(worker.replies), self._lab)
        return read_outcomes(request, bytes(worker.replies), printed, seconds)

    def close(self) -> None:
        """End the worker with everything below it."""
        self._stop()
        self._scratch.remove()

    def _stop(self) -> None:
        if self._worker is not None:
            self._worker.kill()
            self._worker = None


class _Worker:
    """The worker process and its pipes: replies, statuses, and what gets printed."""

    def __init__(self, lab: Path, scratch: str) -> None:
        adopt_orphans()
        self._others = descendants(os.getpid())
        status_out, status_in = os.pipe()
        self._process = start_worker(lab, scratch, status_in)
        os.close(status_in)
        assert self._process.stdout and self._process.stderr
        self.replies, self.statuses, self._prints = bytearray(), bytearray(), bytearray()
        self._printed_bytes, self._cpu_before, self.cpu = 0, 0.0, 0.0
        self._pipes = {self._process.stdout.fileno(): self.replies, status_out: self.statuses}
        self._prints_pipe = self._process.stderr.fileno()
        self._status_out = status_out
        self._selector = selectors.DefaultSelector()
        for pipe in (*self._pipes, self._prints_pipe):
            os.set_blocking(pipe, False)
            self._selector.register(pipe, selectors.EVENT_READ)

    def begin(self) -> None:
        """Forget what the last case sent."""
        for buffer in (self.replies, self.statuses, self._prints):
            buffer.clear()
        self._printed_bytes = 0
        self._cpu_before, self.cpu = cpu_seconds([self._process.pid]), 0.0

    def count_cpu(self, below: Iterable[int] = ()) -> None:
        """Find out how much CPU time the case has taken; `below` are processes that still live."""
        self.cpu = max(self.cpu, cpu_seconds([self._process.pid, *below]) - self._cpu_before)

    def send(self, line: bytes) -> Ending | None:
        """Hand a request to the worker; an Ending where it is gone."""
        assert self._process.stdin
        try:
            self._process.stdin.write(line)
            self._process.stdin.flush()
        except BrokenPipeError:
            return Ending.KILLED
        return None

    def read_until(self, end: bytes, wall: float, in_replies: bool = False) -> Ending | None:
        """Read all pipes until a whole line has come up; an Ending where none will."""
        awaited = self.replies if in_replies else self.statuses
        deadline = time.monotonic() + wall
        while True:
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                return Ending.TIMED_OUT
            ready = [key.fd for key, _ in self._selector.select(remaining)]
            open_pipes = [self._read(pipe) for pipe in ready]
            if awaited.endswith(end):
                for pipe in (*self._pipes, self._prints_pipe):
                    while self._read(pipe, at_least_one=True):
                        pass
            if self._printed_bytes > MOST_OUTPUT:
                return Ending.FLOODED
            if len(self.replies) > MOST_ANSWER:
                return Ending.TOO_LARGE
            if len(self.statuses) > MOST_STATUS:
                return Ending.GARBLED
            if awaited.endswith(end):
                return None
            if not all(open_pipes):
                return Ending.KILLED

    def _read(self, pipe: int, at_least_one: bool = False) -> bool:
        """Take what a pipe holds.  False at its end, and, if asked, where it holds nothing."""
        try:
            data = os.read(pipe, 1 << 16)
        except BlockingIOError:
            return not at_least_one
        if pipe == self._prints_pipe:
            self._printed_bytes += len(data)
            self._prints += data[: KEPT_OUTPUT - len(self._prints)]
            return bool(data) and self._printed_bytes <= MOST_OUTPUT
        self._pipes[pipe] += data
        return bool(data) and len(self.replies) <= MOST_ANSWER

    def printed(self) -> str:
        """What was printed during the case, at most 64 KiB of it."""
        return self._prints.decode("utf-8", "replace")

    def how_it_ended(self, ending: Ending, seconds: float) -> Answer:
        """The Answer for a worker that is gone."""
        code = self._process.wait()
        if ending is not Ending.KILLED:
            return Answer(ending, printed=self.printed(), seconds=seconds)
        if code < 0:
            return killed_by(-code, self.printed(), seconds)
        return Answer(Ending.EXITED, detail=code, printed=self.printed(), seconds=seconds)

    def kill(self) -> None:
        """End the worker and every process below it, however far it went to hide."""
        self.count_cpu(descendants(self._process.pid))
        killed = kill_tree(self._process.pid)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for orphan in descendants(os.getpid()) - self._others:
            killed |= {orphan} | kill_tree(orphan)
        reap(killed)
        self._selector.close()
        os.close(self._status_out)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            with contextlib.suppress(BrokenPipeError):
                if stream:
                    stream.close()
