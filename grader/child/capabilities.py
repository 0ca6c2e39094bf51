"""In the child: takes from it what root may and others may not (Linux, capabilities).

Root without capabilities still owns root's files, but mounts nothing, takes no file of another
user's, raises no limit and has no hold on other users' processes.
"""

import ctypes
import os
import sys
from collections.abc import Sequence
from pathlib import Path

_VERSION_3 = 0x20080522
_CLEAR_AMBIENT, _AMBIENT, _DROP_FROM_BOUNDING = 4, 47, 24
_READ_ANY_FILE = 1 << 2


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
