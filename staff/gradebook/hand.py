"""grades/hand.csv: what people change by hand, a line a change.

id      of the roster
what    a case such as alphabeta/given-window, `part 2`, or `total`
points  what it earns instead; a case or part counts before lateness, `total` is the score after it
reason  why, and `by` whom
"""

import re
from dataclasses import dataclass
from fractions import Fraction

from boards.cases import Bank
from grader.refusal import Refusal, like
from staff.gradebook.roster import Roster, chosen
from staff.gradebook.store import GRADES
from staff.gradebook.tables import parse_table

FILE = GRADES / "hand.csv"
COLUMNS = ("id", "what", "points", "reason", "by")
TOTAL = "total"


@dataclass(frozen=True)
class Change:
    """What a student earns for something instead, in hundredths of a point, and why."""

    what: str
    points: int
    reason: str
    by: str

    def __str__(self) -> str:
        return f"{self.what}: {self.points / 100:g} points by {self.by}: {self.reason}"


Changes = dict[str, dict[str, Change]]
"""The changes by hand, by student and by what is changed."""


def read_hand(roster: Roster, bank: Bank) -> Changes:
    """The changes by hand, none without a file.  Raises Refusal, with the line."""
    changes: Changes = {student: {} for student in roster.ids}
    known = [TOTAL, *(f"part {part.number}" for part in bank.parts), *(case.id for case in bank.cases)]
    rows = parse_table(FILE.read_bytes(), "grades/hand.csv", COLUMNS).rows() if FILE.exists() else []
    for line, row in rows:
        where = f"grades/hand.csv, line {line + 1}"
        who, what, points, reason, by = (row[column] for column in COLUMNS)
        if what not in known:
            raise Refusal(f"{where}: there is no {what!r}{like(what, known, 'write a case, `part 2` or `total`')}")
        if not re.fullmatch(r"\d{1,4}(\.\d{1,2})?", points):
            raise Refusal(f"{where}: points are {points!r}; write a number such as 2.5")
        if not (who and reason and by):
            raise Refusal(f"{where}: a change has an id, a reason, and somebody who made it")
        for student in chosen(roster, who, where):
            if what in changes[student]:
                raise Refusal(f"{where}: {student} has a line for {what} already; keep one")
            changes[student][what] = Change(what, int(Fraction(points) * 100), reason, by)
    return changes
