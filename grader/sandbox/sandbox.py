"""lab.py at arm's length: send the cases of a function, get an Answer to each, whatever happens inside.

There is one way for all systems.  A worker imports lab.py, and forks a process for each function; without fork, each
function has a new worker.  What comes back is plain data, and nobody believes it before it was checked.
"""

import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from grader.kit import KIT
from grader.protocol.answer import Answer, Ending, Import, Request
from grader.protocol.isolation import NOTHING_HOLDS
from grader.protocol.limits import IMPORT_SECONDS, IMPORT_WALL
from grader.protocol.replies import EndOfCase, EndOfFunction, EndOfImport, Outcome, ShutIn, answered, split_last_words
from grader.protocol.survey import read_survey
from grader.sandbox.child import LIBRARIES, Child, Stopped
from grader.sandbox.user import as_student, check_reach

WALL_PER_CPU_SECOND = 2 if sys.platform == "win32" else 5  # on Windows the wall clock decides
SECONDS_TO_END = 2.0
TIME_IS_UP = tuple(getattr(signal, name, 0) for name in ("SIGPROF", "SIGXCPU"))


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
        self._wants_fork, self._forks = fork is not False, False
        self._child: Child | None = None
        self._loaded: Answer | None = None
        self._is_running, self._to_end = False, ""

    def start(self) -> None:
        """Have lab.py imported, while the caller does something else.

        Raises OSError where the student's code cannot run as the user that GRADER_USER names.
        """
        self._started()

    def _started(self) -> Child:
        if self._child is None:
            check_reach(KIT, LIBRARIES, self.lab.resolve())
            self._child = Child(self.lab, self._wants_fork)
        return self._child

    def load(self) -> Answer:
        """Wait until lab.py is imported; `imported` of the Answer says whether that went well.

        Raises NeverStarted where the worker did not come so far.
        """
        if self._loaded is None:
            loaded = self._import(self._started())
            if not loaded.imported:
                self.close()
                return loaded
            self._loaded = loaded
        return self._loaded

    def _import(self, child: Child) -> Answer:
        has_come_to_lab = False
        try:
            for reply, came in child.replies(IMPORT_SECONDS, IMPORT_WALL):
                if isinstance(reply, ShutIn):
                    self.isolation = replace(reply.isolation, other_user=bool(as_student()))
                    has_come_to_lab = True
                elif isinstance(reply, EndOfImport) and has_come_to_lab:
                    return self._imported(child, reply, came)
        except Stopped as stopped:
            answer = self._stopped(child, stopped, IMPORT_SECONDS)
        if not has_come_to_lab and answer.ending is not Ending.STALLED:
            last_line = answer.printed.strip().rpartition("\n")[2]
            raise NeverStarted(f"the process for lab.py could not be started: {last_line:.200}")
        return answer

    def _imported(self, child: Child, reply: EndOfImport, came: float) -> Answer:
        seconds, child.idle_since = came - child.idle_since, max(came, child.idle_since)
        child.import_cpu, self._forks = reply.cpu, reply.forks
        answer = Answer(Ending.ANSWERED, printed=reply.printed, seconds=seconds, cpu=reply.cpu)
        if reply.raised:
            return replace(answer, raised=reply.raised)
        return replace(answer, imported=Import(not reply.forks, read_survey(reply.survey)))

    def run(self, requests: Sequence[Request]) -> Iterator[Answer]:
        """The Answers to cases of one function, in order, as they come.  They are sent at once.

        Where the process ends, the Answer to the case that it was in says so, and is the last one.  What is left of an
        earlier run ends now.
        """
        if self._is_running:
            self.close()
        self._see_to_the_end()
        child, run = self._started(), os.urandom(16).hex()
        self._is_running = True
        child.send(run, requests)
        return self._answers(child, run, requests)

    def _answers(self, child: Child, run: str, requests: Sequence[Request]) -> Iterator[Answer]:
        loaded = self.load()
        if not loaded.imported:
            yield loaded
            return
        for number, request in enumerate(requests, start=1):
            if child is not self._child:
                return
            answer = self._answer(child, run, number, request)
            if number == len(requests) and self._is_running:
                self._is_running, self._to_end = False, run
            yield answer
            if answer.ending is not Ending.ANSWERED:
                return
        self._see_to_the_end()

    def _answer(self, child: Child, run: str, number: int, request: Request) -> Answer:
        """The Answer to a case of the run."""
        outcomes: list[dict[str, Any]] = []
        try:
            for reply, came in child.replies(request.seconds, request.seconds * WALL_PER_CPU_SECOND):
                seconds = came - child.idle_since
                match reply:
                    case Outcome(run=of, case=case, outcome=outcome) if (of, case) == (run, number):
                        outcomes.append(outcome)
                    case EndOfCase(run=of, case=case) if (of, case) == (run, number):
                        child.run_cpu, child.idle_since = child.run_cpu + reply.cpu, came
                        _, printed = split_last_words(reply.printed, self.lab)
                        answer = answered(outcomes, len(request.calls))
                        return replace(answer, seconds=seconds, cpu=reply.cpu, printed=printed)
                    case EndOfFunction(run=of) if of == run:
                        answer = _ended(reply.exit, reply.signal, reply.cpu - child.run_cpu, request.seconds)
                        answer = self._with_prints(child, replace(answer, outcomes=outcomes, seconds=seconds))
                        self._has_ended(reply)
                        return answer
        except Stopped as stopped:
            answer = replace(self._stopped(child, stopped, request.seconds), outcomes=outcomes)
            self.close()
        return answer

    def _stopped(self, child: Child, stopped: Stopped, limit: float) -> Answer:
        """The Answer of a worker that has ended, or that is ended now."""
        seconds, status = time.monotonic() - child.idle_since, child.end()
        if stopped.ending:
            answer = Answer(stopped.ending, cpu=stopped.cpu)
        else:
            answer = _ended(max(0, status), max(0, -status), seconds, limit)
        return self._with_prints(child, replace(answer, seconds=seconds))

    def _with_prints(self, child: Child, answer: Answer) -> Answer:
        """The Answer of a process that has ended early, with what it printed and its last words."""
        text, floods = child.printed()
        frames, printed = split_last_words(text, self.lab)
        if floods:
            answer = replace(answer, ending=Ending.FLOODED, detail=0)
        return replace(answer, frames=frames, printed=printed)

    def _see_to_the_end(self) -> None:
        """Wait for the end of the process whose cases have all been answered."""
        run, self._to_end = self._to_end, ""
        if not (run and self._child):
            return
        if not self._forks:
            self.close()
            return
        try:
            for reply, _ in self._child.replies(SECONDS_TO_END, SECONDS_TO_END):
                if isinstance(reply, EndOfFunction) and reply.run == run:
                    self._has_ended(reply)
                    return
        except Stopped:
            self.close()

    def _has_ended(self, reply: EndOfFunction) -> None:
        """Note that the process of a function is gone; the worker goes too, where that has left another one behind."""
        self._is_running = False
        if reply.leaves:
            self.close()

    def close(self) -> None:
        """End everything; what comes next starts anew."""
        if self._child:
            self._child.end()
        self._child, self._loaded, self._is_running, self._to_end = None, None, False, ""


def _ended(status: int, number: int, cpu: float, limit: float) -> Answer:
    """The Answer of a process that ended with this exit status, or by the signal of this number."""
    if number in TIME_IS_UP or (number and cpu >= limit):
        return Answer(Ending.CPU_TIME_UP, cpu=cpu)
    return Answer(Ending.KILLED if number else Ending.EXITED, detail=number or status, cpu=cpu)
