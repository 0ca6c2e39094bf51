"""What the processes of a case use, seen from outside, where no lab can change the figures (Linux).

The limits inside a process (confine.py) are precise and let it say a last word; those here hold
for all of its processes together, whatever it has done to itself.

The wall clock stands still while a busy machine runs others: Linux tells how long each thread was
ready to run and was not run (/proc/PID/task/TID/schedstat: computed, waited, turns).
"""

import contextlib
import os
import stat
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from grader.protocol.answer import Ending
from grader.protocol.processes import Process, content, tree

LOOK_EVERY = 0.05
MOST_PROCESSES = 64
MOST_MEMORY, MOST_ON_DISK = 1 << 30, 64 << 20
MOST_FILES = 10_000
SPARE_CPU = 0.5  # for the kit's own work, and for the limits inside to come first
MOST_WAITING = 4  # times as long as it runs: then it runs, whatever the kernel says


@dataclass(frozen=True)
class Used:
    """What was used: CPU seconds until now, how many processes are seen, the living ones, and how long
    each thread has waited to be run."""

    cpu: float
    seen: int
    alive: tuple[Process, ...]
    waits: Mapping[str, float]


NOTHING_USED = Used(0.0, 0, (), {})


def used_by(root: int) -> Used:
    """What a process and all below it have used."""
    found = tree(root)
    alive = tuple(process for process in found if not process.is_dead)
    waits = {thread: seconds for process in alive for thread, seconds in _waits(process)}
    return Used(sum(process.cpu for process in found), len(found), alive, waits)


class Watch:
    """Looks at a process and all below it now and then, while a case runs.

    The case has `seconds` of CPU and `wall` of time.  `cpu` is what it has used as far as was seen,
    `before` what was used when it began.
    """

    def __init__(self, root: int, folder: str, seconds: float, wall: float, before: Used = NOTHING_USED) -> None:
        self._root, self._folder, self._seconds, self._wall, self._before = root, folder, seconds, wall, before
        self._started = time.monotonic()
        self._next = self._started + LOOK_EVERY
        self._waited = 0.0
        self.cpu = 0.0

    @property
    def seconds(self) -> float:
        """The time that the case has had, without what a busy machine gave to others."""
        elapsed = time.monotonic() - self._started
        return max(elapsed - self._waited, elapsed / MOST_WAITING)

    def patience(self) -> float:
        """How long to wait for news until the next look is due."""
        return max(0.0, self._next - time.monotonic())

    def look(self) -> Ending | None:
        """If a look is due: which limit is passed."""
        if time.monotonic() < self._next:
            return None
        ending = self._passed(self.count())
        self._next = time.monotonic() + LOOK_EVERY
        return ending

    def count(self) -> Used:
        """What is in use now; `cpu` is brought up to date."""
        used = used_by(self._root)
        self.cpu = max(self.cpu, used.cpu - self._before.cpu)
        waited = sum(seconds - self._before.waits.get(thread, 0.0) for thread, seconds in used.waits.items())
        self._waited = max(self._waited, waited)
        return used

    def _passed(self, used: Used) -> Ending | None:
        if self.cpu > self._seconds + SPARE_CPU:
            return Ending.CPU_TIME_UP
        if self.seconds > self._wall:
            return Ending.STALLED
        if len(used.alive) > MOST_PROCESSES:
            return Ending.KILLED
        if sum(process.resident for process in used.alive) > MOST_MEMORY and _memory(used.alive) > MOST_MEMORY:
            return Ending.KILLED
        return Ending.KILLED if _on_disk(self._folder, used.alive) > MOST_ON_DISK else None


def _waits(process: Process) -> Iterator[tuple[str, float]]:
    """For each thread of a process, the seconds for which it was ready to run and was not run."""
    for thread in process.threads:
        with contextlib.suppress(OSError, ValueError, IndexError):
            yield thread, int(content(f"/proc/{process.id}/task/{thread}/schedstat").split()[1]) / 1e9


def _memory(processes: tuple[Process, ...]) -> int:
    """The bytes that processes hold, with what they share counted once; without permission, for each."""
    total = 0
    for process in processes:
        try:
            lines = content(f"/proc/{process.id}/smaps_rollup").splitlines()
            total += next(int(line.split()[1]) * 1024 for line in lines if line.startswith(b"Pss:"))
        except (OSError, StopIteration):
            total += process.resident
    return total


def _on_disk(folder: str, processes: tuple[Process, ...]) -> int:
    """The bytes of the files below a folder, and of open files that no folder has any more.

    Far too many files are far too many bytes.
    """
    sizes: dict[tuple[int, int], int] = {}
    waiting = [folder]
    while waiting:
        folder = waiting.pop()
        for name in _listed(folder):
            path = f"{folder}/{name}"
            with contextlib.suppress(OSError):
                about = os.lstat(path)
                sizes[about.st_dev, about.st_ino] = about.st_blocks * 512
                if stat.S_ISDIR(about.st_mode):
                    waiting.append(path)
        if len(sizes) > MOST_FILES:
            return MOST_ON_DISK + 1
    for handles in (f"/proc/{process.id}/fd" for process in processes):
        for handle in _listed(handles):
            with contextlib.suppress(OSError):
                about = os.stat(f"{handles}/{handle}")
                if about.st_nlink == 0:
                    sizes[about.st_dev, about.st_ino] = about.st_blocks * 512
    return sum(sizes.values())


def _listed(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
