"""Writes what gradebook.csv, changes.csv and a publication hold about a student."""

from fractions import Fraction

from staff.course.changes import CASE, Change, Entry, held_once
from staff.course.numbers import decimals
from staff.gradebook.book import Account, Book

CHANGED = (
    "id",
    "published state",
    "published score",
    "state",
    "score",
    "cause",
    "cases",
)


def heads(book: Book) -> list[str]:
    """The headings of gradebook.csv."""
    parts = [f"part {part.number}" for part in book.bank.parts]
    points = ["raw", "penalty", "score", *parts, "hidden"]
    return ["id", "name", "state", *points, "ungraded", "note", "staff note"]


def row(account: Account) -> list[str]:
    """The row of a student in gradebook.csv.

    A student without a score has no penalty, and no points of parts or hidden cases.
    """
    student = account.student
    now = account.now
    sheet = account.sheet
    if account.parts:
        hidden = sum(
            account.earned(sheet, case) for case in sheet.graded if case.hidden
        )
        parts = [
            *map(decimals, account.parts.values()),
            decimals(Fraction(hidden, 100)),
        ]
        penalty = decimals(now.penalty)
    else:
        parts = [""] * (len(account.book.bank.parts) + 1)
        penalty = ""
    ungraded: tuple[str, ...] = ()
    if account.lab in account.sums:
        ungraded = account.sums[account.lab].ungraded
    return [
        student.id,
        student.name,
        now.state,
        decimals(now.raw),
        penalty,
        decimals(now.score),
        *parts,
        ", ".join(ungraded),
        "; ".join(now.notes),
        "; ".join(account.notes_of_staff),
    ]


def changed_row(change: Change) -> list[object]:
    """The row of a student in changes.csv."""
    before = change.before
    now = change.now
    return [
        now.student,
        before.state,
        before.sums.get("score", ""),
        now.state,
        now.sums.get("score", ""),
        change.cause,
        change.cases,
    ]


def entry(account: Account) -> Entry:
    """What a publication keeps of a student, including what the score is made of."""
    now = account.now
    sheet = account.sheet
    made_of = {}
    if now.handed:
        made_of["file"] = f"{now.handed.source} ({account.lab[:12]})"
    made_of["state"] = "; ".join([now.state, *now.notes])
    made_of["time"] = "on time"
    if now.begun:
        made_of["time"] = account.book.course.late.note(now.begun)
    for what, change in account.changes.items():
        made_of[f"by hand, {what}"] = str(change)
    for case in sheet.graded:
        status = sheet.verdict(case).status.value
        made_of[f"{CASE}{case.id}"] = f"{status}, {sheet.points(case)} points"
        if case.void:
            made_of[f"void, {case.id}"] = f"{case.void}: {case.why}"
    sums = {
        "raw": decimals(now.raw),
        "penalty": decimals(now.penalty),
        "score": decimals(now.score),
    }
    return Entry(account.student.id, now.state, sums, held_once(made_of))
