"""Computes what summary.html shows: which students a person should look at, and how the
class answered.
"""

import hashlib
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from statistics import mean, median

from grader.bank.cases import Bank, Case
from grader.grading.diagnosis import ANSWERED
from grader.grading.sheet import ScoreSheet
from grader.showing.failing import NOTHING_KNOWN
from staff.course.standing import (
    GRADED,
    LEFT,
    MISSING,
    REFUSED,
    SETTLE,
    SEVERAL,
    Standing,
    Timing,
    with_files,
)
from staff.gradebook.book import Account

# If a student's share of the public points is larger than the share of the hidden
# points by at least this much, a person should look at the student.
FAR = Fraction(3, 10)
TENTHS = 10
Answers = tuple[tuple[str, str], ...]
"""Each case that is not passed, with a digest of the answer.  The digest may be
empty.
"""


@dataclass(frozen=True, slots=True)
class Wrong:
    """A case that a submission does not pass.

    This dataclass has slots, because a summary keeps many of its objects in memory.
    """

    case: str
    function: str
    hidden: bool
    lost: int  # how many hundredths of a point the submission lost
    answer: str  # a digest of the submission's answer; empty if there is no answer
    known: str  # the known mistakes that explain it, in words; empty if none does


@dataclass(frozen=True)
class Gleaned:
    """The part of an account that the summary needs.

    The score sheet itself is too large to keep for a whole class.
    """

    standing: Standing
    lab: str  # the SHA-256 of the submission; empty if none counts
    wrong: tuple[Wrong, ...]
    survey: dict[str, str]  # the answers; the key is the question
    has_no_import: bool  # whether lab.py cannot be imported
    # The share of the public points that was earned; None if there are none.
    public: Fraction | None
    # The share of the hidden points that was earned; None if there are none.
    hidden: Fraction | None


@dataclass(frozen=True)
class FailedCase:
    """A case that some student fails."""

    name: str
    students: int  # how many students fail it
    lost: Fraction  # how many points are lost on average
    points: Fraction  # how many points the case is worth


@dataclass(frozen=True)
class PartOfClass:
    """How the class did in a part of the assignment."""

    number: int
    title: str
    points: Fraction  # how many points the part is worth
    lost: Fraction  # how many points are lost on average
    cases: list[FailedCase]
    right: list[str]  # the ids of the cases that nobody fails


@dataclass(frozen=True)
class Group:
    """Students whose submissions have something in common."""

    function: str
    # The known mistake, or the id of the first case with the same wrong answer.  It is
    # empty for students who are wrong only in hidden cases.
    what: str
    students: tuple[str, ...]


@dataclass(frozen=True)
class Bar:
    """How many students have a score between two bounds."""

    low: Fraction
    high: Fraction | None  # scores below this bound count; None for the highest
    students: int


@dataclass(frozen=True)
class Summary:
    """All that summary.html shows of the class."""

    # The students that a person should look at; the key is the reason.
    look_at: dict[str, list[str]]
    states: dict[str, int]  # how many students are in each state
    mean: Fraction | None  # the mean of the scores; None if there are none
    median: Fraction | None
    bars: list[Bar]
    scored: int  # how many students have a score
    labs: int  # how many submissions count
    parts: list[PartOfClass]
    mistakes: list[Group]  # groups of students with the same known mistake
    # Groups of students with the same wrong answers, which no known mistake explains.
    alike: list[Group]
    hidden_only: list[Group]  # groups of students who are wrong only in hidden cases
    # The answers to the survey.  The key is the question.  Each answer comes after the
    # student who gave it.
    survey: dict[str, list[tuple[str, str]]]


def glean(account: Account) -> Gleaned:
    """The part of an account that the summary needs."""
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
    """The cases that a submission does not pass."""
    for case in sheet.graded:
        verdict = sheet.verdict(case)
        points = sheet.points(case)
        if verdict.passed:
            continue
        names = sheet.diagnoses.get(case.function, NOTHING_KNOWN).names
        answer = ""
        if verdict.status in ANSWERED:
            text = f"{verdict.message} {verdict.rows}"
            digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
            answer = sys.intern(digest)  # many students give the same answer
        lost = points.out_of - points.score
        known = sys.intern(" or it ".join(mistake.name for mistake in names))
        yield Wrong(case.id, case.function, case.hidden, lost, answer, known)


def _share(account: Account, hidden: bool) -> Fraction | None:
    """Return the share of the public points, or of the hidden points, that a student
    earned.

    Return None if there are no such points.
    """
    cases = [case for case in account.sheet.graded if case.hidden == hidden]
    out_of = sum(account.sheet.bank.worth(case) for case in cases)
    earned = sum(account.earned(account.sheet, case) for case in cases)
    return Fraction(earned, out_of) if out_of else None


def summary_of(class_: list[Gleaned], bank: Bank) -> Summary:
    """The summary of a class that was graded with these cases."""
    standings = [student.standing for student in class_]
    scores = [now.score for now in standings if now.score is not None]
    labs = [student for student in class_ if student.lab and _is_ready(student)]
    states = dict[str, int]()
    for state in sorted(now.state for now in standings):
        states[state] = states.get(state, 0) + 1
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


def _is_ready(student: Gleaned) -> bool:
    """Whether the file that counts for a student can be graded."""
    handed = student.standing.handed
    return handed is not None and handed.ready


def _has_no_import(student: Gleaned) -> bool:
    """Whether a student is graded, and the file that counts cannot be imported."""
    return student.has_no_import and student.standing.state == GRADED


def is_far_above(student: Gleaned) -> bool:
    """Whether a student earned a far larger share of the public than of the hidden
    points.

    The submission of such a student may hold a table of the public answers.
    """
    if student.public is None or student.hidden is None:
        return False
    return student.public - student.hidden >= FAR


def _is(state: str) -> Callable[[Gleaned], bool]:
    """Return a function that tests whether a student is in this state."""
    return lambda student: student.standing.state == state


def _has(timing: Timing) -> Callable[[Gleaned], bool]:
    """Return a function that tests whether the file that counts for a student has this
    Timing.
    """
    return lambda student: student.standing.timing is timing


REASONS: dict[str, Callable[[Gleaned], bool]] = {
    "refused": _is(REFUSED),
    f"{SEVERAL}: {SETTLE}": lambda student: bool(student.standing.unsettled),
    "ungraded": lambda student: student.standing.lacks_verdicts,
    "the file cannot be imported": _has_no_import,
    "0 points": lambda student: student.standing.score == 0,
    "far more public points than hidden ones": is_far_above,
    "marked LATE, time unknown": _has(Timing.LATE_WITHOUT_TIME),
    "no time known": _has(Timing.UNKNOWN),
    "missing": _is(MISSING),
    "left": _is(LEFT),
}
"""Reasons why a person should look at a student, each with a test."""


def look_at(class_: Iterable[Gleaned]) -> dict[str, list[str]]:
    """The students that a person should look at.  The key is the reason."""
    students_by_reason = dict[str, list[str]]()
    for reason, holds in REASONS.items():
        students = [_in_words(student.standing) for student in class_ if holds(student)]
        if students:
            students_by_reason[reason] = students
    return students_by_reason


def _in_words(now: Standing) -> str:
    """Return the id of a student.

    If a person must say which of the student's files counts, the names of these files
    follow.
    """
    if not now.unsettled:
        return now.student
    return with_files(now.student, now.unsettled)


def _bars(scores: list[Fraction], maximum: Fraction) -> list[Bar]:
    """The bars of a histogram: how many scores are in each tenth of the maximum.

    The highest tenth comes first.  It also has the scores above the maximum.
    """
    bars = []
    for tenth in reversed(range(TENTHS)):
        low = maximum * tenth / TENTHS
        high = None
        if tenth < TENTHS - 1:
            high = maximum * (tenth + 1) / TENTHS
        within = [
            score for score in scores if low <= score and (high is None or score < high)
        ]
        bars.append(Bar(low, high, len(within)))
    return bars


def _parts(class_: Iterable[Gleaned], bank: Bank, labs: int) -> list[PartOfClass]:
    """Return how the class did in each part.

    Averages are over all of the `labs` submissions.
    """
    lost: dict[str, list[int]] = defaultdict(list)
    for student in class_:
        for wrong in student.wrong:
            lost[wrong.case].append(wrong.lost)
    parts = []
    for part in bank.parts:
        failed = []
        right = []
        for case in bank.cases:
            if case.part != part.number or case.advice:
                continue
            if case.id in lost:
                failed.append(_failed_case(case, lost[case.id], bank, labs))
            else:
                right.append(case.id)
        of_part = sum((case.lost for case in failed), Fraction(0))
        points = Fraction(part.points, 100)
        parts.append(
            PartOfClass(part.number, part.title, points, of_part, failed, right)
        )
    return parts


def _failed_case(case: Case, lost: list[int], bank: Bank, labs: int) -> FailedCase:
    """Count how many students failed a case, and average how many points were lost.

    `lost` has the hundredths of a point that each of these students lost.  The average
    is over `labs` submissions.
    """
    name = case.id
    if case.hidden:
        name += " (hidden)"
    if case.void:
        name += " (void)"
    average = Fraction(sum(lost), 100 * labs)
    return FailedCase(name, len(lost), average, Fraction(bank.worth(case), 100))


def _mistakes(class_: Iterable[Gleaned]) -> list[Group]:
    """The groups of students who make the same known mistake, the largest group
    first.
    """
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
    """Group students who give the same wrong answers to the cases of a function,
    although they did not all hand in the same file.

    Answers that a known mistake explains are left out.  The largest group comes first.
    """
    together: dict[tuple[str, Answers], list[Gleaned]] = defaultdict(list)
    for student in class_:
        for function, own in _by_function(student).items():
            answers = tuple((wrong.case, wrong.answer) for wrong in own)
            if not own[0].known and any(answer for _, answer in answers):
                together[function, answers].append(student)
    groups = []
    for (function, answers), students in together.items():
        if len({student.lab for student in students}) > 1:
            first_case, _ = answers[0]
            who = tuple(student.standing.student for student in students)
            groups.append(Group(function, first_case, who))
    return _by_size(groups)


def _hidden_only(class_: Iterable[Gleaned]) -> list[Group]:
    """Group students by a function of which they fail only hidden cases."""
    who: dict[str, list[str]] = defaultdict(list)
    for student in class_:
        for function, own in _by_function(student).items():
            if all(wrong.hidden for wrong in own):
                who[function].append(student.standing.student)
    return [Group(function, "", tuple(who[function])) for function in sorted(who)]


def _by_function(student: Gleaned) -> dict[str, list[Wrong]]:
    """The cases that a student's submission does not pass.  The key is the function.

    The cases of a function are in the order of their names.
    """
    functions: dict[str, list[Wrong]] = defaultdict(list)
    for wrong in sorted(student.wrong, key=lambda wrong: wrong.case):
        functions[wrong.function].append(wrong)
    return functions


def _by_size(groups: Iterable[Group]) -> list[Group]:
    """Order the groups by their size, the largest first."""
    return sorted(
        groups, key=lambda group: (-len(group.students), group.function, group.what)
    )


def _survey(class_: Iterable[Gleaned]) -> dict[str, list[tuple[str, str]]]:
    """The answers to the survey.  The key is the question.

    Each answer comes after the student who gave it.
    """
    answers: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for student in class_:
        for question, answer in student.survey.items():
            answers[question].append((student.standing.student, answer))
    return dict(answers)
