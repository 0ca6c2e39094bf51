"""The grades of a class: the verdicts of the store added up, with voids, changes by
hand and lateness.

Everything that is printed, exported or published asks here.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from grader.bank.cases import Bank, Case
from grader.grading.sheet import ScoreSheet
from grader.judging.verdict import Status, Verdict
from grader.refusal import Refusal, like
from staff.course import Course, read_course
from staff.course.standing import (
    GRADED,
    Handed,
    Standing,
    Sum,
    by_student,
    contenders,
    standing,
    why_not,
)
from staff.gradebook import publications
from staff.gradebook.collected import FORM, handed_in, take_edits
from staff.gradebook.digests import digests
from staff.gradebook.hand import TOTAL, Change, Changes, read_hand
from staff.gradebook.kit_process import known_of, verdict_of
from staff.gradebook.roster import Roster, Student, kept_roster, names_ever
from staff.gradebook.store import GRADES, Store
from staff.release.shares import course_bank
from staff.testing import checked

NOBODY_HAS: dict[str, Any] = {"fault": "Nobody has graded this yet."}
GONE = "not on the roster any more"
NO_SHEET = ScoreSheet(Bank((), ()), {}, b"")


@dataclass(frozen=True)
class Book:
    """A class: its course, its cases, its roster, what each student has handed in, and
    what was changed by hand.

    `students` are those on the roster, and those who have left.
    """

    store: Store
    course: Course
    bank: Bank
    roster: Roster
    students: dict[str, Student]
    files: dict[str, list[Handed]]
    changes: Changes

    @cached_property
    def maximum(self) -> Fraction:
        """The points that can be had."""
        return Fraction(sum(part.points for part in self.bank.parts), 100)

    def to_grade(self, student: str) -> list[Handed]:
        """Those of a student's files that may count, and that can be graded."""
        if student in self.course.left:
            return []
        return [
            file
            for file in contenders(self.course, student, self.files[student])
            if file.ready
        ]

    def source(self, sha256: str) -> bytes:
        """The bytes of a lab.py."""
        return bytes(
            self.store.db.execute(
                "SELECT bytes FROM lab WHERE sha256 = ?", (sha256,)
            ).fetchone()[0]
        )

    def verdicts(self, sha256: str) -> Iterator[tuple[str, str, dict[str, Any] | None]]:
        """For each function with cases its digest, and what is stored of this lab.py;
        None if nothing is.
        """
        query = (
            "SELECT cases FROM verdict WHERE lab = ? AND function = ? AND digest = ?"
        )
        for function, digest in digests(self.bank, self.source(sha256)).items():
            found = self.store.db.execute(query, (sha256, function, digest)).fetchone()
            yield function, digest, json.loads(found[0]) if found else None

    def sheet(self, sha256: str) -> ScoreSheet:
        """The score sheet of a lab.py, with what hidden cases say; a function without
        verdicts is ungraded.
        """
        verdicts, known, survey = dict[str, Verdict](), {}, None
        for function, _, stored in self.verdicts(sha256):
            data = stored or NOBODY_HAS
            if "fault" in data:
                cases = [case.id for case in self.bank.of(function) if not case.advice]
                verdicts |= {
                    case: Verdict(case, Status.UNGRADED, message=data["fault"])
                    for case in cases
                }
                continue
            verdicts |= {
                case: verdict_of(case, verdict)
                for case, verdict in data["cases"].items()
            }
            known[function] = known_of(function, data["known"])
            survey = survey if data["survey"] is None else data["survey"]
        # Without an import there is no survey, and every case says why.
        crashes = [
            verdict.message
            for verdict in verdicts.values()
            if verdict.status is Status.CRASH
        ]
        failure = crashes[0] if crashes and survey is None else None
        return ScoreSheet(
            self.bank, verdicts, self.source(sha256), survey, failure, diagnoses=known
        )


@dataclass(frozen=True)
class Account:
    """What a student has, with the sheets behind it."""

    book: Book
    student: Student

    @cached_property
    def changes(self) -> dict[str, Change]:
        """What was changed by hand, by the case, the part, or `total`."""
        return self.book.changes.get(self.student.id, {})

    @cached_property
    def sheets(self) -> dict[str, ScoreSheet]:
        """The sheet of each file that may count, by its SHA-256."""
        return {
            file.sha256: self.book.sheet(file.sha256)
            for file in self.book.to_grade(self.student.id)
        }

    @cached_property
    def sums(self) -> dict[str, Sum]:
        """What each of these sheets comes to, with what was changed by hand."""
        return {sha256: self._sum(sheet) for sha256, sheet in self.sheets.items()}

    @cached_property
    def now(self) -> Standing:
        """What counts, and what comes of it."""
        total = (
            Fraction(self.changes[TOTAL].points, 100) if TOTAL in self.changes else None
        )
        book, id = self.book, self.student.id
        return standing(
            book.course,
            id,
            book.files[id],
            lambda file: self.sums[file.sha256],
            book.maximum,
            total,
        )

    @property
    def files(self) -> list[tuple[Handed, str]]:
        """All that this student has handed in, and why each file counts or does not."""
        book, id = self.book, self.student.id
        return [
            (file, why_not(book.course, id, book.files[id], file))
            for file in book.files[id]
        ]

    @property
    def notes_of_staff(self) -> list[str]:
        """What the staff alone read."""
        notes = [self.book.course.notes.get(self.student.id, "")]
        notes += [change.note for change in self.changes.values()]
        notes += [self.now.handed.note] if self.now.handed else []
        return [note for note in notes if note]

    @property
    def lab(self) -> str:
        """The SHA-256 of the file that counts; empty if none does."""
        return self.now.handed.sha256 if self.now.handed else ""

    @property
    def sheet(self) -> ScoreSheet:
        """The sheet of the file that counts; one without any case if that is no
        lab.py.
        """
        return self.sheets.get(self.lab, NO_SHEET)

    @property
    def parts(self) -> Mapping[int, Fraction]:
        """The points of each part before lateness, if it is graded."""
        return (
            self.sums[self.lab].parts
            if self.now.state == GRADED and self.lab in self.sums
            else {}
        )

    @property
    def lost(self) -> list[Case]:
        """The cases that have not earned all they are worth."""
        sheet = self.sheet
        return [
            case
            for case in sheet.graded
            if self.earned(sheet, case) < sheet.bank.worth(case)
        ]

    def earned(self, sheet: ScoreSheet, case: Case) -> int:
        """The hundredths of a point that a case has earned, or that it has by hand."""
        return (
            self.changes[case.id].points
            if case.id in self.changes
            else sheet.points(case).score
        )

    def _sum(self, sheet: ScoreSheet) -> Sum:
        """What a sheet comes to: the points of a case or part by hand stand in place of
        what it has earned.
        """
        parts = {}
        for part in sheet.bank.parts:
            by_hand = self.changes.get(f"part {part.number}")
            earned = sum(
                self.earned(sheet, case)
                for case in sheet.bank.cases
                if case.part == part.number
            )
            parts[part.number] = Fraction(by_hand.points if by_hand else earned, 100)
        ungraded = [case.id for case in sheet.ungraded if not self._is_settled(case)]
        return Sum(sum(parts.values(), Fraction(0)), tuple(ungraded), parts)

    def _is_settled(self, case: Case) -> bool:
        """Whether a person has said what a case, or all of its part, earns."""
        return case.id in self.changes or f"part {case.part}" in self.changes


def open_book(store: Store) -> Book:
    """The class, as it is stored and as people have decided.  Raises Refusal and
    BadFile.
    """
    course, roster, names = read_course(), kept_roster(store), names_ever(store)
    bank = checked(course_bank(course))
    _refuse_unknown_ids(course, roster, names)
    course = replace(course, left=_who_has_left(store, course, roster))
    gone = {
        id: Student(id, names.get(id, ""), {}, 0)
        for id in course.left
        if id not in roster.students
    }
    students = roster.students | gone
    if take_edits(store, GRADES / FORM, students, course.due.tzinfo):
        raise Refusal(f"grades/{FORM} has edited cells: type make collect first")
    files = by_student(handed_in(store, course, roster))
    return Book(store, course, bank, roster, students, files, read_hand(students, bank))


def _refuse_unknown_ids(course: Course, roster: Roster, ever: Collection[str]) -> None:
    """Raise Refusal for an extension, an excuse or a leave of somebody whom nobody
    knows.

    `ever` has the ids of all who were ever on a roster: only they can have left.
    """
    here = roster.students.keys()
    rules: list[tuple[str, Iterable[str], Collection[str], str]] = [
        ("left", course.left, {*here, *ever}, "was never on a roster"),
        (
            "extensions",
            course.extensions,
            {*here, *course.left},
            "is not on the roster",
        ),
        ("excused", course.excused, {*here, *course.left}, "is not on the roster"),
    ]
    for key, names, known, problem in rules:
        for name in names:
            if name not in known:
                hint = like(name, known, "write an id of it")
                raise Refusal(f"staff/course.yaml: `{key}`: {name!r} {problem}{hint}")


def _who_has_left(store: Store, course: Course, roster: Roster) -> dict[str, str]:
    """Who has left, and why: those whom course.yaml names, and those of the last
    publication who are gone.
    """
    left = dict(course.left)
    for entry in publications.last_entries(store):
        if entry.student not in roster.students:
            left.setdefault(entry.student, GONE)
    return left


def decimals(points: Fraction | None) -> str:
    """Points with both decimals; nothing for none.

    >>> decimals(Fraction(25, 2)), decimals(None)
    ('12.50', '')
    """
    return "" if points is None else f"{float(points):.2f}"
