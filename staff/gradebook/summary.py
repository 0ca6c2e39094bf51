"""The numbers of summary.html: what a person should look at, and what the class has
answered.
"""

import hashlib
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from statistics import mean, median

from grader.bank.cases import Bank, Case
from grader.diagnosing.diagnosis import ANSWERED
from grader.grading.sheet import ScoreSheet
from grader.showing.failing import NOTHING_KNOWN
from staff.course.standing import (
    GRADED,
    LEFT,
    MISSING,
    REFUSED,
    SETTLE,
    SEVERAL,
    UNGRADED,
    Standing,
    Timing,
    with_files,
)
from staff.gradebook.book import Account

FAR = Fraction(3, 10)  # of the points: so much further is no accident
TENTHS = 10


@dataclass(frozen=True, slots=True)
class Wrong:
    """A case that a student's file does not pass: without a __dict__, as a class has
    many.

    `lost` is hundredths of a point.  `answer` is a digest of what the file answers,
    empty if it gives no answer.  `known` is what the known mistake does, if one fits.
    """

    case: str
    function: str
    hidden: bool
    lost: int
    answer: str
    known: str


@dataclass(frozen=True)
class Gleaned:
    """What the summary needs of a student; the sheet itself is too large to keep for a
    whole class.

    `public` and `hidden` are the shares of these points that were earned, None if there
    are none.
    """

    standing: Standing
    lab: str
    wrong: tuple[Wrong, ...]
    survey: dict[str, str]
    has_no_import: bool
    public: Fraction | None
    hidden: Fraction | None


@dataclass(frozen=True)
class FailedCase:
    """A case that somebody fails: how many do, and the points that are lost on average,
    of so many.
    """

    name: str
    students: int
    lost: Fraction
    points: Fraction


@dataclass(frozen=True)
class PartOfClass:
    """A part of the lab: the points lost on average, the cases that somebody fails, and
    the others.
    """

    number: int
    title: str
    points: Fraction
    lost: Fraction
    cases: list[FailedCase]
    right: list[str]


@dataclass(frozen=True)
class Group:
    """Students who have something in common: a function, and what it does, or the first
    case where they show it.
    """

    function: str
    what: str
    students: tuple[str, ...]


@dataclass(frozen=True)
class Bar:
    """How many students have so many points."""

    low: Fraction
    high: Fraction | None
    students: int


@dataclass(frozen=True)
class Summary:
    """All that summary.html shows of the class; `scored` students have a score, and
    `labs` files count.
    """

    look_at: dict[str, list[str]]
    states: dict[str, int]
    mean: Fraction | None
    median: Fraction | None
    bars: list[Bar]
    scored: int
    labs: int
    parts: list[PartOfClass]
    mistakes: list[Group]
    alike: list[Group]
    hidden_only: list[Group]
    survey: dict[str, list[tuple[str, str]]]


def glean(account: Account) -> Gleaned:
    """What the summary needs of a student."""
    sheet = account.sheet
    return Gleaned(
        standing=account.now,
        lab=account.lab,
        wrong=tuple(_wrong(sheet)),
        survey=dict(sheet.survey or {}),
        has_no_import=bool(sheet.import_failure),
        public=_share(account, hidden=False),
        hidden=_share(account, hidden=True),
    )


def _wrong(sheet: ScoreSheet) -> Iterable[Wrong]:
    for case in sheet.graded:
        verdict, points = sheet.verdict(case), sheet.points(case)
        if verdict.passed:
            continue
        names = sheet.diagnoses.get(case.function, NOTHING_KNOWN).names
        answer = ""
        if verdict.status in ANSWERED:
            digest = hashlib.sha256(
                f"{verdict.message} {verdict.rows}".encode("utf-8", "replace")
            ).hexdigest()
            answer = sys.intern(digest)  # many students answer alike
        lost = points.out_of - points.score
        known = sys.intern(" or it ".join(each.name for each in names))
        yield Wrong(case.id, case.function, case.hidden, lost, answer, known)


def _share(account: Account, hidden: bool) -> Fraction | None:
    """The share of the points of public or of hidden cases that was earned; None if
    there are no such points.
    """
    cases = [case for case in account.sheet.graded if case.hidden == hidden]
    out_of = sum(account.sheet.bank.worth(case) for case in cases)
    earned = sum(account.earned(account.sheet, case) for case in cases)
    return Fraction(earned, out_of) if out_of else None


def summary_of(class_: list[Gleaned], bank: Bank) -> Summary:
    """The summary of a class that was graded with these cases."""
    scores = [each.standing.score for each in class_ if each.standing.score is not None]
    labs = [
        each
        for each in class_
        if each.lab and each.standing.handed and each.standing.handed.ready
    ]
    states = dict[str, int]()
    for each in sorted(class_, key=lambda each: each.standing.state):
        states[each.standing.state] = states.get(each.standing.state, 0) + 1
    return Summary(
        look_at=look_at(class_),
        states=states,
        mean=mean(scores) if scores else None,
        median=median(scores) if scores else None,
        bars=_bars(scores, Fraction(sum(part.points for part in bank.parts), 100)),
        scored=len(scores),
        labs=len(labs),
        parts=_parts(class_, bank, len(labs)),
        mistakes=_mistakes(class_),
        alike=_alike(class_),
        hidden_only=_hidden_only(class_),
        survey=_survey(class_),
    )


def is_far_above(student: Gleaned) -> bool:
    """Whether somebody has a far larger share of the public points than of the hidden
    ones: a table of answers?
    """
    if student.public is None or student.hidden is None:
        return False
    return student.public - student.hidden >= FAR


REASONS: dict[str, Callable[[Gleaned], bool]] = {
    "refused": lambda each: each.standing.state == REFUSED,
    f"{SEVERAL}: {SETTLE}": lambda each: bool(each.standing.unsettled),
    "ungraded": lambda each: (
        each.standing.state == UNGRADED and not each.standing.unsettled
    ),
    "the file cannot be imported": lambda each: (
        each.has_no_import and each.standing.state == GRADED
    ),
    "0 points": lambda each: each.standing.score == 0,
    "far more public points than hidden ones": is_far_above,
    "marked LATE, time unknown": lambda each: (
        each.standing.timing is Timing.LATE_WITHOUT_TIME
    ),
    "no time known": lambda each: each.standing.timing is Timing.UNKNOWN,
    "missing": lambda each: each.standing.state == MISSING,
    "left": lambda each: each.standing.state == LEFT,
}
"""Why a person should look at a student."""


def look_at(class_: Iterable[Gleaned]) -> dict[str, list[str]]:
    """The students at whom a person should look, by why; with the files of which
    nothing says which one counts.
    """
    found = dict[str, list[str]]()
    for reason, holds in REASONS.items():
        students = [_in_words(each.standing) for each in class_ if holds(each)]
        if students:
            found[reason] = students
    return found


def _in_words(now: Standing) -> str:
    """A student, with the files of which nothing says which one counts."""
    return with_files(now.student, now.unsettled) if now.unsettled else now.student


def _bars(scores: list[Fraction], maximum: Fraction) -> list[Bar]:
    """The scores by tenths of the maximum, the highest first; what is above it belongs
    to the last tenth.
    """
    bars = []
    for tenth in reversed(range(TENTHS)):
        low = maximum * tenth / TENTHS
        high = maximum * (tenth + 1) / TENTHS if tenth < TENTHS - 1 else None
        bars.append(
            Bar(
                low,
                high,
                sum(
                    low <= score and (high is None or score < high) for score in scores
                ),
            )
        )
    return bars


def _parts(class_: Iterable[Gleaned], bank: Bank, labs: int) -> list[PartOfClass]:
    """Each part, with what is lost in it on average over so many files."""
    lost: dict[str, list[int]] = defaultdict(list)
    for student in class_:
        for wrong in student.wrong:
            lost[wrong.case].append(wrong.lost)
    parts = []
    for part in bank.parts:
        cases = [
            case for case in bank.cases if case.part == part.number and not case.advice
        ]
        failed = [
            _failed_case(case, lost[case.id], bank, labs)
            for case in cases
            if case.id in lost
        ]
        of_part = sum((case.lost for case in failed), Fraction(0))
        right = [case.id for case in cases if case.id not in lost]
        parts.append(
            PartOfClass(
                part.number,
                part.title,
                Fraction(part.points, 100),
                of_part,
                failed,
                right,
            )
        )
    return parts


def _failed_case(case: Case, lost: list[int], bank: Bank, labs: int) -> FailedCase:
    """A case in which these hundredths were lost, each by another student."""
    name = (
        f"{case.id}{' (hidden)' if case.hidden else ''}{' (void)' if case.void else ''}"
    )
    return FailedCase(
        name,
        len(lost),
        Fraction(sum(lost), 100 * labs),
        Fraction(bank.worth(case), 100),
    )


def _mistakes(class_: Iterable[Gleaned]) -> list[Group]:
    """The known mistakes, with who makes them; the most frequent one first."""
    who: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for student in class_:
        for wrong in student.wrong:
            if wrong.known:
                who[wrong.function, wrong.known][student.standing.student] = None
    return _by_size(
        Group(function, known, tuple(students))
        for (function, known), students in who.items()
    )


def _alike(class_: Iterable[Gleaned]) -> list[Group]:
    """Students with different files that answer alike wherever they fail in a function,
    and no known mistake fits.
    """
    together: dict[tuple[str, tuple[tuple[str, str], ...]], list[Gleaned]] = (
        defaultdict(list)
    )
    for student in class_:
        for function, own in _by_function(student).items():
            answers = tuple((wrong.case, wrong.answer) for wrong in own)
            if not own[0].known and any(answer for _, answer in answers):
                together[function, answers].append(student)
    groups = []
    for (function, answers), students in together.items():
        if len({student.lab for student in students}) > 1:
            groups.append(
                Group(
                    function,
                    answers[0][0],
                    tuple(each.standing.student for each in students),
                )
            )
    return _by_size(groups)


def _hidden_only(class_: Iterable[Gleaned]) -> list[Group]:
    """By function, who is right in every public case and wrong in a hidden one."""
    who: dict[str, list[str]] = defaultdict(list)
    for student in class_:
        for function, own in _by_function(student).items():
            if all(wrong.hidden for wrong in own):
                who[function].append(student.standing.student)
    return [Group(function, "", tuple(who[function])) for function in sorted(who)]


def _by_function(student: Gleaned) -> dict[str, list[Wrong]]:
    """The cases that a student's file does not pass, by function, in the order of their
    names.
    """
    functions: dict[str, list[Wrong]] = defaultdict(list)
    for wrong in sorted(student.wrong, key=lambda wrong: wrong.case):
        functions[wrong.function].append(wrong)
    return functions


def _by_size(groups: Iterable[Group]) -> list[Group]:
    return sorted(
        groups, key=lambda group: (-len(group.students), group.function, group.what)
    )


def _survey(class_: Iterable[Gleaned]) -> dict[str, list[tuple[str, str]]]:
    """For each question of the survey who has answered what."""
    answers: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for student in class_:
        for question, answer in student.survey.items():
            answers[question].append((student.standing.student, answer))
    return dict(answers)
