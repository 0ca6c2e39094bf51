"""CPU seconds of a function in this process, and of a program with all that it
starts.
"""

import gc
import os
import resource
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from staff.bench.figures import WrongResult

ROOT = Path(__file__).parent.parent.parent
COUNTERS = Path("/proc/stat")


def timed(
    work: Callable[[], Any], expect: Any, times: int = 1, units: int = 1
) -> Callable[[], float]:
    """A measurement for a `Side`: the CPU seconds of one unit of this work.

    The work is done `times` times in a row, enough to fill some tens of milliseconds;
    one time comes to `units` units.  `expect` is what the work returns when it is done
    right.

    >>> timed(lambda: sum(range(1000)), expect=499500, units=1000)() < 1
    True
    """

    def seconds() -> float:
        gc.collect()
        result = None
        before = time.process_time()
        for _ in range(times):
            result = work()
        used = time.process_time() - before
        if result != expect:
            raise WrongResult(f"gave {result!r} instead of {expect!r}")
        return used / times / units

    return seconds


def machine_seconds() -> float:
    """The CPU seconds of all processes of this machine together, so that none is
    missed.

    Without /proc/stat, those of the processes that have ended below this one.
    """
    if not COUNTERS.exists():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime
    user, nice, system, _idle, _waiting, interrupts, soft = map(
        int, COUNTERS.read_text().split()[1:8]
    )
    return (user + nice + system + interrupts + soft) / os.sysconf("SC_CLK_TCK")


def child(
    command: Sequence[str],
    is_right: Callable[[bytes], bool] = lambda stdout: True,
    folder: Path = ROOT,
    environment: Mapping[str, str] | None = None,
    clock: Callable[[], float] = machine_seconds,
) -> Callable[[], float]:
    """A measurement for a `Side`: the CPU seconds of a program and of all its
    processes, or another clock's.

    The program's exit status must be 0, and its stdout right.  Python writes its
    bytecode there even if this process must not: what is compiled anew each time is
    never warm.
    """
    variables = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", **(environment or {})}

    def seconds() -> float:
        before = clock()
        done = subprocess.run(
            command, cwd=folder, env=variables, stdin=subprocess.DEVNULL, capture_output=True, check=False
        )  # fmt: skip
        used = clock() - before
        if done.returncode or not is_right(done.stdout):
            said = (done.stderr or done.stdout).decode(errors="replace").strip()[-60:]
            raise WrongResult(
                f"exit status {done.returncode}, {len(done.stdout)} bytes of output: {said}"
            )
        return used

    return seconds
