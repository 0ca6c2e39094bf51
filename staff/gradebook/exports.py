"""The export of the course's system filled in, all else to the byte."""

import re
from collections.abc import Mapping

from staff.gradebook.book import Book, decimals
from staff.gradebook.standing import EXCUSED, MISSING, Standing

EMPTY = ("", "-")


def filled(book: Book, standings: Mapping[str, Standing], over: bool) -> tuple[dict[str, bytes], list[str]]:
    """The course system's export with grades, by its name, none if it takes none; and what a person should know."""
    export, name, table = book.roster.export, book.roster.name, book.roster.table
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
