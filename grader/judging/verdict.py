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


NO_REPROACH = {
    Status.PASS,
    Status.UNGRADED,
}  # what could not be graded says nothing of a function


@dataclass(frozen=True)
class Finding:
    """What the comparison of one answer with its expectation found."""

    credit: Fraction = FULL  # the share of the points, 0 to 1
    message: str = ""  # what is wrong, as a sentence
    rows: tuple[
        Row, ...
    ] = ()  # the facts that differ: what it is, the expected one, and yours
    status: Status | None = (
        None  # the status of the case, if the share of the points does not decide it
    )
    beside: int | None = (
        None  # the index of another call, with which the one at fault is compared
    )

    @property
    def kind(self) -> Status:
        """The status of a case that this finding decides."""
        if self.status:
            return self.status
        if self.credit == FULL:
            return Status.PASS
        return Status.PARTIAL if self.credit else Status.FAIL


RIGHT = Finding()


def wrong(
    message: str,
    rows: tuple[Row, ...] = (),
    status: Status | None = None,
    beside: int | None = None,
) -> Finding:
    """The finding on an answer that earns nothing."""
    return Finding(NOTHING, message, rows, status, beside)


@dataclass(frozen=True)
class Verdict:
    """The verdict on a case.

    All that comes from a student passes through here: no text has a character that
    cannot be seen, except the ends of lines in `picture` and `printed`.
    """

    case: str  # the id of the case
    status: Status
    credit: Fraction = NOTHING  # the share of the case's points, 0 to 1
    message: str = ""  # why, as a sentence
    rows: tuple[
        Row, ...
    ] = ()  # the facts that differ: what it is, the expected one, and yours
    call: int = 0  # the index of the call that decided
    picture: str = ""  # that call, drawn, and the call beside it
    printed: str = ""  # what the student's code printed in that call
    frames: Frames = ()  # the lines of lab.py in which it raised, or its time was up, innermost last
    columns: tuple[int, int] = (
        0,
        0,
    )  # of the failing expression in the innermost line, as Raised has them
    fingerprint: str = (
        ""  # a digest of what submissions with the same mistake answer, or SLOW
    )
    seconds: float = 0.0  # that the case took
    ran: bool = True  # whether there was time for the case
    ran_out: bool = False  # whether the call ran out of time, of memory, or of Python's recursion limit
    beside: int | None = (
        None  # the index of the call with which the deciding one is compared
    )

    def __post_init__(self) -> None:
        rows = tuple(
            (visible(what), visible(expected), visible(yours))
            for what, expected, yours in self.rows
        )
        frames = tuple((line, visible(function)) for line, function in self.frames)
        printed = visible(self.printed.replace("\r\n", "\n"), besides="\n")
        object.__setattr__(self, "message", visible(self.message))
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "picture", visible(self.picture, besides="\n"))
        object.__setattr__(self, "printed", printed)
        object.__setattr__(self, "frames", frames)

    @property
    def inside(self) -> str:
        """The function of lab.py in which it went no further; empty if that is not
        known.
        """
        return inside(self.frames)

    @property
    def passed(self) -> bool:
        """Whether the case earns all its points."""
        return self.status is Status.PASS
