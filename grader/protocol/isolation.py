"""Isolation: what protects the machine and the cases from lab.py.

The worker reports it after it is shut in and before the first line of lab.py runs: what holds, not what should hold.
Only the grader knows which user the worker runs as.  Every score sheet carries it.
"""

from dataclasses import asdict, dataclass
from typing import Any

OPEN_CASES = (
    "Not run: nothing here keeps lab.py from reading what hidden cases expect. Grade on Linux with Landlock, "
    "or as root with GRADER_USER=name, a user who cannot read them."
)


@dataclass(frozen=True)
class Isolation:
    """What holds.

    `landlock` is its version, 0 for none.  `seccomp` says whether system calls are filtered, `other_user` whether
    lab.py runs as another user than the grader, and `cases_closed` that the worker can open no file of cases.
    """

    landlock: int = 0
    seccomp: bool = False
    other_user: bool = False
    cases_closed: bool = False

    @property
    def keep_cases(self) -> bool:
        """Whether lab.py cannot read what a case expects, neither in a file nor in the grader's memory."""
        return self.cases_closed and (self.landlock > 0 or self.other_user)

    @property
    def tier(self) -> str:
        """The sum of it in a word or two.

        >>> Isolation(landlock=6, seccomp=True, cases_closed=True).tier, Isolation(landlock=2, cases_closed=True).tier
        ('closed', 'network open')
        >>> Isolation(seccomp=True).tier, Isolation().tier
        ('files open', 'open')
        """
        if self.seccomp:
            return "closed" if self.keep_cases else "files open"
        return "network open" if self.keep_cases else "open"

    def as_data(self) -> dict[str, Any]:
        """The same as plain data."""
        return {"tier": self.tier, **asdict(self)}


NOTHING_HOLDS = Isolation()
