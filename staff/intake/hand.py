"""grades/hand.csv: what people change by hand, with a line for each change.

id      the id of the student
what    a case such as alphabeta/given-window, `part 2`, or `total`
points  the points that the case, the part or the total gets.  Lateness still lowers
        the points of a case or a part, but not the `total`
reason  why, which the student reads
by      who changed it, which the student reads
note    a note that only the staff read; this column may be missing
"""

from collections.abc import Collection
from dataclasses import dataclass

from grader.bank.cases import Bank
from grader.refusal import Refusal, like
from staff.intake.spreadsheet import Line, ids_of, lines_of, points_of, word_of
from staff.store import GRADES

FILE = GRADES / "hand.csv"
NAME = "grades/hand.csv"
COLUMNS = ("id", "what", "points", "reason", "by")
OPTIONAL = ("note",)
TOTAL = "total"
OTHERWISE = "write a case, `part 2` or `total`"


@dataclass(frozen=True)
class Change:
    """The points that a person gives a student for a case, a part or the total, and
    why.
    """

    what: str  # a case, a part, or `total`
    points: int  # in hundredths of a point
    reason: str
    by: str  # who changed it
    note: str = ""  # a note that only the staff read

    def __str__(self) -> str:
        return f"{self.points / 100:g} points by {self.by}: {self.reason}"


Changes = dict[str, dict[str, Change]]
"""The changes by hand.  The keys are a student, and then what is changed."""


def read_hand(ids: Collection[str], bank: Bank) -> Changes:
    """Return the changes in grades/hand.csv for each student.

    `ids` are the ids of the students whom the file may name.  If there is no file,
    there are no changes.  Raises Refusal if the file cannot be used.  If one line is at
    fault, the Refusal names it.
    """
    changes: Changes = {id: {} for id in ids}
    worths = {case.id: bank.worth(case) for case in bank.cases}
    worths |= {f"part {part.number}": part.points for part in bank.parts}
    worths[TOTAL] = sum(part.points for part in bank.parts)
    lines = list[Line]()
    if FILE.exists():
        lines = lines_of(FILE.read_bytes(), NAME, COLUMNS, OPTIONAL)
    for where, row in lines:
        change = _change(where, row, worths)
        for student in ids_of(row["id"], ids, where):
            if change.what in changes[student]:
                raise Refusal(
                    f"{where}: {student} has a line for {change.what} already; keep one"
                )
            changes[student][change.what] = change
    return changes


def _change(where: str, row: dict[str, str], worths: dict[str, int]) -> Change:
    """Read the change that a line states.  Raises Refusal.

    `worths` says how many hundredths of a point each case, each part and the total are
    worth.
    """
    what = word_of(row["what"], worths)
    points = points_of(row["points"])
    if what is None:
        hint = like(row["what"], worths, OTHERWISE)
        raise Refusal(f"{where}: there is no {row['what']!r}{hint}")
    if points is None:
        raise Refusal(
            f"{where}: points are {row['points']!r}; write a number such as 2.5"
        )
    if points * 100 > worths[what]:
        raise Refusal(
            f"{where}: {what} is worth {worths[what] / 100:g} points, "
            f"and not {row['points']}"
        )
    if not (row["id"] and row["reason"] and row["by"]):
        raise Refusal(f"{where}: a change needs an id, a reason, and whoever made it")
    return Change(what, int(points * 100), row["reason"], row["by"], row["note"])
