"""Finds out whether the machine is quiet before and while a row is measured.

The limits were set on a quiet machine.  So if other processes disturb the measurement
of a row, the measurement does not say whether the row keeps its limit.  Before each
row, the bench waits for a quiet machine.  PATIENCE limits the waiting of all rows
together.  If the machine does not get quiet, or if the measurement of a row is
disturbed twice, the row has no verdict.
"""

import contextlib
import ctypes
import os
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from staff.bench.figures import Figure, Reading, measure
from staff.bench.timing import machine_seconds

MOST_BEFORE = 0.05  # cores that other processes may keep busy before a measurement
# Cores that other processes may keep busy during a measurement.  This limit is higher
# than MOST_BEFORE, because the operating system itself works more during a measurement.
MOST_DURING = 0.1
LOOK = 2.0  # seconds for one look at the machine
PATIENCE = 120.0  # seconds of waiting in a whole run
ATTEMPTS = 2  # for each row
_CHILD_SUBREAPER = 36  # the number of an option of the system call prctl


@dataclass(frozen=True)
class Moment:
    """What three clocks show at one moment, in seconds."""

    clock: float  # the clock on the wall
    machine: float  # CPU seconds of all processes
    own: float  # CPU seconds of this process and of its children that have ended


def adopt_orphans() -> None:
    """On Linux, have this process adopt its descendants whose parent ends.

    The grader kills the process of a function together with the parent of that process.
    If the bench did not become the new parent, the CPU time of the process would look
    like the work of other programs.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_CHILD_SUBREAPER, 1, 0, 0, 0)


def now() -> Moment:
    """Wait until all children of this process have ended, and read the three clocks.

    If there is no /proc/stat, the kit cannot see other processes.
    """
    with contextlib.suppress(OSError):  # raised once there is no child
        while True:
            os.waitpid(-1, 0)
    own = 0.0
    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        usage = resource.getrusage(who)
        own += usage.ru_utime + usage.ru_stime
    return Moment(time.perf_counter(), machine_seconds(), own)


def others_at_work(before: Moment, after: Moment) -> float:
    """Return how many cores other processes kept busy between two moments, on average.

    >>> others_at_work(Moment(0, 100, 10), Moment(4, 107, 16))
    0.25
    """
    machine = after.machine - before.machine
    own = after.own - before.own
    return max(0.0, (machine - own) / (after.clock - before.clock))


@dataclass
class QuietBench:
    """Measures figures.  It waits for a quiet machine before each of them."""

    now: Callable[[], Moment] = now  # tells the clocks
    sleep: Callable[[float], None] = time.sleep  # waits for so many seconds
    patience: float = PATIENCE  # the seconds of waiting that are left

    def measure(self, figure: Figure) -> Reading:
        """Measure a figure.  If the machine was not quiet, the reading says so in
        `disturbed`.
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
        """Wait until the machine is quiet, or until the patience is used up.

        Return how many cores other processes keep busy at the end.
        """
        busy = self._look()
        while busy > MOST_BEFORE and self.patience > 0:
            self.patience -= LOOK
            busy = self._look()
        return busy

    def _look(self) -> float:
        """Sleep, and return how many cores other processes kept busy meanwhile."""
        before = self.now()
        self.sleep(LOOK)
        return others_at_work(before, self.now())
