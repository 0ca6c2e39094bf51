"""grades/hand.csv: what people change by hand, a line a change.

id      of the roster
what    a case such as alphabeta/given-window, `part 2`, or `total`
points  what it earns instead; a case or part counts before lateness, `total` is the score after it
reason  why, and `by` whom
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from boards.cases import Bank
from grader.refusal import Refusal, like
from staff.gradebook.store import GRADES
from staff.gradebook.tables import parse_table, read_whole

FILE = GRADES / "hand.csv"
COLUMNS = ("id", "what", "points", "reason", "by")
TOTAL = "total"


@dataclass(frozen=True)
class Change:
    """What a student earns for something instead, in hundredths of a point, and why."""

    student: str
    what: str
    points: int
    reason: str
    by: str

    def __str__(self) -> str:
        return f"{self.what}: {self.points / 100:g} points by {self.by}: {self.reason}"


def read_hand(students: Collection[str], bank: Bank, file: Path = FILE) -> list[Change]:
    """The changes by hand, none without a file.  Raises Refusal, with the line."""
    if not file.exists():
        return []
    table = parse_table(read_whole(file), file)
    if missing := [column for column in COLUMNS if column not in table.heads]:
        raise Refusal(f"grades/hand.csv has no column {missing[0]!r}; its first line is {','.join(COLUMNS)}")
    known = [TOTAL, *(f"part {part.number}" for part in bank.parts), *(case.id for case in bank.cases)]
    changes: dict[tuple[str, str], Change] = {}
    for line, row in table.rows():
        where = f"grades/hand.csv, line {line + 1}"
        student, what, points, reason, by = (row[column].strip() for column in COLUMNS)
        if student not in students:
            raise Refusal(f"{where}: {student!r} is not on the roster{like(student, students, 'write an id of it')}")
        if what not in known:
            raise Refusal(f"{where}: there is no {what!r}{like(what, known, 'write a case, `part 2` or `total`')}")
        if not re.fullmatch(r"\d{1,4}(\.\d{1,2})?", points):
            raise Refusal(f"{where}: points are {points!r}; write a number such as 2.5")
        if not (reason and by):
            raise Refusal(f"{where}: a change has a reason, and somebody who made it")
        if (student, what) in changes:
            raise Refusal(f"{where}: {student} has a line for {what} already; keep one")
        changes[student, what] = Change(student, what, int(Fraction(points) * 100), reason, by)
    return list(changes.values())
