"""Another user for the student's code, where the environment variable GRADER_USER names one.

A grader that runs as root hands lab.py to a user who owns nothing, so that what the file system
keeps for root, the hidden cases and the result file too, is out of reach wherever the kernel has no
Landlock.  Without GRADER_USER the student's code runs as whoever grades.
"""

import os
import sys
from typing import Any

GRADER_USER = "GRADER_USER"


def as_student() -> dict[str, Any]:
    """What subprocess.Popen needs to start a process as that user; nothing without GRADER_USER.

    Raises OSError where there is no such user, where it is root, or where we may not change to it.
    """
    name = os.environ.get(GRADER_USER)
    if not name:
        return {}
    if sys.platform == "win32":
        raise OSError(f"{GRADER_USER} is set, and Windows cannot start processes as another user; unset it")
    import pwd

    try:
        entry = pwd.getpwnam(name)
    except KeyError:
        raise OSError(f"{GRADER_USER} names {name!r}, and there is no such user; create it with useradd") from None
    if entry.pw_uid == 0:
        raise OSError(f"{GRADER_USER} names {name!r}, which is root; name a user who owns nothing")
    if os.geteuid() != 0:
        raise OSError(f"{GRADER_USER} is set, and only root can start processes as {name!r}; unset it, or be root")
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


def give_to_student(folder: str) -> None:
    """Make a folder that user's own; nothing without GRADER_USER."""
    if user := as_student():
        os.chown(folder, user["user"], user["group"], follow_symlinks=False)
