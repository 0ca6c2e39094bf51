"""The grades of a class: the verdicts of the store added up, with voids, changes by hand and lateness.

Everything that is printed, exported or published asks here.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from boards.cases import Bank
from grader.grading.sheet import ScoreSheet
from grader.judging.verdict import Status, Verdict
from grader.refusal import Refusal
from staff.course import Course, read_course
from staff.gradebook.collect import kept_roster
from staff.gradebook.collected import FORM, handed_in, take_edits
from staff.gradebook.digests import digests
from staff.gradebook.hand import TOTAL, Change, read_hand
from staff.gradebook.kit_process import known_of, verdict_of
from staff.gradebook.roster import Roster, read_roster
from staff.gradebook.standing import Handed, Standing, Sum, by_student, contenders, standing
from staff.gradebook.store import GRADES, Store
from staff.release.shares import course_bank

MOST_SHEETS = 50  # kept at a time
NO_VERDICT = "Nobody has graded this yet: make grade."


@dataclass(frozen=True)
class Book:
    """A class: its course, its cases, who is on the roster, what was handed in, and what was changed by hand."""

    store: Store
    course: Course
    bank: Bank
    roster: Roster
    handed: tuple[Handed, ...]
    changes: tuple[Change, ...]
    sheets: dict[str, ScoreSheet] = field(default_factory=dict)

    @cached_property
    def students(self) -> list[str]:
        """The ids of the roster, in its order."""
        return self.roster.ids

    def files_of(self, student: str) -> list[Handed]:
        """What a student has handed in."""
        return self._files.get(student, [])

    @cached_property
    def _files(self) -> dict[str, list[Handed]]:
        return by_student(self.handed)

    def to_grade(self, student: str) -> list[Handed]:
        """Those of the files that may count, and that can be graded."""
        return [one for one in contenders(self.course, student, self.files_of(student)) if one.ready]

    def source(self, sha256: str) -> bytes:
        """The bytes of a lab.py."""
        (data,) = self.store.db.execute("SELECT bytes FROM lab WHERE sha256 = ?", (sha256,)).fetchone()
        return bytes(data)

    def verdicts(self, sha256: str) -> Iterator[tuple[str, str, dict[str, Any] | None]]:
        """For each function with cases its digest, and what is stored of this lab.py; None if nothing is."""
        query = "SELECT cases FROM verdict WHERE lab = ? AND function = ? AND digest = ?"
        for function, digest in digests(self.bank, self.source(sha256)).items():
            found = self.store.db.execute(query, (sha256, function, digest)).fetchone()
            yield function, digest, json.loads(found[0]) if found else None

    def sheet(self, sha256: str) -> ScoreSheet:
        """The score sheet of a lab.py, with what hidden cases say; a function without verdicts is ungraded."""
        if sha256 not in self.sheets:
            if len(self.sheets) > MOST_SHEETS:
                self.sheets.clear()
            self.sheets[sha256] = self._sheet(sha256)
        return self.sheets[sha256]

    def _sheet(self, sha256: str) -> ScoreSheet:
        found, known, survey = dict[str, Verdict](), {}, None
        for function, _, data in self.verdicts(sha256):
            if data is None:
                cases = [case.id for case in self.bank.of(function) if not case.advice]
                found |= {case: Verdict(case, Status.UNGRADED, message=NO_VERDICT, ran=False) for case in cases}
                continue
            found |= {case: verdict_of(case, stored) for case, stored in data["cases"].items()}
            known[function] = known_of(data["known"])
            survey = survey if data["survey"] is None else data["survey"]
        crashed = [one.message for one in found.values() if one.status is Status.CRASH and survey is None]
        failure = crashed[0] if crashed else None  # without an import there is no survey, and every case says why
        return ScoreSheet(self.bank, found, self.source(sha256), survey, failure, diagnoses=known)

    def points(self, student: str, sha256: str) -> dict[int, int]:
        """The hundredths of each part that a student earns with a lab.py, before lateness."""
        sheet, by_hand = self.sheet(sha256), self.by_hand(student)
        found = {}
        for part in self.bank.parts:
            cases = [case for case in self.bank.cases if case.part == part.number]
            earned = sum(by_hand.get(case.id, sheet.points(case).score) for case in cases)
            found[part.number] = by_hand.get(f"part {part.number}", earned)
        return found

    def by_hand(self, student: str) -> dict[str, int]:
        """What a student earns by hand: the hundredths of cases, parts and the total."""
        return {change.what: change.points for change in self.changes if change.student == student}

    def ungraded(self, student: str, sha256: str) -> tuple[str, ...]:
        """The cases without a verdict that nobody has settled by hand."""
        settled = self.by_hand(student)
        return tuple(
            case.id for case in self.sheet(sha256).ungraded if not {case.id, f"part {case.part}"} & settled.keys()
        )

    @cached_property
    def maximum(self) -> Fraction:
        """The points that can be had."""
        return Fraction(sum(part.points for part in self.bank.parts), 100)

    def standing(self, student: str) -> Standing:
        """What a student has."""

        def sum_of(handed: Handed) -> Sum:
            points = sum(self.points(student, handed.sha256).values())
            return Sum(Fraction(points, 100), self.ungraded(student, handed.sha256))

        by_hand = self.by_hand(student)
        total = Fraction(by_hand[TOTAL], 100) if TOTAL in by_hand else None
        return standing(self.course, student, self.files_of(student), sum_of, self.maximum, total)


def open_book(store: Store) -> Book:
    """The class, as it is stored and as people have decided.  Raises Refusal and BadFile."""
    course, roster = read_course(), read_roster(*kept_roster(store))
    bank = course_bank(course)
    handed = handed_in(store, course, roster)
    if take_edits(store, GRADES / FORM, roster, course.due.tzinfo):
        raise Refusal(f"grades/{FORM} has cells that were edited: make collect")
    return Book(store, course, bank, roster, tuple(handed), tuple(read_hand(roster.ids, bank)))
