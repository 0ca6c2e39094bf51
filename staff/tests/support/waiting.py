"""Waiting for what must happen, however busy the machine is: the time is a backstop,
and decides no test.
"""

import contextlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

LONG = 60.0


def soon(happens: Callable[[], Any]) -> bool:
    """Whether this becomes true; comes back as soon as it is."""
    deadline = time.monotonic() + LONG
    while not (happened := happens()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return bool(happened)


def processes_about(place: Path) -> list[int]:
    """The living processes with this path on their command line; none without /proc."""
    processes = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # the process has ended
            if str(place).encode() in (entry / "cmdline").read_bytes():
                processes.append(int(entry.name))
    return processes
