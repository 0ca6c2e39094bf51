"""In the child: limits what the process can do, before any line of lab.py runs.

`shut_in` limits the whole child, and says which protections are in force.  The limits
also hold for every process that student code starts.  Student code cannot lift the
limits.  `limit_cpu` gives the next case its seconds of CPU with a timer.  Student code
could stop that timer, so the grader also watches the clock.

Landlock limits access to files and little else.  Two filters for system calls do the
rest.  The first filter holds for the child.  It refuses, for example, calls that open
sockets, start other programs, mount file systems, use the kernel's keys, or look into
another process.  Calls that change the mode, owner or times of a file succeed and do
nothing.  So do calls with which a process would leave its process group: the grader
must be able to kill the whole group at once.  The second filter holds for the process
that runs the cases of a function.  That process may start threads, but no other
process.
"""

import _thread
import contextlib
import ctypes
import errno
import faulthandler
import functools
import math
import os
import signal
import struct
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from grader.kit import KIT
from grader.protocol.answer import Isolation
from grader.protocol.limits import MOST_OUTPUT

if sys.platform != "win32":
    import resource

GIB = 1 << 30
# The C library reserves 64 MiB of addresses for each thread, and uses little of this
# space.  So the limit on addresses is higher than the limit on memory.
ADDRESS_SPACE = 4 * GIB
# If there is no memory for a new thread, the kit tries to start it again every WAIT
# seconds, but for no longer than LONGEST_WAIT seconds.
LONGEST_WAIT = 1.0
WAIT = 0.001
OPEN_FILES = 256
# When this share of a case's seconds is used up, faulthandler writes which lines are
# running.
LAST_WORDS_AT = 0.8

# The numbers of two options of the system call prctl.
_PARENT_DEATH_SIGNAL = 1
_NO_NEW_PRIVILEGES = 38

# What each version of Landlock can refuse, beginning with version 1, as bits.  The
# three numbers are: rights to files; rights to bind and connect by TCP; abstract
# sockets of other processes, and signals to them.
# https://docs.kernel.org/userspace-api/landlock.html
_REFUSED_BY_LANDLOCK = (
    (0x1FFF, 0, 0),
    (0x3FFF, 0, 0),
    (0x7FFF, 0, 0),
    (0x7FFF, 0b11, 0),
    (0xFFFF, 0b11, 0),
    (0xFFFF, 0b11, 0b11),
)
SCOPES_SIGNALS = 6  # the first version that refuses signals
# The numbers of the three system calls that set up Landlock.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
# The rights that lab.py never gets.  They are the right to run a file, and the rights
# to make a character device, a socket or a block device.
_NEVER = 1 << 0 | 1 << 6 | 1 << 9 | 1 << 11
_WRITE_FILE = 1 << 1
_READ_FILE = 1 << 2
_READ_FOLDER = 1 << 2 | 1 << 3
_OF_THE_SYSTEM = (
    "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/share/zoneinfo",
    "/dev/zero", "/dev/urandom", "/dev/random", "/etc/localtime",
)  # fmt: skip

# The constants below belong to the filters for system calls.

# The types of machine that have filters.  For each type: its column in filter.txt, the
# number of its architecture, and the number of its system call seccomp.
_MACHINES = {"x86_64": (0, 0xC000003E, 317), "aarch64": (1, 0xC00000B7, 277)}
_X32 = 1 << 30  # the system calls of the architecture x32 begin at this number
_SET_FILTER, _ALL_THREADS = 1, 1

# The operations that a step of a filter can do.
_LOAD, _JUMP_IF_EQUAL, _JUMP_IF_AT_LEAST, _AND, _RETURN = 0x20, 0x15, 0x35, 0x54, 0x06
# Where struct seccomp_data, which the filter reads, has its fields.  A filter can load
# 32 bits at a time.
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
# What a filter can answer to a system call.
_ALLOW = 0x7FFF0000
_ERROR = 0x00050000
_REFUSE = _ERROR | errno.EPERM
_UNKNOWN = _ERROR | errno.ENOSYS
_PRETEND = _ERROR  # reports error 0: the call seems to succeed, and has no effect

# Four lists of system calls.  An entry has the name of a call, its number on x86-64,
# and its number on arm64.  A dash means that the machine has no such call.
_REFUSED, _PRETENDED, _SIGNALS, _FORKS = (
    Path(__file__).with_name("filter.txt").read_text("ascii").split("\n\n")
)
# A filter cannot read the flags of clone3, because they are in memory.  If the filter
# answers that clone3 is unknown, the C library uses clone instead.
_CLONE3 = "clone3 435 435"
_THREAD = 0x10000  # a flag of clone
# The commands of fcntl that choose which process gets which signal about a file.
_FOR_OTHERS = (8, 10, 15)

# The names of the functions that start a thread.  Python 3.13 has both of them.  The
# module `threading` copies the functions when it is imported.
_STARTS = ("start_new_thread", "start_joinable_thread")
# These names keep the original functions, because lab.py may replace the functions in
# `time`.
_clock, _sleep = time.monotonic, time.sleep

# The steps of a filter.  Each step has four numbers: its operation, how many steps to
# skip if its comparison is true, how many steps to skip if it is false, and its
# operand.
_Program = list[tuple[int, int, int, int]]


def shut_in(readable: Iterable[Path], writable: Path) -> Isolation:
    """Set the limits that hold for the whole child, and return which protections are in
    force.

    If the kernel has Landlock, lab.py may read only the files in `readable`, and files
    of Python and of the system.  Then lab.py may write only below the folder
    `writable`, and to the null device.
    """
    limit_resources()
    landlock = close_files(readable, writable)
    seccomp = filter_calls(signals_too=landlock < SCOPES_SIGNALS)
    files = [*KIT.glob("boards/cases/**/*"), *KIT.glob("staff/hidden/**/*")]
    cases = [file for file in files if file.is_file()]
    return Isolation(landlock, seccomp, cases_closed=not any(map(_can_read, cases)))


def tie_to_parent() -> None:
    """On Linux, have the kernel kill this process as soon as the thread that started
    this process ends.

    The kernel drops this order if the process changes its user.  A process that this
    process forks must give the order again.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)


def limit_resources() -> None:
    """Allow this process 1 GiB of memory, 256 open files, 16 MiB in each file that it
    writes, and no core dumps.

    If the process writes more than 16 MiB to a file, the kernel kills the process.  On
    Windows nothing is limited.
    """
    if sys.platform == "win32":
        return
    limits = {
        "DATA": GIB,
        "AS": ADDRESS_SPACE,
        "FSIZE": MOST_OUTPUT,
        "NOFILE": OPEN_FILES,
        "CORE": 0,
    }
    for name, most in limits.items():
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (most, most))
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    wait_for_room_for_threads()


def wait_for_room_for_threads() -> None:
    """From now on, have Python wait for up to a second if there is no memory for a new
    thread.

    The whole stack of a thread counts as memory.  After `join` has returned, the old
    thread still holds its stack for a moment.  In that moment there may be no memory
    for the next thread.
    """
    for name in _STARTS:
        if start := getattr(_thread, name, None):
            setattr(_thread, name, _waiting_for_room(start))


def _waiting_for_room(start: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that calls `start`, and tries again for up to a second if there
    is no memory for a new thread.
    """

    @functools.wraps(start)
    def start_thread(*args: Any, **kwargs: Any) -> Any:
        give_up = _clock() + LONGEST_WAIT
        while True:
            try:
                return start(*args, **kwargs)
            except RuntimeError:  # "can't start new thread"
                if _clock() > give_up:
                    raise
                _sleep(WAIT)

    return start_thread


def limit_cpu(seconds: float, last_words: int) -> None:
    """Have the system end this process after `seconds` more seconds of CPU time.

    If `seconds` is 0, the process may use any time.  The system ends the process with a
    signal, which no `except` can catch.  Shortly before that, faulthandler writes which
    lines are running.  It writes them into the file with the descriptor `last_words`.
    On Windows nothing is limited.
    """
    if sys.platform == "win32":
        return
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    faulthandler.register(signal.SIGVTALRM, last_words, all_threads=False)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds * LAST_WORDS_AT)


def limit_cpu_for_good(seconds: float) -> None:
    """Have the system end this process after `seconds` more seconds of CPU time, at
    most two seconds late.

    Student code can stop the timer of `limit_cpu`, but not this limit.  On Windows
    nothing is limited.
    """
    if sys.platform == "win32":
        return
    most = math.ceil(time.process_time() + seconds) + 1
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))


def close_files(readable: Iterable[Path], writable: Path) -> int:
    """From now on, have Landlock refuse this process most files.

    The process may still read the files in `readable`, and files of Python and of the
    system.  It may write only below the folder `writable`, and to the null device.

    Return the version of Landlock that is in force; 0 if none is.  From version 4 on,
    Landlock also refuses TCP, and from version 6 on, signals to other processes.
    Landlock does not hide the names, sizes and modes of files.
    """
    if sys.platform != "linux":
        return 0
    libc = ctypes.CDLL(None)
    libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    version = libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), 1)
    if version < 1:
        return 0
    refused = _REFUSED_BY_LANDLOCK[:version][-1]  # newer versions refuse no less
    attributes = (ctypes.c_uint64 * 3)(*refused)
    size = ctypes.c_size_t(ctypes.sizeof(attributes))
    rules = libc.syscall(_CREATE_RULESET, attributes, size, 0)
    for place, rights in _granted(readable, writable, all_rights=refused[0]).items():
        with contextlib.suppress(OSError):  # The place does not exist.
            handle = os.open(place, os.O_PATH | os.O_CLOEXEC)
            in_bytes = rights.to_bytes(8, sys.byteorder)
            beneath = in_bytes + handle.to_bytes(4, sys.byteorder)
            libc.syscall(_ADD_RULE, rules, 1, beneath, 0)
            os.close(handle)
    return 0 if libc.syscall(_RESTRICT_SELF, rules, 0) else int(version)


def _granted(
    readable: Iterable[Path], writable: Path, all_rights: int
) -> dict[Path, int]:
    """Return the rights to files that Landlock leaves to this process.

    Each key is a file or a folder.  The rights to a folder also hold for everything
    below that folder.
    """
    pythons_own = (os.path.dirname(os.__file__), f"{sys.base_prefix}/lib")
    granted = {}
    for place in (*map(Path, (*pythons_own, *_OF_THE_SYSTEM)), *readable):
        granted[place] = _READ_FOLDER if place.is_dir() else _READ_FILE
    granted[Path(os.devnull)] = _READ_FILE | _WRITE_FILE
    granted[writable] = all_rights & ~_NEVER
    return granted


def _can_read(file: Path) -> bool:
    with contextlib.suppress(OSError):
        os.close(os.open(file, os.O_RDONLY))
        return True
    return False


# --- filters for system calls (Linux, seccomp-BPF) -----------------------------------
# https://docs.kernel.org/userspace-api/seccomp_filter.html


def filter_calls(signals_too: bool) -> bool:
    """Put the filter for the whole child on this process for good.

    Return whether the filter is in force.  If `signals_too` is True, the filter also
    refuses every call that sends a signal.
    """
    if sys.platform != "linux" or sys.maxsize < 1 << 32:
        return False
    if os.uname().machine not in _MACHINES:
        return False
    program: _Program = [(_JUMP_IF_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _REFUSE)]
    program += _answer(_numbers(_REFUSED), _REFUSE)
    if signals_too:
        program += _answer(_numbers(_SIGNALS), _REFUSE)
    program += _answer(_numbers(_PRETENDED), _PRETEND)
    program += _rule("prlimit64 302 261", _only(0, 0))
    # Only pairs of stream sockets are allowed.  A datagram socket could send to any
    # name.
    program += _rule("socketpair 53 199", _only(0, 1) + _only(1, 1, 0xF))
    program += _rule("fcntl 72 25", _never(1, _FOR_OTHERS))
    return put_on(_compiled(program))


def filter_of_a_function() -> bytes:
    """Return the filter for a process that runs the cases of a function, as bytes for
    `put_on`.

    Call this function only if `filter_calls` has returned True.  Otherwise this machine
    may be one that has no filters.
    """
    program = _answer(_numbers(_FORKS), _REFUSE) + _answer(_numbers(_CLONE3), _UNKNOWN)
    program += _rule("clone 56 220", _only(0, _THREAD, _THREAD))
    program += _rule("prctl 157 167", _never(0, [_PARENT_DEATH_SIGNAL]))
    return _compiled(program)


def _numbers(calls: str) -> list[int]:
    """Return the numbers that these system calls have on this machine.

    `calls` has the form of a list in filter.txt.  A call that does not exist on this
    machine is left out.
    """
    column = 1 + _MACHINES[os.uname().machine][0]
    rows = [row.split() for row in calls.split(",")]
    return [int(row[column]) for row in rows if row[column] != "-"]


def _answer(values: Iterable[int], action: int) -> _Program:
    """Return the steps of a filter that compare the loaded value with `values`.

    If the loaded value equals one of them, the filter ends there with `action`, such as
    _REFUSE.
    """
    program: _Program = []
    for value in values:
        program += [(_JUMP_IF_EQUAL, 0, 1, value), (_RETURN, 0, 0, action)]
    return program


def _rule(calls: str, conditions: _Program) -> _Program:
    """Return the steps of a filter that decide about these system calls.

    The steps in `conditions` refuse a call that breaks a condition.  If they refuse
    nothing, the call is allowed.
    """
    program: _Program = []
    for number in _numbers(calls):
        program.append((_JUMP_IF_EQUAL, 0, len(conditions) + 1, number))
        program += conditions
        program.append((_RETURN, 0, 0, _ALLOW))
    return program


def _only(index: int, value: int, mask: int = 0xFFFFFFFF) -> _Program:
    """Return the steps of a filter that refuse a call unless one of its arguments has
    the right value.

    `index` is the number of the argument.  Only the bits in `mask` are compared with
    `value`.
    """
    return [
        (_LOAD, 0, 0, _ARGUMENTS + 8 * index),
        (_AND, 0, 0, mask),
        (_JUMP_IF_EQUAL, 1, 0, value),
        (_RETURN, 0, 0, _REFUSE),
    ]


def _never(index: int, values: Iterable[int]) -> _Program:
    """Return the steps of a filter that refuse a call if one of its arguments is in
    `values`.

    `index` is the number of the argument.
    """
    return [(_LOAD, 0, 0, _ARGUMENTS + 8 * index), *_answer(values, _REFUSE)]


def _compiled(program: _Program) -> bytes:
    """Return a whole filter as bytes.

    The filter refuses every call of another architecture.  It runs the steps in
    `program`, and then allows every call that no step has decided.
    """
    _, architecture, _ = _MACHINES[os.uname().machine]
    begin: _Program = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_JUMP_IF_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, _REFUSE),
    ]
    whole = [*begin, (_LOAD, 0, 0, _NUMBER), *program, (_RETURN, 0, 0, _ALLOW)]
    return b"".join(struct.pack("<HBBI", *step) for step in whole)


def put_on(steps: bytes) -> bool:
    """Put a filter on this process for good, and return whether the filter is in
    force.
    """
    seccomp = _MACHINES[os.uname().machine][2]
    held = ctypes.create_string_buffer(steps, len(steps))
    header = (ctypes.c_uint64 * 2)(len(steps) // 8, ctypes.addressof(held))
    libc = ctypes.CDLL(None)
    libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    return bool(libc.syscall(seccomp, _SET_FILTER, _ALL_THREADS, header) == 0)
