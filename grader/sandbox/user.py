"""Another user for student code, if the environment variable GRADER_USER names one.

A grader that runs as root hands lab.py to a user who owns nothing.  So lab.py cannot reach what the file system keeps
for root, such as hidden cases and the result file, even if the kernel has no Landlock.  Without GRADER_USER student
code runs as the user who grades.
"""

import os
from typing import Any

GRADER_USER = "GRADER_USER"


def as_student() -> dict[str, Any]:
    """What subprocess.Popen needs to start a process as that user; nothing without GRADER_USER.

    Raises OSError if there is no such user, if it is root, or if only root could change to it.
    """
    name = os.environ.get(GRADER_USER)
    if not name:
        return {}
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
    """Make that user the owner of a folder; does nothing without GRADER_USER."""
    if user := as_student():
        os.chown(folder, user["user"], user["group"], follow_symlinks=False)
