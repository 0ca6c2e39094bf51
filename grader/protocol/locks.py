"""Locks: what holds the process that runs lab.py.

The process itself says so, after it was shut in and before the first line of lab.py, so that it is
what holds and not what should hold; only as whom it runs is the grader's to say.  Every score sheet
carries it.
"""

import json
from dataclasses import asdict, dataclass
from typing import Any

READY = b"ready "
OPEN_CASES = (
    "Not run: nothing here keeps lab.py from reading what hidden cases expect. Grade on Linux with Landlock, "
    "or as root with GRADER_USER=name, a user who cannot read them."
)


@dataclass(frozen=True)
class Locks:
    """The locks that are on.

    `landlock` is its version, 0 for none; `seccomp` whether system calls are filtered;
    `other_user` whether lab.py runs as another user than the grader; `no_capabilities` whether it
    lacks all that only root may; `own_namespace` whether its processes have a namespace, which none
    outlives; `most_processes` is the user's limit, None for none; `cases_closed` whether the files
    of cases could not be opened.
    """

    landlock: int = 0
    seccomp: bool = False
    other_user: bool = False
    no_capabilities: bool = False
    own_namespace: bool = False
    most_processes: int | None = None
    cases_closed: bool = False

    @property
    def keep_cases(self) -> bool:
        """Whether lab.py cannot read what a case expects, neither in a file nor out of the grader."""
        return self.cases_closed and (self.landlock > 0 or self.other_user)

    @property
    def tier(self) -> str:
        """The locks in a word or two.

        >>> Locks(landlock=6, seccomp=True, cases_closed=True).tier, Locks(landlock=2, cases_closed=True).tier
        ('closed', 'network open')
        >>> Locks(seccomp=True).tier, Locks().tier
        ('files open', 'open')
        """
        if self.seccomp:
            return "closed" if self.keep_cases else "files open"
        return "network open" if self.keep_cases else "open"

    def as_data(self) -> dict[str, Any]:
        """The locks as plain data."""
        return {"tier": self.tier, **asdict(self)}

    def line(self) -> bytes:
        """What the child sends before it comes to lab.py."""
        return READY + json.dumps(asdict(self)).encode() + b"\n"


NO_LOCKS = Locks()
