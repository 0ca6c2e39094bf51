"""The messages between the grader and its child process.

The grader sends a Request for each case, and makes an Answer of what comes back.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import Enum
from typing import Any

from grader.protocol.limits import WALL_PER_CPU_SECOND
from grader.protocol.text import harmless

Frames = tuple[tuple[int, str], ...]
"""Lines of lab.py, each with its function, the innermost line last."""
OPEN_CASES = (
    "Not run: nothing here keeps lab.py from reading what hidden cases expect. "
    "Grade on Linux with Landlock, or as root with GRADER_USER=name, a user who "
    "cannot read them."
)


class Ending(Enum):
    """How the run of a case ended."""

    ANSWERED = "answered"
    CPU_TIME_UP = "CPU time up"
    STALLED = "stalled"
    EXITED = "exited"
    KILLED = "killed"
    FLOODED = "flooded"
    TOO_LARGE = "too large"
    GARBLED = "garbled"


@dataclass(frozen=True)
class Raised:
    """An exception that was raised while lab.py ran."""

    # The name of the exception's class, such as ValueError.
    type: str
    # The names of the exception's class and of all its base classes.
    bases: tuple[str, ...]
    # The text of the exception.
    text: str
    # The lines of lab.py that were running when the exception was raised, innermost
    # last.
    frames: Frames
    # The columns at which the failing expression begins and ends in the innermost line,
    # in bytes of UTF-8.  Both are 0 if they are not known.
    columns: tuple[int, int] = (0, 0)
    # If Python did not find a name, an existing name that is similar.  Empty if no
    # existing name is similar.
    meant: str = ""
    # Whether the exception says that lab.py lacks the graded function.
    is_missing: bool = False


def inside(frames: Frames) -> str:
    """Return the name of the function that contains the innermost of these lines of
    lab.py.

    The name is empty if there are no lines.
    """
    return harmless(frames[-1][1], 60) if frames else ""


@dataclass(frozen=True)
class Import:
    """What the child says about a lab.py that was imported without an error."""

    # The answers to the survey in lab.py.  The key is the name of the question.
    survey: dict[str, str]
    # True if the child forks a process for each function.
    forks: bool


@dataclass(frozen=True)
class Answer:
    """What came back from the run of a case, or from the import of lab.py."""

    ending: Ending
    # What came back from each call: what it returned or raised, as plain data.  It
    # comes from the student's process, and nothing has checked its contents yet.
    outcomes: list[dict[str, Any]] = field(default_factory=list)
    # The exception that the last call has raised, or that the import of lab.py has
    # raised.
    raised: Raised | None = None
    # What the child says about the import of lab.py.  None unless this is the Answer to
    # an import that made no error.
    imported: Import | None = None
    # If the process ended, its exit status, or the number of the signal that ended it.
    detail: int = 0
    # The last part of what the code printed.  CALL_BEGINS stands before the prints of
    # each call.
    printed: str = ""
    # How many seconds of CPU the case was allowed to use.
    limit: float = 0.0
    # How long the grader waited for the answer, in seconds; 0 if that is not known.
    seconds: float = 0.0
    # How many seconds of CPU the code used; 0 if that is not known.
    cpu: float = 0.0
    # The lines of lab.py that were running when the time was up.
    frames: Frames = ()
    # The names of those watched functions that student code has called.
    called: frozenset[str] = frozenset()
    # The names of those watched functions whose stand-in was called and had no answer.
    unknown: frozenset[str] = frozenset()


@dataclass(frozen=True)
class StandIn:
    """The reference answers that replace a wrong function of lab.py in a case."""

    # The name of the kind of the wrong function.
    kind: str
    # For each call of the case, the facts from which the worker.py of this kind makes
    # the stand-in.
    calls: tuple[Any, ...]


@dataclass(frozen=True)
class Watch:
    """What the child watches while a case runs."""

    # The names of the functions whose calls the child reports.
    functions: tuple[str, ...] = ()
    # The stand-ins for some of these functions.  The key is the name of the function.
    stand_ins: Mapping[str, StandIn] = field(default_factory=dict)


WATCH_NOTHING = Watch()


@dataclass(frozen=True)
class Request:
    """A case in the form in which the grader sends it to the child.

    It has nothing of what the case expects.
    """

    kind: str
    function: str
    # The inputs of each call.
    calls: tuple[Mapping[str, Any], ...]
    # The seconds of CPU that the case may use.
    seconds: float
    watch: Watch = WATCH_NOTHING
    # How many seconds may pass on the clock for each second of CPU.
    wall_per_second: float = WALL_PER_CPU_SECOND

    def as_data(self) -> dict[str, Any]:
        """Return the request as plain data."""
        return vars(self) | {"watch": asdict(self.watch)}


def exited(status: int) -> Answer:
    """Return the Answer for a process that has ended.

    `status` is its exit status, or -N if signal N ended it.

    >>> exited(3) == Answer(Ending.EXITED, detail=3)
    True
    >>> exited(-9) == Answer(Ending.KILLED, detail=9)
    True
    """
    if status < 0:
        return Answer(Ending.KILLED, detail=-status)
    return Answer(Ending.EXITED, detail=status)


@dataclass(frozen=True)
class Isolation:
    """What keeps lab.py away from the machine, and from what the cases expect.

    The fields say which protections are in force, not which ones should be.  The grader
    itself sets `other_user`.  The child reports the other fields before the first line
    of lab.py runs.  Every score sheet has an Isolation.
    """

    # The version of Landlock that is in force; 0 if none is.
    landlock: int = 0
    # Whether a filter for system calls is in force.
    seccomp: bool = False
    # Whether lab.py runs as another user than the grader.
    other_user: bool = False
    # Whether the child found that it can open no file of cases.
    cases_closed: bool = False

    @property
    def keep_cases(self) -> bool:
        """Whether these protections keep lab.py from what cases expect, both in files
        and in the memory of the grader.
        """
        return self.cases_closed and (self.landlock > 0 or self.other_user)

    @property
    def tier(self) -> str:
        """The protection that is in force, in a word or two.

        >>> Isolation(landlock=6, seccomp=True, cases_closed=True).tier
        'closed'
        >>> Isolation(landlock=2, cases_closed=True).tier
        'network open'
        >>> Isolation(seccomp=True).tier, Isolation().tier
        ('files open', 'open')
        """
        if self.keep_cases:
            return "closed" if self.seccomp else "network open"
        return "files open" if self.seccomp else "open"


NOTHING_HOLDS = Isolation()
