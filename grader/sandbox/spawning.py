"""The sandbox where there is no fork (Windows): one process a function, threads read its pipes.

Without fork a process cannot be had for 2 ms, so the cases of a function share one, and a case
that fails in a shared process is run again in a new one by the caller.  There is no CPU clock to
rely on either, so a wall clock does its work.
"""

import contextlib
import dataclasses
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO

from grader.pipe.answer import (
    Answer,
    Ending,
    NeverStarted,
    Request,
    killed_by,
    last_place,
    read_import,
    read_outcomes,
    stopped,
    timed,
    with_last_words,
)
from grader.pipe.limits import IMPORT_SECONDS, IMPORT_WALL, KEPT_OUTPUT, MOST_ANSWER, MOST_OUTPUT, STARTING_CPU
from grader.pipe.locks import NO_LOCKS
from grader.sandbox.scratch import Scratch
from grader.sandbox.start import end, read_locks, start_worker
from grader.sandbox.watch import NOTHING_USED, Watch

WALL_PER_CPU_SECOND = 2
LONG_IMPORT = 1.0


class SpawningSandbox:
    """The cases of one function in one process, up to the first that ends it."""

    def __init__(self, lab: Path) -> None:
        self._lab = lab
        self._scratch = Scratch()
        self._process: _Process | None = None
        self._function = ""
        self.last_was_fresh = True
        self.locks = NO_LOCKS
        self.importing, self._import_cost = 0.0, 0.0

    def renew(self) -> None:
        """Run the next case in a new process."""
        if self._process is not None:
            self._process.kill()
            self._process = None

    def load(self) -> Answer:
        """Start a process, which imports lab.py."""
        process = self._process = _Process(self._lab, self._scratch.path)
        process.begin(IMPORT_SECONDS + STARTING_CPU, IMPORT_WALL)
        ending = process.wait_for_reply()
        seconds = process.seconds
        data = process.take_reply()
        self.locks = read_locks(data)
        try:
            reply = read_import(data)
        except NeverStarted:
            self.renew()
            raise
        if ending is None and reply:
            process.finish()
            answer = Answer(Ending.ANSWERED, [reply], printed=process.printed(), seconds=seconds, cpu=process.cpu)
        else:
            self.renew()
            ended = timed(process.how_it_ended(ending or Ending.GARBLED, seconds), process.cpu, IMPORT_SECONDS)
            answer = dataclasses.replace(ended, where=last_place(data, self._lab))
        self._import_cost = max(0.0, answer.cost - STARTING_CPU)  # that Python starts so often is not the lab's doing
        self.importing += self._import_cost
        return answer

    def answer(self, request: Request) -> Answer:
        """Run one case, in the process that its function has; all share one where the import takes long."""
        request = request.sealed()
        is_other = self._function not in ("", request.function)
        if self._process is not None and is_other and self._import_cost < LONG_IMPORT:
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
        process.begin(request.seconds, request.seconds * WALL_PER_CPU_SECOND, request.line())
        ending = process.wait_for_reply()
        seconds = process.seconds
        if ending is not None:
            self.renew()
            return with_last_words(process.how_it_ended(ending, seconds), request, process.take_reply(), self._lab)
        process.finish()
        return read_outcomes(request, process.take_reply(), process.printed(), seconds)

    def close(self) -> None:
        """End the process and remove the scratch folder."""
        self.renew()
        self._scratch.remove()


class _Process:
    """A worker without fork, and the two threads that read its pipes."""

    def __init__(self, lab: Path, scratch: str) -> None:
        self._process = start_worker(lab, scratch)
        self._replies, self._prints = bytearray(), bytearray()
        self._printed_bytes, self._scratch, self._used_before = 0, scratch, NOTHING_USED
        self._news = threading.Condition()
        self._closed = False
        assert self._process.stdout and self._process.stderr
        for read, pipe in ((self._read_replies, self._process.stdout), (self._read_prints, self._process.stderr)):
            threading.Thread(target=read, args=(pipe,), daemon=True).start()

    @property
    def cpu(self) -> float:
        """The CPU seconds that the case has taken, as far as is known; where nobody counts them, all of its time."""
        return self._watch.cpu if sys.platform == "linux" else self._watch.seconds

    @property
    def seconds(self) -> float:
        """The time that the case has had."""
        return self._watch.seconds

    def begin(self, seconds: float, wall: float, request: bytes = b"") -> None:
        """Hand a request to the process, which may be gone, or never read it."""
        with self._news:
            self._prints.clear()
            self._printed_bytes = 0
        self._watch = Watch(self._process.pid, self._scratch, seconds, wall, self._used_before)
        threading.Thread(target=self._send, args=(request,), daemon=True).start()

    def finish(self) -> None:
        """Count what the case has used."""
        self._used_before = self._watch.count()

    def wait_for_reply(self) -> Ending | None:
        """Wait until a whole reply has come up; an Ending where none will."""
        with self._news:
            while not self._is_over():
                self._news.wait_for(self._is_over, timeout=self._watch.patience())
                if passed := self._watch.look():
                    return passed
            if passed := self._too_much():
                return passed
            return None if b"\n\n" in self._replies else Ending.EXITED

    def _is_over(self) -> bool:
        return self._closed or b"\n\n" in self._replies or self._too_much() is not None

    def _send(self, line: bytes) -> None:
        assert self._process.stdin
        with contextlib.suppress(OSError, ValueError):
            while line:
                line = line[self._process.stdin.write(line) or 0 :]

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
        if ending is not Ending.EXITED:
            return stopped(ending, self.printed(), seconds)
        return Answer(ending, detail=code, printed=self.printed(), seconds=seconds)

    def kill(self) -> None:
        """End the process, unless it has just ended by itself."""
        self._watch.count()
        if self._closed:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=0.05)
        end(self._process)

    def _too_much(self) -> Ending | None:
        if self._printed_bytes > MOST_OUTPUT:
            return Ending.FLOODED
        return Ending.TOO_LARGE if len(self._replies) > MOST_ANSWER else None

    def _read_replies(self, pipe: IO[bytes]) -> None:
        while data := pipe.read(1 << 16):
            with self._news:
                self._replies += data
                self._news.notify()
                if self._too_much():
                    return
        with self._news:
            self._closed = True
            self._news.notify()

    def _read_prints(self, pipe: IO[bytes]) -> None:
        while data := pipe.read(1 << 16):
            with self._news:
                self._printed_bytes += len(data)
                self._prints += data[: KEPT_OUTPUT - len(self._prints)]
                if self._too_much():
                    self._news.notify()
                    return
