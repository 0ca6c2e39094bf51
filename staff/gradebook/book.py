"""The grades of a class: adds up the verdicts in the store.

The scores take void cases, changes by hand, and lateness into account.  Every score
that is printed, exported or published comes from this module.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from grader.bank.cases import Bank, Case
from grader.grading.sheet import ScoreSheet
from grader.refusal import Refusal, like
from grader.verdicts.verdict import Status, Verdict
from staff.bank import checked
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
from staff.farm.digests import digests
from staff.farm.kit_process import known_of, verdict_of
from staff.gradebook import publications
from staff.intake.collected import FORM, take_edits
from staff.intake.hand import TOTAL, Change, Changes, read_hand
from staff.intake.handed import handed_in
from staff.intake.kept import kept_roster, names_ever
from staff.intake.roster import Roster, Student
from staff.release.shares import course_bank
from staff.store import GRADES, Store

# Stands in for the stored verdicts of a function that nobody has graded.  The store has
# data of this form for a function whose grading failed through no fault of the
# submission.
NOT_GRADED_YET: dict[str, Any] = {"fault": "Nobody has graded this yet."}
GONE = "not on the roster any more"
NO_SHEET = ScoreSheet(Bank((), ()), {}, b"")
_VERDICT = "SELECT cases FROM verdict WHERE lab = ? AND function = ? AND digest = ?"


@dataclass(frozen=True)
class Book:
    """A class, with everything that people have decided about its students and
    files.
    """

    store: Store
    course: Course
    bank: Bank  # the cases of the course
    roster: Roster
    # The students on the roster and those who have left; the key is the id.
    students: dict[str, Student]
    files: dict[str, list[Handed]]  # the files that each student has handed in
    changes: Changes  # the changes that people have made by hand

    @cached_property
    def maximum(self) -> Fraction:
        """The most points that a student can have."""
        return Fraction(sum(part.points for part in self.bank.parts), 100)

    def to_grade(self, student: str) -> list[Handed]:
        """The files of a student that may count and that can be graded.

        There are none if the student has left.
        """
        if student in self.course.left:
            return []
        files = contenders(self.course, student, self.files[student])
        return [file for file in files if file.ready]

    def source(self, sha256: str) -> bytes:
        """The bytes of a submission."""
        query = "SELECT bytes FROM lab WHERE sha256 = ?"
        return bytes(self.store.db.execute(query, (sha256,)).fetchone()[0])

    def verdicts(self, sha256: str) -> Iterator[tuple[str, str, dict[str, Any] | None]]:
        """Yield each graded function with its digest, and with the stored verdicts of a
        submission on the cases of the function.

        `sha256` names the submission.  The digest stands for everything that the
        verdicts depend on.  The verdicts are None if the store has none for this
        digest.
        """
        for function, digest in digests(self.bank, self.source(sha256)).items():
            key = (sha256, function, digest)
            row = self.store.db.execute(_VERDICT, key).fetchone()
            yield function, digest, json.loads(row[0]) if row else None

    def sheet(self, sha256: str) -> ScoreSheet:
        """Return the score sheet of a submission, hidden cases included.

        If a function has no verdicts yet, its cases are ungraded.
        """
        verdicts = dict[str, Verdict]()
        known = {}
        survey = None
        for function, _, stored in self.verdicts(sha256):
            data = stored or NOT_GRADED_YET
            if "fault" in data:
                verdicts |= self._ungraded(function, data["fault"])
                continue
            for case, verdict in data["cases"].items():
                verdicts[case] = verdict_of(case, verdict)
            known[function] = known_of(function, data["known"])
            if data["survey"] is not None:
                survey = data["survey"]
        # If lab.py could not be imported, there are verdicts but no survey, and the
        # verdict on every case gives the reason.
        failure = None
        if survey is None:
            failure = _first_crash(verdicts.values())
        source = self.source(sha256)
        return ScoreSheet(self.bank, verdicts, source, survey, failure, diagnoses=known)

    def _ungraded(self, function: str, fault: str) -> dict[str, Verdict]:
        """Return the verdict `ungraded` for each graded case of a function.

        `fault` is the message of these verdicts.
        """
        return {
            case.id: Verdict(case.id, Status.UNGRADED, message=fault)
            for case in self.bank.of(function)
            if not case.advice
        }


def _first_crash(verdicts: Iterable[Verdict]) -> str | None:
    """The message of the first case that crashed; None if no case crashed."""
    for verdict in verdicts:
        if verdict.status is Status.CRASH:
            return verdict.message
    return None


@dataclass(frozen=True)
class Account:
    """Everything about one student, such as the files, score sheets and score."""

    book: Book
    student: Student

    @cached_property
    def changes(self) -> dict[str, Change]:
        """The changes that people have made by hand for this student.

        The key is the id of a case, a part such as `part 1`, or `total`.
        """
        return self.book.changes.get(self.student.id, {})

    @cached_property
    def sheets(self) -> dict[str, ScoreSheet]:
        """The score sheet of each file that may count and that can be graded.

        The key is the SHA-256 of the file.
        """
        files = self.book.to_grade(self.student.id)
        return {file.sha256: self.book.sheet(file.sha256) for file in files}

    @cached_property
    def sums(self) -> dict[str, Sum]:
        """The points on each score sheet in `sheets`, added up, with the changes by
        hand.

        The key is the SHA-256 of the file.
        """
        return {sha256: self._sum(sheet) for sha256, sheet in self.sheets.items()}

    @cached_property
    def now(self) -> Standing:
        """The standing of the student: which file counts, and the score."""
        id = self.student.id
        total = None
        if TOTAL in self.changes:
            total = Fraction(self.changes[TOTAL].points, 100)
        return standing(
            self.book.course,
            id,
            self.book.files[id],
            lambda file: self.sums[file.sha256],
            self.book.maximum,
            total,
        )

    @property
    def files(self) -> list[tuple[Handed, str]]:
        """All files of this student, each with why it counts or does not count."""
        id = self.student.id
        own = self.book.files[id]
        return [(file, why_not(self.book.course, id, own, file)) for file in own]

    @property
    def notes_of_staff(self) -> list[str]:
        """The notes that only the staff read."""
        notes = [self.book.course.notes.get(self.student.id, "")]
        notes += [change.note for change in self.changes.values()]
        if self.now.handed:
            notes.append(self.now.handed.note)
        return [note for note in notes if note]

    @property
    def lab(self) -> str:
        """The SHA-256 of the file that counts; empty if no file counts."""
        return self.now.handed.sha256 if self.now.handed else ""

    @property
    def sheet(self) -> ScoreSheet:
        """Return the score sheet of the file that counts.

        The sheet is empty if no file counts, or if the file that counts has no sheet.
        """
        return self.sheets.get(self.lab, NO_SHEET)

    @property
    def parts(self) -> Mapping[int, Fraction]:
        """The points of each part before lateness; the key is the number of the part.

        There are none unless the student is graded and the file that counts has a
        sheet.
        """
        if self.now.state != GRADED or self.lab not in self.sums:
            return {}
        return self.sums[self.lab].parts

    @property
    def lost(self) -> list[Case]:
        """The cases for which the student does not have all points."""
        sheet = self.sheet
        return [
            case
            for case in sheet.graded
            if self.earned(sheet, case) < sheet.bank.worth(case)
        ]

    def earned(self, sheet: ScoreSheet, case: Case) -> int:
        """Return how many hundredths of a point this student has for a case.

        If a person has set the points of the case by hand, these are returned.
        Otherwise, the points that the case has earned on the sheet are returned.
        """
        if case.id in self.changes:
            return self.changes[case.id].points
        return sheet.points(case).score

    def _sum(self, sheet: ScoreSheet) -> Sum:
        """Add up the points on a score sheet.

        If a person has set the points of a case or a part by hand, these replace the
        points that the case or part has earned.
        """
        parts = {}
        for part in sheet.bank.parts:
            by_hand = self.changes.get(f"part {part.number}")
            if by_hand:
                points = by_hand.points
            else:
                points = sum(
                    self.earned(sheet, case)
                    for case in sheet.bank.cases
                    if case.part == part.number
                )
            parts[part.number] = Fraction(points, 100)
        ungraded = [case.id for case in sheet.ungraded if not self._is_settled(case)]
        return Sum(sum(parts.values(), Fraction(0)), tuple(ungraded), parts)

    def _is_settled(self, case: Case) -> bool:
        """Whether a person has set the points of a case, or of the part with this case,
        by hand.
        """
        return case.id in self.changes or f"part {case.part}" in self.changes


def open_book(store: Store) -> Book:
    """Open the class in the store.  Raises Refusal or BadFile.

    The Refusal may say that grades/collected.csv has decisions that `make collect` has
    not read yet.
    """
    course = read_course()
    roster = kept_roster(store)
    names = names_ever(store)
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
    """Raise Refusal if course.yaml has an id that nobody has.

    `ever` has the ids of all who were ever on a roster.  An id under `left` may be any
    of them.  An id under `extensions` or `excused` must be on the roster now, or under
    `left`.
    """
    here = roster.students.keys()
    _refuse_unknown("left", course.left, {*here, *ever}, "was never on a roster")
    known = {*here, *course.left}
    _refuse_unknown("extensions", course.extensions, known, "is not on the roster")
    _refuse_unknown("excused", course.excused, known, "is not on the roster")


def _refuse_unknown(
    key: str, ids: Iterable[str], known: Collection[str], problem: str
) -> None:
    """Raise Refusal if an id under a key of course.yaml is not one of the known ids.

    The Refusal names the first such id.
    """
    for id in ids:
        if id not in known:
            hint = like(id, known, "write an id from the roster")
            raise Refusal(f"staff/course.yaml: `{key}`: {id!r} {problem}{hint}")


def _who_has_left(store: Store, course: Course, roster: Roster) -> dict[str, str]:
    """The students who have left, and why.

    course.yaml names some of them.  The others were in the last publication, and are
    not on the roster any more.
    """
    left = dict(course.left)
    for entry in publications.last_entries(store):
        if entry.student not in roster.students:
            left.setdefault(entry.student, GONE)
    return left
