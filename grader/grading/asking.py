"""Asks lab.py: has it imported, and its cases run, in the sandboxes that they belong in.

A session asks, and judges.  What is asked for ahead (`begin`) runs while the caller does something else.
"""

import contextlib
import dataclasses
import threading
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from boards.cases import Case
from grader.grading.ahead import Ahead, Lane, is_over_in
from grader.grading.consequences import Watch
from grader.grading.patience import IMPATIENT_SECONDS, Patience
from grader.kinds.kind import Begun, kind_of
from grader.protocol.answer import Answer, Ending, Request
from grader.protocol.locks import NO_LOCKS
from grader.sandbox.forking import ForkingSandbox
from grader.sandbox.opening import open_sandbox
from grader.sandbox.old import Sandbox

MOST_BEGUN = 2  # of those that take long, beside the cases that run
ENOUGH_FOR_TWO = 20  # cases, of which the second import of lab.py costs five


class Asking:
    """The processes of one lab.py.  What they cost is charged to their `patience`; `locks` is what holds them.

    `sandbox` may have been opened, and started, before.
    """

    def __init__(self, lab: Path, fork: bool | None = None, sandbox: Sandbox | None = None) -> None:
        self.lab, self._fork, self.patience = lab, fork, Patience()
        self.sandbox, self.locks, self._runs_hidden = sandbox or open_sandbox(lab, fork), NO_LOCKS, False
        self._loaded: Answer | None = None
        self._loading = threading.Lock()
        self._ahead, self._long = Ahead(), list[Case]()
        self.begun: dict[str, Begun] = {}

    def begin(self, cases: Iterable[Case]) -> None:
        """Let lab.py be imported, and the public ones of these cases run.  What fails is told when it is asked for."""
        public = [case for case in cases if not case.hidden]
        with contextlib.suppress(OSError):
            self.sandbox.start()
            if isinstance(self.sandbox, ForkingSandbox):
                lanes: dict[object, Lane] = {self.sandbox: self._lane(self.sandbox, self._load_ahead)}
                if len(public) >= ENOUGH_FOR_TWO:
                    second = self.sandbox.second
                    lanes[second] = self._lane(second, lambda: _is_to_fork(second.load()))
                self._ahead.start(public, lanes)
        self._long = [case for case in public if kind_of(case.graded).takes_long(case)][:MOST_BEGUN]

    def load(self) -> Answer:
        """The Answer to the import of lab.py, once."""
        if self._loaded is None:
            with self._ahead.aside(self.sandbox), self._loading:
                self._loaded = self._loaded or self._load()
        with contextlib.suppress(OSError):  # which is met again when the case is asked for
            while self._long:
                case = self._long.pop()
                if begun := kind_of(case.graded).begin(case, self.lab):
                    self.begun[case.id] = begun
        return self._loaded

    def plain(self, case: Case, seconds: float) -> Answer:
        """The Answer to a case that has so many seconds, and may have been run ahead."""
        answer = self._ahead.take(case)
        if answer and (seconds >= case.seconds or is_over_in(answer, seconds)):
            self.patience.spent += answer.cost
            return answer
        return self.answer(case)

    def answer(self, case: Case, watch: Watch | None = None) -> Answer:
        """The Answer to a case that is run now, with the seconds that are left for it."""
        case = dataclasses.replace(case, seconds=self.patience.seconds(case))
        sandbox = self._sandbox_for(case, is_traced=watch is not None)
        if begun := self.begun.pop(case.id, None) or kind_of(case.graded).begin(case, self.lab):
            answer, importing = begun.answer(), 0.0
        else:
            with self._ahead.aside(sandbox):
                answer = self._ask(case, sandbox, watch)
                importing = sandbox.take_bill()
                if isinstance(sandbox, ForkingSandbox) and answer.ending is not Ending.ANSWERED and not sandbox.is_calm:
                    self.patience.note_end(case)
        self.patience.spent += answer.cost + importing
        return answer

    def renew(self, case: Case) -> None:
        """Have the next run of this case begin afresh."""
        self._sandbox_for(case, is_traced=False).renew()

    def close(self) -> None:
        """End the processes."""
        self._ahead.stop()
        self.sandbox.close()
        while self.begun:
            self.begun.popitem()[1].end()

    def start_anew(self) -> None:
        """End the processes, and go on with new ones."""
        self.close()
        self.sandbox = open_sandbox(self.lab, self._fork)

    def _load(self) -> Answer:
        loaded = self.sandbox.load()
        if loaded.imported and loaded.imported.threads and self._fork is not False:
            self._fork = False
            with self._ahead.aside(self.sandbox.second, for_good=True):
                self.sandbox.close()
            self.sandbox = open_sandbox(self.lab, self._fork)
            loaded = self.sandbox.load()
        if loaded.ending is Ending.STALLED:
            loaded = self.sandbox.load()
        self.patience.spent += self.sandbox.take_bill()
        self.locks = self.sandbox.locks
        return loaded

    def _load_ahead(self) -> bool:
        with self._loading:
            self._loaded = self._load()
        return _is_to_fork(self._loaded)

    def _lane(self, sandbox: Sandbox, load: Callable[[], bool]) -> Lane:
        is_first = sandbox is self.sandbox
        run = partial(self._run_ahead, sandbox)
        lane = Lane(load, run, lambda: (self.sandbox if is_first else sandbox).interrupt())
        sandbox.when_sent = partial(self._ahead.tell, lane)
        return lane

    def _run_ahead(self, sandbox: Sandbox, case: Case) -> tuple[Answer | None, bool]:
        """The Answer to a case with all of its seconds, and whether the next one can be run before it is judged."""
        if kind_of(case.graded).takes_long(case):
            return None, True
        answer = self._ask(case, sandbox)
        return answer, is_over_in(answer, IMPATIENT_SECONDS) and sandbox.is_calm

    def _ask(self, case: Case, sandbox: Sandbox, watch: Watch | None = None) -> Answer:
        inputs = tuple(call.inputs for call in case.calls)
        request = Request(case.id, case.graded.kind, case.function, inputs, case.seconds, watch)
        return sandbox.answer(request)

    def _sandbox_for(self, case: Case, is_traced: bool) -> Sandbox:
        """Public and hidden cases run in processes of their own, and never side by side; a third runs traced ones,
        which hold asked answers."""
        if case.hidden is not self._runs_hidden:
            self.start_anew()
            self._runs_hidden = case.hidden
        return self.sandbox.second.second if is_traced else self.sandbox


def _is_to_fork(loaded: Answer) -> bool:
    """Whether lab.py was imported, and has started no threads, which a fork would leave behind."""
    return loaded.imported is not None and not loaded.imported.threads
