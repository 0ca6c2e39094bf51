"""Grades as tables: gradebook.csv, and the export of the course's system filled in, all else to the byte."""

import csv
import io
import re
from collections.abc import Iterable, Mapping
from fractions import Fraction

from staff.gradebook.account import Account, decimals
from staff.gradebook.book import Book
from staff.gradebook.collect import kept_roster
from staff.gradebook.collected import safe
from staff.gradebook.standing import EXCUSED, MISSING, Standing
from staff.gradebook.tables import parse_table

EMPTY = ("", "-")


def heads(book: Book) -> list[str]:
    """The headings of gradebook.csv."""
    parts = [f"part {part.number}" for part in book.bank.parts]
    return ["id", "name", "state", "raw", "penalty", "score", *parts, "hidden", "ungraded", "note"]


def row(account: Account) -> list[str]:
    """A student's row of gradebook.csv; without a score the sum so far alone."""
    student, now, sheet, parts = account.student, account.now, account.sheet, account.book.bank.parts
    points = [now.raw, now.penalty if account.parts else None, now.score]
    points += [account.parts.get(part.number) for part in parts]
    hidden = sheet.points(*(case for case in sheet.graded if case.hidden)).score
    points.append(Fraction(hidden, 100) if account.parts else None)
    ungraded = account.book.ungraded(student.id, account.lab) if sheet.graded else ()
    return [student.id, student.name, now.state, *map(decimals, points), ", ".join(ungraded), "; ".join(now.notes)]


def as_csv(rows: Iterable[Iterable[object]]) -> bytes:
    """A table in which no cell is a formula."""
    stream = io.StringIO()
    csv.writer(stream).writerows(map(safe, cells) for cells in rows)
    return stream.getvalue().encode("utf-8-sig")


def filled(book: Book, standings: Mapping[str, Standing], over: bool) -> tuple[dict[str, bytes], list[str]]:
    """The course system's export with grades, by its name, none if it takes none; and what a person should know."""
    export, (name, data) = book.roster.export, kept_roster(book.store)
    table = parse_table(data, name)
    found = [head for head in table.heads if export.takes and re.fullmatch(export.takes, head)]
    chosen = [at for at, head in enumerate(table.heads) if head in found and book.course.column in ("", head)]
    if len(chosen) != 1:
        fitting = f"write the heading to fill as `column` in staff/course.yaml: {' or '.join(found)}"
        return {}, [f"{name} is not filled in; {fitting}" if found else export.otherwise]
    cells, left, excused = {}, list[str](), list[str]()
    for student in book.roster.students:
        now, line = standings[student.id], table.lines[student.line]
        text = _cell(now, export.excused, book.course.missing)
        before = line[chosen[0]].text.strip() if len(line) > chosen[0] else None
        if text is None:
            excused += [student.id] if now.state == EXCUSED else []
        elif before in EMPTY or (over and before is not None):
            cells[student.line, chosen[0]] = text
        elif before not in (text, text.removesuffix("0"), text.removesuffix(".00")):
            left.append(student.id)
    notes = {f"excuse them by hand in {export.system}": excused, f"left as they are in {name}; OVER=1 fills them": left}
    return {name: table.filled(cells)}, [f"{note}: {', '.join(names)}" for note, names in notes.items() if names]


def _cell(now: Standing, excused: str, missing: int | None) -> str | None:
    """What goes into an empty cell; None if nothing does."""
    if now.state == EXCUSED:
        return excused or None
    if now.state == MISSING and missing is not None:
        return f"{missing}.00"
    return decimals(now.score) or None
