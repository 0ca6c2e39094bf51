"""Processes that run student code: the folder that they work in, what they use, and their end."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from grader.protocol.answer import Ending
from grader.sandbox.user import give_to_student


def new_folder() -> str:
    """An empty folder for student code to work in."""
    folder = tempfile.mkdtemp(prefix="lab-")
    give_to_student(folder)
    return folder


def remove_folder(folder: str) -> None:
    """Delete such a folder, whatever stands in it.  Does not wait for one that is far too deep."""
    try:
        shutil.rmtree(folder, ignore_errors=True)
    except RecursionError:
        os.spawnlp(os.P_NOWAIT, "rm", "rm", "-rf", folder)


def end(process: subprocess.Popen[bytes]) -> int:
    """End a process that leads a session of its own, with all that it has started; its exit status."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    return process.wait()


def used_by(group: int) -> tuple[int, float]:
    """How many processes a group has, and how many CPU seconds they have used; 0 for both except on Linux."""
    processes, ticks = 0, 0
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            fields = (process / "stat").read_bytes().rpartition(b")")[2].split()
            if int(fields[2]) == group:
                processes += 1
                ticks += int(fields[11]) + int(fields[12])
    return processes, ticks and ticks / os.sysconf("SC_CLK_TCK")


def late(cpu: float, most_cpu: float) -> Ending:
    """How a case ends that the clock stops after so many seconds of CPU; on Windows nobody counts them."""
    is_busy = sys.platform == "win32" or cpu > most_cpu / 2
    return Ending.CPU_TIME_UP if is_busy else Ending.STALLED
