"""Processes below a process: finding them, and ending every one (Linux)."""

import contextlib
import os
import signal
import sys
from pathlib import Path


def kill_tree(root: int) -> None:
    """Stop, then kill, a process and all that descends from it.

    Orphans stay below a process that adopts them (confine.adopt_orphans), so that walking down
    from there finds every one.  Elsewhere than on Linux this does nothing.
    """
    if sys.platform != "linux":
        return
    known: set[int] = set()
    while found := ({root} | descendants(root)) - known:
        for process in found:
            _signal(process, signal.SIGSTOP)
        known |= found
    for process in known:
        _signal(process, signal.SIGKILL)


def descendants(root: int) -> set[int]:
    """The processes below a process; none elsewhere than on Linux."""
    if sys.platform != "linux":
        return set()
    parents: dict[int, int] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with contextlib.suppress(OSError):
                parents[int(entry)] = int(Path("/proc", entry, "stat").read_text().rpartition(")")[2].split()[1])
    below = {root}
    while more := {process for process, parent in parents.items() if parent in below} - below:
        below |= more
    return below - {root}


def _signal(process: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, number)
