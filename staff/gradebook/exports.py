"""Fills grades into the roster, so that the course's system can import the table."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from grader.refusal import Refusal, like
from staff.course.numbers import decimals
from staff.course.standing import EXCUSED, MISSING, Standing
from staff.gradebook.book import Book
from staff.intake.tables import as_heading

EMPTY = ("", "-")  # cells that hold nothing yet
BY_HAND = "to be excused by hand in {0.export.system}"
HOLDS_AN_OLD_ONE = (
    "without a score, but their cells of {0.name} hold something, and stay"
)
HOLDS_ANOTHER = (
    "cells of {0.name} that hold something else, and stay; OVER=1 fills them"
)
NOTES = (BY_HAND, HOLDS_AN_OLD_ONE, HOLDS_ANOTHER)
"""Notes on cells that are not filled.  The ids of the students come after each."""
FEWEST = 1  # the fewest points to which a course can be scaled
MOST = 999
POINT = "."
COMMA = ","
_POINTS = re.compile(r"\d+(?:[.,]\d+)?")
# A number with a decimal comma.  It must not have exactly three digits after the comma,
# because 1,234 may mean 1234.
_WITH_COMMA = re.compile(r"\d+,(?:\d{1,2}|\d{4,})")
_WITH_POINT = re.compile(r"\d+\.\d+")
# Blackboard writes the maximum of a column into the heading.
_IN_THE_HEADING = re.compile(r"\[Total Pts: *(\d+(?:[.,]\d+)?)")
_LINE_OF_MAXIMA = "points possible"  # the name of the line in Canvas' table


@dataclass(frozen=True)
class Filled:
    """The exported table with grades, as the course's system can import it."""

    name: str  # the name of the file
    data: bytes  # the bytes of the table; empty if it is not clear which column to fill
    notes: list[str]  # what a person should know about the table


def refuse_another_maximum(book: Book) -> None:
    """Raise Refusal if the column for the grades has another maximum than the course.

    The maximum is the largest number of points that a student can get.  If it is not
    clear which column takes the grades, nothing is refused.
    """
    columns = _columns(book)
    if len(columns) != 1:
        return
    system = book.roster.export.system
    heading = book.roster.table.heads[columns[0]]
    maximum = float(book.maximum)
    for points in _maxima(book, columns[0]):
        if points == book.maximum:
            continue
        fix = f"write `points: {float(points):g}` into staff/course.yaml"
        if not FEWEST <= points <= MOST or (points * 100).denominator != 1:
            fix = f"change that to {maximum:g} in {system}, and export the table again"
        raise Refusal(
            f"{book.roster.name}: the column {heading!r} takes {float(points):g} "
            f"points, and the lab has {maximum:g}; {fix}"
        )


def refuse_unfilled(book: Book) -> None:
    """Raise Refusal if the system takes grades, but it is not clear which column takes
    them.
    """
    if book.roster.export.takes and len(_columns(book)) != 1:
        raise Refusal(f"{book.roster.name} cannot be filled in: {_way_out(book)}")


def fill(book: Book, standings: Mapping[str, Standing], over: bool) -> Filled:
    """Fill the grades into the empty cells of the export.

    With `over`, fill them also into cells that are not empty.  If it is not clear which
    column takes grades, nothing is filled in.
    """
    roster = book.roster
    columns = _columns(book)
    if len(columns) != 1:
        return Filled(roster.name, b"", _why_not_filled(book))
    column = columns[0]
    mark = _decimal_mark(book, column)
    cells = dict[tuple[int, int], str]()
    not_filled: dict[str, list[str]] = {note: [] for note in NOTES}
    for student in roster.students.values():
        now = standings[student.id]
        line = roster.table.lines[student.line]
        text = _grade(now, roster.export.excused, book.course.missing)
        text = text.replace(POINT, mark)
        before = line[column].text.strip() if column < len(line) else None
        if text and (before in EMPTY or (over and before is not None)):
            cells[student.line, column] = text
        elif note := _why_it_stays(now, before, text):
            not_filled[note].append(student.id)
    notes = [
        f"{note.format(book.roster)}: {', '.join(students)}"
        for note, students in not_filled.items()
        if students
    ]
    return Filled(roster.name, roster.table.filled(cells), notes)


def _why_it_stays(now: Standing, before: str | None, text: str) -> str:
    """Return the note of NOTES about a cell that is not filled; empty if nobody has to
    look at the cell.

    `before` is what the cell holds; None if the line has no such cell.  `text` is the
    text that the cell should hold; empty if the student has no score.
    """
    if text:
        is_right = before is not None and _is_same(before, text)
        return "" if is_right else HOLDS_ANOTHER
    if now.state == EXCUSED:
        return BY_HAND
    return HOLDS_AN_OLD_ONE if before and before not in EMPTY else ""


def _grade(now: Standing, excused: str, missing: int | None) -> str:
    """The text for the cell of a student; empty if the cell stays as it is.

    `excused` is the system's word for a student who is excused.  `missing` is the score
    of a student who handed in nothing; None if such a student has no score.
    """
    if now.state == EXCUSED:
        return excused
    if now.state == MISSING and missing is not None:
        return f"{missing}.00"
    return decimals(now.score)


def _is_same(before: str, text: str) -> bool:
    """Whether a cell means the same as a text.  48, 48.0 and 48,00 are the same
    number.
    """
    if _POINTS.fullmatch(before) and _POINTS.fullmatch(text):
        return _points(before) == _points(text)
    return before == text


def _points(text: str) -> Fraction:
    """Return the number in a cell.  Its decimals may come after a point or a comma."""
    return Fraction(text.replace(COMMA, POINT))


def _decimal_mark(book: Book, column: int) -> str:
    """Return the decimal mark in the exported table: a point or a comma.

    The cells of the column decide.  If they do not show which mark it is, all cells
    with points in the table decide.  If these do not show it either, the language of
    the export decides.
    """
    rows = book.roster.table.texts()
    in_column = [cells[column] for _, cells in rows if column < len(cells)]
    for texts in (in_column, [*_texts_of_points(book, column)]):
        has_comma = any(map(_WITH_COMMA.fullmatch, texts))
        has_point = any(map(_WITH_POINT.fullmatch, texts))
        if has_comma and not has_point:
            return COMMA
        if has_point and not has_comma:
            return POINT
    return book.roster.export.decimal


def _texts_of_points(book: Book, column: int) -> Iterator[str]:
    """Yield texts that may hold points.

    They are the texts in which the table states the maximum of the column, and all
    cells in columns that take grades.
    """
    yield from _texts_of_maxima(book, column)
    table = book.roster.table
    headings = _headings(book)
    for _, cells in table.texts():
        for head, cell in zip(table.heads, cells, strict=False):
            if head in headings:
                yield cell


def _columns(book: Book) -> list[int]:
    """Return the numbers of the columns that may take the grades of this course.

    Such a column takes grades.  If course.yaml names a heading, the column has this
    heading.
    """
    headings = _headings(book)
    columns = []
    for column, head in enumerate(book.roster.table.heads):
        if head in headings and book.course.column in ("", head):
            columns.append(column)
    return columns


def _headings(book: Book) -> list[str]:
    """The headings of the columns that take grades."""
    export = book.roster.export
    return [head for head in book.roster.table.heads if export.takes_grades(head)]


def _why_not_filled(book: Book) -> list[str]:
    """Return the note that says why an export is not filled in.

    If the system takes no grades, the note is in systems.yaml, or there is no note.
    """
    export = book.roster.export
    if export.takes:
        return [f"{book.roster.name} is not filled in: {_way_out(book)}"]
    return [export.otherwise] if export.otherwise else []


def _way_out(book: Book) -> str:
    """Say what the instructor should do so that the kit can tell which column takes the
    grades.
    """
    export = book.roster.export
    headings = _headings(book)
    column = book.course.column
    if not headings:
        return (
            f"{export.otherwise}; export it again from {export.system} with one, "
            "and type make collect ROSTER=file"
        )
    for head in headings:
        number = headings.count(head)
        if number > 1 and column in ("", head):
            return f"the heading {head!r} appears {number} times; rename the others"
    if column:
        hint = like(column, headings, f"write {' or '.join(headings)}")
        return (
            f"no column that takes grades has the heading {column!r}, `column` in "
            f"staff/course.yaml{hint}"
        )
    return (
        "write the heading to fill as `column` into staff/course.yaml: "
        f"{' or '.join(headings)}"
    )


def _maxima(book: Book, column: int) -> list[Fraction]:
    """Return each number that the table states as the maximum of a column, once."""
    texts = _texts_of_maxima(book, column)
    points = [_points(text) for text in texts if _POINTS.fullmatch(text)]
    return list(dict.fromkeys(points))


def _texts_of_maxima(book: Book, column: int) -> list[str]:
    """Return the texts in which the table states the maximum of a column.

    Such a text may be in the heading of the column, in a column of maxima, or in a line
    of maxima.
    """
    table = book.roster.table
    texts: list[str] = _IN_THE_HEADING.findall(table.heads[column])
    headings = [as_heading(head) for head in table.heads]
    heading = as_heading(book.roster.export.maximum)
    of_maxima = headings.index(heading) if heading in headings else None
    for _, cells in table.texts():
        if of_maxima is not None and of_maxima < len(cells):
            texts.append(cells[of_maxima])
        elif cells[0].casefold() == _LINE_OF_MAXIMA and column < len(cells):
            texts.append(cells[column])
    return texts
