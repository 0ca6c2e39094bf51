"""Decides which file of a student counts, and which score the student has.

No other module decides this.  Timing lists what may be known of the time of a file.  If
the best of several files counts, nobody knows which one is the best until all of them
are graded.  Until then, several files may count.
"""

import enum
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from fractions import Fraction

from grader.protocol.text import plural
from staff.course.course import Course
from staff.course.late import begun, penalty

GRADED = "graded"
UNGRADED = "ungraded"
REFUSED = "refused"
MISSING = "missing"
EXCUSED = "excused"
LEFT = "left"
UNKNOWN_TIME = "time unknown"
TOTAL_BY_HAND = "the total is set by hand"
LATE_WITHOUT_TIME = "marked LATE, and the time is unknown"
SEVERAL = "several files, and nothing says which is the last"
SETTLE = (
    "in grades/collected.csv, write `yes` into `counts` of the one that counts, or "
    "their times into `submitted`"
)
# If a file came after the system's own due date, the system marks the file with this
# word.
LATE = "LATE"
# The systems that say LATE about each late file, and export no times.
SAYS_LATE = ("Canvas",)


class Timing(enum.Enum):
    """What is known of the time at which a file was handed in."""

    KNOWN = "a time is known"
    BY_THE_SYSTEM = (
        "the system does not mark it as late, so its own due date has decided"
    )
    LATE_WITHOUT_TIME = "the system marks it as late, and nobody knows how late"
    UNKNOWN = "nothing is known"


@dataclass(frozen=True)
class Handed:
    """A file that was handed in, with what people have decided about it."""

    source: str  # the name under which the store keeps the file
    sha256: str  # the digest of the file; empty if the store keeps nothing of it
    submitted: datetime | None  # when it was handed in; None if nobody knows
    ready: bool = True  # whether it can be graded
    reason: str = ""  # why it cannot be graded
    counts: str = ""  # what a person decided: yes or no; empty if nobody has decided
    # The kit may know in which order some files came, even without their times.  Such
    # files have the same `family`, and a later file has a higher `number`.
    family: str = ""
    number: int = 0
    students: tuple[str, ...] = ()  # the ids of the students who handed it in
    size: int = 0  # in bytes
    # What the kit found out in the downloads and in the roster: the system, and perhaps
    # LATE or a time.
    found: str = ""
    # Problems that a person should look at, in words.
    problems: tuple[str, ...] = ()
    note: str = ""  # a note that only the staff read
    as_found: "Handed | None" = None  # the same file without any decision of a person

    @property
    def system(self) -> str:
        """The system that the file came from."""
        return self.found.split(", ")[0]

    @property
    def timing(self) -> Timing:
        """What is known of the time at which the file was handed in."""
        if self.submitted is not None:
            return Timing.KNOWN
        if LATE in self.found.split(", "):
            return Timing.LATE_WITHOUT_TIME
        if self.system in SAYS_LATE:
            return Timing.BY_THE_SYSTEM
        return Timing.UNKNOWN


@dataclass(frozen=True)
class Sum:
    """The points of a submission before lateness, as the course scales them."""

    points: Fraction
    ungraded: tuple[str, ...] = ()  # the ids of the cases without a verdict
    # The points of each part.  The key is the number of the part.
    parts: Mapping[int, Fraction] = field(default_factory=dict)


SumOf = Callable[[Handed], Sum]


@dataclass(frozen=True)
class Standing:
    """What a student has: a state, a file that counts, and a score."""

    student: str  # the id of the student
    state: str  # graded, ungraded, refused, missing, excused or left
    handed: Handed | None = None  # the file that counts
    begun: int = 0  # how many days or hours late the file is
    # The points before lateness.  If some cases have no verdict yet, these are only the
    # points of the other cases.
    raw: Fraction | None = None
    penalty: Fraction = Fraction(0)  # the points that lateness costs
    # The points that the student gets, after lateness; None unless the student is
    # graded.
    score: Fraction | None = None
    # What is known of the time at which the file was handed in; None if the time does
    # not matter.
    timing: Timing | None = None
    notes: tuple[str, ...] = ()  # notes on the state, which the student may read
    by_hand: bool = False  # whether a person has set the score
    # Files among which a person must say which one counts.
    unsettled: tuple[Handed, ...] = ()

    @property
    def lacks_verdicts(self) -> bool:
        """Whether the student is ungraded because some cases have no verdict.

        A student is also ungraded if nobody knows which file counts.
        """
        return self.state == UNGRADED and not self.unsettled


def lateness(course: Course, student: str, handed: Handed) -> int:
    """Return how many days or hours late a file is; 0 if the time is not known.

    A day or hour counts as soon as it has begun.
    """
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
    """Say whether the file of a student is late, and how late, if that is known.

    Students whose files are equally late get the same words.  So a command can group
    these students.
    """
    if now.begun:
        return course.late.note(now.begun)
    if course.late.by == "kit" and now.timing is Timing.UNKNOWN:
        return "no time known"
    if course.late.by == "kit" and now.timing is Timing.LATE_WITHOUT_TIME:
        return LATE_WITHOUT_TIME
    return "on time"


def by_student(files: Iterable[Handed]) -> dict[str, list[Handed]]:
    """Return the files of each student.  The key is the id of the student.

    For the id of a student without files, the dictionary makes an empty list.
    """
    files_of: dict[str, list[Handed]] = defaultdict(list)
    for file in files:
        for student in file.students:
            files_of[student].append(file)
    return files_of


def contenders(course: Course, student: str, handed: list[Handed]) -> list[Handed]:
    """Return the files of a student that may count, before anything is graded.

    There may be several if the best one counts, if nothing says which one is the last,
    or if a person wrote `yes` for several.
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
    """Return the files of which a person must choose the one that counts.

    There are no such files if it is clear which file counts, if the best one counts, or
    if one of the files cannot be graded.
    """
    candidates = contenders(course, student, handed)
    is_open = (
        len(candidates) > 1
        and course.counts != "best"
        and all(file.ready for file in candidates)
    )
    return tuple(candidates) if is_open else ()


def with_files(student: str, files: Iterable[Handed]) -> str:
    """Write the id of a student, followed by the names of the files in brackets."""
    return f"{student} ({', '.join(file.source for file in files)})"


def latest(files: list[Handed]) -> list[Handed]:
    """Return the last one of these files, in a list.

    If nothing decides which file is the last, the list has every file that may be the
    last.
    """
    times = [file.submitted for file in files if file.submitted]
    if times and len(times) == len(files):
        files = [file for file in files if file.submitted == max(times)]
    if len({file.family for file in files}) == 1:
        last = max(file.number for file in files)
        files = [file for file in files if file.number == last]
    return files


def why_not(course: Course, student: str, handed: list[Handed], file: Handed) -> str:
    """Say why a file of a student counts, or why not.

    The text is the end of a sentence that begins with the file.
    """
    if not file.ready:
        return f"does not count: refused ({file.reason or 'nobody wrote why'})"
    if student in course.left:
        return f"does not count: {LEFT}"
    if student in course.excused:
        return f"does not count: {EXCUSED}"
    candidates = contenders(course, student, handed)
    is_decided = any(decided.counts == "yes" for decided in handed)
    if file in candidates:
        return _why_it_counts(course, candidates, is_decided)
    if is_decided or file.counts == "no":
        return "does not count, as a person decided"
    units = lateness(course, student, file)
    if units > course.late.most:
        return f"does not count: {course.late.note(units)}"
    if course.counts == "last on time" and not is_on_time(course, student, file):
        return "does not count: another file is on time"
    return "does not count: another file is the last one"


def _why_it_counts(course: Course, candidates: list[Handed], is_decided: bool) -> str:
    """Say why one of these files counts, or may count."""
    if len(candidates) == 1:
        return "counts, as a person decided" if is_decided else "counts"
    if course.counts == "best":
        return "may count: the best one will"
    return f"may count: {SEVERAL}"


def standing(
    course: Course,
    student: str,
    handed: list[Handed],
    sum_of: SumOf,
    maximum: Fraction,
    total: Fraction | None = None,
) -> Standing:
    """Decide which file of a student counts, and which state and score the student has.

    `handed` are the files of the student, and `sum_of` gives the points of a file.
    `maximum` is the most that a student can have.  `total` is the score that a person
    has set by hand; None if nobody has.  If there is a `total`, it is the score, unless
    the student has left the class.
    """
    if student in course.left:
        return Standing(student, LEFT, notes=(course.left[student],))
    by_files = _of_files(course, student, handed, sum_of, maximum)
    if total is not None:
        return replace(
            by_files,
            state=GRADED,
            penalty=Fraction(0),
            score=total,
            timing=None,
            notes=(TOTAL_BY_HAND,),
            by_hand=True,
            unsettled=(),
        )
    if student in course.excused:
        notes = (course.excused[student],)
        return Standing(student, EXCUSED, by_files.handed, notes=notes)
    return by_files


def _of_files(
    course: Course, student: str, handed: list[Handed], sum_of: SumOf, maximum: Fraction
) -> Standing:
    """Decide which state and score a student has, from the files alone.

    The decision does not depend on a total that was set by hand, or on whether the
    student is excused or has left the class.
    """
    candidates = contenders(course, student, handed)
    if not candidates:
        return Standing(student, MISSING)
    if not all(file.ready for file in candidates):
        reasons = tuple(file.reason for file in candidates)
        return Standing(student, REFUSED, candidates[0], notes=reasons)
    unsettled = open_between(course, student, handed)
    if unsettled:
        return Standing(student, UNGRADED, notes=(SEVERAL,), unsettled=unsettled)
    scored = []
    for file in sorted(candidates, key=_when):
        now = _scored(course, student, file, sum_of(file), maximum)
        scored.append(now)
    # As long as one file has no score, nobody knows which file is the best one.
    for now in scored:
        if now.score is None:
            return now
    return max(scored, key=lambda now: now.score or 0)


def _when(handed: Handed) -> float:
    """Return a sort key for files: the time at which a file was handed in.

    Files without a time come last.
    """
    return handed.submitted.timestamp() if handed.submitted else math.inf


def _scored(
    course: Course, student: str, handed: Handed, points: Sum, maximum: Fraction
) -> Standing:
    """Return the Standing that a student has if this file counts."""
    units = lateness(course, student, handed)
    notes = _notes_on_time(course, handed, units)
    now = Standing(
        student,
        UNGRADED,
        handed,
        begun=units,
        raw=points.points,
        timing=handed.timing,
    )
    if points.ungraded:
        notes.append(f"no verdict on {plural(len(points.ungraded), 'case')}")
        return replace(now, notes=tuple(notes))
    costs = penalty(course.late, units, points.points, maximum)
    score = points.points - costs
    return replace(now, state=GRADED, penalty=costs, score=score, notes=tuple(notes))


def _notes_on_time(course: Course, handed: Handed, units: int) -> list[str]:
    """Return the notes for a student about the time of a file."""
    if units:
        return [course.late.note(units)]
    if course.late.by != "kit":
        return []
    if handed.timing is Timing.UNKNOWN:
        return [UNKNOWN_TIME]
    if handed.timing is Timing.LATE_WITHOUT_TIME:
        return [LATE_WITHOUT_TIME]
    return []
