"""Verdict: what the grader says of one case."""

from dataclasses import dataclass
from fractions import Fraction

from grader.judging.sentences import Status as Status  # which comes from there without fractions, for make run
from grader.protocol.raised import Frames, inside
from grader.protocol.words import visible

FULL, NOTHING = Fraction(1), Fraction(0)


@dataclass(frozen=True)
class Finding:
    """What one comparison found: a share of the points, a sentence, and rows for a table of
    (what, wanted, yours).  The share tells its status, unless it has one of its own.  `beside` is the index of
    another call that the one at fault is compared with.  `malformed` says that no case could expect such an
    answer, so that the sentence is true whatever is expected."""

    credit: Fraction = FULL
    message: str = ""
    rows: tuple[tuple[str, str, str], ...] = ()
    status: Status | None = None
    beside: int | None = None
    malformed: bool = False

    @property
    def kind(self) -> Status:
        """The status of a case that this finding decides."""
        return self.status or (Status.PASS if self.credit == FULL else Status.PARTIAL if self.credit else Status.FAIL)


RIGHT = Finding()
SLOW = "slow"  # the gist of a time-out: on a faster machine it may be any wrong answer


@dataclass(frozen=True)
class Verdict:
    """The verdict on a case.

    `credit` is the share of the case's points, 0 to 1.  `call` is the index of the call that decided,
    `beside` that of one that it is compared with, `picture` their boards or trees; `malformed` is the finding's.
    `printed` is what the student's code printed, and `frames` are the lines of lab.py in which an exception was
    raised or the time was up, each with its function, the innermost last.
    `gist` is a digest of what wrong answers have in common with those of other labs that make the same
    mistake, or SLOW; it says nothing to a person.
    `ran` is False where there was no time to run the case, or to run it to its end.

    This is the door for all that comes from a student: past it no text has a character that cannot
    be seen, but for the ends of lines in `picture` and `printed`.
    """

    case: str
    status: Status
    credit: Fraction = NOTHING
    message: str = ""
    rows: tuple[tuple[str, str, str], ...] = ()
    call: int = 0
    picture: str = ""
    printed: str = ""
    frames: Frames = ()
    gist: str = ""
    seconds: float = 0.0
    ran: bool = True
    beside: int | None = None
    malformed: bool = False

    def __post_init__(self) -> None:
        shown = {
            "message": visible(self.message),
            "rows": tuple((visible(what), visible(wanted), visible(yours)) for what, wanted, yours in self.rows),
            "picture": visible(self.picture, besides="\n"),
            "printed": visible(self.printed.replace("\r\n", "\n"), besides="\n"),
            "frames": tuple((line, visible(function)) for line, function in self.frames),
        }
        for name, text in shown.items():
            object.__setattr__(self, name, text)

    @property
    def inside(self) -> str:
        """The function of lab.py in which it went no further; empty where that is not known."""
        return inside(self.frames)

    @property
    def passed(self) -> bool:
        """Whether the case earns all its points."""
        return self.status is Status.PASS
