"""Runs cases ahead, in a thread: while the caller still judges one, or imports pytest, the next ones run.

Still one case at a time, in their order, whoever has it run; only a command that takes long runs beside them
(asking.py).  And only as long as nothing is out of the ordinary: how long a case may take depends on the
verdicts before it (patience.py), so after one that is slow, or has ended its process, the session goes on
by itself.
"""

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence

from boards.cases import Case
from grader.pipe.answer import Answer, Ending

SECONDS_TO_STOP = 1.0


def is_over_in(answer: Answer, seconds: float) -> bool:
    """Whether a case came to its end in less than so many seconds: a limit of so many would have changed nothing."""
    return answer.ending is Ending.ANSWERED and max(answer.cpu, answer.seconds) < seconds


class Ahead:
    """The answers to cases that run ahead; none until `start`."""

    def __init__(self) -> None:
        self._news = threading.Condition()
        self._thread: threading.Thread | None = None
        self._cases: Iterator[Case] = iter(())
        self._due: set[str] = set()
        self._answers: dict[str, Answer] = {}
        self._latest: tuple[str, Answer | None] = "", None
        self._is_busy, self._is_held = False, False

    def start(
        self, cases: Sequence[Case], load: Callable[[], bool], run: Callable[[Case], tuple[Answer | None, bool]]
    ) -> None:
        """Have lab.py loaded, and these cases run, as far as there is an Answer to them here.

        Both say whether it goes on after that.
        """
        self._cases, self._due = iter(cases), {case.id for case in cases}
        self._is_busy = True
        self._thread = threading.Thread(target=self._go, args=(load, run), daemon=True)
        self._thread.start()

    def take(self, case: Case) -> Answer | None:
        """The answer to a case, once; waits for it.  None for one that is not run here."""
        with self._news:
            self._news.wait_for(lambda: case.id not in self._due)
            return self._answers.pop(case.id, None)

    def tell(self) -> None:
        """Hand out the latest answer: once the next case is on its way, so that nobody's judging holds that up."""
        with self._news:
            case, answer = self._latest
            if answer and case in self._due:
                self._answers[case] = answer
            self._due.discard(case)
            self._news.notify_all()

    @contextlib.contextmanager
    def aside(self) -> Iterator[None]:
        """In here no case is run ahead; waits for the one that is running."""
        with self._news:
            self._is_held = True
            self._news.wait_for(lambda: not self._is_busy)
        try:
            yield
        finally:
            with self._news:
                self._is_held = False
                self._news.notify_all()

    def stop(self, interrupt: Callable[[], None]) -> None:
        """Run no more cases; `interrupt` ends the one that is running, and its answer is nobody's."""
        with self._news:
            self._due.clear()
            self._is_held = False
            self._news.notify_all()
        if self._thread is not None:
            if self._is_busy:
                interrupt()
            self._thread.join(SECONDS_TO_STOP)

    def _go(self, load: Callable[[], bool], run: Callable[[Case], tuple[Answer | None, bool]]) -> None:
        with contextlib.suppress(Exception):  # which the session meets again, where it can be told
            goes_on = load()
            while goes_on and (case := self._next()):
                answer, goes_on = run(case)
                self.tell()
                self._latest = case.id, answer
        self.tell()
        with self._news:
            self._due.clear()
            self._is_busy = False
            self._news.notify_all()

    def _next(self) -> Case | None:
        """The case whose turn it is, when it may begin."""
        with self._news:
            if self._is_held:
                self.tell()
                self._is_busy = False
                self._news.notify_all()
                self._news.wait_for(lambda: not self._is_held)
            case = next(self._cases, None) if self._due else None
            self._is_busy = case is not None
            return case
