"""The sandbox where there is fork: one worker imports lab.py once and forks a process a case."""

import dataclasses
import os
import selectors
from pathlib import Path

from grader.pipe.answer import (
    Answer,
    Ending,
    NeverStarted,
    Request,
    killed_by,
    last_place,
    read_import,
    read_outcomes,
    read_status,
    stopped,
    timed,
    with_last_words,
)
from grader.pipe.limits import (
    IMPORT_SECONDS,
    IMPORT_WALL,
    KEPT_OUTPUT,
    MOST_ANSWER,
    MOST_OUTPUT,
    STARTING_CPU,
    WALL_PER_CPU_SECOND,
)
from grader.pipe.locks import NO_LOCKS
from grader.sandbox.scratch import Scratch
from grader.sandbox.start import end, read_locks, start_worker
from grader.sandbox.watch import NOTHING_USED, Watch

MOST_STATUS = 1_000
THE_KITS_OWN = 3  # the keeper, the first process, the worker


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
        worker = self._worker = _Worker(self._lab, self._scratch.path)
        worker.begin(IMPORT_SECONDS + STARTING_CPU, IMPORT_WALL)
        ending = worker.read_until(b"\n\n")
        data = bytes(worker.replies)
        worker.replies.clear()
        self.locks = read_locks(data)
        try:
            reply = read_import(data)
        except NeverStarted:
            self._stop()
            raise
        if ending is None and reply:
            worker.finish()
            answer = Answer(Ending.ANSWERED, [reply], printed=worker.printed(), seconds=worker.seconds, cpu=worker.cpu)
        else:
            seconds = worker.seconds
            self._stop()
            ended = timed(worker.how_it_ended(ending or Ending.GARBLED, seconds), worker.cpu, IMPORT_SECONDS)
            answer = dataclasses.replace(ended, where=last_place(data, self._lab))
        self.importing += answer.cost
        return answer

    def answer(self, request: Request) -> Answer:
        """Run one case; a worker that did not survive the last one is started again."""
        request = request.sealed(self._fresh_folder())
        if self._worker is None:
            loaded = self.load()
            if not loaded.imported:
                return loaded
        worker = self._worker
        assert worker is not None
        answer = self._run(worker, request)
        return timed(answer, worker.cpu, request.seconds)

    def _run(self, worker: "_Worker", request: Request) -> Answer:
        worker.begin(request.seconds, request.seconds * WALL_PER_CPU_SECOND, request.line())
        ending = worker.read_until(b"\n", of_case=request.case.encode())
        seconds = worker.seconds
        if ending is not None:
            self._stop()
            return with_last_words(worker.how_it_ended(ending, seconds), request, bytes(worker.replies), self._lab)
        is_alone = worker.finish()
        status, survivors = worker.status_of(request) or (None, True)
        printed = worker.printed()
        if survivors or not is_alone:
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

    def _fresh_folder(self) -> str:
        """An empty folder for one case.  Where what the last one left cannot go, the worker goes too."""
        try:
            return self._scratch.fresh()
        except OSError:
            self._stop()
            self._scratch.remove()
            self._scratch = Scratch()
            return self._scratch.fresh()

    def close(self) -> None:
        """End the worker with everything below it."""
        self._stop()
        self._scratch.remove()

    def _stop(self) -> None:
        if self._worker is not None:
            self._worker.kill()
            self._worker = None


class _Worker:
    """The worker process and its pipes: requests, replies, statuses, and what gets printed."""

    def __init__(self, lab: Path, scratch: str) -> None:
        status_out, status_in = os.pipe()
        self._process = start_worker(lab, scratch, status_in)
        os.close(status_in)
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self.replies, self.statuses, self._prints = bytearray(), bytearray(), bytearray()
        self._printed_bytes, self._scratch, self._used_before = 0, scratch, NOTHING_USED
        self._request = memoryview(b"")
        self._requests_pipe, self._prints_pipe = self._process.stdin.fileno(), self._process.stderr.fileno()
        self._pipes = {self._process.stdout.fileno(): self.replies, status_out: self.statuses}
        self._status_out = status_out
        self._selector = selectors.DefaultSelector()
        for pipe in (*self._pipes, self._prints_pipe):
            os.set_blocking(pipe, False)
            self._selector.register(pipe, selectors.EVENT_READ)
        os.set_blocking(self._requests_pipe, False)

    @property
    def cpu(self) -> float:
        """The CPU seconds that the case has taken, as far as is known."""
        return self._watch.cpu

    @property
    def seconds(self) -> float:
        """The time that the case has had."""
        return self._watch.seconds

    def begin(self, seconds: float, wall: float, request: bytes = b"") -> None:
        """Forget what the last case sent; `request` goes to the worker while its reply is awaited."""
        for buffer in (self.replies, self.statuses, self._prints):
            buffer.clear()
        self._printed_bytes = 0
        self._watch = Watch(self._process.pid, self._scratch, seconds, wall, self._used_before)
        self._request = memoryview(request)
        if request:
            self._selector.register(self._requests_pipe, selectors.EVENT_WRITE)

    def finish(self) -> bool:
        """Count what the case has used.  Whether nobody is left of it, not even dead and unburied."""
        used = self._watch.count()
        self._used_before = used
        return used.seen <= THE_KITS_OWN and not self._request

    def status_of(self, request: Request) -> tuple[int, bool] | None:
        """What the worker says of how a case ended; None where it is not one line that can be read."""
        name = request.case.encode()
        lines = [line for line in self.statuses.split(b"\n") if line.startswith(name)]
        return read_status(bytes(lines[0].removeprefix(name))) if len(lines) == 1 else None

    def read_until(self, end: bytes, of_case: bytes = b"") -> Ending | None:
        """Read all pipes until a whole line has come up; an Ending where none will.

        That is the status of a case, or else the reply to the import.
        """
        awaited = self.statuses if of_case else self.replies
        while True:
            ready = [key.fd for key, _ in self._selector.select(self._watch.patience())]
            open_pipes = [self._write() if pipe == self._requests_pipe else self._read(pipe) for pipe in ready]
            if awaited.endswith(end) and of_case in awaited:
                for pipe in (*self._pipes, self._prints_pipe):
                    while self._read(pipe, at_least_one=True):
                        pass
            if self._printed_bytes > MOST_OUTPUT:
                return Ending.FLOODED
            if len(self.replies) > MOST_ANSWER:
                return Ending.TOO_LARGE
            if len(self.statuses) > MOST_STATUS:
                return Ending.GARBLED
            if awaited.endswith(end) and of_case in awaited:
                return None
            if not all(open_pipes):
                return Ending.KILLED
            if passed := self._watch.look():
                return passed

    def _write(self) -> bool:
        """Send on what the pipe takes of the request.  False where nobody reads it any more."""
        try:
            self._request = self._request[os.write(self._requests_pipe, self._request) :]
        except BlockingIOError:
            return True
        except BrokenPipeError:
            return False
        if not self._request:
            self._selector.unregister(self._requests_pipe)
        return True

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
        return bool(data) and len(self.replies) <= MOST_ANSWER and len(self.statuses) <= MOST_STATUS

    def printed(self) -> str:
        """What was printed during the case, at most 64 KiB of it."""
        return self._prints.decode("utf-8", "replace")

    def how_it_ended(self, ending: Ending, seconds: float) -> Answer:
        """The Answer for a worker that is gone."""
        code = self._process.wait()
        if ending is not Ending.KILLED:
            return stopped(ending, self.printed(), seconds)
        if code < 0:
            return killed_by(-code, self.printed(), seconds)
        return Answer(Ending.EXITED, detail=code, printed=self.printed(), seconds=seconds)

    def kill(self) -> None:
        """End the worker and every process that came of it."""
        self._watch.count()
        self._selector.close()
        end(self._process)
        os.close(self._status_out)
        for stream in (self._process.stdout, self._process.stderr):
            if stream:
                stream.close()
