"""Opens the sandbox for this machine."""

import os
from pathlib import Path

from grader.kit import KIT
from grader.sandbox.forking import ForkingSandbox
from grader.sandbox.old import Sandbox
from grader.sandbox.spawning import SpawningSandbox
from grader.sandbox.start import LIBRARIES
from grader.sandbox.user import check_reach


def open_sandbox(lab: Path, fork: bool | None = None) -> Sandbox:
    """A sandbox for this lab.py; `fork` is for tests that force the other way.

    Raises OSError where the student's code cannot run as the user that GRADER_USER names.
    """
    check_reach(KIT, LIBRARIES, lab.resolve())
    wants_fork = hasattr(os, "fork") if fork is None else fork
    return ForkingSandbox(lab) if wants_fork else SpawningSandbox(lab)
