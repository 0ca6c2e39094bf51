"""The processes that run student code: as which user and in which folder they run, how
much they use, and how the grader ends them.

The environment variable GRADER_USER names a user who owns nothing.  A grader that runs
as root hands lab.py to that user.  So lab.py cannot reach what the file system keeps
for root, such as hidden cases and the result file, even if the kernel has no Landlock.
Without GRADER_USER, student code runs as the user who grades.
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
# Time in which a process waits for a processor does not count.  But at least this share
# of the time on the clock always counts.
LEAST_SHARE = 0.1


def as_student() -> dict[str, Any]:
    """Return the arguments with which subprocess.Popen starts a process as the user
    GRADER_USER.

    The dict is empty if GRADER_USER is not set.  Raises OSError if there is no such
    user, or if that user is root.  Raises OSError also if this process is not root,
    because only root can start processes as another user.
    """
    name = os.environ.get(GRADER_USER)
    if not name:
        return {}
    import pwd

    try:
        entry = pwd.getpwnam(name)
    except KeyError:
        raise OSError(
            f"{GRADER_USER} names {name!r}, and there is no such user; "
            "create it with useradd"
        ) from None
    if entry.pw_uid == 0:
        raise OSError(
            f"{GRADER_USER} names {name!r}, which is root; name a user who owns nothing"
        )
    if os.geteuid() != 0:
        raise OSError(
            f"{GRADER_USER} is set, and only root can start processes as {name!r}; "
            "unset it, or be root"
        )
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


def new_folder() -> str:
    """Make an empty folder for student code to work in."""
    folder = tempfile.mkdtemp(prefix="lab-")
    if student := as_student():
        os.chown(folder, student["user"], student["group"])
    return folder


def remove_folder(folder: str) -> None:
    """Delete a folder of student code.

    A folder that is nested too deeply is deleted in the background.
    """
    try:
        shutil.rmtree(folder, ignore_errors=True)
    except RecursionError:
        os.spawnlp(os.P_NOWAIT, "rm", "rm", "-rf", folder)


def end(process: subprocess.Popen[bytes]) -> int:
    """End a process that leads a session, and all processes in its group.

    Return the exit status of the first process, or -N if signal N ended it.
    """
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    return process.wait()


class Used(NamedTuple):
    """What a group of processes has used so far.

    Only Linux reports this.  On other systems only `at` is known, and the other fields
    are 0.
    """

    # What the clock said when this was measured, in seconds.
    at: float
    # How many processes are alive.
    processes: int = 0
    # The seconds of CPU that these processes have used.
    cpu: float = 0.0
    # The seconds for which these processes have waited for a processor.
    waited: float = 0.0

    def seconds_since(self, start: "Used") -> float:
        """Return the seconds on the clock since `start`, without the time in which the
        processes of the group waited for a processor.

        The result is at least the CPU time of the group, and at least a tenth of the
        time on the clock.
        """
        clock = self.at - start.at
        waited = self.waited - start.waited
        least = max(self.cpu - start.cpu, clock * LEAST_SHARE)
        # If a process has ended, nobody can say any more how long it had waited.
        if waited < 0:
            return least
        return max(clock - waited, least)


def used_by(group: int) -> Used:
    """Return what a group of processes has used so far.

    A process that has ended no longer counts.
    """
    processes = 0
    ticks = 0
    waited = 0
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
    cpu = ticks and ticks / os.sysconf("SC_CLK_TCK")
    return Used(time.monotonic(), processes, cpu, waited / 1e9)


def late(cpu: float, most_cpu: float) -> Ending:
    """Return why a case is stopped when its time on the clock is up.

    `cpu` says how many seconds of CPU the case has used, and `most_cpu` how many it was
    allowed.  A case that has used more than half of what it was allowed has run out of
    CPU time.  Any other case has stalled.  On Windows the grader cannot measure CPU
    time, so there no case counts as stalled.
    """
    if sys.platform == "win32" or cpu > most_cpu / 2:
        return Ending.CPU_TIME_UP
    return Ending.STALLED
