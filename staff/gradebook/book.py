"""The grades of a class: the verdicts of the store added up, with voids, changes by hand and lateness.

Everything that is printed, exported or published asks here.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from boards.cases import Bank, Case
from grader.grading.sheet import ScoreSheet
from grader.judging.verdict import Status, Verdict
from grader.refusal import Refusal
from staff.course import Course, read_course
from staff.course.standing import GRADED, Handed, Standing, Sum, by_student, contenders, standing
from staff.gradebook.collected import FORM, TOTAL, Change, Changes, handed_in, read_hand, take_edits
from staff.gradebook.digests import digests
from staff.gradebook.kit_process import known_of, verdict_of
from staff.gradebook.roster import Roster, Student, kept_roster
from staff.gradebook.store import GRADES, Store
from staff.release.shares import course_bank
from staff.testing import checked

NOBODY_HAS: dict[str, Any] = {"fault": "Nobody has graded this yet: make grade."}
NO_SHEET = ScoreSheet(Bank((), ()), {}, b"")


@dataclass(frozen=True)
class Book:
    """A class: its course, its cases, who is on the roster, what each has handed in, and what was changed by hand."""

    store: Store
    course: Course
    bank: Bank
    roster: Roster
    files: dict[str, list[Handed]]
    changes: Changes

    @cached_property
    def maximum(self) -> Fraction:
        """The points that can be had."""
        return Fraction(sum(part.points for part in self.bank.parts), 100)

    def to_grade(self, student: str) -> list[Handed]:
        """Those of a student's files that may count, and that can be graded."""
        return [one for one in contenders(self.course, student, self.files[student]) if one.ready]

    def source(self, sha256: str) -> bytes:
        """The bytes of a lab.py."""
        return bytes(self.store.db.execute("SELECT bytes FROM lab WHERE sha256 = ?", (sha256,)).fetchone()[0])

    def verdicts(self, sha256: str) -> Iterator[tuple[str, str, dict[str, Any] | None]]:
        """For each function with cases its digest, and what is stored of this lab.py; None if nothing is."""
        query = "SELECT cases FROM verdict WHERE lab = ? AND function = ? AND digest = ?"
        for function, digest in digests(self.bank, self.source(sha256)).items():
            found = self.store.db.execute(query, (sha256, function, digest)).fetchone()
            yield function, digest, json.loads(found[0]) if found else None

    def sheet(self, sha256: str) -> ScoreSheet:
        """The score sheet of a lab.py, with what hidden cases say; a function without verdicts is ungraded."""
        found, known, survey = dict[str, Verdict](), {}, None
        for function, _, stored in self.verdicts(sha256):
            data = stored or NOBODY_HAS
            if "fault" in data:
                cases = [case.id for case in self.bank.of(function) if not case.advice]
                found |= {case: Verdict(case, Status.UNGRADED, message=data["fault"]) for case in cases}
                continue
            found |= {case: verdict_of(case, verdict) for case, verdict in data["cases"].items()}
            known[function] = known_of(data["known"])
            survey = survey if data["survey"] is None else data["survey"]
        # Without an import there is no survey, and every case says why.
        failure = next((one.message for one in found.values() if one.status is Status.CRASH and survey is None), None)
        return ScoreSheet(self.bank, found, self.source(sha256), survey, failure, diagnoses=known)


@dataclass(frozen=True)
class Account:
    """What a student has, with the sheets behind it."""

    book: Book
    student: Student

    @cached_property
    def changes(self) -> dict[str, Change]:
        """What was changed by hand, by the case, the part, or `total`."""
        return self.book.changes[self.student.id]

    @cached_property
    def sheets(self) -> dict[str, ScoreSheet]:
        """The sheet of each file that may count, by its SHA-256."""
        return {one.sha256: self.book.sheet(one.sha256) for one in self.book.to_grade(self.student.id)}

    @cached_property
    def sums(self) -> dict[str, Sum]:
        """What each of these sheets comes to, with what was changed by hand."""
        return {sha256: self._sum(sheet) for sha256, sheet in self.sheets.items()}

    @cached_property
    def now(self) -> Standing:
        """What counts, and what comes of it."""
        total = Fraction(self.changes[TOTAL].points, 100) if TOTAL in self.changes else None
        book, id = self.book, self.student.id
        return standing(book.course, id, book.files[id], lambda one: self.sums[one.sha256], book.maximum, total)

    @property
    def lab(self) -> str:
        """The SHA-256 of the file that counts; empty if none does."""
        return self.now.handed.sha256 if self.now.handed else ""

    @property
    def sheet(self) -> ScoreSheet:
        """The sheet of the file that counts; one without any case if that is no lab.py."""
        return self.sheets.get(self.lab, NO_SHEET)

    @property
    def parts(self) -> Mapping[int, Fraction]:
        """The points of each part before lateness, if it is graded."""
        return self.sums[self.lab].parts if self.now.state == GRADED and self.lab in self.sums else {}

    @property
    def lost(self) -> list[Case]:
        """The cases that have not earned all they are worth."""
        sheet = self.sheet
        return [case for case in sheet.graded if self.earned(sheet, case) < sheet.bank.worth(case)]

    def earned(self, sheet: ScoreSheet, case: Case) -> int:
        """The hundredths of a point that a case has earned, or that it has by hand."""
        return self.changes[case.id].points if case.id in self.changes else sheet.points(case).score

    def _sum(self, sheet: ScoreSheet) -> Sum:
        parts, settled = {}, self.changes.keys()
        for part in sheet.bank.parts:
            by_hand = self.changes.get(f"part {part.number}")
            earned = sum(self.earned(sheet, case) for case in sheet.bank.cases if case.part == part.number)
            parts[part.number] = Fraction(by_hand.points if by_hand else earned, 100)
        ungraded = [case.id for case in sheet.ungraded if settled.isdisjoint((case.id, f"part {case.part}"))]
        return Sum(sum(parts.values(), Fraction(0)), tuple(ungraded), parts)


def open_book(store: Store) -> Book:
    """The class, as it is stored and as people have decided.  Raises Refusal and BadFile."""
    course, roster = read_course(), kept_roster(store)
    bank = checked(course_bank(course))
    if take_edits(store, GRADES / FORM, roster, course.due.tzinfo):
        raise Refusal(f"grades/{FORM} has edited cells: type make collect first")
    files = by_student(handed_in(store, course, roster))
    return Book(store, course, bank, roster, files, read_hand(roster, bank))


def decimals(points: Fraction | None) -> str:
    """Points with both decimals; nothing for none.

    >>> decimals(Fraction(25, 2)), decimals(None)
    ('12.50', '')
    """
    return "" if points is None else f"{float(points):.2f}"
