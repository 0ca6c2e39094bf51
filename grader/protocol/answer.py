"""What goes down to the worker and what comes back, all plain data: Request and Answer,
and their parts.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import Enum
from typing import Any

from grader.protocol.limits import WALL_PER_CPU_SECOND
from grader.protocol.words import harmless

Frames = tuple[tuple[int, str], ...]
OPEN_CASES = (
    "Not run: nothing here keeps lab.py from reading what hidden cases expect. Grade on Linux with Landlock, "
    "or as root with GRADER_USER=name, a user who cannot read them."
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
    """An exception: its type, the names of that and of all its bases, its text, and
    where it came from.

    `frames` are lines of lab.py, each with its function, innermost last.  `columns` are
    those of the innermost line, in bytes of UTF-8, between which the failing expression
    stands; twice 0 if that is not known.  `meant` is a name that is like the one that
    is not there.
    """

    type: str
    bases: tuple[str, ...]
    text: str
    frames: Frames
    columns: tuple[int, int] = (0, 0)
    meant: str = ""


def inside(frames: Frames) -> str:
    """The function of the innermost of these lines; empty if there is none."""
    return harmless(frames[-1][1], 60) if frames else ""


@dataclass(frozen=True)
class Import:
    """What is known of an imported lab.py: its survey, and whether each function
    `forks` from the worker.
    """

    survey: dict[str, str]
    forks: bool


@dataclass(frozen=True)
class Answer:
    """What came back for a case, or from the import of lab.py."""

    ending: Ending
    # Plain data that the student's process sent, one for each call.  Only its types are
    # sure.
    outcomes: list[dict[str, Any]] = field(default_factory=list)
    raised: Raised | None = None  # what the last of these calls raised, or the import
    imported: Import | None = (
        None  # what is known of a lab.py that was imported without an error
    )
    detail: int = (
        0  # the exit status of the process, or the number of the signal that ended it
    )
    printed: str = ""  # what the code printed, with CALL_BEGINS before each call
    limit: float = 0.0  # the seconds of CPU that the case had
    seconds: float = (
        0.0  # how long the grader waited for the answer; 0 if that is not known
    )
    cpu: float = 0.0  # how many seconds the code computed; 0 if that is not known
    frames: Frames = ()  # the lines of lab.py that were running when its time was up, innermost last
    called: frozenset[str] = (
        frozenset()
    )  # the watched functions that were seen to be called
    unknown: frozenset[str] = (
        frozenset()
    )  # those of them whose stand-in met a call without a reference answer


@dataclass(frozen=True)
class StandIn:
    """The reference answers that are given in place of a wrong function."""

    kind: str  # of the wrong function
    calls: tuple[
        Any, ...
    ]  # for each call of the case, what the kind's `stand_in` gives


@dataclass(frozen=True)
class Watch:
    """What the worker watches while a case runs."""

    functions: tuple[str, ...] = ()  # whose calls the worker reports
    stand_ins: Mapping[str, StandIn] = field(
        default_factory=dict
    )  # for some of these functions


WATCH_NOTHING = Watch()


@dataclass(frozen=True)
class Request:
    """A case as it goes down the pipe: no expectation, nothing that the worker does not
    need.
    """

    case: str
    kind: str
    function: str
    calls: tuple[Mapping[str, Any], ...]  # the inputs of each call
    seconds: float  # of CPU
    watch: Watch = WATCH_NOTHING
    wall_per_second: float = (
        WALL_PER_CPU_SECOND  # the seconds of the clock for each second of CPU
    )

    def as_data(self) -> dict[str, Any]:
        """What the worker gets of the case: all but its name."""
        data = {name: value for name, value in vars(self).items() if name != "case"}
        return data | {"watch": asdict(self.watch)}


def exited(status: int) -> Answer:
    """The Answer of a process that is gone: with this exit status, or by a signal,
    whose number is then negative.

    >>> exited(3) == Answer(Ending.EXITED, detail=3), exited(-9) == Answer(Ending.KILLED, detail=9)
    (True, True)
    """
    return (
        Answer(Ending.KILLED, detail=-status)
        if status < 0
        else Answer(Ending.EXITED, detail=status)
    )


@dataclass(frozen=True)
class Isolation:
    """What protects the machine and the cases from lab.py; every score sheet carries
    it.

    The worker reports it before the first line of lab.py runs: it is what holds, not
    what should hold.  `landlock` is its version, 0 for none.  `seccomp` says whether
    system calls are filtered, `other_user` whether lab.py runs as another user than the
    grader, and `cases_closed` that the worker can open no file of cases.
    """

    landlock: int = 0
    seccomp: bool = False
    other_user: bool = False
    cases_closed: bool = False

    @property
    def keep_cases(self) -> bool:
        """Whether lab.py cannot read what a case expects, neither in a file nor in the
        grader's memory.
        """
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


NOTHING_HOLDS = Isolation()
