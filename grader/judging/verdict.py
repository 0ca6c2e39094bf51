"""Verdict: what the grader says of one case."""

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from grader.protocol.answer import Frames, inside
from grader.protocol.words import visible

FULL, NOTHING = Fraction(1), Fraction(0)
SLOW = "slow"  # the fingerprint of a time-out: on a faster machine it may be any wrong answer
Row = tuple[str, str, str]


class Status(Enum):
    """The kinds of verdict, each with the word that a person reads."""

    PASS = "pass"
    PARTIAL = "in part"
    FAIL = "fail"
    NOT_STARTED = "not started"
    TIME_OUT = "time-out"
    CRASH = "crash"
    WAITS = "waits"
    UNGRADED = "ungraded"


NO_REPROACH = {Status.PASS, Status.UNGRADED}  # what could not be graded says nothing of a function


@dataclass(frozen=True)
class Finding:
    """What one comparison found: a share of the points, a sentence, and rows of (what, expected, yours).

    The share decides the status, unless the finding has one of its own.  `beside` is the index of another call that
    the one at fault is compared with.
    """

    credit: Fraction = FULL
    message: str = ""
    rows: tuple[Row, ...] = ()
    status: Status | None = None
    beside: int | None = None

    @property
    def kind(self) -> Status:
        """The status of a case that this finding decides."""
        by_credit = Status.PASS if self.credit == FULL else Status.PARTIAL if self.credit else Status.FAIL
        return self.status or by_credit


RIGHT = Finding()


@dataclass(frozen=True)
class Verdict:
    """The verdict on a case.

    `credit` is the share of the case's points, 0 to 1.  `call` is the index of the call that decided, `beside` that of
    one that it is compared with; `picture` draws them.  `printed` is what the student's code printed.  `frames` are the
    lines of lab.py in which an exception was raised or the time was up, each with its function, innermost last, and
    `columns` where in the innermost line the failing expression stands, as Raised has them.
    `fingerprint` is a digest of what labs with the same mistake answer, or SLOW.  `ran` is False if there was no time.
    `ran_out` says that the call ran out of time, of memory, or of Python's recursion limit.

    All that comes from a student passes through here: no text has a character that cannot be seen, except the ends of
    lines in `picture` and `printed`.
    """

    case: str
    status: Status
    credit: Fraction = NOTHING
    message: str = ""
    rows: tuple[Row, ...] = ()
    call: int = 0
    picture: str = ""
    printed: str = ""
    frames: Frames = ()
    columns: tuple[int, int] = (0, 0)
    fingerprint: str = ""
    seconds: float = 0.0
    ran: bool = True
    ran_out: bool = False
    beside: int | None = None

    def __post_init__(self) -> None:
        rows = tuple((visible(what), visible(expected), visible(yours)) for what, expected, yours in self.rows)
        frames = tuple((line, visible(function)) for line, function in self.frames)
        printed = visible(self.printed.replace("\r\n", "\n"), besides="\n")
        object.__setattr__(self, "message", visible(self.message))
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "picture", visible(self.picture, besides="\n"))
        object.__setattr__(self, "printed", printed)
        object.__setattr__(self, "frames", frames)

    @property
    def inside(self) -> str:
        """The function of lab.py in which it went no further; empty if that is not known."""
        return inside(self.frames)

    @property
    def passed(self) -> bool:
        """Whether the case earns all its points."""
        return self.status is Status.PASS
