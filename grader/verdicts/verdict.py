"""The verdict: what the grader says about one case."""

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import partial

from grader.protocol.answer import Frames
from grader.protocol.text import visible

FULL = Fraction(1)
NOTHING = Fraction(0)
# The fingerprint of every time-out.  On a faster machine, the same code might give any
# wrong answer.
SLOW = "slow"
HERE = "<-- goes wrong here"  # the mark beside the node of a mistake
# A fact: what it is about, what was expected, and what came back.
Row = tuple[str, str, str]


class Status(Enum):
    """The possible statuses of a case.  The value is the word that a person reads."""

    PASS = "pass"
    PARTIAL = "partly right"
    FAIL = "fail"
    NOT_STARTED = "not started"
    TIME_OUT = "time-out"
    CRASH = "crash"
    WAITS = "waits"
    UNGRADED = "ungraded"


# The statuses that do not mean that a function is wrong.
NO_REPROACH = {Status.PASS, Status.UNGRADED}


@dataclass(frozen=True)
class Finding:
    """What the grader has found out about the answer to one call."""

    credit: Fraction = FULL  # the share of the points, 0 to 1
    message: str = ""  # what is wrong, as a sentence
    rows: tuple[Row, ...] = ()  # the facts that differ
    # The status of the case.  If it is None, `credit` decides the status.
    status: Status | None = None
    # If the call at fault is compared with another call, the index of that other call.
    beside: int | None = None

    @property
    def kind(self) -> Status:
        """The status that a case gets if this finding decides about it."""
        if self.status:
            return self.status
        if self.credit == FULL:
            return Status.PASS
        return Status.PARTIAL if self.credit else Status.FAIL


RIGHT = Finding()
# Makes the finding on an answer that earns nothing.  It takes a message, and may take
# other fields of a Finding.
wrong = partial(Finding, NOTHING)


@dataclass(frozen=True)
class Verdict:
    """The verdict on a case.

    In its texts, invisible characters become escapes.  Only the line ends in `picture`
    and `printed` stay.
    """

    case: str  # the id of the case
    status: Status
    credit: Fraction = NOTHING  # the share of the case's points, 0 to 1
    message: str = ""  # why, as a sentence
    rows: tuple[Row, ...] = ()  # the facts that differ
    call: int = 0  # the index of the call that decided
    picture: str = ""  # a drawing of that call, and of the call with index `beside`
    printed: str = ""  # what the student's code printed in that call
    # The lines of lab.py that were running when the call raised an exception, or when
    # its time was up.  The innermost line comes last.
    frames: Frames = ()
    # The columns at which the failing expression begins and ends in the innermost line,
    # in bytes of UTF-8.  Both are 0 if they are not known.
    columns: tuple[int, int] = (0, 0)
    # A digest of what submissions with the same mistake have in common in their
    # answers.  For a time-out it is SLOW.  If the case passes, it is empty.
    fingerprint: str = ""
    seconds: float = 0.0  # of CPU; of the clock, if the CPU time is not known
    ran: bool = True  # False if the case was not run, as others took long or stalled
    # Whether the call used up its CPU time, raised MemoryError or RecursionError, or
    # was ended by a signal.
    ran_out: bool = False
    # If the call that decided is compared with another call, the index of that other
    # call.
    beside: int | None = None

    def __post_init__(self) -> None:
        printed = self.printed.replace("\r\n", "\n")
        harmless = {
            "message": visible(self.message),
            "rows": tuple(tuple(map(visible, row)) for row in self.rows),
            "picture": visible(self.picture, besides="\n"),
            "printed": visible(printed, besides="\n"),
            "frames": tuple((line, visible(name)) for line, name in self.frames),
        }
        for field, value in harmless.items():
            object.__setattr__(self, field, value)

    @property
    def passed(self) -> bool:
        """Whether the status is PASS."""
        return self.status is Status.PASS
