"""Has the cases of a lab.py run, each in the process that it belongs in, within the
time that there is.

Every function has a process of its own.  Hidden cases have a worker of their own, and
so have reruns that hold reference answers.  A case has its own seconds of CPU.  After
two time-outs of a function, its other cases have half a second each.  A case that has
not begun when the run has cost 60 seconds of CPU is not run.

A case that stops answering and uses no CPU has stalled.  A function may stall twice:
once when its cases run together, and once when a case runs alone.  After that, its
other cases are not run; the cases of other functions are.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

from grader.bank.cases import Case
from grader.kinds.kind import kind_of
from grader.protocol.answer import (
    WATCH_NOTHING,
    Answer,
    Ending,
    Isolation,
    Request,
    Watch,
)
from grader.protocol.limits import IMPATIENT_WALL, WALL_PER_CPU_SECOND
from grader.sandbox.sandbox import Sandbox
from grader.sandbox.typed import type_command

MOST_TIME_OUTS = 2  # cases of a function, each with all its seconds
IMPATIENT_SECONDS = 0.5
RUN_SECONDS = 60.0
MOST_STALLS = 2  # of a function
STALLED_SECONDS = 60.0  # of the clock, that stalls may cost a run before every case gets less of the clock

NO_TIME = "Not run: other cases took too long. Nobody has judged it yet: run it alone, and look at what is slow."
HAS_STALLED = (
    "Not run: in other cases {function} did not answer, and used hardly any CPU. "
    "Is there a sleep, a lock, or a read that waits? This case was not graded."
)


class Runs:
    """The processes of one lab.py, and what they have cost so far."""

    def __init__(
        self, lab: Path, fork: bool | None = None, seconds: float = RUN_SECONDS
    ) -> None:
        self.lab = lab
        self._fork = fork
        self._seconds = seconds
        self._sandboxes: dict[tuple[bool, bool, bool], Sandbox] = {}
        self._spent = 0.0  # seconds of CPU
        self._stalled = 0.0  # seconds of the clock
        self._stalls = Counter[str]()  # of each function
        self._timed_out: dict[str, set[str]] = {}  # the cases of each function

    @property
    def isolation(self) -> Isolation:
        """What holds the worker for public cases."""
        return self._sandbox().isolation

    def begin(self) -> None:
        """Have lab.py imported while the caller does something else.  Raises
        OSError.
        """
        self._sandbox().start()

    @cached_property
    def loaded(self) -> Answer:
        """The Answer to the import of lab.py; an import that stalls is tried once
        more.
        """
        answer = self._sandbox().load()
        if answer.ending is Ending.STALLED:
            answer = self._sandbox().load()
        return answer

    def why_not(self, case: Case) -> str:
        """Why a case may not begin any more, as a sentence; empty if it may."""
        if self._stalls[case.function] >= MOST_STALLS:
            return HAS_STALLED.format(function=case.function)
        if self._spent >= self._seconds:
            return NO_TIME
        return ""

    def together(self, cases: Sequence[Case]) -> Iterator[tuple[Case, Answer]]:
        """The cases of one function with their Answers out of one process, in order, up
        to the case that ended it.
        """
        yield from self._in_worker(cases, WATCH_NOTHING)

    def alone(self, case: Case, watch: Watch = WATCH_NOTHING) -> Answer:
        """The Answer to a case out of a fresh process."""
        if command := kind_of(case.graded).typed(case.calls[0]):
            answer = type_command(command, self.lab, self._seconds_for(case))
            self._charge(case, answer)
            return answer
        [(_, answer)] = self._in_worker([case], watch)
        return answer

    def close(self) -> None:
        """End all processes."""
        for sandbox in self._sandboxes.values():
            sandbox.close()

    def _in_worker(
        self, cases: Sequence[Case], watch: Watch
    ) -> Iterator[tuple[Case, Answer]]:
        """Send cases of one function to a worker; they come back with their Answers,
        which are paid for.
        """
        wall_per_second = (
            WALL_PER_CPU_SECOND if self._stalled < STALLED_SECONDS else IMPATIENT_WALL
        )
        requests = []
        for case in cases:
            inputs = tuple(call.inputs for call in case.calls)
            seconds = self._seconds_for(case)
            request = Request(
                case.id,
                case.graded.kind,
                case.function,
                inputs,
                seconds,
                watch,
                wall_per_second,
            )
            requests.append(request)
        answers = self._sandbox(cases[0].hidden, watch).run(requests)
        for case, answer in zip(cases, answers, strict=False):
            self._charge(case, answer)
            yield case, answer

    def _seconds_for(self, case: Case) -> float:
        """The CPU seconds that a case may use now."""
        if len(self._timed_out.get(case.function, ())) >= MOST_TIME_OUTS:
            return min(case.seconds, IMPATIENT_SECONDS)
        return case.seconds

    def _sandbox(self, hidden: bool = False, watch: Watch = WATCH_NOTHING) -> Sandbox:
        """The sandbox for such cases.  When the first hidden case begins, the sandboxes
        of public cases are closed.

        What a function leaves in the folder of one sandbox is not there in the others.
        """
        key = hidden, bool(watch.functions), bool(watch.stand_ins)
        if key not in self._sandboxes:
            if hidden:
                self.close()
            self._sandboxes[key] = Sandbox(self.lab, self._fork)
        return self._sandboxes[key]

    def _charge(self, case: Case, answer: Answer) -> None:
        """Note what a case has cost."""
        if answer.ending is Ending.STALLED:
            self._stalls[case.function] += 1
            self._stalled += answer.seconds
            self._spent += answer.cpu
        elif answer.ending is Ending.CPU_TIME_UP:
            self._timed_out.setdefault(case.function, set()).add(case.id)
            self._spent += answer.limit
        else:
            self._spent += answer.cpu or answer.seconds
