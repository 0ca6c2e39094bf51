"""Has the cases of a lab.py run, in the process that each belongs in, and within the time that there is.

Every function has a process of its own.  Hidden cases, and reruns that hold reference answers, have a worker of their
own.  A case has its own seconds of CPU; after two time-outs of a function its other cases have half a second.  What
has not begun when the run has cost 60 seconds is not run, nor is anything after three stalls.
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
from grader.sandbox.sandbox import Sandbox

MOST_TIME_OUTS = 2  # of a function, each with all the seconds of its case
IMPATIENT_SECONDS = 0.5
RUN_SECONDS = 60.0
MOST_STALLS = 3

NO_TIME = "Not run: other cases took too long. Nobody has judged it yet: run it alone, and look at what is slow."
Watch = Mapping[str, Any]
Timed = Iterator[tuple[Case, Answer]]  # each case with the seconds that it had


class Runs:
    """The processes of one lab.py, and what they have cost so far."""

    def __init__(self, lab: Path, fork: bool | None = None, seconds: float = RUN_SECONDS) -> None:
        self.lab, self._fork, self._seconds = lab, fork, seconds
        self._sandboxes: dict[tuple[bool, bool], Sandbox] = {}
        self._spent, self._stalls, self._time_outs = 0.0, 0, Counter[str]()
        self._begun: dict[str, Begun] = {}

    @property
    def isolation(self) -> Isolation:
        """What holds the worker for public cases."""
        return self._sandbox().isolation

    @property
    def has_time(self) -> bool:
        """Whether another case may begin."""
        return self._spent < self._seconds and self._stalls < MOST_STALLS

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
        """A case with its Answer out of a fresh process; one that stalls is tried once more."""
        timed, answer = self._once(case, watch)
        return self._once(case, watch) if answer.ending is Ending.STALLED and self.has_time else (timed, answer)

    def _once(self, case: Case, watch: Watch | None) -> tuple[Case, Answer]:
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
        if self._time_outs[cases[0].function] >= MOST_TIME_OUTS:
            cases = [replace(case, seconds=min(case.seconds, IMPATIENT_SECONDS)) for case in cases]
        requests = []
        for case in cases:
            inputs = tuple(call.inputs for call in case.calls)
            requests.append(Request(case.id, case.graded.kind, case.function, inputs, case.seconds, watch))
        answers = self._sandbox(cases[0].hidden, with_reference=watch is not None).run(requests)
        return zip(cases, answers, strict=False)

    def _sandbox(self, hidden: bool = False, with_reference: bool = False) -> Sandbox:
        """The sandbox for such cases; when the first hidden one begins, the public ones are closed."""
        key = hidden, with_reference
        if key not in self._sandboxes:
            if hidden:
                self.close()
            self._sandboxes[key] = Sandbox(self.lab, self._fork)
        return self._sandboxes[key]

    def _charge(self, case: Case, answer: Answer) -> None:
        used = {Ending.STALLED: answer.seconds, Ending.CPU_TIME_UP: case.seconds}
        self._spent += used.get(answer.ending) or answer.cpu or answer.seconds
        self._stalls += answer.ending is Ending.STALLED
        self._time_outs[case.function] += answer.ending is Ending.CPU_TIME_UP
