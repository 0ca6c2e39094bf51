"""In the worker: filters for the system calls that it and its processes may make (Linux, seccomp-BPF).

Landlock knows files and little else; these filters do the rest.  The first one holds for the worker: no socket, no
other program, no look into another process, no mounts or keys.  Calls that change modes, owners or times of files
succeed and do nothing.  So do those that leave the group of processes, because the grader kills the group at one blow.
The second one holds for the process of a function: it starts threads, and no process.
See https://docs.kernel.org/userspace-api/seccomp_filter.html.
"""

import ctypes
import errno
import os
import sys
from collections.abc import Iterable
from pathlib import Path

_MACHINES = {"x86_64": (0, 0xC000003E, 317), "aarch64": (1, 0xC00000B7, 277)}  # column, architecture, seccomp
_X32 = 1 << 30
_NO_NEW_PRIVILEGES, _SET_FILTER, _ALL_THREADS = 38, 1, 1

_LOAD, _JUMP_IF_EQUAL, _JUMP_IF_AT_LEAST, _AND, _RETURN = 0x20, 0x15, 0x35, 0x54, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data; a filter loads 32 bits
_ALLOW, _ERROR = 0x7FFF0000, 0x00050000
_REFUSE, _UNKNOWN = _ERROR | errno.EPERM, _ERROR | errno.ENOSYS
_PRETEND = _ERROR  # with no error: success, and no effect

# Calls by name, each with its number on x86-64 and on arm64, or a dash.
_REFUSED, _PRETENDED, _SIGNALS, _FORKS = Path(__file__).with_suffix(".txt").read_text("ascii").split("\n\n")
_CLONE3 = "clone3 435 435"  # its flags lie where no filter can look; the C library falls back to clone
_THREAD = 0x10000
_PARENT_DEATH_SIGNAL = 1
_FOR_OTHERS = (8, 10, 15)  # fcntl: whom the kernel sends signals about a file

_Program = list[tuple[int, int, int, int]]  # code, jump if true, jump if not, operand


def filter_calls(signals_too: bool) -> bool:
    """Put the first filter on this process for good; whether it is in force.  It may refuse all signals too."""
    if sys.platform != "linux" or os.uname().machine not in _MACHINES or sys.maxsize < 1 << 32:
        return False
    refused = _REFUSED + (f", {_SIGNALS}" if signals_too else "")
    program: _Program = [(_JUMP_IF_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _REFUSE)]
    program += _answer(_numbers(refused), _REFUSE) + _answer(_numbers(_PRETENDED), _PRETEND)
    program += _rule("prlimit64 302 261", _only(0, 0))
    program += _rule("socketpair 53 199", _only(0, 1) + _only(1, 1, 0xF))  # a datagram can be sent to any name
    program += _rule("fcntl 72 25", _never(1, _FOR_OTHERS))
    return _install(program)


def refuse_processes() -> bool:
    """Put the second filter on this process and its threads for good; only where the first one is in force."""
    program = _answer(_numbers(_FORKS), _REFUSE) + _answer(_numbers(_CLONE3), _UNKNOWN)
    program += _rule("clone 56 220", _only(0, _THREAD, _THREAD))
    program += _rule("prctl 157 167", _never(0, [_PARENT_DEATH_SIGNAL]))
    return _install(program)


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
        program += [(_JUMP_IF_EQUAL, 0, len(conditions) + 1, number), *conditions, (_RETURN, 0, 0, _ALLOW)]
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


def _install(program: _Program) -> bool:
    _, architecture, seccomp = _MACHINES[os.uname().machine]
    begin: _Program = [(_LOAD, 0, 0, _ARCHITECTURE), (_JUMP_IF_EQUAL, 1, 0, architecture), (_RETURN, 0, 0, _REFUSE)]
    whole = [*begin, (_LOAD, 0, 0, _NUMBER), *program, (_RETURN, 0, 0, _ALLOW)]
    steps = b""
    for code, true, false, operand in whole:
        steps += code.to_bytes(2, "little") + bytes((true, false)) + operand.to_bytes(4, "little")
    held = ctypes.create_string_buffer(steps, len(steps))
    header = (ctypes.c_uint64 * 2)(len(whole), ctypes.addressof(held))
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    return bool(libc.syscall(seccomp, _SET_FILTER, _ALL_THREADS, header) == 0)
