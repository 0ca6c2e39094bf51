"""Runs cases ahead, in a thread a lane: while the caller still judges one, or imports pytest, the next ones run.

A lane has one case at a time, and takes the next in their order; only a command that takes long runs beside
them (asking.py).  And only as long as nothing is out of the ordinary: how long a case may take depends on the
verdicts before it (patience.py), so after one that is slow, or has ended its process, the session goes on
by itself.
"""

import contextlib
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from boards.cases import Case
from grader.protocol.answer import Answer, Ending

SECONDS_TO_STOP = 1.0


def is_over_in(answer: Answer, seconds: float) -> bool:
    """Whether a case came to its end in less than so many seconds: a limit of so many would have changed nothing."""
    return answer.ending is Ending.ANSWERED and max(answer.cpu, answer.seconds) < seconds


@dataclass(eq=False)
class Lane:
    """Where one case after another runs.

    `load` has lab.py loaded, and `run` runs a case, as far as there is an Answer to it here; both say whether it
    goes on after that.  `interrupt` ends the one that is running.
    """

    load: Callable[[], bool]
    run: Callable[[Case], tuple[Answer | None, bool]]
    interrupt: Callable[[], None]
    latest: tuple[str, Answer | None] = "", None
    is_open, is_busy, is_held = True, True, False
    thread: threading.Thread | None = None


class Ahead:
    """The answers to cases that run ahead; none until `start`."""

    def __init__(self) -> None:
        self._news = threading.Condition()
        self._lanes: Mapping[object, Lane] = {}
        self._cases: Iterator[Case] = iter(())
        self._due: set[str] = set()
        self._answers: dict[str, Answer] = {}
        self._at_work = 0

    def start(self, cases: Sequence[Case], lanes: Mapping[object, Lane]) -> None:
        """Have these cases run in these lanes, each of which has a name."""
        self._cases, self._due, self._lanes = iter(cases), {case.id for case in cases}, lanes
        self._at_work = len(lanes)
        for lane in lanes.values():
            lane.thread = threading.Thread(target=self._go, args=(lane,), daemon=True)
            lane.thread.start()

    def take(self, case: Case) -> Answer | None:
        """The answer to a case, once; waits for it.  None for one that is not run here."""
        with self._news:
            self._news.wait_for(lambda: case.id not in self._due)
            return self._answers.pop(case.id, None)

    def tell(self, lane: Lane) -> None:
        """Hand out its latest answer: once the next case is on its way, so that nobody's judging holds that up."""
        with self._news:
            case, answer = lane.latest
            if answer and case in self._due:
                self._answers[case] = answer
            self._due.discard(case)
            self._news.notify_all()

    @contextlib.contextmanager
    def aside(self, name: object, for_good: bool = False) -> Iterator[None]:
        """In here no case is run in the lane of this name; waits for the one that is running.

        After that neither, if it is closed `for_good`.
        """
        lane = self._lanes.get(name)
        if lane is None:
            yield
            return
        with self._news:
            lane.is_held, lane.is_open = True, lane.is_open and not for_good
            self._news.wait_for(lambda: not lane.is_busy)
        try:
            yield
        finally:
            with self._news:
                lane.is_held = False
                self._news.notify_all()

    def stop(self) -> None:
        """Run no more cases; the ones that are running are ended, and their answers are nobody's."""
        with self._news:
            self._due.clear()
            for lane in self._lanes.values():
                lane.is_held = False
            self._news.notify_all()
        for lane in self._lanes.values():
            if lane.is_busy:
                lane.interrupt()
            if lane.thread:
                lane.thread.join(SECONDS_TO_STOP)

    def _go(self, lane: Lane) -> None:
        goes_on = False
        with contextlib.suppress(Exception):  # which the session meets again, where it can be told
            goes_on = lane.load()
            while goes_on and (case := self._next(lane)):
                goes_on = False
                answer, goes_on = lane.run(case)
                self.tell(lane)
                lane.latest = case.id, answer
        self.tell(lane)
        with self._news:
            self._cases = self._cases if goes_on else iter(())
            lane.is_open = lane.is_busy = False
            self._at_work -= 1
            if not self._at_work:
                self._due.clear()
            self._news.notify_all()

    def _next(self, lane: Lane) -> Case | None:
        """The case whose turn it is, when it may begin."""
        with self._news:
            if lane.is_held and lane.is_open:
                self.tell(lane)
                lane.is_busy = False
                self._news.notify_all()
                self._news.wait_for(lambda: not lane.is_held)
            case = next(self._cases, None) if self._due and lane.is_open else None
            lane.is_busy = case is not None
            return case
