"""Whether the machine is quiet: what other processes use before a row is measured, and
while it is.

Limits were set on a quiet machine, so a row that other processes disturb says nothing,
whether it is over its limit or not.  Each row waits for a quiet machine, as long as the
patience of the run lasts.  A row that finds none, or that is disturbed twice, has no
verdict.
"""

import resource
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from staff.bench.figures import Figure, Reading, measure
from staff.bench.timing import machine_seconds

MOST_BEFORE = 0.05  # cores that other processes may keep busy while the bench waits
MOST_DURING = 0.1  # and while it measures: the system itself then works a little more
LOOK, PATIENCE = 2.0, 120.0  # seconds for one look, and of waiting in a whole run
ATTEMPTS = 2


@dataclass(frozen=True)
class Moment:
    """What three clocks show, in seconds."""

    clock: float  # on the wall
    machine: float  # of CPU, used by all processes
    own: float  # of CPU, used by this process and by those that it has started and that have ended


def now() -> Moment:
    """What the clocks of this machine show.  Without /proc/stat nothing is known of
    other processes.
    """
    usages = [
        resource.getrusage(who)
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    ]
    own = sum(usage.ru_utime + usage.ru_stime for usage in usages)
    return Moment(time.perf_counter(), machine_seconds(), own)


def others_at_work(before: Moment, after: Moment) -> float:
    """How many cores other processes kept busy between two moments.

    >>> others_at_work(Moment(0, 100, 10), Moment(4, 107, 16))
    0.25
    """
    machine, own = after.machine - before.machine, after.own - before.own
    return max(0.0, (machine - own) / (after.clock - before.clock))


@dataclass
class QuietBench:
    """Measures figures, each on a quiet machine."""

    now: Callable[[], Moment] = now
    sleep: Callable[[float], None] = time.sleep
    patience: float = PATIENCE  # the seconds of waiting that are left

    def measure(self, figure: Figure) -> Reading:
        """The reading of a figure; `disturbed` says what others were doing if the
        machine was not quiet.
        """
        reading = Reading(figure)
        for _ in range(ATTEMPTS):
            busy = self._wait()
            if busy > MOST_BEFORE:
                return replace(
                    reading, disturbed=f"other processes keep {busy:.2f} cores busy"
                )
            before = self.now()
            reading = measure(figure)
            busy = others_at_work(before, self.now())
            if busy <= MOST_DURING:
                return reading
            reading = replace(
                reading,
                disturbed=f"meanwhile other processes kept {busy:.2f} cores busy",
            )
        return reading

    def _wait(self) -> float:
        """Wait until the machine is quiet, or the patience is at an end; how many cores
        others keep busy then.
        """
        busy = self._look()
        while busy > MOST_BEFORE and self.patience > 0:
            self.patience -= LOOK
            busy = self._look()
        return busy

    def _look(self) -> float:
        """How many cores other processes keep busy while this one sleeps."""
        before = self.now()
        self.sleep(LOOK)
        return others_at_work(before, self.now())
