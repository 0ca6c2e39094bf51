"""Which submission counts for a student, and what comes of it: the one place that says so."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from fractions import Fraction

from staff.course.course import Course
from staff.course.late import begun, penalty

GRADED, UNGRADED, REFUSED, MISSING, EXCUSED = STATES = ("graded", "ungraded", "refused", "missing", "excused")
UNKNOWN_TIME, TOTAL_BY_HAND = "time unknown", "the total is set by hand"


@dataclass(frozen=True)
class Handed:
    """A file that was handed in, with what people have decided about it.

    `submitted` is None if nobody knows; `ready` says that it can be graded, else `reason` says why not; `counts` is
    what a person decided: yes, no, or nothing.  `number` orders those of one `family` whose times are unknown.
    `found` is what its place says, and `problems` what a person should look at, as the ends of sentences.
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

    `state` is one of STATES; `raw` the points before lateness, also so far if some are missing; `penalty` what lateness
    costs; `score` None unless graded; `begun` the days or hours of lateness; `notes` what a person should know.
    """

    student: str
    state: str
    handed: Handed | None = None
    begun: int = 0
    raw: Fraction | None = None
    penalty: Fraction = Fraction(0)
    score: Fraction | None = None
    notes: tuple[str, ...] = ()


def lateness(course: Course, student: str, handed: Handed) -> int:
    """The days or hours of lateness begun; 0 if the time is not known."""
    if handed.submitted is None:
        return 0
    return begun(handed.submitted, course.due_of(student), course.grace, course.late.unit)


def by_student(files: Iterable[Handed]) -> dict[str, list[Handed]]:
    """What each student has handed in; an empty list for who has not."""
    found: dict[str, list[Handed]] = defaultdict(list)
    for one in files:
        for student in one.students:
            found[student].append(one)
    return found


def contenders(course: Course, student: str, handed: list[Handed]) -> list[Handed]:
    """Those of a student's files that may count, before anything is graded: none, one, or several.

    Several are what `best` chooses among, or files of which nothing says which is the last.
    """
    if decided := [one for one in handed if one.counts == "yes"]:
        return decided
    left = [one for one in handed if one.counts != "no"]
    late = {one: lateness(course, student, one) for one in left}
    ready = [one for one in left if one.ready]
    in_time = [one for one in ready if late[one] <= course.late.most]
    pool = in_time or [one for one in left if not one.ready] or ready
    if course.counts == "best" and in_time:
        return in_time
    on_time = [one for one in pool if not late[one]] if course.counts == "last on time" else []
    return _latest(on_time or pool)


def _latest(pool: list[Handed]) -> list[Handed]:
    """The last one; all that may be it if nothing says which."""
    times = [one.submitted for one in pool if one.submitted]
    if times and len(times) == len(pool):
        pool = [one for one in pool if one.submitted == max(times)]
    if len({one.family for one in pool}) == 1:
        last = max(one.number for one in pool)
        pool = [one for one in pool if one.number == last]
    return pool


def standing(
    course: Course, student: str, handed: list[Handed], sum_of: SumOf, maximum: Fraction, total: Fraction | None = None
) -> Standing:
    """What a student has, out of the files that are theirs (by_student).

    `sum_of` gives the points of a file; `maximum` is the most that can be had; `total` is the score that a person has
    set, which wins over all.
    """
    found = _found(course, student, handed, sum_of, maximum)
    if total is not None:
        return replace(found, state=GRADED, penalty=Fraction(0), score=total, notes=(TOTAL_BY_HAND,))
    if student in course.excused:
        return Standing(student, EXCUSED, found.handed, notes=(course.excused[student],))
    return found


def _found(course: Course, student: str, handed: list[Handed], sum_of: SumOf, maximum: Fraction) -> Standing:
    pool = contenders(course, student, handed)
    if not pool:
        return Standing(student, MISSING)
    if not all(one.ready for one in pool):
        return Standing(student, REFUSED, pool[0], notes=tuple(one.reason for one in pool))
    if len(pool) > 1 and course.counts != "best":
        return Standing(student, UNGRADED, notes=("several files, and nothing says which is the last",))
    scored = [_scored(course, student, one, sum_of(one), maximum) for one in sorted(pool, key=_when)]
    return next((one for one in scored if one.score is None), max(scored, key=lambda one: one.score or 0))


def _when(handed: Handed) -> float:
    return handed.submitted.timestamp() if handed.submitted else math.inf


def _scored(course: Course, student: str, handed: Handed, found: Sum, maximum: Fraction) -> Standing:
    units = lateness(course, student, handed)
    notes = [UNKNOWN_TIME] if handed.submitted is None else [course.late.note(units)] if units else []
    if found.ungraded:
        notes.append(f"no verdict on {', '.join(found.ungraded)}")
        return Standing(student, UNGRADED, handed, units, found.points, notes=tuple(notes))
    costs = penalty(course.late, units, found.points, maximum)
    return Standing(student, GRADED, handed, units, found.points, costs, found.points - costs, tuple(notes))
