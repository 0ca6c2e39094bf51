"""lab.py at arm's length: send the cases of a function, get an Answer to each, whatever
happens inside.

All systems work the same way.  A worker imports lab.py and forks a process for each
function; without fork, each function has a new worker.  What comes back is plain data,
and nobody believes it before it is checked.
"""

import os
import signal
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from grader.protocol.answer import NOTHING_HOLDS, Answer, Ending, Import, Request
from grader.protocol.limits import IMPORT_SECONDS, IMPORT_WALL
from grader.protocol.replies import Reply, answered, split_last_words
from grader.protocol.survey import read_survey
from grader.sandbox.process import as_student
from grader.sandbox.worker import Stopped, Worker

TIME_IS_UP = getattr(signal, "SIGPROF", None)


class NeverStarted(RuntimeError):
    """The worker ended before it came to lab.py: the fault is the grader's or the
    machine's.
    """


class Sandbox:
    """Runs the functions of one lab.py, one after the other.

    `isolation` says what holds the worker that the last `load` has started.  `fork` is
    False if every function gets a worker of its own, as on Windows.  The thread that
    starts a worker must outlive it: Linux ends the worker with that thread.
    """

    def __init__(self, lab: Path, fork: bool | None = None) -> None:
        self.lab, self.isolation = lab.resolve(), NOTHING_HOLDS
        self._wants_fork = hasattr(os, "fork") if fork is None else fork
        self._worker: Worker | None = None
        self._loaded: Answer | None = None

    def start(self) -> Worker:
        """Have a worker import lab.py, while the caller does something else.

        Raises OSError if student code cannot run as the user that GRADER_USER names.
        """
        if self._worker is None:
            self._worker = Worker(self.lab, self._wants_fork)
        return self._worker

    def load(self) -> Answer:
        """Wait until lab.py is imported; `imported` of the Answer says whether that
        went well.

        Raises NeverStarted if the worker does not come so far.
        """
        worker = self.start()
        if self._loaded is None:
            loaded = self._import(worker)
            if not loaded.imported:
                self.close()
                return loaded
            self._loaded = loaded
        return self._loaded

    def _import(self, worker: Worker) -> Answer:
        replies, answer = self._wait(
            worker, "", "imported", IMPORT_SECONDS, IMPORT_WALL
        )
        if replies and replies[0].isolation:  # the later ones lab.py may have written
            self.isolation = replace(
                replies[0].isolation, other_user=bool(as_student())
            )
        elif answer.ending is not Ending.STALLED:
            last_line = answer.printed.strip().rpartition("\n")[2]
            raise NeverStarted(
                f"the process for lab.py could not be started: {last_line:.200}"
            )
        answer = replace(answer, limit=IMPORT_SECONDS)
        if answer.ending is not Ending.ANSWERED:
            return answer
        imported = Import(read_survey(replies[-1].survey), replies[-1].forks)
        raised = replies[-1].raised
        return replace(answer, raised=raised, imported=None if raised else imported)

    def run(self, requests: Sequence[Request]) -> Iterator[Answer]:
        """The Answers to cases of one function, in order, as they come.  They are sent
        at once.

        If the process ends, the Answer to the case that it was in says so, and is the
        last one.  An earlier run that is not finished ends now.
        """
        may_leave_somebody = self._loaded and not self.isolation.seccomp
        if self._worker and (
            self._worker.busy or (may_leave_somebody and self._worker.leaves_somebody)
        ):
            self.close()
        worker, run = self.start(), os.urandom(16).hex()
        worker.send(run, requests)
        return self._answers(worker, run, requests)

    def _answers(
        self, worker: Worker, run: str, requests: Sequence[Request]
    ) -> Iterator[Answer]:
        loaded = self.load()
        if not loaded.imported:
            yield loaded
            return
        for number, request in enumerate(requests, start=1):
            if worker is not self._worker:
                return
            answer = self._answer(worker, run, request)
            if number == len(requests) and loaded.imported.forks:
                worker.busy = False
            yield answer
            if answer.ending is not Ending.ANSWERED:
                return

    def _answer(self, worker: Worker, run: str, request: Request) -> Answer:
        """The Answer to the next case of the run."""
        wall = request.seconds * request.wall_per_second
        replies, answer = self._wait(worker, run, "answered", request.seconds, wall)
        outcomes = [reply.outcome for reply in replies if reply.outcome is not None]
        if answer.ending is Ending.ANSWERED:
            _, printed = split_last_words(replies[-1].printed, self.lab)
            cpu = max(0.0, replies[-1].cpu)
            answer = replace(
                answered(outcomes, len(request.calls)),
                seconds=answer.seconds,
                cpu=cpu,
                printed=printed,
            )
        else:
            answer = replace(answer, outcomes=outcomes)
        answer = replace(answer, limit=request.seconds)
        called = frozenset(reply.name for reply in replies if reply.what == "called")
        unknown = frozenset(reply.name for reply in replies if reply.what == "unknown")
        return replace(answer, called=called, unknown=unknown)

    def _wait(
        self, worker: Worker, run: str, last: str, cpu: float, wall: float
    ) -> tuple[list[Reply], Answer]:
        """The replies of a run up to the one that says `last`, and how that ended."""
        replies, began = list[Reply](), time.monotonic()
        try:
            for reply in worker.replies(run, cpu, wall):
                replies.append(reply)
                if reply.what == last:
                    return replies, Answer(
                        Ending.ANSWERED, seconds=time.monotonic() - began
                    )
                if reply.what == "ended":
                    worker.busy = False
                    raise Stopped(status=reply.status or -reply.signal)
        except Stopped as stopped:
            answer = self._ended(worker, stopped, began)
        return replies, answer

    def _ended(self, worker: Worker, stopped: Stopped, began: float) -> Answer:
        """The Answer of a process that is gone, or that is ended now, with what it
        printed and its last words.
        """
        seconds = time.monotonic() - began
        text, floods = worker.printed()
        frames, printed = split_last_words(text, self.lab)
        status = self.close() if stopped.status is None else stopped.status
        if stopped.ending:
            ending = stopped.ending
        elif floods:
            ending = Ending.FLOODED
        elif -status == TIME_IS_UP:
            ending = Ending.CPU_TIME_UP
        else:
            ending = Ending.KILLED if status < 0 else Ending.EXITED
        answer = Answer(ending, detail=abs(status), printed=printed, frames=frames)
        return replace(answer, seconds=seconds, cpu=stopped.cpu)

    def close(self) -> int:
        """End everything; what comes next starts anew.  The exit status of the
        worker.
        """
        worker, self._worker, self._loaded = self._worker, None, None
        return worker.end() if worker else 0
