"""The outcome of grading a submission: which functions lose points, and what the
student's screen shows.
"""

import os
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from grader.bank.reading import load_bank
from grader.grading.diagnosis import Diagnosis
from grader.grading.session import grade
from grader.grading.sheet import ScoreSheet
from grader.kinds.kind import kind_of
from grader.showing.console import report
from grader.showing.style import Style
from grader.verdicts.verdict import Status, Verdict
from staff.progress import progress

LAST_LINES = 24  # lines of a terminal that students see without scrolling
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
    """A way in which a screen may show where a function goes wrong."""

    TRACE = "the first place where a search leaves the reference"
    ALONE = "that the call is right alone, so an earlier call leaves something behind"
    LINE = "the line of lab.py at which it failed"
    CALL = (
        "one call of a function that is no search, with what is expected beside what "
        "came back"
    )


@dataclass(frozen=True)
class Submission:
    """A lab.py to grade."""

    label: str  # its name in tables and messages
    text: str  # the text of the whole file
    functions: tuple[str, ...] = ()  # the functions that are incorrect


@dataclass(frozen=True)
class Outcome:
    """What the grader says about a submission."""

    submission: Submission
    lost: frozenset[str]  # the functions that lose points through a fault of their own
    waits: frozenset[str]  # the functions that wait for another one
    is_full: bool  # whether the submission has full marks
    is_named: bool  # whether the screen names a mistake of an incorrect function
    # The ways in which the screen shows where an incorrect function goes wrong.
    places: frozenset[Place]
    screen: str  # the last lines of its screen

    @property
    def is_caught(self) -> bool:
        """Whether an incorrect function loses points."""
        return not self.lost.isdisjoint(self.submission.functions)

    @property
    def spills(self) -> bool:
        """Whether a function loses points although the submission does not list it as
        incorrect.
        """
        return bool(self.lost - {*self.submission.functions})

    @property
    def makes_others_wait(self) -> bool:
        """Whether a correct function waits for another one."""
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
    """Grade submissions on all cores; return the outcomes in the order of the
    submissions.

    A line is printed for each submission that is done.
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
    """Grade a submission as `make test` does, and read the last lines of the report."""
    with tempfile.TemporaryDirectory() as folder:
        lab = Path(folder, "lab.py")
        lab.write_text(submission.text, "utf-8")
        sheet = grade(lab, load_bank())
    lines = report(sheet, False, STYLE).splitlines()[-LAST_LINES:]
    functions = submission.functions
    places: set[Place] = set()
    for function in functions:
        places.update(_places(sheet, function, lines))
    return Outcome(
        submission,
        lost=_functions_with(sheet, OWN_FAULT),
        waits=_functions_with(sheet, {Status.WAITS}),
        is_full=sheet.is_full,
        is_named=any(_is_named(sheet, function, lines) for function in functions),
        places=frozenset(places),
        screen="\n".join(lines),
    )


def _functions_with(sheet: ScoreSheet, statuses: set[Status]) -> frozenset[str]:
    """The functions that have a graded case with one of these statuses."""
    return frozenset(
        case.function for case in sheet.graded if sheet.verdict(case).status in statuses
    )


def _is_named(sheet: ScoreSheet, function: str, lines: Sequence[str]) -> bool:
    """Whether these lines name a known mistake of a function."""
    for mistake in sheet.diagnoses.get(function, NOTHING_KNOWN).names:
        for subject in (function, "it"):
            if _stands_in(f"{subject} {mistake.name}", lines):
                return True
    return False


def _places(sheet: ScoreSheet, function: str, lines: Sequence[str]) -> Iterator[Place]:
    """The ways in which these lines show where a function goes wrong."""
    known = sheet.diagnoses.get(function, NOTHING_KNOWN)
    first = f"{known.where}: yours {known.yours} expected {known.expected}"
    if known.where and _stands_in(first, lines):
        yield Place.TRACE
    if known.note and _stands_in(known.note, lines):
        yield Place.ALONE
    if sheet.import_failure and _stands_in(sheet.import_failure, lines):
        yield Place.LINE
    for case in sheet.graded:
        verdict = sheet.verdict(case)
        if case.function != function or verdict.passed:
            continue
        for line, name in verdict.frames[-1:]:
            if _stands_in(f"lab.py:{line}, in {name}", lines):
                yield Place.LINE
        if not kind_of(case.graded).most_traced and _shows_the_call(verdict, lines):
            yield Place.CALL


def _shows_the_call(verdict: Verdict, lines: Sequence[str]) -> bool:
    """Whether these lines show a call, with the expected result beside the student's.

    Only the first line of the call is looked for, because the screen shows the other
    lines with it.
    """
    cells = [cell for row in verdict.rows for cell in row]
    call = verdict.picture.partition("\n")[0]
    if not cells or not call:
        return False
    return all(_stands_in(text, lines) for text in [call, *cells])


def _stands_in(text: str, lines: Sequence[str]) -> bool:
    """Whether these lines show a text.  The line breaks of the text may differ.

    >>> _stands_in("At B: cuts off", ["    At B:", "      cuts off"])
    True
    """
    return "".join(STYLE.finish(text).split()) in "".join("".join(lines).split())
