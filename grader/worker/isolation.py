"""In the worker: shuts the process in before any line of lab.py runs.

`shut_in` closes all that this machine can close, and says what holds.  `limit_cpu`
gives the next case its seconds.  All of it holds for every process that student code
starts, and student code cannot undo it.  The timer of `limit_cpu` is the exception: the
grader's clock backs it up.

Landlock knows files and little else; filters for system calls do the rest.  The first
one holds for the worker: no socket, no other program, no look into another process, no
mounts or keys.  Calls that change modes, owners or times of files succeed and do
nothing.  So do those that leave the group of processes, because the grader kills the
group at one blow.  The second one holds for the process of a function: it starts
threads, and no process.
"""

import _thread
import contextlib
import ctypes
import errno
import faulthandler
import functools
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
ADDRESS_SPACE = (
    4 * GIB
)  # the C library reserves 64 MiB of it for each thread, and uses hardly any
LONGEST_WAIT, WAIT = 1.0, 0.001  # seconds, for room for a thread
OPEN_FILES = 256
SCOPES_SIGNALS = 6  # from this version on, Landlock refuses signals to the grader
LAST_WORDS_AT = 0.8  # of a case's seconds

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_DIE_WITH_PARENT, _NO_NEW_PRIVILEGES = 1, 38
_NEVER = 1 << 0 | 1 << 6 | 1 << 9 | 1 << 11  # run a file; make a device or a socket
_WRITE_FILE, _READ_FILE, _READ_FOLDER = 1 << 1, 1 << 2, 1 << 2 | 1 << 3
_DEVICES = ("/dev/zero", "/dev/urandom", "/dev/random", "/etc/localtime")
_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/share/zoneinfo")

# Filters for system calls.
_MACHINES = {
    "x86_64": (0, 0xC000003E, 317),
    "aarch64": (1, 0xC00000B7, 277),
}  # column, architecture, seccomp
_X32 = 1 << 30
_SET_FILTER, _ALL_THREADS = 1, 1

_LOAD, _JUMP_IF_EQUAL, _JUMP_IF_AT_LEAST, _AND, _RETURN = 0x20, 0x15, 0x35, 0x54, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = (
    0,
    4,
    16,
)  # offsets in struct seccomp_data; a filter loads 32 bits
_ALLOW, _ERROR = 0x7FFF0000, 0x00050000
_REFUSE, _UNKNOWN = _ERROR | errno.EPERM, _ERROR | errno.ENOSYS
_PRETEND = _ERROR  # with no error: success, and no effect

# Calls by name, each with its number on x86-64 and on arm64, or a dash.
_REFUSED, _PRETENDED, _SIGNALS, _FORKS = (
    Path(__file__).with_name("filter.txt").read_text("ascii").split("\n\n")
)
_CLONE3 = "clone3 435 435"  # its flags lie where no filter can look; the C library falls back to clone
_THREAD = 0x10000
_PARENT_DEATH_SIGNAL = 1
_FOR_OTHERS = (8, 10, 15)  # fcntl: whom the kernel sends signals about a file

_STARTS = (
    "start_new_thread",
    "start_joinable_thread",
)  # Python 3.13 has both; `threading` takes them when imported
_clock, _sleep = time.monotonic, time.sleep  # which lab.py may replace in their module

_Program = list[tuple[int, int, int, int]]  # code, jump if true, jump if not, operand


def shut_in(readable: Iterable[Path], writable: Path) -> Isolation:
    """Close all that this machine can close, and say what holds."""
    limit_resources()
    landlock = close_files(readable, writable)
    seccomp = filter_calls(signals_too=landlock < SCOPES_SIGNALS)
    cases = [
        file
        for place in ("boards/cases", "staff/hidden")
        for file in KIT.glob(f"{place}/**/*")
        if file.is_file()
    ]
    return Isolation(landlock, seccomp, cases_closed=not any(map(_can_read, cases)))


def tie_to_parent() -> None:
    """Have the kernel kill this process when the thread that started it ends (Linux).

    A change of user undoes it, and a fork does not inherit it.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)


def limit_resources() -> None:
    """1 GiB of memory, 256 open files of 16 MiB, and no core dumps.  A process that
    writes more to a file is killed.
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
    """Have a new thread wait for a moment if there is no memory for its stack.

    The whole stack of a thread counts as memory.  A thread still holds its stack for a
    moment after `join` has returned, so there may be no room yet for the stack of the
    next thread.
    """
    for name in _STARTS:
        if start := getattr(_thread, name, None):
            setattr(_thread, name, _waiting_for_room(start))


def _waiting_for_room(start: Callable[..., Any]) -> Callable[..., Any]:
    """The same way to start a thread; it tries again for a second."""

    @functools.wraps(start)
    def start_thread(*words: Any, **named: Any) -> Any:
        give_up = _clock() + LONGEST_WAIT
        while True:
            try:
                return start(*words, **named)
            except RuntimeError:  # "can't start new thread"
                if _clock() > give_up:
                    raise
                _sleep(WAIT)

    return start_thread


def limit_cpu(seconds: float, last_words: int) -> None:
    """End this process after so many more seconds of CPU time, by a signal that no
    `except` catches; 0 for no end.

    Shortly before that, the lines that are being run are written to the file
    `last_words`.
    """
    if sys.platform == "win32":
        return
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    faulthandler.register(signal.SIGVTALRM, last_words, all_threads=False)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds * LAST_WORDS_AT)


def close_files(readable: Iterable[Path], writable: Path) -> int:
    """From here on read only these files and the interpreter's own, and write only
    below one folder.

    Landlock also refuses TCP (from version 4 on) and signals to other processes (from
    version 6 on).  Names, sizes and modes of files stay in sight
    (https://docs.kernel.org/userspace-api/landlock.html).  Returns the version in
    force, 0 for none.
    """
    if sys.platform != "linux":
        return 0
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    version = libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), 1)
    if version < 1:
        return 0
    all_rights = (
        1 << (13 if version < 2 else 14 if version < 3 else 15 if version < 5 else 16)
    ) - 1
    attributes = (ctypes.c_uint64 * 3)(
        all_rights, 3 if version >= 4 else 0, 3 if version >= SCOPES_SIGNALS else 0
    )
    rules = libc.syscall(
        _CREATE_RULESET, attributes, ctypes.c_size_t(ctypes.sizeof(attributes)), 0
    )
    interpreter = (
        Path(os.__file__).parent,
        Path(sys.base_prefix, "lib"),
        *map(Path, _LIBRARIES),
    )
    granted = {
        place: _READ_FOLDER if place.is_dir() else _READ_FILE
        for place in (*interpreter, *readable)
    }
    granted |= dict.fromkeys(map(Path, _DEVICES), _READ_FILE)
    granted |= {
        Path(os.devnull): _READ_FILE | _WRITE_FILE,
        writable: all_rights & ~_NEVER,
    }
    for place, rights in granted.items():
        with contextlib.suppress(OSError):  # what does not exist
            handle = os.open(place, os.O_PATH | os.O_CLOEXEC)
            beneath = rights.to_bytes(8, sys.byteorder) + handle.to_bytes(
                4, sys.byteorder
            )
            libc.syscall(_ADD_RULE, rules, 1, beneath, 0)
            os.close(handle)
    return 0 if libc.syscall(_RESTRICT_SELF, rules, 0) else int(version)


def _can_read(file: Path) -> bool:
    with contextlib.suppress(OSError):
        os.close(os.open(file, os.O_RDONLY))
        return True
    return False


# --- filters for system calls (Linux, seccomp-BPF): https://docs.kernel.org/userspace-api/seccomp_filter.html ---


def filter_calls(signals_too: bool) -> bool:
    """Put the first filter on this process for good; whether it is in force.  It may
    refuse all signals too.
    """
    if (
        sys.platform != "linux"
        or os.uname().machine not in _MACHINES
        or sys.maxsize < 1 << 32
    ):
        return False
    refused = _REFUSED + (f", {_SIGNALS}" if signals_too else "")
    program: _Program = [(_JUMP_IF_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _REFUSE)]
    program += _answer(_numbers(refused), _REFUSE) + _answer(
        _numbers(_PRETENDED), _PRETEND
    )
    program += _rule("prlimit64 302 261", _only(0, 0))
    program += _rule(
        "socketpair 53 199", _only(0, 1) + _only(1, 1, 0xF)
    )  # a datagram can be sent to any name
    program += _rule("fcntl 72 25", _never(1, _FOR_OTHERS))
    return put_on(_compiled(program))


def filter_of_a_function() -> bytes:
    """The second filter, for `put_on`; only where the first one is in force."""
    program = _answer(_numbers(_FORKS), _REFUSE) + _answer(_numbers(_CLONE3), _UNKNOWN)
    program += _rule("clone 56 220", _only(0, _THREAD, _THREAD))
    program += _rule("prctl 157 167", _never(0, [_PARENT_DEATH_SIGNAL]))
    return _compiled(program)


def _numbers(calls: str) -> list[int]:
    """The numbers of calls on this machine."""
    column = 1 + _MACHINES[os.uname().machine][0]
    rows = [row.split() for row in calls.split(",")]
    return [int(row[column]) for row in rows if row[column] != "-"]


def _answer(values: Iterable[int], action: int) -> _Program:
    """Answer like this if one of these values is loaded."""
    program: _Program = []
    for value in values:
        program += [(_JUMP_IF_EQUAL, 0, 1, value), (_RETURN, 0, 0, action)]
    return program


def _rule(calls: str, conditions: _Program) -> _Program:
    """Let these calls through on conditions."""
    program: _Program = []
    for number in _numbers(calls):
        program += [
            (_JUMP_IF_EQUAL, 0, len(conditions) + 1, number),
            *conditions,
            (_RETURN, 0, 0, _ALLOW),
        ]
    return program


def _only(index: int, value: int, mask: int = 0xFFFFFFFF) -> _Program:
    """Refuse the call unless an argument, under a mask, has this value."""
    return [
        (_LOAD, 0, 0, _ARGUMENTS + 8 * index),
        (_AND, 0, 0, mask),
        (_JUMP_IF_EQUAL, 1, 0, value),
        (_RETURN, 0, 0, _REFUSE),
    ]


def _never(index: int, values: Iterable[int]) -> _Program:
    """Refuse the call if an argument has one of these values."""
    return [(_LOAD, 0, 0, _ARGUMENTS + 8 * index), *_answer(values, _REFUSE)]


def _compiled(program: _Program) -> bytes:
    _, architecture, _ = _MACHINES[os.uname().machine]
    begin: _Program = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_JUMP_IF_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, _REFUSE),
    ]
    whole = [*begin, (_LOAD, 0, 0, _NUMBER), *program, (_RETURN, 0, 0, _ALLOW)]
    return b"".join(struct.pack("<HBBI", *step) for step in whole)


def put_on(steps: bytes) -> bool:
    """Put a filter on this process and its threads for good; whether it is in force."""
    seccomp, held = (
        _MACHINES[os.uname().machine][2],
        ctypes.create_string_buffer(steps, len(steps)),
    )
    header = (ctypes.c_uint64 * 2)(len(steps) // 8, ctypes.addressof(held))
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    return bool(libc.syscall(seccomp, _SET_FILTER, _ALL_THREADS, header) == 0)
