"""Processes that run student code: their user and folder, what they use, and their end.

A grader that runs as root hands lab.py to the user that the environment variable
GRADER_USER names, one who owns nothing.  So lab.py cannot reach what the file system
keeps for root, such as hidden cases and the result file, even if the kernel has no
Landlock.  Without GRADER_USER student code runs as the user who grades.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

from grader.protocol.answer import Ending

GRADER_USER = "GRADER_USER"
LOOK_EVERY = 0.25  # seconds
LEAST_SHARE = (
    0.1  # of the clock, which ends a process that hardly ever gets a processor
)


def as_student() -> dict[str, Any]:
    """What subprocess.Popen needs to start a process as that user; nothing without
    GRADER_USER.

    Raises OSError if there is no such user, if it is root, or if only root could change
    to it.
    """
    name = os.environ.get(GRADER_USER)
    if not name:
        return {}
    import pwd

    try:
        entry = pwd.getpwnam(name)
    except KeyError:
        raise OSError(
            f"{GRADER_USER} names {name!r}, and there is no such user; create it with useradd"
        ) from None
    if entry.pw_uid == 0:
        raise OSError(
            f"{GRADER_USER} names {name!r}, which is root; name a user who owns nothing"
        )
    if os.geteuid() != 0:
        raise OSError(
            f"{GRADER_USER} is set, and only root can start processes as {name!r}; unset it, or be root"
        )
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


def new_folder() -> str:
    """An empty folder for student code to work in."""
    folder = tempfile.mkdtemp(prefix="lab-")
    if student := as_student():
        os.chown(folder, student["user"], student["group"])
    return folder


def remove_folder(folder: str) -> None:
    """Delete such a folder, whatever stands in it.  Does not wait for one that is far
    too deep.
    """
    try:
        shutil.rmtree(folder, ignore_errors=True)
    except RecursionError:
        os.spawnlp(os.P_NOWAIT, "rm", "rm", "-rf", folder)


def end(process: subprocess.Popen[bytes]) -> int:
    """End a process that leads a session of its own, with all that it has started; its
    exit status.
    """
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    return process.wait()


class Used(NamedTuple):
    """What a group of processes has used by the time `at`: seconds of CPU, and seconds
    of waiting for a processor.

    Both are 0 except on Linux, as is the number of its processes.
    """

    at: float
    processes: int = 0
    cpu: float = 0.0
    waited: float = 0.0

    def seconds_since(self, start: "Used") -> float:
        """How long it had what it needed: the clock, without the waiting, of which
        there may be nine parts in ten.

        Where there is less waiting than at the start, a process has ended, and nobody
        knows how long it had waited.
        """
        clock, waited = self.at - start.at, self.waited - start.waited
        return max(
            clock - waited if waited >= 0 else 0.0,
            self.cpu - start.cpu,
            clock * LEAST_SHARE,
        )


def used_by(group: int) -> Used:
    """What a group of processes has used so far; what has ended no longer counts."""
    processes, ticks, waited = 0, 0, 0
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            fields = (process / "stat").read_bytes().rpartition(b")")[2].split()
            if int(fields[2]) == group:
                processes += 1
                ticks += int(fields[11]) + int(fields[12])
                waited += sum(
                    int(thread.read_bytes().split()[1])
                    for thread in process.glob("task/*/schedstat")
                )
    return Used(
        time.monotonic(),
        processes,
        ticks and ticks / os.sysconf("SC_CLK_TCK"),
        waited / 1e9,
    )


def late(cpu: float, most_cpu: float) -> Ending:
    """How a case ends that the clock stops after so many seconds of CPU; on Windows
    nobody counts them.
    """
    return (
        Ending.CPU_TIME_UP
        if sys.platform == "win32" or cpu > most_cpu / 2
        else Ending.STALLED
    )
