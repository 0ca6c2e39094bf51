"""What the processes of a case use, seen from outside, where no lab can change the figures (Linux).

The limits inside a process (confine.py) are precise and let it say a last word; those here hold
for all of its processes together, whatever it has done to itself.
"""

import contextlib
import os
import stat
import time
from dataclasses import dataclass

from grader.answer import Ending
from grader.processes import Process, look_at, tree

LOOK_EVERY = 0.05
MOST_PROCESSES = 64
MOST_MEMORY, MOST_ON_DISK = 1 << 30, 64 << 20
MOST_FILES = 10_000
SPARE_CPU = 0.5  # for the kit's own work, and for the limits inside to come first


@dataclass(frozen=True)
class Used:
    """What was used: CPU seconds until now, and the living processes."""

    cpu: float
    alive: tuple[Process, ...]


def used_by(root: int) -> Used:
    """What a process and all below it have used."""
    found = tree(root)
    return Used(sum(process.cpu for process in found), tuple(each for each in found if not each.is_dead))


class Watch:
    """Looks at a process and all below it now and then, while a case runs.

    `cpu` is what the case has used as far as was seen, `before` what was used when it began.
    """

    def __init__(self, root: int, folder: str, seconds: float, before: float = 0.0) -> None:
        self._root, self._folder, self._seconds, self._before = root, folder, seconds, before
        self._next = time.monotonic() + LOOK_EVERY
        self.cpu = 0.0

    def patience(self, remaining: float) -> float:
        """How long to wait for news until the next look is due, or no time remains."""
        return max(0.0, min(remaining, self._next - time.monotonic()))

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
        self.cpu = max(self.cpu, used.cpu - self._before)
        return used

    def _passed(self, used: Used) -> Ending | None:
        if self.cpu > self._seconds + SPARE_CPU:
            return Ending.OVERWORKED
        if len(used.alive) > MOST_PROCESSES:
            return Ending.CROWDED
        if sum(process.resident for process in used.alive) > MOST_MEMORY and _memory(used.alive) > MOST_MEMORY:
            return Ending.OUT_OF_MEMORY
        return Ending.DISK_FULL if _on_disk(self._folder, used.alive) > MOST_ON_DISK else None


def _memory(processes: tuple[Process, ...]) -> int:
    """The bytes that processes hold, with what they share counted once; without permission, for each."""
    total = 0
    for process in processes:
        try:
            with open(f"/proc/{process.id}/smaps_rollup", "rb") as file:
                total += next(int(line.split()[1]) * 1024 for line in file if line.startswith(b"Pss:"))
        except (OSError, StopIteration):
            known = look_at(process.id)
            total += known.resident if known else 0
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
