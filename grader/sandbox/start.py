"""Ends processes that were started in a session of their own."""

import subprocess

from grader.sandbox.child import LIBRARIES, OBJECTS_BETWEEN_COLLECTIONS
from grader.sandbox.process import end as end_group

__all__ = ["LIBRARIES", "OBJECTS_BETWEEN_COLLECTIONS", "end"]


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process with all that it has started."""
    end_group(process)
