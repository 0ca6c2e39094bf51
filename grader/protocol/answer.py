"""The messages between the grader and its child: a Request and the Answer to it."""

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
    """How the process that ran a case ended."""

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
    """An exception that came from lab.py."""

    # The name of its class.
    type: str
    # The names of its class and of all the base classes.
    bases: tuple[str, ...]
    # The text of the exception.
    text: str
    # The lines of lab.py that were running, the innermost line last.
    frames: Frames
    # The failing expression begins and ends here in the innermost line, in bytes of
    # UTF-8.  Both are 0 if that is not known.
    columns: tuple[int, int] = (0, 0)
    # A name that exists and is like the one that does not; empty if there is none.
    meant: str = ""
    # Whether lab.py has no function of the name that was called.
    is_missing: bool = False


def inside(frames: Frames) -> str:
    """Return the function of the innermost of these lines; empty if there is none."""
    return harmless(frames[-1][1], 60) if frames else ""


@dataclass(frozen=True)
class Import:
    """What is known of a lab.py that was imported without an error."""

    # The answers to the survey in lab.py, by question.
    survey: dict[str, str]
    # Whether each function runs in a process of its own, forked from the child.
    forks: bool


@dataclass(frozen=True)
class Answer:
    """What came back for a case, or from the import of lab.py."""

    ending: Ending
    # Plain data from the student's process, one for each call.  Only the types of
    # the outcomes are certain.
    outcomes: list[dict[str, Any]] = field(default_factory=list)
    # What the last of the calls, or the import, has raised.
    raised: Raised | None = None
    # Set if lab.py was imported without an error.
    imported: Import | None = None
    # The exit status of the process, or the number of a signal that ended the process.
    detail: int = 0
    # What the code printed, with CALL_BEGINS before each call.
    printed: str = ""
    # The seconds of CPU that the case was allowed.
    limit: float = 0.0
    # How long the grader waited for the answer, in seconds; 0 if that is not known.
    seconds: float = 0.0
    # How many seconds the code computed; 0 if that is not known.
    cpu: float = 0.0
    # The lines of lab.py that were running when the time was up.
    frames: Frames = ()
    # The watched functions that the code called.
    called: frozenset[str] = frozenset()
    # The watched functions whose stand-in met a call without a reference answer.
    unknown: frozenset[str] = frozenset()


@dataclass(frozen=True)
class StandIn:
    """The reference answers that are given in place of a wrong function."""

    # The kind of the wrong function.
    kind: str
    # For each call of the case, what the kind's `stand_in` gives.
    calls: tuple[Any, ...]


@dataclass(frozen=True)
class Watch:
    """What the child watches while a case runs."""

    # The child reports calls of these functions.
    functions: tuple[str, ...] = ()
    # Stand-ins for some of these functions, by their names.
    stand_ins: Mapping[str, StandIn] = field(default_factory=dict)


WATCH_NOTHING = Watch()


@dataclass(frozen=True)
class Request:
    """A case as the child gets it, without anything that the case expects."""

    kind: str
    function: str
    # The inputs of each call.
    calls: tuple[Mapping[str, Any], ...]
    # The seconds of CPU that the case may use.
    seconds: float
    watch: Watch = WATCH_NOTHING
    # The seconds of the clock for each second of CPU.
    wall_per_second: float = WALL_PER_CPU_SECOND

    def as_data(self) -> dict[str, Any]:
        """Return what the child gets of the case."""
        return vars(self) | {"watch": asdict(self.watch)}


def exited(status: int) -> Answer:
    """Return the Answer of a process with this exit status, -N if signal N ended it.

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
    """What protects the machine and the cases from lab.py.

    The child reports this before the first line of lab.py runs.  The fields say what
    holds, not what should hold.  Every score sheet has them.
    """

    # The version of Landlock; 0 if the machine has none.
    landlock: int = 0
    # Whether system calls are filtered.
    seccomp: bool = False
    # Whether lab.py runs as another user than the grader.
    other_user: bool = False
    # Whether the child can open no file of cases.
    cases_closed: bool = False

    @property
    def keep_cases(self) -> bool:
        """Whether no file and no memory of the grader shows lab.py an expectation."""
        return self.cases_closed and (self.landlock > 0 or self.other_user)

    @property
    def tier(self) -> str:
        """The sum of all this in a word or two.

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
