"""What comes of a submission: who loses points, and what the end of its screen tells
about one function.
"""

import os
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from grader.bank.reading import load_bank
from grader.diagnosing.diagnosis import Diagnosis
from grader.grading.session import grade
from grader.grading.sheet import ScoreSheet
from grader.judging.verdict import Status, Verdict
from grader.kinds.kind import kind_of
from grader.showing.console import report
from grader.showing.style import Style
from staff.meanwhile import progress

LAST_LINES = 24  # of a terminal, which students see without scrolling
STYLE = Style(colour=False, ascii_only=True, make=True)
OWN_FAULT = {
    Status.FAIL,
    Status.PARTIAL,
    Status.CRASH,
    Status.TIME_OUT,
    Status.NOT_STARTED,
    Status.UNGRADED,
}
NOTHING_KNOWN = Diagnosis()


class Place(Enum):
    """The ways in which a screen may show where a function goes wrong."""

    TRACE = "the first place where a search leaves the reference"
    ALONE = "that the call is right alone, so an earlier call leaves something behind"
    LINE = "the line of lab.py at which it failed"
    CALL = "one call of a function that is no search, with what is expected beside what came back"


@dataclass(frozen=True)
class Submission:
    """A lab.py to grade, and the graded functions that it changes; none if it is
    correct.
    """

    label: str
    text: str
    functions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """What came of a submission.

    `lost` are the functions that lose points through a fault of their own, `waits`
    those that wait for another one.  `is_named` and `places` tell what the last lines
    of the screen say of a function that the submission changes.
    """

    submission: Submission
    lost: frozenset[str]
    waits: frozenset[str]
    is_full: bool
    is_named: bool
    places: frozenset[Place]
    screen: str  # its last lines

    @property
    def is_caught(self) -> bool:
        """Whether a function that the submission changes loses points."""
        return not self.lost.isdisjoint(self.submission.functions)

    @property
    def spills(self) -> bool:
        """Whether a function loses points that the submission leaves as it is."""
        return bool(self.lost - {*self.submission.functions})

    @property
    def makes_others_wait(self) -> bool:
        """Whether a function that the submission leaves as it is waits for one that it
        changes.
        """
        return bool(self.waits - self.lost - {*self.submission.functions})

    @property
    def is_located(self) -> bool:
        """Whether the screen shows where the mistake is."""
        return bool(self.places)

    @property
    def is_explained(self) -> bool:
        """Whether the mistake is named or located."""
        return self.is_named or self.is_located


def outcomes(submissions: Sequence[Submission], about: str) -> list[Outcome]:
    """What comes of these submissions, in their order; all cores grade, and a line
    tells how far they are.
    """
    by_submission: dict[Submission, Outcome] = {}
    with ProcessPoolExecutor(os.cpu_count()) as processes:
        graded = {
            processes.submit(outcome, submission): submission
            for submission in submissions
        }
        for number, finished in enumerate(as_completed(graded), start=1):
            by_submission[graded[finished]] = finished.result()
            progress(f"{about}: {graded[finished].label}", number, len(submissions))
    return [by_submission[submission] for submission in submissions]


def outcome(submission: Submission) -> Outcome:
    """Grade a submission on the public cases, as `make test` does, and read the end of
    its screen.
    """
    with tempfile.TemporaryDirectory() as folder:
        lab = Path(folder, "lab.py")
        lab.write_text(submission.text, "utf-8")
        sheet = grade(lab, load_bank())
    lines = report(sheet, False, STYLE).splitlines()[-LAST_LINES:]
    return Outcome(
        submission,
        lost=_functions_with(sheet, OWN_FAULT),
        waits=_functions_with(sheet, {Status.WAITS}),
        is_full=sheet.is_full,
        is_named=any(
            _is_named(sheet, function, lines) for function in submission.functions
        ),
        places=frozenset(
            place
            for function in submission.functions
            for place in _places(sheet, function, lines)
        ),
        screen="\n".join(lines),
    )


def _functions_with(sheet: ScoreSheet, statuses: set[Status]) -> frozenset[str]:
    return frozenset(
        case.function for case in sheet.graded if sheet.verdict(case).status in statuses
    )


def _is_named(sheet: ScoreSheet, function: str, lines: Sequence[str]) -> bool:
    """Whether a known mistake of a function stands in these lines."""
    names = sheet.diagnoses.get(function, NOTHING_KNOWN).names
    return any(
        _stands_in(f"{function} {each.name}", lines)
        or _stands_in(f"it {each.name}", lines)
        for each in names
    )


def _places(sheet: ScoreSheet, function: str, lines: Sequence[str]) -> Iterator[Place]:
    """The ways in which these lines show where a function goes wrong."""
    known = sheet.diagnoses.get(function, NOTHING_KNOWN)
    if known.where and _stands_in(
        f"{known.where}: yours {known.yours} expected {known.expected}", lines
    ):
        yield Place.TRACE
    if known.note and _stands_in(known.note, lines):
        yield Place.ALONE
    if sheet.import_failure and _stands_in(sheet.import_failure, lines):
        yield Place.LINE
    for case in sheet.graded:
        verdict = sheet.verdict(case)
        if case.function == function and not verdict.passed:
            if any(
                _stands_in(f"lab.py:{line}, in {name}", lines)
                for line, name in verdict.frames[-1:]
            ):
                yield Place.LINE
            if not kind_of(case.graded).most_traced and _shows_the_call(verdict, lines):
                yield Place.CALL


def _shows_the_call(verdict: Verdict, lines: Sequence[str]) -> bool:
    """Whether these lines show the whole call that decided, and what is expected beside
    what came back.
    """
    cells = [cell for row in verdict.rows for cell in row]
    call = verdict.picture.partition("\n")[
        0
    ]  # where its first line is shown, so are those below
    return bool(cells and call) and all(
        _stands_in(text, lines) for text in [call, *cells]
    )


def _stands_in(text: str, lines: Sequence[str]) -> bool:
    """Whether a text is shown, wherever its lines end.

    >>> _stands_in("At B: cuts off", ["    At B:", "      cuts off"])
    True
    """
    return "".join(STYLE.finish(text).split()) in "".join("".join(lines).split())
