"""The export of the course's system that was the roster, with the grades filled in; and which column that is."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from grader.refusal import Refusal
from staff.course.standing import EXCUSED, MISSING, Standing
from staff.gradebook.book import Book, decimals

EMPTY = ("", "-")  # cells that take a grade
FEWEST, MOST = 1, 999  # points that a course can be scaled to
_POINTS = re.compile(r"\d+(?:[.,]\d+)?")
_IN_THE_HEADING = re.compile(r"\[Total Pts: *(\d+(?:\.\d+)?)")  # Blackboard's
_COLUMN = "maximum grade"  # of Moodle's
_LINE = "points possible"  # of Canvas'


@dataclass(frozen=True)
class Filled:
    """The export as it goes back, without bytes if no column takes grades; and what a person should know."""

    name: str
    data: bytes
    lines: list[str]


def refuse_another_maximum(book: Book) -> None:
    """Raise Refusal if the column that takes the grades has another maximum than the lab, and say how to fix that."""
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


def fill(book: Book, standings: Mapping[str, Standing], over: bool) -> Filled:
    """The export with the grades in all cells that are empty, or in all cells if `over` says so."""
    roster, columns = book.roster, _columns(book)
    if len(columns) != 1:
        return Filled(roster.name, b"", _why_not_filled(book))
    column, cells = columns[0], dict[tuple[int, int], str]()
    kept, by_hand = list[str](), list[str]()
    for student in roster.students.values():
        now, line = standings[student.id], roster.table.lines[student.line]
        text = _cell(now, roster.export.excused, book.course.missing)
        before = line[column].text.strip() if column < len(line) else None
        if not text and now.state == EXCUSED:
            by_hand.append(student.id)
        elif text and (before in EMPTY or (over and before is not None)):
            cells[student.line, column] = text
        elif text and before not in (text, text.removesuffix("0"), text.removesuffix(".00")):
            kept.append(student.id)
    lines = []
    if by_hand:
        lines.append(f"excuse them by hand in {roster.export.system}: {', '.join(by_hand)}")
    if kept:
        lines.append(f"left as they are in {roster.name}; OVER=1 fills them: {', '.join(kept)}")
    return Filled(roster.name, roster.table.filled(cells), lines)


def _columns(book: Book) -> list[int]:
    """The columns that may be the one for these grades."""
    heads = book.roster.table.heads
    taking = _headings(book)
    return [at for at, head in enumerate(heads) if head in taking and book.course.column in ("", head)]


def _headings(book: Book) -> list[str]:
    """The headings of columns that take grades."""
    takes = book.roster.export.takes
    return [head for head in book.roster.table.heads if takes and re.fullmatch(takes, head)]


def _why_not_filled(book: Book) -> list[str]:
    """What a person should know of a table that stays as it is; nothing of one that takes no grades anyway."""
    headings = _headings(book)
    if headings:
        fix = f"write the heading to fill as `column` in staff/course.yaml: {' or '.join(headings)}"
        return [f"{book.roster.name} is not filled in; {fix}"]
    return [book.roster.export.otherwise] if book.roster.export.otherwise else []


def _maxima(book: Book, column: int) -> list[Fraction]:
    """The most points that a column takes, as the table states it, in each place where it does."""
    table = book.roster.table
    headings = [head.casefold() for head in table.heads]
    texts = _IN_THE_HEADING.findall(table.heads[column])
    for cells in table.lines[1:]:
        line = [cell.text.strip() for cell in cells]
        if _COLUMN in headings and headings.index(_COLUMN) < len(line):
            texts.append(line[headings.index(_COLUMN)])
        elif line and line[0].casefold() == _LINE and column < len(line):
            texts.append(line[column])
    return list(dict.fromkeys(Fraction(text.replace(",", ".")) for text in texts if _POINTS.fullmatch(text)))


def _cell(now: Standing, excused: str, missing: int | None) -> str:
    """What goes into an empty cell; nothing if it stays so."""
    if now.state == EXCUSED:
        return excused
    if now.state == MISSING and missing is not None:
        return f"{missing}.00"
    return decimals(now.score)
