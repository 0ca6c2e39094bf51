"""Has the cases of a lab.py run, in the process that each belongs in, and within the time that there is.

Every function has a process of its own.  Hidden cases, and reruns that hold reference answers, have a worker of their
own.  A case has its own seconds of CPU; after two time-outs of a function its other cases have half a second.  What
has not begun when the run has cost 60 seconds of CPU is not run.

A case that stops answering and uses no CPU has stalled.  A function may stall twice: once when its cases run together,
and once when a case runs alone.  After that its other cases are not run, and those of other functions are.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from boards.cases import Case
from grader.kinds.kind import Begun, kind_of
from grader.protocol.answer import Answer, Ending, Isolation, Request
from grader.protocol.limits import IMPATIENT_WALL, WALL_PER_CPU_SECOND
from grader.sandbox.sandbox import Sandbox

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
Watch = Mapping[str, Any]
Timed = Iterator[tuple[Case, Answer]]  # each case with the seconds that it had


class Runs:
    """The processes of one lab.py, and what they have cost so far."""

    def __init__(self, lab: Path, fork: bool | None = None, seconds: float = RUN_SECONDS) -> None:
        self.lab, self._fork, self._seconds = lab, fork, seconds
        self._sandboxes: dict[tuple[bool, bool, bool], Sandbox] = {}
        self._spent = 0.0  # seconds of CPU
        self._stalled = 0.0  # seconds of the clock
        self._stalls = Counter[str]()  # of each function
        self._timed_out = dict[str, set[str]]()  # the cases of each function
        self._begun: dict[str, Begun] = {}

    @property
    def isolation(self) -> Isolation:
        """What holds the worker for public cases."""
        return self._sandbox().isolation

    def why_not(self, case: Case) -> str:
        """Why a case may not begin any more, as a sentence; empty if it may."""
        if self._stalls[case.function] >= MOST_STALLS:
            return HAS_STALLED.format(function=case.function)
        return NO_TIME if self._spent >= self._seconds else ""

    @cached_property
    def loaded(self) -> Answer:
        """The Answer to the import of lab.py; one that stalls is tried once more."""
        answer = self._sandbox().load()
        return self._sandbox().load() if answer.ending is Ending.STALLED else answer

    def begin(self, cases: Sequence[Case]) -> None:
        """Have lab.py imported, and start those of these cases that have a process of their own, while the caller does
        something else.  Their answers are read when it is their turn.  Raises OSError."""
        self._sandbox().start()
        for case in cases:
            if begun := kind_of(case.graded).begin(case, self.lab):
                self._begun[case.id] = begun

    def together(self, cases: Sequence[Case]) -> Timed:
        """The cases of one function with their Answers out of one process, in order, up to the one that ended it."""
        for case, answer in self._send(cases):
            self._charge(case, answer)
            yield case, answer

    def alone(self, case: Case, watch: Watch | None = None) -> tuple[Case, Answer]:
        """A case with its Answer out of a fresh process."""
        begun = self._begun.pop(case.id, None) or kind_of(case.graded).begin(case, self.lab)
        ((timed, answer),) = [(case, begun.answer())] if begun else self._send([case], watch)
        self._charge(case, answer)
        return timed, answer

    def close(self) -> None:
        """End all processes."""
        for sandbox in self._sandboxes.values():
            sandbox.close()
        while self._begun:
            self._begun.popitem()[1].end()

    def _send(self, cases: Sequence[Case], watch: Watch | None = None) -> Timed:
        """Send cases of one function; they come back with their Answers."""
        if len(self._timed_out.get(cases[0].function, ())) >= MOST_TIME_OUTS:
            cases = [replace(case, seconds=min(case.seconds, IMPATIENT_SECONDS)) for case in cases]
        wall_per_second = WALL_PER_CPU_SECOND if self._stalled < STALLED_SECONDS else IMPATIENT_WALL
        requests = []
        for case in cases:
            inputs = tuple(call.inputs for call in case.calls)
            named = (case.id, case.graded.kind, case.function)
            requests.append(Request(*named, inputs, case.seconds, watch, wall_per_second))
        has_reference = watch is not None and bool(watch["answers"])
        answers = self._sandbox(cases[0].hidden, watch is not None, has_reference).run(requests)
        return zip(cases, answers, strict=False)

    def _sandbox(self, hidden: bool = False, watched: bool = False, has_reference: bool = False) -> Sandbox:
        """The sandbox for such cases; when the first hidden one begins, the public ones are closed.

        What a function leaves in the folder of one is not there in the others.
        """
        key = hidden, watched, has_reference
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
            self._spent += case.seconds
        else:
            self._spent += answer.cpu or answer.seconds
