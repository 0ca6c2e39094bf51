"""What a student has, with the sheet behind it: what the tables, the feedback and the summary are made of."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from boards.cases import Bank, Case
from grader.diagnosing.diagnosis import ANSWERED
from grader.grading.sheet import ScoreSheet
from grader.showing.failing import NOTHING_KNOWN
from staff.gradebook.book import Book
from staff.gradebook.hand import Change
from staff.gradebook.roster import Student
from staff.gradebook.standing import GRADED, UNKNOWN_TIME, Standing

NO_SHEET = ScoreSheet(Bank((), ()), {}, b"")


@dataclass(frozen=True)
class Account:
    """What a student has.

    `lab` is the SHA-256 of what counts, and `sheet` its sheet, without any case if it is no lab.py; `parts` are the
    points of each part before lateness, if it is graded; `lost` are the cases that have not earned all they are worth.
    """

    book: Book
    student: Student
    now: Standing
    lab: str
    sheet: ScoreSheet
    parts: dict[int, Fraction]
    lost: list[Case]
    changes: list[Change]


def account_of(book: Book, student: Student) -> Account:
    """The account of a student."""
    now, by_hand = book.standing(student.id), book.by_hand(student.id)
    lab = now.handed.sha256 if now.handed else ""
    sheet = book.sheet(lab) if now.handed and now.handed.ready else NO_SHEET
    points = book.points(student.id, lab) if now.state == GRADED and sheet.graded else {}
    parts = {part: Fraction(hundredths, 100) for part, hundredths in points.items()}
    earned = {case.id: by_hand.get(case.id, sheet.points(case).score) for case in sheet.graded}
    lost = [case for case in sheet.graded if earned[case.id] < book.bank.worth(case)]
    changes = [change for change in book.changes if change.student == student.id]
    return Account(book, student, now, lab, sheet, parts, lost, changes)


def published_of(account: Account) -> tuple[object, ...]:
    """A student's row in the table `now` of outputs.sql: what would be published, and whether no time is known."""
    now, sheet = account.now, account.sheet
    made_of = {"file": f"{now.handed.source} ({account.lab[:12]})"} if now.handed else {}
    made_of["time"] = account.book.course.late.note(now.begun) if now.begun else "on time"
    made_of |= {f"by hand, {change.what}": str(change) for change in account.changes}
    for case in sheet.graded:
        made_of[f"case {case.id}"] = f"{sheet.verdict(case).status.value}, {sheet.points(case)} points"
        made_of |= {f"void, {case.id}": f"{case.void}: {case.why}"} if case.void else {}
    sums = {"raw": decimals(now.raw), "penalty": decimals(now.penalty), "score": decimals(now.score)}
    return account.student.id, now.state, json.dumps(sums), json.dumps(made_of), UNKNOWN_TIME in now.notes


def wrong_of(account: Account) -> Iterator[tuple[object, ...]]:
    """A student's rows in the table `wrong`: the cases that do not pass."""
    sheet = account.sheet
    for case in sheet.graded:
        verdict, points = sheet.verdict(case), sheet.points(case)
        if not verdict.passed:
            known = " or it ".join(each.name for each in sheet.diagnoses.get(case.function, NOTHING_KNOWN).names)
            answer = f"{verdict.message} {verdict.rows}" if verdict.status in ANSWERED else ""
            lost = points.out_of - points.score
            yield account.student.id, account.lab, case.function, case.id, case.hidden, lost, answer, known


def decimals(points: Fraction | None) -> str:
    """Points with both decimals; nothing for none.

    >>> decimals(Fraction(25, 2)), decimals(None)
    ('12.50', '')
    """
    return "" if points is None else f"{float(points):.2f}"
