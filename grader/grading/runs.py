"""Has the cases of a lab.py run, function by function, within the time there is.

Every function has a process of its own.  Hidden cases have a worker of their own, and
so have reruns that watch calls or hold reference answers.  A case has its own seconds
of CPU.  After two time-outs of a function, its other cases have half a second each.  A
case that has not begun when the run has cost 60 seconds of CPU is not run.

A case that stops answering and uses no CPU has stalled.  A function may stall twice:
once when its cases run together, and once when a case runs alone.  After that, its
other cases are not run; the cases of other functions are.
"""

import contextlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
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
from grader.sandbox.typed import TypedCommand

MOST_TIME_OUTS = 2  # of a function, each after all seconds of its case
IMPATIENT_SECONDS = 0.5  # of CPU, for each further case of that function
RUN_SECONDS = 60.0  # of CPU, for all cases
MOST_STALLS = 2  # of a function
# How long a run may wait for stalled cases before every case gets less time to answer.
STALLED_SECONDS = 60.0

NO_TIME = (
    "Not run: other cases took too long. Nobody has judged it yet: run it alone, "
    "and look at what is slow."
)
HAS_STALLED = (
    "Not run: in other cases {function} did not answer, and used hardly any CPU. "
    "Is there a sleep, a lock, or a read that waits? This case was not graded."
)

Answered = tuple[Case, Answer]


class Runs:
    """The processes of one lab.py, and what they have cost so far."""

    def __init__(
        self, lab: Path, fork: bool = True, seconds: float = RUN_SECONDS
    ) -> None:
        """`fork` is that of Session.  `seconds` of CPU are what all cases may cost."""
        self.lab = lab
        self._fork = fork
        self._seconds = seconds
        # By what sets them apart: hidden cases, watched calls, reference answers.
        self._sandboxes: dict[tuple[bool, bool, bool], Sandbox] = {}
        self._ahead: Sequence[Case] = ()  # the cases that `begin` has sent
        self._answers: Iterable[Answered] = ()  # to these cases
        self._typed: dict[str, TypedCommand] = {}  # those begun, by the ids of cases
        self._spent = 0.0  # seconds of CPU
        self._stalled = 0.0  # seconds of the clock
        self._stalls = Counter[str]()  # of each function
        self._timed_out: dict[str, set[str]] = {}  # the cases of each function

    @property
    def isolation(self) -> Isolation:
        """What confines the worker for public cases."""
        return self._sandbox().isolation

    def begin(self, cases: Sequence[Case] = ()) -> None:
        """Import lab.py while the caller goes on, and run cases of one function.

        These cases are public.
        """
        with contextlib.suppress(Exception):  # An Answer will meet the error again.
            self._sandbox().start()
            if cases:
                self._answers = self.together(cases)
                self._ahead = cases

    def begin_typed(self, case: Case, command: str) -> None:
        """Type the command of a case while the caller goes on."""
        with contextlib.suppress(OSError):  # An Answer will meet the error again.
            self._typed[case.id] = TypedCommand(command, self.lab, case.seconds)

    @cached_property
    def loaded(self) -> Answer:
        """The Answer to the import of lab.py; a stalled import is tried once more."""
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

    def together(self, cases: Sequence[Case]) -> Iterator[Answered]:
        """Send the cases of one function; yield each with its Answer, in order.

        The last is the case that ended their process, if one did.
        """
        if cases == self._ahead:
            return iter(self._answers)
        self._answers = list(self._answers)  # Another run would end that one.
        return self._send(cases, WATCH_NOTHING)

    def alone(self, case: Case, watch: Watch = WATCH_NOTHING) -> Answer:
        """The Answer to a case from a fresh process."""
        if command := kind_of(case.graded).typed(case.calls[0]):
            typed = self._typed.pop(case.id, None)
            if not typed:
                typed = TypedCommand(command, self.lab, self._seconds_for(case))
            answer = typed.answer()
            self._charged(case, answer)
            return answer
        [(_, answer)] = self._send([case], watch)
        return answer

    def close(self) -> None:
        """End all processes."""
        while self._typed:
            _, typed = self._typed.popitem()
            typed.close()
        for sandbox in self._sandboxes.values():
            sandbox.close()

    def _send(self, cases: Sequence[Case], watch: Watch) -> Iterator[Answered]:
        """Have cases of one function run in a worker; yield each with its Answer."""
        wall_per_second = WALL_PER_CPU_SECOND
        if self._stalled >= STALLED_SECONDS:
            wall_per_second = IMPATIENT_WALL
        requests = [
            Request(
                kind=case.graded.kind,
                function=case.function,
                calls=tuple(call.inputs for call in case.calls),
                seconds=self._seconds_for(case),
                watch=watch,
                wall_per_second=wall_per_second,
            )
            for case in cases
        ]
        answers = self._sandbox(cases[0].hidden, watch).run(requests)
        return map(self._charged, cases, answers)

    def _seconds_for(self, case: Case) -> float:
        """The CPU seconds that a case may use now."""
        if len(self._timed_out.get(case.function, ())) >= MOST_TIME_OUTS:
            return min(case.seconds, IMPATIENT_SECONDS)
        return case.seconds

    def _sandbox(self, hidden: bool = False, watch: Watch = WATCH_NOTHING) -> Sandbox:
        """The sandbox for such cases.

        A function cannot find in one sandbox what it has left in the folder of another.
        When the first hidden case begins, the sandboxes of public cases are closed.
        """
        key = hidden, bool(watch.functions), bool(watch.stand_ins)
        if key not in self._sandboxes:
            if hidden:
                self.close()
            self._sandboxes[key] = Sandbox(self.lab, self._fork)
        return self._sandboxes[key]

    def _charged(self, case: Case, answer: Answer) -> Answered:
        """A case with its Answer, once what the case has cost is added up."""
        if answer.ending is Ending.STALLED:
            self._stalls[case.function] += 1
            self._stalled += answer.seconds
            self._spent += answer.cpu
        elif answer.ending is Ending.CPU_TIME_UP:
            self._timed_out.setdefault(case.function, set()).add(case.id)
            self._spent += answer.limit
        else:
            self._spent += answer.cpu or answer.seconds
        return case, answer
