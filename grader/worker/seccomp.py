"""In the child: a filter over the system calls that it and all it starts may make (Linux, seccomp-BPF).

The second lock beside Landlock, which knows files and little else: no socket of any kind, no look
into another process and no hold on one, no memory that outlives a run, no mounts, namespaces or
keys.  A call that changes modes, owners, times or attributes of files succeeds, and does nothing;
so does one that leaves the group of processes, which the keeper ends at one blow.
What an event loop, a thread or a fork needs is let through.  See
https://docs.kernel.org/userspace-api/seccomp_filter.html.
"""

import ctypes
import errno
import os
import sys
from pathlib import Path

_MACHINES = {"x86_64": (0, 0xC000003E, 317), "aarch64": (1, 0xC00000B7, 277)}  # column, architecture, seccomp
_X32 = 1 << 30
_NO_NEW_PRIVILEGES, _SET_FILTER, _ALL_THREADS = 38, 1, 1

_LOAD, _JUMP_IF_EQUAL, _JUMP_IF_AT_LEAST, _AND, _RETURN = 0x20, 0x15, 0x35, 0x54, 0x06
_NUMBER, _ARCHITECTURE = 0, 4  # offsets in struct seccomp_data
_ALLOW, _ERROR = 0x7FFF0000, 0x00050000
_REFUSE, _UNKNOWN, _UNSUPPORTED = (_ERROR | error for error in (errno.EPERM, errno.ENOSYS, errno.EOPNOTSUPP))
_PRETEND = _ERROR  # with no error: success, and no effect

# The calls that are refused, and those that are pretended; each with its number on x86-64 and on arm64, or a dash.
_REFUSED, _PRETENDED = Path(__file__).with_suffix(".txt").read_text("ascii").split("\n\n")
_UNKNOWN_HERE = "clone3 435 435"  # its flags lie where no filter can look; the C library falls back to clone

_NAMESPACES, _AS_A_SIBLING = 0x7E020000, 0x8000
_PARENT_DEATH_SIGNAL, _KILL = 1, 9
_UNDOING = (4, 22, 28, 35, 36, 47, 62, 0x59616D61)  # prctl: dumpable, seccomp, capabilities, mm, subreaper, ptracer
_HANDLES = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)  # ioctl: is it a terminal, how large, how full; flags
_ATTRIBUTES = (0x40086602, 0x40046602, 0x401C5820, 0x40087602, 0x40047602)  # ioctl: flags and versions of files
_FOR_OTHERS = (8, 10, 15, 1024, 1026)  # fcntl: signals to a process of one's choice, leases, notices
_EVERYBODY = 0xFFFFFFFF

_Program = list[tuple[int, int, int, int]]  # code, jump if true, jump if not, operand


def filter_calls() -> bool:
    """Put the filter on this process and all its threads, for good; whether it is in force.

    A child tries it first: where another machine is only played, as on some computers for a
    container made elsewhere, the kernel sees other numbers than ours, and all calls would fail.
    """
    if sys.platform != "linux" or os.uname().machine not in _MACHINES or sys.maxsize < 1 << 32:
        return False
    child = os.fork()
    if child == 0:
        works = False
        try:
            works = _install() and os.dup(2) > 2
        finally:
            os._exit(0 if works else 1)
    return os.waitpid(child, 0)[1] == 0 and _install()


def _install() -> bool:
    column, architecture, seccomp = _MACHINES[os.uname().machine]
    program = _program(column, architecture)
    instructions = b"".join(
        code.to_bytes(2, "little") + bytes((true, false)) + operand.to_bytes(4, "little")
        for code, true, false, operand in program
    )
    held = ctypes.create_string_buffer(instructions, len(instructions))
    header = (ctypes.c_uint64 * 2)(len(program), ctypes.addressof(held))
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    return bool(libc.syscall(seccomp, _SET_FILTER, _ALL_THREADS, header) == 0)


def _program(column: int, architecture: int) -> _Program:
    """The whole filter for one machine."""
    program: _Program = [(_LOAD, 0, 0, _ARCHITECTURE), (_JUMP_IF_EQUAL, 1, 0, architecture), (_RETURN, 0, 0, _REFUSE)]
    program += [(_LOAD, 0, 0, _NUMBER), (_JUMP_IF_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _REFUSE)]
    for calls, action in ((_REFUSED, _REFUSE), (_PRETENDED, _PRETEND), (_UNKNOWN_HERE, _UNKNOWN)):
        for number in numbers(calls, column).values():
            program += _where(number, [(_RETURN, 0, 0, action)])
    for calls, rule in _RULES.items():
        for number in numbers(calls, column).values():
            program += _where(number, [*rule, (_RETURN, 0, 0, _ALLOW)])
    return [*program, (_RETURN, 0, 0, _ALLOW)]


def numbers(calls: str, column: int) -> dict[str, int]:
    """The calls of a table that a machine has, each with its number there.

    >>> numbers("chmod 90 -, fchmod 91 52", 1)
    {'fchmod': 52}
    """
    rows = (row.split() for row in calls.split(","))
    return {row[0]: int(row[1 + column]) for row in rows if row[1 + column] != "-"}


def _where(value: int, then: _Program) -> _Program:
    """`then`, which the program only comes to where this value is loaded."""
    return [(_JUMP_IF_EQUAL, 0, len(then), value), *then]


def _argument(index: int) -> tuple[int, int, int, int]:
    """Load the low half of an argument, which is all that the kernel reads of an int."""
    return (_LOAD, 0, 0, 16 + 8 * index)


def _only(index: int, value: int, mask: int = 0xFFFFFFFF) -> _Program:
    """Refuse the call unless an argument, under a mask, has this value."""
    return [_argument(index), (_AND, 0, 0, mask), (_JUMP_IF_EQUAL, 1, 0, value), (_RETURN, 0, 0, _REFUSE)]


def _for_any(index: int, values: tuple[int, ...], action: int = _REFUSE) -> _Program:
    """Answer like this where an argument has one of these values."""
    return [_argument(index), *(step for value in values for step in _where(value, [(_RETURN, 0, 0, action)]))]


_ITSELF = _only(0, 0)
_RULES: dict[str, _Program] = {  # for calls that are let through in part
    "clone 56 220": _only(0, 0, _NAMESPACES | _AS_A_SIBLING),
    "prctl 157 167": [*_for_any(0, _UNDOING), *_where(_PARENT_DEATH_SIGNAL, _only(1, _KILL))],
    "ioctl 16 29": [*_for_any(1, _HANDLES, _ALLOW), *_for_any(1, _ATTRIBUTES, _PRETEND), (_RETURN, 0, 0, _UNSUPPORTED)],
    "fcntl 72 25": _for_any(1, _FOR_OTHERS),
    "kill 62 129": _for_any(0, (_EVERYBODY,)),
    "prlimit64 302 261, sched_setparam 142 118, sched_setscheduler 144 119": _ITSELF,
    "sched_setaffinity 203 122, sched_setattr 314 274": _ITSELF,
    "socketpair 53 199": [*_only(0, 1), *_only(1, 1, 0xF)],  # a stream: a datagram can be sent to any name
    "setpriority 141 140": [*_ITSELF, *_only(1, 0)],
}
