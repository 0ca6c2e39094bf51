"""In the child: shuts the process in before any line of lab.py runs.

`shut_in` closes all that this machine can close, and says what holds.  `limit_cpu` gives the next case its seconds.
All of it holds for every process that student code starts, and student code cannot undo it.  The timer of `limit_cpu`
is the exception: the grader's clock backs it up.
"""

import contextlib
import ctypes
import faulthandler
import os
import signal
import sys
from collections.abc import Iterable
from pathlib import Path

from grader.kit import KIT
from grader.protocol.isolation import Isolation
from grader.protocol.limits import MOST_OUTPUT
from grader.worker.filter import filter_calls

if sys.platform != "win32":
    import resource

GIB = 1 << 30
ADDRESS_SPACE = 4 * GIB  # reserved, not used: a thread hardly ever fills its stack of 512 MiB
OPEN_FILES = 256
SCOPES_SIGNALS = 6  # from this version on, Landlock refuses signals to the grader
LAST_WORDS_AT = 0.8  # of a case's seconds

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_DIE_WITH_PARENT, _NO_NEW_PRIVILEGES = 1, 38
_NEVER = 1 << 0 | 1 << 6 | 1 << 9 | 1 << 11  # run a file; make a device or a socket
_WRITE_FILE, _READ_FILE, _READ_FOLDER = 1 << 1, 1 << 2, 1 << 2 | 1 << 3
_DEVICES = ("/dev/zero", "/dev/urandom", "/dev/random", "/etc/localtime")
_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/share/zoneinfo")


def shut_in(readable: Iterable[Path], writable: Path) -> Isolation:
    """Close all that this machine can close, and say what holds."""
    limit_resources()
    landlock = close_files(readable, writable)
    seccomp = filter_calls(signals_too=landlock < SCOPES_SIGNALS)
    cases = [file for place in ("boards/cases", "staff/hidden") for file in KIT.glob(f"{place}/**/*") if file.is_file()]
    return Isolation(landlock, seccomp, cases_closed=not any(map(_can_read, cases)))


def tie_to_parent() -> None:
    """Have the kernel kill this process when the thread that started it ends (Linux).

    A change of user undoes it, and a fork does not inherit it.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)


def limit_resources() -> None:
    """1 GiB of memory, 256 open files of 16 MiB, and no core dumps.  A process that writes more to a file is killed."""
    if sys.platform == "win32":
        return
    limits = {"DATA": GIB, "AS": ADDRESS_SPACE, "FSIZE": MOST_OUTPUT, "NOFILE": OPEN_FILES, "CORE": 0}
    for name, most in limits.items():
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (most, most))
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)


def limit_cpu(seconds: float, last_words: int) -> None:
    """End this process after so many more seconds of CPU time, by a signal that no `except` catches; 0 for no end.

    Shortly before that, the lines that are being run are written to the file `last_words`.
    """
    if sys.platform == "win32":
        return
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    faulthandler.register(signal.SIGVTALRM, last_words, all_threads=False)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds * LAST_WORDS_AT)


def close_files(readable: Iterable[Path], writable: Path) -> int:
    """From here on read only these files and the interpreter's own, and write only below one folder.

    Landlock also refuses TCP (from version 4 on) and signals to other processes (from version 6 on).
    Names, sizes and modes of files stay in sight (https://docs.kernel.org/userspace-api/landlock.html).
    Returns the version in force, 0 for none.
    """
    if sys.platform != "linux":
        return 0
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    version = libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), 1)
    if version < 1:
        return 0
    all_rights = (1 << (13 if version < 2 else 14 if version < 3 else 15 if version < 5 else 16)) - 1
    attributes = (ctypes.c_uint64 * 3)(all_rights, 3 if version >= 4 else 0, 3 if version >= SCOPES_SIGNALS else 0)
    rules = libc.syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(ctypes.sizeof(attributes)), 0)
    interpreter = (Path(os.__file__).parent, Path(sys.base_prefix, "lib"), *map(Path, _LIBRARIES))
    granted = {place: _READ_FOLDER if place.is_dir() else _READ_FILE for place in (*interpreter, *readable)}
    granted |= dict.fromkeys(map(Path, _DEVICES), _READ_FILE)
    granted |= {Path(os.devnull): _READ_FILE | _WRITE_FILE, writable: all_rights & ~_NEVER}
    for place, rights in granted.items():
        with contextlib.suppress(OSError):  # what does not exist
            handle = os.open(place, os.O_PATH | os.O_CLOEXEC)
            beneath = rights.to_bytes(8, sys.byteorder) + handle.to_bytes(4, sys.byteorder)
            libc.syscall(_ADD_RULE, rules, 1, beneath, 0)
            os.close(handle)
    return 0 if libc.syscall(_RESTRICT_SELF, rules, 0) else int(version)


def _can_read(file: Path) -> bool:
    try:
        os.close(os.open(file, os.O_RDONLY))
    except OSError:
        return False
    return True
