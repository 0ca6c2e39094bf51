"""lab.py at arm's length: send the cases of a function, get an Answer to each, whatever happens inside.

There is one way for all systems.  A worker imports lab.py, and forks a process for each function; without fork, each
function has a new worker.  What comes back is plain data, and nobody believes it before it was checked.
"""

import os
import signal
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from grader.protocol.answer import Answer, Ending, Import, Request, exited
from grader.protocol.isolation import NOTHING_HOLDS
from grader.protocol.limits import IMPORT_SECONDS, IMPORT_WALL, WALL_PER_CPU_SECOND
from grader.protocol.replies import Reply, answered, split_last_words
from grader.protocol.survey import read_survey
from grader.sandbox.child import Child, Stopped
from grader.sandbox.user import as_student

TIME_IS_UP, MAY_BE_TIME = ("SIGPROF", "SIGXCPU"), ("SIGKILL",)


class NeverStarted(RuntimeError):
    """The worker ended before it came to lab.py: a fault of ours or of the machine's."""


class Sandbox:
    """Runs the functions of one lab.py, one after the other.

    `isolation` says what holds the worker that the last `load` has started.  `fork` is False where every function is to
    have a worker of its own, as on Windows.
    The thread that starts a worker must outlive it: Linux ends the worker with that thread.
    """

    def __init__(self, lab: Path, fork: bool | None = None) -> None:
        self.lab, self.isolation = lab, NOTHING_HOLDS
        self._forks = self._wants_fork = hasattr(os, "fork") if fork is None else fork
        self._child: Child | None = None
        self._loaded: Answer | None = None
        self._is_running = False

    def start(self) -> None:
        """Have lab.py imported, while the caller does something else.

        Raises OSError where the student's code cannot run as the user that GRADER_USER names.
        """
        if self._child is None:
            self._child = Child(self.lab, self._wants_fork)

    def load(self) -> Answer:
        """Wait until lab.py is imported; `imported` of the Answer says whether that went well.

        Raises NeverStarted where the worker did not come so far.
        """
        self.start()
        assert self._child
        loaded = self._loaded or self._import(self._child)
        if loaded.imported:
            self._loaded = loaded
        else:
            self.close()
        return loaded

    def _import(self, child: Child) -> Answer:
        has_come_to_lab = False
        try:
            for reply, came in child.replies("", IMPORT_SECONDS, IMPORT_WALL):
                if reply.isolation and not has_come_to_lab:
                    has_come_to_lab = True
                    self.isolation = replace(reply.isolation, other_user=bool(as_student()))
                elif reply.what == "imported":
                    return self._imported(child, reply, came)
        except Stopped as stopped:
            answer = self._stopped(child, stopped, IMPORT_SECONDS)
        if not has_come_to_lab and answer.ending is not Ending.STALLED:
            last_line = answer.printed.strip().rpartition("\n")[2]
            raise NeverStarted(f"the process for lab.py could not be started: {last_line:.200}")
        return answer

    def _imported(self, child: Child, reply: Reply, came: float) -> Answer:
        seconds, child.idle_since = came - child.idle_since, max(came, child.idle_since)
        self._forks = reply.forks
        imported = None if reply.raised else Import(not reply.forks, read_survey(reply.survey))
        answer = Answer(Ending.ANSWERED, raised=reply.raised, imported=imported)
        return replace(answer, printed=reply.printed, seconds=seconds, cpu=reply.cpu)

    def run(self, requests: Sequence[Request]) -> Iterator[Answer]:
        """The Answers to cases of one function, in order, as they come.  They are sent at once.

        Where the process ends, the Answer to the case that it was in says so, and is the last one.  What is left of an
        earlier run ends now.
        """
        if self._is_running or (self._loaded and self._leaves_somebody()):
            self.close()
        self.start()
        assert self._child
        self._is_running = True
        run = os.urandom(16).hex()
        self._child.send(run, requests)
        return self._answers(self._child, run, requests)

    def _leaves_somebody(self) -> bool:
        """Whether the last function has left a process behind; with the second filter none does."""
        return bool(self._child and not self.isolation.seccomp and self._child.leaves_somebody)

    def _answers(self, child: Child, run: str, requests: Sequence[Request]) -> Iterator[Answer]:
        loaded = self.load()
        if not loaded.imported:
            yield loaded
            return
        for number, request in enumerate(requests, start=1):
            if child is not self._child:
                return
            answer = self._answer(child, run, number, request)
            if number == len(requests):
                self._is_running = False
                if not self._forks:
                    self.close()
            yield answer
            if answer.ending is not Ending.ANSWERED:
                return

    def _answer(self, child: Child, run: str, case: int, request: Request) -> Answer:
        """The Answer to a case of the run."""
        outcomes: list[dict[str, Any]] = []
        try:
            for reply, came in child.replies(run, request.seconds, request.seconds * WALL_PER_CPU_SECOND):
                if reply.what == "ended":
                    self._is_running = False
                    answer = self._ended(child, reply.status or -reply.signal, request.seconds)
                    return replace(answer, outcomes=outcomes)
                if reply.case == case and reply.outcome is not None:
                    outcomes.append(reply.outcome)
                elif reply.case == case and reply.what == "answered":
                    seconds, child.idle_since = came - child.idle_since, came
                    _, printed = split_last_words(reply.printed, self.lab)
                    answer = answered(outcomes, len(request.calls))
                    return replace(answer, seconds=seconds, cpu=reply.cpu, printed=printed)
        except Stopped as stopped:
            answer = replace(self._stopped(child, stopped, request.seconds), outcomes=outcomes)
            self.close()
        return answer

    def _stopped(self, child: Child, stopped: Stopped, limit: float) -> Answer:
        """The Answer of a worker that has ended, or that is ended now."""
        answer = self._ended(child, child.end(), limit)
        if stopped.ending:
            answer = replace(answer, ending=stopped.ending, detail=0, cpu=stopped.cpu)
        return answer

    def _ended(self, child: Child, status: int, limit: float) -> Answer:
        """The Answer of a process that is gone, with what it printed and its last words."""
        seconds = time.monotonic() - child.idle_since
        answer, name = exited(status), _signal_name(-status)
        text, floods = child.printed()
        frames, printed = split_last_words(text, self.lab)
        if floods:
            answer = Answer(Ending.FLOODED)
        elif name in TIME_IS_UP or (name in MAY_BE_TIME and seconds > limit):
            answer = Answer(Ending.CPU_TIME_UP)
        return replace(answer, seconds=seconds, frames=frames, printed=printed)

    def close(self) -> None:
        """End everything; what comes next starts anew."""
        if self._child:
            self._child.close()
        self._child, self._loaded, self._is_running = None, None, False


def _signal_name(number: int) -> str:
    return next((each.name for each in signal.Signals if each == number), "")
