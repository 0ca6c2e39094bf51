"""CPU seconds of a function in this process, and of a child process with all of its own children."""

import functools
import gc
import os
import resource
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from staff.bench.figures import WrongResult

ROOT = Path(__file__).parent.parent.parent


def timed(work: Callable[[], Any], expect: Any, times: int = 1, units: int = 1) -> Callable[[], float]:
    """A measurement for a `Side`: the CPU seconds of one unit of this work.

    The work is done `times` times in a row, enough to fill some tens of milliseconds; one time
    comes to `units` units.  `expect` is what the work returns when it is done right.

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


TASK_CLOCK = ("perf", "stat", "--field-separator=,", "--event=task-clock", "--output")


@functools.cache
def has_perf() -> bool:
    """Whether `perf` counts here, which sees every process below another, whoever buries it."""
    try:
        done = subprocess.run([*TASK_CLOCK, "/dev/stdout", "true"], capture_output=True, text=True, check=True)
        return task_clock(done.stdout) > 0
    except (OSError, ValueError, subprocess.CalledProcessError):
        return False


def task_clock(counts: str) -> float:
    """The seconds that `perf stat` has counted.  ValueError where it has not.

    >>> task_clock("# started on Sun Nov 22\\n\\n1222.50,msec,task-clock,1222500000,100.00,1.05,CPUs utilized\\n")
    1.2225
    """
    *_, last = counts.strip().splitlines() or [""]
    return float(last.partition(",")[0]) / 1000


def seconds_of_children() -> float:
    """The CPU seconds of all processes that have ended below this one, and that somebody has buried."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def child(
    command: Sequence[str],
    is_right: Callable[[bytes], bool],
    folder: Path = ROOT,
    environment: Mapping[str, str] | None = None,
    clock: Callable[[], float] = seconds_of_children,
) -> Callable[[], float]:
    """A measurement for a `Side`: the CPU seconds of a program and of all its processes, or another clock's.

    Without `perf` it misses those that nobody waits for, such as the ones that end with a namespace.

    The program's exit status must be 0, and its stdout right.  Python writes its bytecode there
    even where this process must not: what is compiled anew each time is never warm.
    """
    variables = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", **(environment or {})}

    def seconds() -> float:
        with NamedTemporaryFile("r") as counts:
            by_perf = clock is seconds_of_children and has_perf()
            before = clock()
            done = subprocess.run(
                [*TASK_CLOCK, counts.name, "--", *command] if by_perf else command,
                cwd=folder,
                env=variables,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
            )
            used = task_clock(counts.read()) if by_perf else clock() - before
        if done.returncode:
            raise WrongResult(f"exit status {done.returncode}: {_last_line(done.stderr) or _last_line(done.stdout)}")
        if not is_right(done.stdout):
            raise WrongResult(f"unexpected output, {len(done.stdout)} bytes: {_last_line(done.stdout)}")
        return used

    return seconds


def _last_line(output: bytes) -> str:
    lines = output.decode(errors="replace").strip().splitlines()
    return lines[-1].strip()[:60] if lines else ""
