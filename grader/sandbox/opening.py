"""A student's code, at arm's length: send a case, get an Answer, whatever happens inside.

Two ways of doing it, with the same door: forking.py where there is fork (a process a case), and
spawning.py elsewhere (a process a function).
"""

import os
from pathlib import Path
from typing import Protocol

from grader.kit import KIT
from grader.pipe.answer import Answer, Request
from grader.pipe.locks import Locks
from grader.sandbox.forking import ForkingSandbox
from grader.sandbox.spawning import SpawningSandbox
from grader.sandbox.start import LIBRARIES
from grader.sandbox.user import check_reach


class Sandbox(Protocol):
    """Runs the cases of one lab.py.  `last_was_fresh` says whether the last case had a process to
    itself; where it had not, `renew` gives the next one a new process.  `locks` says what holds the
    process that the last `load` started.  `importing` is what all imports of lab.py have cost so
    far, in seconds."""

    last_was_fresh: bool
    locks: Locks
    importing: float

    def renew(self) -> None:
        """Run the next case in a new process."""

    def load(self) -> Answer:
        """Import lab.py; `imported` of the Answer says whether that went well."""

    def answer(self, request: Request) -> Answer:
        """Run one case."""

    def close(self) -> None:
        """End every process and remove the scratch folder."""


def open_sandbox(lab: Path, fork: bool | None = None) -> Sandbox:
    """A sandbox for this lab.py; `fork` is for tests that force the other way.

    Raises OSError where the student's code cannot run as the user that GRADER_USER names.
    """
    check_reach(KIT, LIBRARIES, lab.resolve())
    wants_fork = hasattr(os, "fork") if fork is None else fork
    return ForkingSandbox(lab) if wants_fork else SpawningSandbox(lab)
