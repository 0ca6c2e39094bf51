"""In the child, before lab.py: the keeper, a process that never runs a line of the student's.

    grader -> keeper -> first -> worker (worker.py, run.py) -> a process a case

The keeper ends all that is below it as soon as the grader says so, is gone, however that came
about, or the worker has ended; then it ends in the way that the worker did.  Where Linux allows it
(to root, and to whoever may have a user namespace), `first` is the first process of a PID
namespace, with which the kernel ends every other in it at once, and of an IPC namespace, with
which System V memory, semaphores and queues go; from Linux 6.14 on it also has room for so many
processes and no more, for root too.  Elsewhere `first` adopts the orphans, and the
keeper looks for them until it finds none; the filter (seccomp.py) keeps them in their group, which
is killed at one blow.
"""

import contextlib
import ctypes
import os
import re
import select
import signal
import sys
import time
from pathlib import Path
from typing import NoReturn

from grader.protocol.processes import end_all_below

_NEW_USER, _NEW_PID, _NEW_IPC = 0x10000000, 0x20000000, 0x08000000
_DIE_WITH_PARENT, _BE_SUBREAPER = 1, 36
_NUMBERS, _MOST_NUMBERS = "/proc/sys/kernel/pid_max", 600  # of which the first 300 are given out only once


def enclose(seconds: float | None = None) -> None:
    """Go on in a worker process.  The keeper never returns from here; after `seconds`, it ends.

    Standard input must be a pipe of the grader's: its end is the end of the grader.
    """
    told, tell = os.pipe()
    os.set_blocking(tell, False)
    signal.set_wakeup_fd(tell, warn_on_full_buffer=False)
    for number in (signal.SIGTERM, signal.SIGALRM):
        signal.signal(number, lambda *_: None)  # nothing is raised, since one may come at any moment
    signal.setitimer(signal.ITIMER_REAL, seconds or 0)
    has_namespace = _enter_namespaces()
    adopt_orphans()
    reports, report = os.pipe()
    first = os.fork()
    if first:
        os.setpgid(first, first)
        os.close(report)
        _keep(first, reports, told, has_namespace)
    for number in (signal.SIGTERM, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.set_wakeup_fd(-1)
    for pipe in (reports, told, tell):
        os.close(pipe)
    if has_namespace:
        _limit_numbers()
    os.setpgid(0, 0)
    adopt_orphans()
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
    worker = os.fork()
    if worker:
        _bury_until(worker, report)
    os.close(report)


def _limit_numbers() -> None:
    """Have few numbers for processes and threads in this PID namespace, where each has its own (from Linux 6.14 on)."""
    version = re.match(r"(\d+)\.(\d+)", os.uname().release)
    if version and (int(version[1]), int(version[2])) >= (6, 14):
        with contextlib.suppress(OSError):
            Path(_NUMBERS).write_text(str(_MOST_NUMBERS))


def adopt_orphans() -> None:
    """Keep the grandchildren that outlive their parent below this process (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_BE_SUBREAPER, 1, 0, 0, 0)


def _keep(first: int, reports: int, told: int, has_namespace: bool) -> NoReturn:
    """Wait for the worker's end or the grader's, or to be told, end everything, and end as the worker did."""
    status = int(signal.SIGKILL)
    waiting = select.poll()
    for pipe, what in ((reports, select.POLLIN), (told, select.POLLIN), (0, 0)):
        waiting.register(pipe, what)
    while not (events := dict(waiting.poll())).keys() & {reports, told} and not events[0] & select.POLLHUP:
        waiting.unregister(0)
    if reports in events:
        status = int(os.read(reports, 20) or status)
    os.killpg(first, signal.SIGKILL)
    os.waitpid(first, 0)
    if not has_namespace:
        end_all_below()
    if os.WIFSIGNALED(status):
        with contextlib.suppress(OSError):  # of SIGKILL, which has no other
            signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
        os.kill(os.getpid(), os.WTERMSIG(status))
        time.sleep(1)  # until the signal comes
    os._exit(os.WEXITSTATUS(status))


def _bury_until(worker: int, report: int) -> NoReturn:
    """Be the first process: bury the dead until the worker is among them, and report how it ended."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    while (ended := os.wait())[0] != worker:
        pass
    os.write(report, str(ended[1]).encode())
    os._exit(0)


def _enter_namespaces() -> bool:
    """Have the next child begin namespaces for processes and System V IPC; returns whether that is allowed.

    Without root's rights that takes a user namespace; what may be done in there goes with the
    capabilities (confine.py).
    """
    if sys.platform != "linux":
        return False
    libc = ctypes.CDLL(None)
    user, group = os.geteuid(), os.getegid()
    if libc.unshare(_NEW_PID | _NEW_IPC) == 0:
        return True
    if libc.unshare(_NEW_USER | _NEW_PID | _NEW_IPC) != 0:
        return False
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with contextlib.suppress(OSError):  # then the user has no number in there, and the same rights to files
            Path("/proc/self", name).write_text(text)
    return True
