"""The export of the course's system that was the roster, with the grades filled in; and
which column that is.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from grader.refusal import Refusal, like
from staff.course.numbers import decimals
from staff.course.standing import EXCUSED, MISSING, Standing
from staff.gradebook.book import Book
from staff.intake.tables import as_heading

EMPTY = ("", "-")  # cells that take a grade
FEWEST, MOST = 1, 999  # points that a course can be scaled to
POINT, COMMA = ".", ","
_POINTS = re.compile(r"\d+(?:[.,]\d+)?")
_WITH_COMMA = re.compile(
    r"\d+,(?:\d{1,2}|\d{4,})"
)  # three digits behind a comma may be thousands
_WITH_POINT = re.compile(r"\d+\.\d+")
_IN_THE_HEADING = re.compile(r"\[Total Pts: *(\d+(?:[.,]\d+)?)")  # Blackboard's
_LINE = "points possible"  # of Canvas'


@dataclass(frozen=True)
class Filled:
    """The export as it goes back, without bytes if no column takes grades; and what a
    person should know.
    """

    name: str
    data: bytes
    lines: list[str]


def refuse_another_maximum(book: Book) -> None:
    """Raise Refusal if the column that takes the grades has another maximum than the
    lab, and say how to fix that.
    """
    columns = _columns(book)
    if len(columns) != 1:
        return
    name, heading = book.roster.name, book.roster.table.heads[columns[0]]
    for points in _maxima(book, columns[0]):
        if points == book.maximum:
            continue
        fix = f"write `points: {float(points):g}` into staff/course.yaml"
        if not FEWEST <= points <= MOST or (points * 100).denominator != 1:
            fix = f"change that to {float(book.maximum):g} in {book.roster.export.system}, and export the table again"
        says = f"the column {heading!r} takes {float(points):g} points, and the lab has {float(book.maximum):g}"
        raise Refusal(f"{name}: {says}; {fix}")


def refuse_unfilled(book: Book) -> None:
    """Raise Refusal if the system takes grades, and no column of its export can be
    filled in, with the way out.
    """
    if book.roster.export.takes and len(_columns(book)) != 1:
        raise Refusal(f"{book.roster.name} cannot be filled in: {_way_out(book)}")


def fill(book: Book, standings: Mapping[str, Standing], over: bool) -> Filled:
    """The export with the grades in all cells that are empty, or in all cells if `over`
    says so.
    """
    roster, columns = book.roster, _columns(book)
    if len(columns) != 1:
        return Filled(roster.name, b"", _why_not_filled(book))
    column, cells = columns[0], dict[tuple[int, int], str]()
    mark = _decimal_mark(book, column)
    kept, by_hand = list[str](), list[str]()
    for student in roster.students.values():
        now, line = standings[student.id], roster.table.lines[student.line]
        text = _cell(now, roster.export.excused, book.course.missing).replace(
            POINT, mark
        )
        before = line[column].text.strip() if column < len(line) else None
        if not text and now.state == EXCUSED:
            by_hand.append(student.id)
        elif text and (before in EMPTY or (over and before is not None)):
            cells[student.line, column] = text
        elif text and (before is None or not _is_same(before, text)):
            kept.append(student.id)
    lines = []
    if by_hand:
        lines.append(
            f"to be excused by hand in {roster.export.system}: {', '.join(by_hand)}"
        )
    if kept:
        lines.append(
            f"cells of {roster.name} that hold something else, and stay; OVER=1 fills them: {', '.join(kept)}"
        )
    return Filled(roster.name, roster.table.filled(cells), lines)


def _is_same(before: str, text: str) -> bool:
    """Whether a cell says already what would go into it; 48, 48.0 and 48,00 are one
    number.
    """
    if _POINTS.fullmatch(before) and _POINTS.fullmatch(text):
        return _points(before) == _points(text)
    return before == text


def _points(text: str) -> Fraction:
    """The number that a cell states, with a point or a comma before its decimals."""
    return Fraction(text.replace(COMMA, POINT))


def _decimal_mark(book: Book, column: int) -> str:
    """What stands before decimals in this file: as its points are written, else as its
    language writes numbers.

    The cells of the column itself decide first, then those of all points in the file.
    """
    in_column = [
        cells[column] for _, cells in book.roster.table.texts() if column < len(cells)
    ]
    for texts in (in_column, [*_texts_of_points(book, column)]):
        has_comma = any(map(_WITH_COMMA.fullmatch, texts))
        has_point = any(map(_WITH_POINT.fullmatch, texts))
        if has_comma != has_point:
            return COMMA if has_comma else POINT
    return book.roster.export.decimal


def _texts_of_points(book: Book, column: int) -> Iterator[str]:
    """The cells in which a file has points: its maxima, and the columns that take
    grades.
    """
    table, taking = book.roster.table, _headings(book)
    yield from _texts_of_maxima(book, column)
    for _, cells in table.texts():
        yield from (
            cell
            for head, cell in zip(table.heads, cells, strict=False)
            if head in taking
        )


def _columns(book: Book) -> list[int]:
    """The columns that may be the one for these grades."""
    heads = book.roster.table.heads
    taking = _headings(book)
    return [
        at
        for at, head in enumerate(heads)
        if head in taking and book.course.column in ("", head)
    ]


def _headings(book: Book) -> list[str]:
    """The headings of columns that take grades."""
    return [
        head
        for head in book.roster.table.heads
        if book.roster.export.takes_grades(head)
    ]


def _why_not_filled(book: Book) -> list[str]:
    """What a person should know of a table that stays as it is; nothing of one that
    takes no grades anyway.
    """
    export = book.roster.export
    if export.takes:
        return [f"{book.roster.name} is not filled in: {_way_out(book)}"]
    return [export.otherwise] if export.otherwise else []


def _way_out(book: Book) -> str:
    """What to do about an export of which no column, or more than one, may be the one
    for these grades.
    """
    export, headings, column = book.roster.export, _headings(book), book.course.column
    if not headings:
        return f"{export.otherwise}; export it again from {export.system} with one, and type make collect ROSTER=file"
    twice = [
        head for head in headings if headings.count(head) > 1 and column in ("", head)
    ]
    if twice:
        return f"the heading {twice[0]!r} is there {headings.count(twice[0])} times; rename the others"
    if column:
        hint = like(column, headings, f"write {' or '.join(headings)}")
        return f"no column that takes grades has the heading {column!r}, `column` in staff/course.yaml{hint}"
    return f"write the heading to fill as `column` into staff/course.yaml: {' or '.join(headings)}"


def _maxima(book: Book, column: int) -> list[Fraction]:
    """The most points that a column takes, as the table states it, in each place where
    it does.
    """
    texts = _texts_of_maxima(book, column)
    return list(
        dict.fromkeys(_points(text) for text in texts if _POINTS.fullmatch(text))
    )


def _texts_of_maxima(book: Book, column: int) -> list[str]:
    """The cells and headings that state the most points that a column takes."""
    table, maximum = book.roster.table, as_heading(book.roster.export.maximum)
    headings = [as_heading(head) for head in table.heads]
    texts: list[str] = _IN_THE_HEADING.findall(table.heads[column])
    for _, line in table.texts():
        if maximum in headings and headings.index(maximum) < len(line):
            texts.append(line[headings.index(maximum)])
        elif line[0].casefold() == _LINE and column < len(line):
            texts.append(line[column])
    return texts


def _cell(now: Standing, excused: str, missing: int | None) -> str:
    """What goes into an empty cell; nothing if it stays so."""
    if now.state == EXCUSED:
        return excused
    if now.state == MISSING and missing is not None:
        return f"{missing}.00"
    return decimals(now.score)
