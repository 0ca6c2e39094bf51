"""Processes below a process: finding them, and ending every one (Linux)."""

import contextlib
import functools
import os
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

QUIET_LOOKS = 3

_TICKS = os.sysconf("SC_CLK_TCK") if sys.platform == "linux" else 1
_PAGE = os.sysconf("SC_PAGE_SIZE") if sys.platform == "linux" else 1


@dataclass(frozen=True)
class Process:
    """What the kernel says of a process.

    `cpu` are its seconds and those of all that it has buried, `resident` the bytes that it holds.
    """

    id: int
    parent: int
    is_dead: bool
    cpu: float
    resident: int
    has_threads: bool = False

    @property
    def threads(self) -> list[str]:
        """The numbers of its threads."""
        if not self.has_threads:
            return [str(self.id)]
        try:
            return os.listdir(f"/proc/{self.id}/task")
        except OSError:
            return []


def look_at(process: int) -> Process | None:
    """A process; None where there is none of this number any more, and elsewhere than on Linux."""
    try:
        fields = content(f"/proc/{process}/stat").rpartition(b")")[2].split()  # a name may hold any bytes
    except OSError:
        return None
    cpu = sum(map(int, fields[11:15])) / _TICKS
    return Process(process, int(fields[1]), fields[0] in b"ZX", cpu, int(fields[21]) * _PAGE, fields[17] != b"1")


def content(path: str) -> bytes:
    """What a file of the kernel's says, by as few calls as can be.  Raises OSError."""
    handle = os.open(path, os.O_RDONLY)
    try:
        data = more = os.read(handle, _PAGE)
        while len(more) > _PAGE // 2:  # the kernel may stop a line short of what there is room for
            data += (more := os.read(handle, _PAGE))
        return data
    finally:
        os.close(handle)


def tree(root: int) -> list[Process]:
    """A process and all below it, the dead ones too; at little cost it may miss one that just begins or ends."""
    if not _tells_children():
        return [found for process in (root, *descendants(root)) if (found := look_at(process))]
    family, waiting = [], [root]
    while waiting:
        if process := look_at(waiting.pop()):
            family.append(process)
            waiting += _children(process)
    return family


@functools.cache
def _tells_children() -> bool:
    return sys.platform != "linux" or Path("/proc/thread-self/children").exists()


def _children(process: Process) -> Iterator[int]:
    with contextlib.suppress(OSError):
        for thread in process.threads:
            yield from map(int, content(f"/proc/{process.id}/task/{thread}/children").split())


def descendants(root: int) -> set[int]:
    """The living processes below a process, by a look at every one there is; none elsewhere than on Linux."""
    if sys.platform != "linux":
        return set()
    seen = [process for entry in os.listdir("/proc") if entry.isdigit() and (process := look_at(int(entry)))]
    below = {root}
    while more := {process.id for process in seen if process.parent in below} - below:
        below |= more
    return below - {root} - {process.id for process in seen if process.is_dead}


def end_all_below() -> None:
    """Kill and bury all processes below this one, until several looks in a row find none.

    A whole group goes at one blow, so that whoever forks faster than one can look gets away only
    by leaving its group each time; and being stopped first, nobody can do that for long.
    """
    root, quiet, deadline = os.getpid(), 0, time.monotonic() + 5
    while quiet < QUIET_LOOKS and time.monotonic() < deadline:
        found = descendants(root)
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for process in found:
                _signal(process, number)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        quiet = 0 if found else quiet + 1


def _signal(process: int, number: int) -> None:
    """Signal a process with its group, unless this one is in it."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        group = os.getpgid(process)
        if group == os.getpgid(0):
            os.kill(process, number)
        else:
            os.killpg(group, number)
