"""grades/hand.csv: what people change by hand, a line for each change.

id      of the roster
what    a case such as alphabeta/given-window, `part 2`, or `total`
points  what it earns instead; a case or part counts before lateness, `total` is the score after it
reason  why, and `by` whom: the student reads both
note    what the staff alone read; the column may be left out
"""

from collections.abc import Collection
from dataclasses import dataclass

from grader.bank.cases import Bank
from grader.refusal import Refusal, like
from staff.gradebook.spreadsheet import ids_of, lines_of, points_of, word_of
from staff.gradebook.store import GRADES

FILE, NAME = GRADES / "hand.csv", "grades/hand.csv"
COLUMNS, OPTIONAL = ("id", "what", "points", "reason", "by"), ("note",)
TOTAL = "total"
OTHERWISE = "write a case, `part 2` or `total`"


@dataclass(frozen=True)
class Change:
    """What a student earns for something instead, in hundredths of a point, and why."""

    what: str
    points: int
    reason: str
    by: str
    note: str = ""

    def __str__(self) -> str:
        return f"{self.points / 100:g} points by {self.by}: {self.reason}"


Changes = dict[str, dict[str, Change]]
"""The changes by hand, by student and by what is changed."""


def read_hand(ids: Collection[str], bank: Bank) -> Changes:
    """The changes by hand for students with these ids, none without a file.  Raises
    Refusal, with the line.
    """
    changes: Changes = {id: {} for id in ids}
    worths = {case.id: bank.worth(case) for case in bank.cases}
    worths |= {f"part {part.number}": part.points for part in bank.parts}
    worths[TOTAL] = sum(part.points for part in bank.parts)
    for where, row in (
        lines_of(FILE.read_bytes(), NAME, COLUMNS, OPTIONAL) if FILE.exists() else []
    ):
        change = _change(where, row, worths)
        for student in ids_of(row["id"], ids, where):
            if change.what in changes[student]:
                raise Refusal(
                    f"{where}: {student} has a line for {change.what} already; keep one"
                )
            changes[student][change.what] = change
    return changes


def _change(where: str, row: dict[str, str], worths: dict[str, int]) -> Change:
    """The change that a line states.  Raises Refusal."""
    what, points = word_of(row["what"], worths), points_of(row["points"])
    if what is None:
        raise Refusal(
            f"{where}: there is no {row['what']!r}{like(row['what'], worths, OTHERWISE)}"
        )
    if points is None:
        raise Refusal(
            f"{where}: points are {row['points']!r}; write a number such as 2.5"
        )
    if points * 100 > worths[what]:
        raise Refusal(
            f"{where}: {what} is worth {worths[what] / 100:g} points, and not {row['points']}"
        )
    if not (row["id"] and row["reason"] and row["by"]):
        raise Refusal(
            f"{where}: a change has an id, a reason, and somebody who made it"
        )
    return Change(what, int(points * 100), row["reason"], row["by"], row["note"])
