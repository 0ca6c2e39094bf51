"""Runs the cases of a lab.py, function by function, within limits of time.

The cases of a function run in a process of their own.  There is a child process for
public cases, and another one for hidden cases.  Reruns that watch calls have a further
child process, and so do reruns that use reference answers.  Each case has its own
seconds of CPU.  After two cases of a function have timed out, its other cases have at
most half a second each.  When all cases together have cost 60 seconds of CPU, no
further case is run.

A case that stops answering and uses hardly any CPU has stalled.  After a function has
stalled twice, its other cases are not run.  The cases of other functions still are.
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

MOST_TIME_OUTS = 2  # time-outs of a function after which its other cases get less time
# If a function has timed out in MOST_TIME_OUTS cases, each of its other cases gets at
# most so many seconds of CPU.
IMPATIENT_SECONDS = 0.5
RUN_SECONDS = 60.0  # of CPU, for all cases
MOST_STALLS = 2  # stalls of a function after which its other cases are not run
# When stalled cases have cost so many seconds on the clock, every later case has less
# time to answer.
STALLED_SECONDS = 60.0

NO_TIME = (
    "Not run: other cases took too long. Nobody has judged it yet: run it alone, "
    "and look at what is slow."
)
HAS_STALLED = (
    "Not run: {function} did not answer in two earlier runs, and used hardly any CPU. "
    "Is there a sleep, a lock, or a read that waits? This case was not graded."
)

Answered = tuple[Case, Answer]


class Runs:
    """Keeps the child processes that run one lab.py, and counts what they have cost so
    far.
    """

    def __init__(
        self, lab: Path, fork: bool = True, seconds: float = RUN_SECONDS
    ) -> None:
        """If `fork` is False, every function gets a child process of its own.

        All cases together may cost `seconds` of CPU.
        """
        self.lab = lab
        self._fork = fork
        self._seconds = seconds
        # The sandboxes.  The key tells three things about the runs in a sandbox:
        # whether their cases are hidden, whether the child watches calls, and whether
        # the child uses reference answers.
        self._sandboxes: dict[tuple[bool, bool, bool], Sandbox] = {}
        self._ahead: Sequence[Case] = ()  # the cases that `begin` has sent already
        # What comes back for the cases that `begin` has sent: each case with its
        # Answer.
        self._answers: Iterable[Answered] = ()
        # The commands that `begin_typed` has started.  The key is the id of the case.
        self._typed: dict[str, TypedCommand] = {}
        self._spent = 0.0  # seconds of CPU
        self._stalled = 0.0  # seconds of the clock that were lost to stalled cases
        self._stalls = Counter[str]()  # the number of stalls of each function
        # For each function, the ids of its cases that have timed out.
        self._timed_out: dict[str, set[str]] = {}

    @property
    def isolation(self) -> Isolation:
        """What protects the machine from the child that runs public cases."""
        return self._sandbox().isolation

    def begin(self, cases: Sequence[Case] = ()) -> None:
        """Have the child import lab.py and then run these cases, while the caller goes
        on.

        All cases must be public and belong to one function.
        """
        with contextlib.suppress(Exception):  # the Answer will report the same error
            self._sandbox().start()
            if cases:
                self._answers = self.together(cases)
                self._ahead = cases

    def begin_typed(self, case: Case, command: str) -> None:
        """Start `make run` for this case, with the words in `command`.

        Do not wait until the command ends.
        """
        with contextlib.suppress(OSError):  # the Answer will report it
            self._typed[case.id] = TypedCommand(command, self.lab, case.seconds)

    @cached_property
    def loaded(self) -> Answer:
        """The Answer that says how the import of lab.py ended.

        If the import stalls, lab.py is imported once more.
        """
        answer = self._sandbox().load()
        if answer.ending is Ending.STALLED:
            answer = self._sandbox().load()
        return answer

    def why_not(self, case: Case) -> str:
        """Say why a case may not be run any more.  The text is empty if the case may be
        run.
        """
        if self._stalls[case.function] >= MOST_STALLS:
            return HAS_STALLED.format(function=case.function)
        if self._spent >= self._seconds:
            return NO_TIME
        return ""

    def together(self, cases: Sequence[Case]) -> Iterator[Answered]:
        """Run cases of one function together, and yield each case with its Answer, in
        order.

        If the process ends while a case runs, no case after that one is yielded.
        """
        if cases == self._ahead:
            return iter(self._answers)
        # Wait for the answers to the cases that `begin` has sent.  Another run would
        # end the process that still works on them.
        self._answers = list(self._answers)
        return self._send(cases, WATCH_NOTHING)

    def alone(self, case: Case, watch: Watch = WATCH_NOTHING) -> Answer:
        """Run a case by itself in a new process, and return its Answer."""
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
        """Send cases of one function to a sandbox; yield each case with its Answer."""
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
        """Return how many seconds of CPU a case may use at this point of the run."""
        if len(self._timed_out.get(case.function, ())) >= MOST_TIME_OUTS:
            return min(case.seconds, IMPATIENT_SECONDS)
        return case.seconds

    def _sandbox(self, hidden: bool = False, watch: Watch = WATCH_NOTHING) -> Sandbox:
        """Return the sandbox for hidden cases or for public cases, with this kind of
        watch.

        Runs that watch calls have a sandbox of their own, and so do runs that use
        reference answers.  Each sandbox has a folder of its own, in which student code
        finds nothing from another sandbox.  Before a new sandbox for hidden cases is
        made, all sandboxes that exist are closed.
        """
        key = hidden, bool(watch.functions), bool(watch.stand_ins)
        if key not in self._sandboxes:
            if hidden:
                self.close()
            self._sandboxes[key] = Sandbox(self.lab, self._fork)
        return self._sandboxes[key]

    def _charged(self, case: Case, answer: Answer) -> Answered:
        """Add what a case has cost to the total.  Return the case with its Answer."""
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
