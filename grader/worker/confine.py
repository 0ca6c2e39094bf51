"""In the child: shuts the process in before any line of lab.py runs.

`shut_in` turns every lock that this machine has, and says which.  `limit_memory_and_files`,
`limit_processes` and `limit_cpu` set the operating system's resource limits.  `close_door` takes
away the contents of the file system, TCP (from version 4 of Landlock on) and signals to other
processes (from version 6); names, sizes and modes of files stay in sight
(https://docs.kernel.org/userspace-api/landlock.html).  `drop_capabilities` takes what root may and others
may not: root without them still owns root's files, but mounts nothing, takes no file of another user's, raises
no limit and has no hold on other users' processes.  seccomp.py is the rest.
All of it holds for every process that the student's code starts, and none of it can be undone from
inside, but for the timer of `limit_cpu`: behind that stands watch.py.
"""

import contextlib
import ctypes
import faulthandler
import os
import signal
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from grader.protocol.isolation import Isolation
from grader.worker.filter import filter_calls

GIB, MIB = 1 << 30, 1 << 20
ADDRESS_SPACE = 4 * GIB  # what may be asked for: a thread's stack of 512 MiB is hardly ever used
FILE_SIZE = 16 * MIB
OPEN_FILES = 256
SPARE_PROCESSES = 1_000

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_NO_NEW_PRIVILEGES = 38
_NEVER = 1 << 0 | 1 << 6 | 1 << 9 | 1 << 11  # run a file; make a device or a socket
_READ_FILE, _READ_FOLDER = 1 << 2, 1 << 2 | 1 << 3
_DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random", "/etc/localtime")
_VERSION_3 = 0x20080522
_CLEAR_AMBIENT, _AMBIENT, _DROP_FROM_BOUNDING = 4, 47, 24
_READ_ANY_FILE = 1 << 2
_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/share/zoneinfo")


def shut_in(readable: Sequence[Path], writable: Path) -> Isolation:
    """Close all that can be closed here, and say what is."""
    limit_memory_and_files()
    return Isolation(close_door(readable, writable), filter_calls(signals_too=False))


def limit_memory_and_files(address_space: int = ADDRESS_SPACE) -> None:
    """At most so many bytes of address space (4 GiB), 256 open files of 16 MiB, no core dumps."""
    if sys.platform == "win32":
        return
    import resource

    for what, most in (
        (resource.RLIMIT_AS, address_space),
        (resource.RLIMIT_FSIZE, FILE_SIZE),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_CORE, 0),
    ):
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(what, (most, most))


def limit_processes() -> int | None:
    """At most so many processes and threads of this user, whoever started them; None where nothing limits them.

    The kernel counts for the user and not for the lab, so the limit is far above what the user has
    now; for root it counts nothing.
    """
    if sys.platform != "linux" or os.getuid() == 0:
        return None
    import resource

    most = _tasks_of_user(os.getuid()) + SPARE_PROCESSES
    _, ceiling = resource.getrlimit(resource.RLIMIT_NPROC)
    if ceiling != resource.RLIM_INFINITY:
        most = min(most, ceiling)
    resource.setrlimit(resource.RLIMIT_NPROC, (most, ceiling))
    try:
        child = os.fork()
    except OSError:  # the user has processes that cannot be seen from here
        resource.setrlimit(resource.RLIMIT_NPROC, (ceiling, ceiling))
        return None
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    resource.setrlimit(resource.RLIMIT_NPROC, (most, most))
    return most


def _tasks_of_user(user: int) -> int:
    """How many processes and threads a user has, as far as can be seen."""
    tasks = 0
    for process in Path("/proc").glob("[0-9]*/task"):
        with contextlib.suppress(OSError):
            about = process.stat()
            tasks += about.st_nlink - 2 if about.st_uid == user else 0
    return tasks


def limit_cpu(seconds: float, for_good: bool, last_words: int | None = None) -> None:
    """End this process after so many more seconds of CPU time, by a signal that no `except` catches.

    A timer ends it, to some milliseconds.  The resource limit stands far behind the timer, as it
    counts whole ticks of the clock, on a busy machine too many; `for_good` takes away the right to
    raise it again.  Shortly before the end, the lines that are being run are written to the pipe
    `last_words`.
    """
    if sys.platform == "win32":
        return
    import resource

    _, ceiling = resource.getrlimit(resource.RLIMIT_CPU)
    soft = int(time.process_time() + seconds * 1.5) + 1
    if ceiling != resource.RLIM_INFINITY:
        soft = min(soft, ceiling)
    resource.setrlimit(resource.RLIMIT_CPU, (soft, soft + 1 if for_good and ceiling != soft else ceiling))
    _send_after(seconds, "SIGPROF")
    if last_words is not None:
        faulthandler.register(signal.SIGVTALRM, last_words, all_threads=False)
        _send_after(seconds * 0.8, "SIGVTALRM")


class _Event(ctypes.Structure):
    """A signal as what a timer does when it runs out (struct sigevent of Linux)."""

    _fields_ = (("value", ctypes.c_void_p), ("signal", ctypes.c_int), ("how", ctypes.c_int), ("_", ctypes.c_char * 48))


# All that a call takes is made once, and before a process forks: made in each case, it would have much memory copied.
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None
_SPAN = (ctypes.c_long * 4)()
_NONE = 1 << 30  # the number of no timer yet; that of the first is 0
_TIMERS = {name: (ctypes.c_void_p(_NONE), _Event(signal=getattr(signal, name, 0))) for name in ("SIGPROF", "SIGVTALRM")}
_TO_TIMERS = {name: tuple(map(ctypes.byref, timer)) for name, timer in _TIMERS.items()}


def _send_after(seconds: float, name: str) -> None:
    """Have SIGPROF or SIGVTALRM sent after so many CPU seconds of this process, and not by an earlier call."""
    if _LIBC is None or not hasattr(_LIBC, "timer_create"):
        signal.setitimer(signal.ITIMER_PROF if name == "SIGPROF" else signal.ITIMER_VIRTUAL, seconds)
        return
    (timer, _), (to_timer, to_event) = _TIMERS[name], _TO_TIMERS[name]
    _LIBC.timer_delete(timer)  # of an earlier call, unless that was before a fork
    _SPAN[2], _SPAN[3] = int(seconds), int(seconds % 1 * 1e9)
    if _LIBC.timer_create(time.CLOCK_PROCESS_CPUTIME_ID, to_event, to_timer) == 0:
        _LIBC.timer_settime(timer, 0, ctypes.byref(_SPAN), None)


def close_door(readable: Iterable[Path], writable: Path) -> int:
    """From here on read only these files and the interpreter's own, write only below one folder.

    Returns the version of Landlock in force, 0 where there is none.
    """
    if sys.platform != "linux":
        return 0
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    version = libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), 1)
    if version < 1:
        return 0
    all_of_it = (1 << (13 if version < 2 else 14 if version < 3 else 15 if version < 5 else 16)) - 1
    attributes = (ctypes.c_uint64 * 3)(all_of_it, 3 if version >= 4 else 0, 3 if version >= 6 else 0)
    size = ctypes.c_size_t(8 if version < 4 else 16 if version < 6 else 24)
    ruleset = libc.syscall(_CREATE_RULESET, attributes, size, 0)
    if ruleset < 0:
        return 0
    interpreter = (Path(os.__file__).parent, Path(sys.base_prefix, "lib"), *map(Path, _LIBRARIES))
    for place in (*interpreter, *readable, *map(Path, _DEVICES)):
        rights = _READ_FOLDER if place.is_dir() else _READ_FILE
        _grant(libc, ruleset, place, rights | (1 << 1 if place.name == "null" else 0))
    _grant(libc, ruleset, writable, all_of_it & ~_NEVER)
    failed = libc.syscall(_RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)
    return 0 if failed else int(version)


def _grant(libc: ctypes.CDLL, ruleset: int, path: Path, rights: int) -> None:
    """Allow these rights beneath a path; a path that does not exist is passed over."""
    try:
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    beneath = rights.to_bytes(8, sys.byteorder) + handle.to_bytes(4, sys.byteorder)
    libc.syscall(_ADD_RULE, ruleset, 1, beneath, 0)
    os.close(handle)


def drop_capabilities(needed: Sequence[Path]) -> bool:
    """Give up all capabilities for good; whether none is left.

    Where a file that is needed could not be read without it, the right to read any file stays:
    that is so where root grades with files that another user keeps to himself.
    """
    if sys.platform != "linux":
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_AMBIENT, _CLEAR_AMBIENT, 0, 0, 0)
    for capability in range(64):
        libc.prctl(_DROP_FROM_BOUNDING, capability, 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(_VERSION_3, 0)
    had = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable; and these once more for 32 to 63
    if libc.capget(header, had):
        return False
    before = [can_read(file) for file in (*needed, Path(os.__file__))]
    libc.capset(header, (ctypes.c_uint32 * 6)(0, had[1], 0, 0, had[4], 0))
    keeps = before != [can_read(file) for file in (*needed, Path(os.__file__))]
    kept = had[1] & _READ_ANY_FILE if keeps else 0
    return bool(libc.capset(header, (ctypes.c_uint32 * 6)(kept, kept, 0, 0, 0, 0)) == 0 and not kept)


def can_read(file: Path) -> bool:
    """Whether a file can be opened by this very process."""
    try:
        os.close(os.open(file, os.O_RDONLY))
    except OSError:
        return False
    return True
