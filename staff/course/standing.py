"""Which file counts for a student, and what comes of it: the one place that says so.

A file's lateness is known in one of four ways (Timing).  The best of several files is
found once all are graded; before that, several may count.
"""

import enum
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from fractions import Fraction

from grader.protocol.words import plural
from staff.course.course import Course
from staff.course.late import begun, penalty

GRADED, UNGRADED, REFUSED, MISSING, EXCUSED, LEFT = STATES = (
    "graded", "ungraded", "refused", "missing", "excused", "left",
)  # fmt: skip
UNKNOWN_TIME, TOTAL_BY_HAND = "time unknown", "the total is set by hand"
LATE_WITHOUT_TIME = "marked LATE, and the time is unknown"
SEVERAL = "several files, and nothing says which is the last"
SETTLE = "in grades/collected.csv, write `yes` into `counts` of the one that counts, or their times into `submitted`"
LATE = "LATE"  # what a system says of a file that came after its own due date
SAYS_LATE = ("Canvas",)  # the systems that say so of each late file, and name no times


class Timing(enum.Enum):
    """What is known of when a file was handed in."""

    KNOWN = "a time is known"
    BY_THE_SYSTEM = (
        "the system does not mark it as late, so its own due date has decided"
    )
    LATE_WITHOUT_TIME = "the system marks it as late, and nobody knows how late"
    UNKNOWN = "nothing is known"


@dataclass(frozen=True)
class Handed:
    """A file that was handed in, with what people have decided about it.

    `submitted` is None if nobody knows.  `ready` says that the file can be graded; if
    not, `reason` says why not.  `counts` is what a person decided: yes, no, or nothing.
    `number` orders files of one `family` whose times are unknown.  `found` is what its
    place says: the system, perhaps LATE, and perhaps a time.  `problems` are the ends
    of sentences about what a person should look at.  `note` is for the staff alone.
    `as_found` is the file without any decision.
    """

    source: str
    sha256: str
    submitted: datetime | None
    ready: bool = True
    reason: str = ""
    counts: str = ""
    family: str = ""
    number: int = 0
    students: tuple[str, ...] = ()
    size: int = 0
    found: str = ""
    problems: tuple[str, ...] = ()
    note: str = ""
    as_found: "Handed | None" = None

    @property
    def system(self) -> str:
        """The system that the file came from."""
        return self.found.split(", ")[0]

    @property
    def timing(self) -> Timing:
        """What is known of when the file was handed in."""
        if self.submitted is not None:
            return Timing.KNOWN
        if LATE in self.found.split(", "):
            return Timing.LATE_WITHOUT_TIME
        return Timing.BY_THE_SYSTEM if self.system in SAYS_LATE else Timing.UNKNOWN


@dataclass(frozen=True)
class Sum:
    """The points of a lab.py before lateness, scaled, and of each part.

    `ungraded` names the cases that have no verdict.
    """

    points: Fraction
    ungraded: tuple[str, ...] = ()
    parts: Mapping[int, Fraction] = field(default_factory=dict)


SumOf = Callable[[Handed], Sum]


@dataclass(frozen=True)
class Standing:
    """What a student has.

    `state` is one of STATES.  `handed` is the file that counts.  `begun` is the number
    of days or hours of lateness.  `raw` is the points before lateness, or the points so
    far if some are missing; `penalty` is what lateness costs.  `score` is None unless
    the student is graded.  `timing` is None if the time of the file plays no part.
    `notes` are what the student may read beside the state.  `by_hand` says that a
    person has set the score.  `unsettled` has the files of which nothing says which one
    counts.
    """

    student: str
    state: str
    handed: Handed | None = None
    begun: int = 0
    raw: Fraction | None = None
    penalty: Fraction = Fraction(0)
    score: Fraction | None = None
    timing: Timing | None = None
    notes: tuple[str, ...] = ()
    by_hand: bool = False
    unsettled: tuple[Handed, ...] = ()


def lateness(course: Course, student: str, handed: Handed) -> int:
    """The days or hours of lateness begun; 0 if the time is not known."""
    if handed.submitted is None:
        return 0
    return begun(
        handed.submitted, course.due_of(student), course.grace, course.late.unit
    )


def is_on_time(course: Course, student: str, handed: Handed) -> bool:
    """Whether a file is on time, as far as anybody knows."""
    return (
        handed.timing is not Timing.LATE_WITHOUT_TIME
        and lateness(course, student, handed) == 0
    )


def time_in_words(course: Course, now: "Standing") -> str:
    """How late what counts for a student is, as a group of students has it in
    common.
    """
    if now.begun:
        return course.late.note(now.begun)
    if course.late.by == "kit" and now.timing is Timing.UNKNOWN:
        return "no time known"
    if course.late.by == "kit" and now.timing is Timing.LATE_WITHOUT_TIME:
        return LATE_WITHOUT_TIME
    return "on time"


def by_student(files: Iterable[Handed]) -> dict[str, list[Handed]]:
    """What each student has handed in; an empty list for who has not."""
    files_of: dict[str, list[Handed]] = defaultdict(list)
    for file in files:
        for student in file.students:
            files_of[student].append(file)
    return files_of


def contenders(course: Course, student: str, handed: list[Handed]) -> list[Handed]:
    """Those of a student's files that may count, before anything is graded: none, one,
    or several.

    Several are what `best` chooses among, or files of which nothing says which is the
    last.
    """
    chosen = [file for file in handed if file.counts == "yes"]
    if chosen:
        return chosen
    allowed = [file for file in handed if file.counts != "no"]
    ready = [file for file in allowed if file.ready]
    in_time = [
        file for file in ready if lateness(course, student, file) <= course.late.most
    ]
    if in_time and course.counts == "best":
        return in_time
    if in_time and course.counts == "last on time":
        on_time = [file for file in in_time if is_on_time(course, student, file)]
        return latest(on_time or in_time)
    refused = [file for file in allowed if not file.ready]
    return latest(in_time or refused or ready)


def open_between(
    course: Course, student: str, handed: list[Handed]
) -> tuple[Handed, ...]:
    """The files of a student of which a person must say which one counts; none if that
    is clear, or the best does.
    """
    candidates = contenders(course, student, handed)
    is_open = (
        len(candidates) > 1
        and course.counts != "best"
        and all(file.ready for file in candidates)
    )
    return tuple(candidates) if is_open else ()


def with_files(student: str, files: Iterable[Handed]) -> str:
    """A student with files in brackets, for a line of several students."""
    return f"{student} ({', '.join(file.source for file in files)})"


def latest(files: list[Handed]) -> list[Handed]:
    """The last one; all that may be it if nothing says which."""
    times = [file.submitted for file in files if file.submitted]
    if times and len(times) == len(files):
        files = [file for file in files if file.submitted == max(times)]
    if len({file.family for file in files}) == 1:
        last = max(file.number for file in files)
        files = [file for file in files if file.number == last]
    return files


def why_not(course: Course, student: str, handed: list[Handed], file: Handed) -> str:
    """Why a file of a student's counts or does not count, as the end of a sentence that
    begins with the file.
    """
    if not file.ready:
        return f"does not count: refused ({file.reason or 'nobody wrote why'})"
    if student in course.left or student in course.excused:
        return f"does not count: {LEFT if student in course.left else EXCUSED}"
    candidates = contenders(course, student, handed)
    is_decided = any(each.counts == "yes" for each in handed)
    if file in candidates:
        if len(candidates) > 1:
            return (
                "may count: the best one will"
                if course.counts == "best"
                else f"may count: {SEVERAL}"
            )
        return "counts, as a person decided" if is_decided else "counts"
    if is_decided or file.counts == "no":
        return "does not count, as a person decided"
    if lateness(course, student, file) > course.late.most:
        return f"does not count: {course.late.note(lateness(course, student, file))}"
    if course.counts == "last on time" and not is_on_time(course, student, file):
        return "does not count: another file is on time"
    return "does not count: another file is the last one"


def standing(
    course: Course,
    student: str,
    handed: list[Handed],
    sum_of: SumOf,
    maximum: Fraction,
    total: Fraction | None = None,
) -> Standing:
    """What a student has, out of the files that are theirs (by_student).

    `sum_of` gives the points of a file; `maximum` is the most that can be had; `total`
    is the score that a person has set, which wins over all but having left.
    """
    if student in course.left:
        return Standing(student, LEFT, notes=(course.left[student],))
    found = _of_files(course, student, handed, sum_of, maximum)
    if total is not None:
        notes = (TOTAL_BY_HAND,)
        settled = replace(found, timing=None, notes=notes, by_hand=True, unsettled=())
        return replace(settled, state=GRADED, penalty=Fraction(0), score=total)
    if student in course.excused:
        return Standing(
            student, EXCUSED, found.handed, notes=(course.excused[student],)
        )
    return found


def _of_files(
    course: Course, student: str, handed: list[Handed], sum_of: SumOf, maximum: Fraction
) -> Standing:
    """What a student has by the files alone."""
    candidates = contenders(course, student, handed)
    if not candidates:
        return Standing(student, MISSING)
    if not all(file.ready for file in candidates):
        return Standing(
            student,
            REFUSED,
            candidates[0],
            notes=tuple(file.reason for file in candidates),
        )
    unsettled = open_between(course, student, handed)
    if unsettled:
        return Standing(student, UNGRADED, notes=(SEVERAL,), unsettled=unsettled)
    in_order = sorted(candidates, key=_when)
    scored = [
        _scored(course, student, file, sum_of(file), maximum) for file in in_order
    ]
    for one in scored:
        if (
            one.score is None
        ):  # nobody knows which is the best one as long as a score is open
            return one
    return max(scored, key=lambda one: one.score or 0)


def _when(handed: Handed) -> float:
    return handed.submitted.timestamp() if handed.submitted else math.inf


def _scored(
    course: Course, student: str, handed: Handed, points: Sum, maximum: Fraction
) -> Standing:
    """What a student has if this file counts."""
    units, timing = lateness(course, student, handed), handed.timing
    notes = []
    if units:
        notes.append(course.late.note(units))
    elif course.late.by == "kit" and timing is Timing.UNKNOWN:
        notes.append(UNKNOWN_TIME)
    elif course.late.by == "kit" and timing is Timing.LATE_WITHOUT_TIME:
        notes.append(LATE_WITHOUT_TIME)
    if points.ungraded:
        notes.append(f"no verdict on {plural(len(points.ungraded), 'case')}")
        return Standing(
            student,
            UNGRADED,
            handed,
            units,
            points.points,
            timing=timing,
            notes=tuple(notes),
        )
    costs = penalty(course.late, units, points.points, maximum)
    score = points.points - costs
    return Standing(
        student,
        GRADED,
        handed,
        units,
        points.points,
        costs,
        score,
        timing,
        tuple(notes),
    )
