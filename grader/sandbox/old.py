"""A student's code, at arm's length: send a case, get an Answer, whatever happens inside.

Two ways of doing it share what stands here: forking.py where there is fork (a process a case), and
spawning.py elsewhere (a process a function).
"""

import signal
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar, Self

from grader.protocol import limits
from grader.protocol.answer import Answer, Ending, Request, exited, measured
from grader.protocol.locks import NO_LOCKS
from grader.protocol.reading import read_import, read_outcomes, with_last_words
from grader.sandbox.scratch import Scratch
from grader.sandbox.second import Second
from grader.sandbox.start import end, read_locks
from grader.sandbox.watch import NOTHING_USED, Watch

LONG_REPLY = 1 << 16


class Worker(ABC):
    """A child process, its pipes, and what it uses.

    `replies` is what has come up since the last request, `seconds` the time until then, and
    `can_go_on` says whether there can be another request, and `is_new` that it has not imported lab.py yet.
    """

    def __init__(self, process: "subprocess.Popen[bytes] | Second", scratch: str) -> None:
        self._process, self._scratch = process, scratch
        self.replies, self._prints, self._printed_bytes = bytearray(), bytearray(), 0
        self._used, self.seconds, self.can_go_on, self.is_new = NOTHING_USED, 0.0, True, True

    def begin(self, request: Request | None, seconds: float, wall: float) -> None:
        """Begin to run a case, or else the import, which has so many CPU seconds, and so many in all."""
        self._watch, self.is_new = Watch(self._process.pid, self._scratch, seconds, wall, self._used), False
        if request:
            self.replies.clear()
            self._prints.clear()
            self._printed_bytes = 0
            self._send(request.line())

    def finish(self, request: Request | None) -> Ending | None:
        """See it to its end; an Ending where it comes to none.

        EXITED stands for a process that is gone, however that came about.
        """
        ending = self._wait(request)
        self.seconds = self._watch.seconds
        self._used = self._watch.count()
        self.can_go_on = ending is None
        return ending

    @abstractmethod
    def _send(self, line: bytes) -> None:
        """Begin to hand a request to the process, which may be gone, or never read it."""

    @abstractmethod
    def _wait(self, request: Request | None) -> Ending | None:
        """Read the pipes, until a case or else the import has come to its end, or is to be ended."""

    def read(self, request: Request, data: bytes) -> Answer:
        """What the replies to a case stand for that has come to its end."""
        return read_outcomes(request, data)

    def how_it_ended(self) -> Answer:
        """The Answer of a process that is gone."""
        return exited(self._process.wait())

    @property
    def cpu(self) -> float:
        """The CPU seconds that the case has taken, as far as is known."""
        return self._watch.cpu

    @property
    def printed(self) -> str:
        """What was printed during the case; of more than 64 KiB, the end."""
        return self._prints.decode("utf-8", "replace").removesuffix(limits.PRINTS_END)

    def interrupt(self) -> None:
        """Have the process end, for which another thread waits."""
        self._process.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End the process and all that came of it."""
        end(self._process)

    def _keep_reply(self, data: bytes) -> None:
        self.replies += data

    def _keep_print(self, data: bytes) -> None:
        self._printed_bytes += len(data)
        self._prints += data
        del self._prints[: -limits.KEPT_OUTPUT]

    def _too_much(self) -> Ending | None:
        """The limit that is passed by what has come up."""
        if self._printed_bytes > limits.MOST_OUTPUT:
            return Ending.FLOODED
        return Ending.TOO_LARGE if len(self.replies) > limits.MOST_ANSWER else None


class Sandbox(ABC):
    """Runs the cases of one lab.py.

    `last_was_fresh` says whether the last case had a process to itself; where it had not, `renew`
    gives the next one a new process.  `locks` says what holds the process that the last `load`
    started.  `importing` is what imports of lab.py have cost that nobody was charged for, in seconds.
    `when_sent` is called as soon as a case is on its way.
    """

    wall_per_cpu_second: ClassVar[float]

    def __init__(self, lab: Path) -> None:
        self._lab, self._scratch = lab, Scratch()
        self._worker: Worker | None = None
        self._second: Self | None = None
        self.last_was_fresh, self.locks, self.importing = True, NO_LOCKS, 0.0
        self.when_sent: Callable[[], None] = lambda: None

    @property
    def second(self) -> Self:
        """Another one for the same lab.py, which goes with this one."""
        self._second = self._second or type(self)(self._lab)
        return self._second

    def start(self) -> Worker:
        """Start a worker, unless there is one; it imports lab.py while the caller does something else."""
        self._worker = self._worker or self._new_worker()
        return self._worker

    @abstractmethod
    def _new_worker(self) -> Worker:
        """A worker that has just been started."""

    def load(self) -> Answer:
        """Wait until a worker has imported lab.py; `imported` of the Answer says whether that went well.

        Raises NeverStarted where it did not come so far.
        """
        worker = self.start()
        worker.begin(None, limits.IMPORT_SECONDS + limits.STARTING_CPU, limits.IMPORT_WALL)
        answer = self._finished(worker, None)
        self.locks = read_locks(bytes(worker.replies), worker.printed)
        if not answer.imported:
            self._stop()
        answer = measured(answer, limits.IMPORT_SECONDS, worker.cpu, worker.seconds, worker.printed)
        self.importing += answer.cost
        return answer

    def take_bill(self) -> float:
        """What imports of lab.py have cost since this was asked last, in seconds."""
        cost, self.importing = self.importing, 0.0
        return cost

    def answer(self, request: Request) -> Answer:
        """Run one case; a worker that did not survive the last one is started again."""
        request = request.sealed(self._make_ready(request.function))
        if (self._worker is None or self._worker.is_new) and not (loaded := self.load()).imported:
            return loaded
        worker = self._worker
        assert worker is not None
        worker.begin(request, request.seconds, request.seconds * self.wall_per_cpu_second)
        self.when_sent()
        answer = self._finished(worker, request)
        return measured(answer, request.seconds, worker.cpu, worker.seconds, worker.printed)

    @abstractmethod
    def _make_ready(self, function: str) -> str:
        """Make ready for a case of this function; the folder that it has to itself, empty where it has none."""

    def _finished(self, worker: Worker, request: Request | None) -> Answer:
        """What comes of a case, or else of the import.  A worker that cannot go on is ended."""
        ending = worker.finish(request)
        data = bytes(worker.replies)
        if ending:
            answer = Answer(ending)
        elif request:
            answer = worker.read(request, data)
        else:
            answer = read_import(data)
        if not worker.can_go_on:
            self._stop()
        if ending is Ending.EXITED:
            answer = worker.how_it_ended()
        return answer if answer.ending is Ending.ANSWERED else with_last_words(answer, request, data, self._lab)

    @property
    def is_calm(self) -> bool:
        """Whether the worker goes on after the last case, whose reply was not long."""
        return self._worker is not None and len(self._worker.replies) < LONG_REPLY

    def interrupt(self) -> None:
        """End what another thread runs here."""
        if worker := self._worker:
            worker.interrupt()

    def renew(self) -> None:
        """Run the next case in a new process."""
        self._stop()

    def close(self) -> None:
        """End every process and remove the scratch folder."""
        self._stop()
        self._scratch.remove()
        if self._second:
            self._second.close()

    def _stop(self) -> None:
        if self._worker is not None:
            self._worker.kill()
            self._worker = None
