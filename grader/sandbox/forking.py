"""The sandbox where there is fork: one worker imports lab.py once and forks a process a case."""

import os
import selectors
import subprocess

from grader.protocol.answer import Answer, Ending, Request, exited
from grader.protocol.limits import WALL_PER_CPU_SECOND
from grader.protocol.reading import read_status
from grader.sandbox.old import Sandbox, Worker
from grader.sandbox.scratch import Scratch
from grader.sandbox.second import HAS_HANDLES, Second
from grader.sandbox.start import start_worker

MOST_STATUS = 1_000
THE_KITS_OWN = 3  # the keeper, the first process, the worker


class ForkingWorker(Worker):
    """A worker that forks for each case, and says in a pipe of its own how each has ended."""

    def __init__(self, process: "subprocess.Popen[bytes] | Second", scratch: str, status: int) -> None:
        super().__init__(process, scratch)
        self._status_out = status
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._statuses, self._unsent = bytearray(), memoryview(b"")
        self._requests_pipe = self._process.stdin.fileno()
        self._keep = {
            self._process.stdout.fileno(): self._keep_reply,
            self._process.stderr.fileno(): self._keep_print,
            self._status_out: self._statuses.extend,
        }
        self._selector = selectors.DefaultSelector()
        for pipe in self._keep:
            os.set_blocking(pipe, False)
            self._selector.register(pipe, selectors.EVENT_READ)
        os.set_blocking(self._requests_pipe, False)

    def begin(self, request: Request | None, seconds: float, wall: float) -> None:
        if isinstance(self._process, Second):
            self._process.go_on()
        super().begin(request, seconds, wall)

    def _send(self, line: bytes) -> None:
        self._statuses.clear()
        self._unsent = memoryview(line)
        self._selector.register(self._requests_pipe, selectors.EVENT_WRITE)
        self._write()

    def _wait(self, request: Request | None) -> Ending | None:
        """Until the status of a case has come, or else the reply to the import."""
        awaited, end = (self._statuses, b"\n") if request else (self.replies, b"\n\n")
        case = request.case.encode() if request else b""
        while True:
            ready = [key.fd for key, _ in self._selector.select(self._watch.patience())]
            open_pipes = [self._write() if pipe == self._requests_pipe else self._read(pipe) for pipe in ready]
            if has_come := awaited.endswith(end) and case in awaited:
                for pipe in self._keep:
                    while self._read(pipe, at_least_one=True):
                        pass
            if passed := self._too_much():
                return passed
            if has_come:
                return None
            if not all(open_pipes):
                return Ending.EXITED
            if passed := self._watch.look():
                return passed

    def read(self, request: Request, data: bytes) -> Answer:
        """What has come up, and how the process of the case ended; one that leaves another behind is the last."""
        name = request.case.encode()
        lines = [line for line in self._statuses.split(b"\n") if line.startswith(name)]
        read = read_status(bytes(lines[0].removeprefix(name))) if len(lines) == 1 else None
        status, survivors = read or (0, True)
        self.can_go_on = not survivors and not self._unsent and self._used.seen <= THE_KITS_OWN
        if read is None:
            return Answer(Ending.GARBLED)
        if os.WIFSIGNALED(status) or not data.endswith(b"\n\n"):
            return exited(os.waitstatus_to_exitcode(status))
        return super().read(request, data)

    def _write(self) -> bool:
        """Send on what the pipe takes of the request.  False where nobody reads it any more."""
        try:
            self._unsent = self._unsent[os.write(self._requests_pipe, self._unsent) :]
        except BlockingIOError:
            return True
        except BrokenPipeError:
            return False
        if not self._unsent:
            self._selector.unregister(self._requests_pipe)
        return True

    def _read(self, pipe: int, at_least_one: bool = False) -> bool:
        """Take what a pipe holds.  False at its end, where that is too much, and, if asked, where it holds none."""
        try:
            data = os.read(pipe, 1 << 16)
        except BlockingIOError:
            return not at_least_one
        self._keep[pipe](data)
        return bool(data) and not self._too_much()

    def _too_much(self) -> Ending | None:
        return super()._too_much() or (Ending.GARBLED if len(self._statuses) > MOST_STATUS else None)

    def kill(self) -> None:
        self._selector.close()
        super().kill()
        os.close(self._status_out)
        for stream in (self._process.stdout, self._process.stderr):
            if stream:
                stream.close()


class ForkingSandbox(Sandbox):
    """Every case in a fresh process, forked from a worker that has imported lab.py."""

    wall_per_cpu_second = WALL_PER_CPU_SECOND
    _has_started = False

    def _new_worker(self) -> ForkingWorker:
        """A worker, and beside the first one those of the second and the third sandbox, which wait for their `load`."""
        others = (self.second, self.second.second) if HAS_HANDLES and not self._has_started else ()
        beside = [Second(other._scratch.path) for other in others]
        status, status_in = os.pipe()
        try:
            process = start_worker(self._lab, self._scratch.path, status_in, beside)
        finally:
            for pipe in (status_in, *(pipe for second in beside for pipe in second.theirs)):
                os.close(pipe)
        for other, second in zip(others, beside, strict=True):
            other._worker, other._has_started = ForkingWorker(second, other._scratch.path, second.status), True
        self._has_started = True
        return ForkingWorker(process, self._scratch.path, status)

    def renew(self) -> None:
        """Nothing to do: every case has a process of its own."""

    def _make_ready(self, function: str) -> str:
        """An empty folder for one case.  Where what the last one left cannot go, the worker goes too."""
        try:
            return self._scratch.fresh()
        except OSError:
            self._stop()
            self._scratch.remove()
            self._scratch = Scratch()
            return self._scratch.fresh()
