"""Processes below a process: finding them, and ending every one (Linux)."""

import contextlib
import os
import signal
import sys
import time
from collections.abc import Iterable
from pathlib import Path


def kill_tree(root: int) -> set[int]:
    """Kill a process and all that descends from it; returns those that were killed.

    The root is only stopped until nothing lives below it: it adopts orphans
    (confine.adopt_orphans), so that none gets away while it is there.  Elsewhere than on Linux
    this does nothing.
    """
    if sys.platform != "linux":
        return set()
    _signal(root, signal.SIGSTOP)
    killed: set[int] = set()
    deadline = time.monotonic() + 5
    while (alive := descendants(root)) and time.monotonic() < deadline:
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for process in alive:
                _signal(process, number)
        killed |= alive
    _signal(root, signal.SIGKILL)
    return killed


def reap(processes: set[int]) -> None:
    """Wait, a second at most, until killed processes are gone; those that this one adopted it buries."""
    deadline = time.monotonic() + 1
    while processes and time.monotonic() < deadline:
        for process in list(processes):
            with contextlib.suppress(ChildProcessError):
                os.waitpid(process, os.WNOHANG)
            if not Path("/proc", str(process)).exists():
                processes.discard(process)
        if processes:
            time.sleep(0.001)


def cpu_seconds(processes: Iterable[int]) -> float:
    """The CPU seconds of these processes and of all that they have buried; 0 elsewhere than on Linux."""
    if sys.platform != "linux":
        return 0.0
    ticks = 0
    for process in processes:
        with contextlib.suppress(OSError):
            fields = Path("/proc", str(process), "stat").read_bytes().rpartition(b")")[2].split()
            ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def descendants(root: int) -> set[int]:
    """The living processes below a process; none elsewhere than on Linux."""
    if sys.platform != "linux":
        return set()
    parents: dict[int, int] = {}
    dead: set[int] = set()
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with contextlib.suppress(OSError):
                state, parent, *_ = Path("/proc", entry, "stat").read_bytes().rpartition(b")")[2].split()
                parents[int(entry)] = int(parent)
                if state in b"ZX":
                    dead.add(int(entry))
    below = {root}
    while more := {process for process, parent in parents.items() if parent in below} - below:
        below |= more
    return below - {root} - dead


def _signal(process: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, number)
