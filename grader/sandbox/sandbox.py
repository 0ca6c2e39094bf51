"""lab.py at arm's length: send the cases of a function, get an Answer to each, whatever happens inside.

All systems work the same way.  A worker imports lab.py and forks a process for each function; without fork, each
function has a new worker.  What comes back is plain data, and nobody believes it before it is checked.
"""

import os
import signal
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from grader.protocol.answer import Answer, Ending, Import, Request
from grader.protocol.isolation import NOTHING_HOLDS
from grader.protocol.limits import IMPORT_SECONDS, IMPORT_WALL, WALL_PER_CPU_SECOND
from grader.protocol.replies import answered, split_last_words
from grader.protocol.survey import read_survey
from grader.sandbox.user import as_student
from grader.sandbox.worker import Stopped, Worker

TIME_IS_UP = getattr(signal, "SIGPROF", None)


class NeverStarted(RuntimeError):
    """The worker ended before it came to lab.py: the fault is the grader's or the machine's."""


class Sandbox:
    """Runs the functions of one lab.py, one after the other.

    `isolation` says what holds the worker that the last `load` has started.  `fork` is False if every function gets a
    worker of its own, as on Windows.
    The thread that starts a worker must outlive it: Linux ends the worker with that thread.
    """

    def __init__(self, lab: Path, fork: bool | None = None) -> None:
        self.lab, self.isolation = lab, NOTHING_HOLDS
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
        """Wait until lab.py is imported; `imported` of the Answer says whether that went well.

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
        has_come_to_lab, began = False, time.monotonic()
        try:
            for reply in worker.replies("", IMPORT_SECONDS, IMPORT_WALL):
                if reply.isolation and not has_come_to_lab:
                    has_come_to_lab = True
                    self.isolation = replace(reply.isolation, other_user=bool(as_student()))
                elif reply.what == "imported":
                    imported = None if reply.raised else Import(read_survey(reply.survey), reply.forks)
                    return Answer(Ending.ANSWERED, raised=reply.raised, imported=imported)
        except Stopped as stopped:
            answer = self._ended(worker, stopped, began)
        if not has_come_to_lab and answer.ending is not Ending.STALLED:
            last_line = answer.printed.strip().rpartition("\n")[2]
            raise NeverStarted(f"the process for lab.py could not be started: {last_line:.200}")
        return answer

    def run(self, requests: Sequence[Request]) -> Iterator[Answer]:
        """The Answers to cases of one function, in order, as they come.  They are sent at once.

        If the process ends, the Answer to the case that it was in says so, and is the last one.  An earlier run that
        is not finished ends now.
        """
        if self._worker and (self._worker.busy or self._somebody_is_left(self._worker)):
            self.close()
        worker, run = self.start(), os.urandom(16).hex()
        worker.send(run, requests)
        return self._answers(worker, run, requests)

    def _somebody_is_left(self, worker: Worker) -> bool:
        """Whether the last function has left a process behind; with the second filter none does."""
        return bool(self._loaded and not self.isolation.seccomp and worker.leaves_somebody)

    def _answers(self, worker: Worker, run: str, requests: Sequence[Request]) -> Iterator[Answer]:
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
        outcomes: list[dict[str, Any]] = []
        began = time.monotonic()
        try:
            for reply in worker.replies(run, request.seconds, request.seconds * WALL_PER_CPU_SECOND):
                if reply.what == "ended":
                    worker.busy = False
                    raise Stopped(status=reply.status or -reply.signal)
                if reply.outcome is not None:
                    outcomes.append(reply.outcome)
                elif reply.what == "answered":
                    _, printed = split_last_words(reply.printed, self.lab)
                    seconds, cpu = time.monotonic() - began, max(0.0, reply.cpu)
                    return replace(answered(outcomes, len(request.calls)), seconds=seconds, cpu=cpu, printed=printed)
        except Stopped as stopped:
            answer = self._ended(worker, stopped, began)
        return replace(answer, outcomes=outcomes)

    def _ended(self, worker: Worker, stopped: Stopped, began: float) -> Answer:
        """The Answer of a process that is gone, or that is ended now, with what it printed and its last words."""
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
        """End everything; what comes next starts anew.  The exit status of the worker."""
        worker, self._worker, self._loaded = self._worker, None, None
        return worker.end() if worker else 0
