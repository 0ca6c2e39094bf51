"""Verdict: what the grader says of one case."""

from dataclasses import dataclass
from fractions import Fraction

from grader.judging.status import Status
from grader.pipe.words import visible

FULL, NOTHING = Fraction(1), Fraction(0)


@dataclass(frozen=True)
class Finding:
    """What one comparison found: a share of the points, a sentence, and rows for a table of
    (what, wanted, yours).  The share tells its status, unless it has one of its own."""

    credit: Fraction = FULL
    message: str = ""
    rows: tuple[tuple[str, str, str], ...] = ()
    status: Status | None = None

    @property
    def kind(self) -> Status:
        """The status of a case that this finding decides."""
        return self.status or (Status.PASS if self.credit == FULL else Status.PARTIAL if self.credit else Status.FAIL)


RIGHT = Finding()


@dataclass(frozen=True)
class Verdict:
    """The verdict on a case.

    `credit` is the share of the case's points, 0 to 1.  `call` is the index of the call that
    decided, `picture` that call's board or tree, `printed` what the student's code printed, `inside`
    the function of lab.py in which an exception was raised or the time was up.
    `gist` is a digest of what wrong answers have in common with those of other labs that make the same
    mistake; it says nothing to a person.
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
    inside: str = ""
    gist: str = ""
    seconds: float = 0.0
    ran: bool = True

    def __post_init__(self) -> None:
        shown = {
            "message": visible(self.message),
            "rows": tuple((visible(what), visible(wanted), visible(yours)) for what, wanted, yours in self.rows),
            "picture": visible(self.picture, besides="\n"),
            "printed": visible(self.printed.replace("\r\n", "\n"), besides="\n"),
            "inside": visible(self.inside),
        }
        for name, text in shown.items():
            object.__setattr__(self, name, text)

    @property
    def passed(self) -> bool:
        """Whether the case earns all its points."""
        return self.status is Status.PASS
