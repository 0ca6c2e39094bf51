"""Measures the CPU seconds of a function in this process, and those of a program."""

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
    """Return a measurement for a `Side`: the CPU seconds of one unit of some work.

    The measurement does the work `times` times in a row, which should take some tens of
    milliseconds.  The work does `units` units each time.  `expect` is the right result
    of the work.  The measurement raises WrongResult for any other result.

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
    """Return the CPU seconds that all processes of this machine have used together.

    On a system without /proc/stat, return the CPU seconds of those children of this
    process that have ended.
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
    """Return a measurement for a `Side`: the seconds that a program takes on `clock`.

    The measurement raises WrongResult unless the program ends with status 0, and
    `is_right` accepts its output.  The program may write bytecode, even if this process
    may not, because otherwise Python would compile the program again each time.
    """
    variables = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", **(environment or {})}

    def seconds() -> float:
        before = clock()
        done = subprocess.run(
            command,
            cwd=folder,
            env=variables,
            stdin=subprocess.DEVNULL,
            capture_output=True,
        )
        used = clock() - before
        if done.returncode or not is_right(done.stdout):
            end = (done.stderr or done.stdout).decode(errors="replace").strip()[-60:]
            raise WrongResult(
                f"exit status {done.returncode}, {len(done.stdout)} bytes of output: "
                f"{end}"
            )
        return used

    return seconds
