"""What people decide in tables.

grades/collected.csv has a row for each file that was handed in.  A cell that somebody edits is a decision, and kept.
grades/hand.csv is people's own, with a line for each change by hand:

id      of the roster
what    a case such as alphabeta/given-window, `part 2`, or `total`
points  what it earns instead; a case or part counts before lateness, `total` is the score after it
reason  why, and `by` whom
"""

import hashlib
import json
import re
from dataclasses import dataclass
from datetime import tzinfo
from fractions import Fraction
from operator import itemgetter
from pathlib import Path
from typing import Any

from boards.cases import Bank
from grader.refusal import Refusal, like
from staff.course import Course
from staff.gradebook.owners import NOBODY, Owners, from_text, owners_of
from staff.gradebook.roster import Roster, chosen
from staff.gradebook.standing import Handed, by_student, contenders
from staff.gradebook.store import GRADES, Store
from staff.gradebook.systems import read_moment, shown
from staff.gradebook.tables import as_csv, parse_table, safe, unsafe

FORM = "collected.csv"  # in grades/
OF_PEOPLE = ("student", "submitted", "counts", "state", "reason")
HEADS = ("source", "sha256", "size", "found", *OF_PEOPLE)
READY, REFUSED = "ready", "refused"
HAND, OF_HAND = GRADES / "hand.csv", ("id", "what", "points", "reason", "by")
TOTAL = "total"
_WORDS = {"counts": ("yes", "no", "maybe"), "state": (READY, REFUSED)}
Edits = dict[tuple[str, str], tuple[str, str]]
"""What a cell said before, and what it says now, by source and column."""


def take_edits(store: Store, form: Path, roster: Roster, zone: tzinfo | None) -> Edits:
    """The cells of the form that differ from what the kit last wrote, checked.  Raises Refusal, with the line."""
    if not form.exists():
        return {}
    data = form.read_bytes()
    if store.wrote(hashlib.sha256(data).hexdigest()):
        return {}
    known = {safe(row["source"]): row for row in store.db.execute("SELECT source, sha256, written FROM submission")}
    edits: Edits = {}
    for line, row in parse_table(data, f"grades/{FORM}", HEADS).rows():
        where, before = f"grades/{FORM}, line {line + 1}", known.pop(row["source"], None)
        if not before:
            raise Refusal(f"{where}: {row['source']!r} is no source of the kit, or stands twice")
        written = json.loads(before["written"])
        for column in OF_PEOPLE:
            cell = unsafe(row[column])
            if column == "state" and cell == READY and not before["sha256"]:
                raise Refusal(f"{where}: nothing of {row['source']} was kept, so that it cannot be {READY}")
            if not _same(cell, written[column]):
                edits[before["source"], column] = written[column], _checked(where, column, cell, roster, zone)
    return edits


def _same(cell: str, before: str) -> bool:
    """Whether a cell is as it was; a spreadsheet takes the zeros at the beginning of a number."""
    return cell == before or (cell.isdecimal() and before.isdecimal() and int(cell) == int(before))


def _checked(where: str, column: str, cell: str, roster: Roster, zone: tzinfo | None) -> str:
    """A cell as it is kept.  Raises Refusal."""
    if column == "submitted" and cell:
        try:
            return shown(read_moment(cell, zone), zone)
        except ValueError as error:
            raise Refusal(f"{where}: {cell!r} {error}") from None
    if column == "student":
        return ", ".join(chosen(roster, cell, where))
    if column in _WORDS and cell not in _WORDS[column]:
        raise Refusal(f"{where}: {column} is {cell!r}; write {' or '.join(_WORDS[column][:2])}")
    return cell


def keep_edits(store: Store, edits: Edits) -> None:
    """Make decisions of edited cells, and log them."""
    for (source, column), (before, now) in edits.items():
        store.db.execute("INSERT OR REPLACE INTO decision VALUES (?, ?, ?)", (source, column, now))
        store.log(f"{column} of {source}", before, now)


def handed_in(store: Store, course: Course, roster: Roster) -> list[Handed]:
    """All that was handed in, as the kit found it and people decided."""
    return [_handed(dict(row), course, roster) for row in store.db.execute("SELECT * FROM handed ORDER BY source")]


def _handed(row: dict[str, Any], course: Course, roster: Roster) -> Handed:
    """A row of the view `handed`, which has the fields of Handed; its owners and its time are looked up."""
    time, submitted = row.pop("time"), None
    owners = _owners(row.pop("student"), row.pop("owners"), roster)
    problems = list(owners.problems)
    if not row["ready"]:
        problems.append(f"refused: {row['reason'] or 'nobody wrote why'}")
    elif not time:
        problems.append("no time known")
    try:
        submitted = read_moment(time, course.due.tzinfo) if time else None
    except ValueError as error:
        problems.append(f"whose time {error}")
    return Handed(**row, submitted=submitted, students=owners.ids, problems=tuple(problems))


def _owners(decided: str | None, owners: str, roster: Roster) -> Owners:
    """The students whose file it is, as people or else its name and facts say; and what is open about that."""
    if decided is None:
        return owners_of(from_text(owners), roster)
    ids = tuple(dict.fromkeys(id for id in decided.split(", ") if id in roster.students))
    return Owners(ids) if ids else NOBODY


def form_of(store: Store, files: list[Handed], course: Course) -> bytes:
    """The form, kept in the store as what was last written.  What belongs to nobody stands first."""
    counting = {student: contenders(course, student, own) for student, own in by_student(files).items()}
    rows: list[tuple[object, ...]] = []
    for one in files:
        cells = _cells(one, [counting[student] for student in one.students], course.due.tzinfo)
        rows.append((one.source, one.sha256, one.size, one.found, *cells.values()))
        store.db.execute("UPDATE submission SET written = ? WHERE source = ?", (json.dumps(cells), one.source))
    data = as_csv([HEADS, *sorted(rows, key=itemgetter(*map(HEADS.index, ("student", "submitted"))))])
    digest = hashlib.sha256(data).hexdigest()
    if not store.wrote(digest):
        store.log(FORM, new=digest)
    store.db.execute("INSERT OR REPLACE INTO form VALUES (?)", (digest,))
    return data


def _cells(one: Handed, pools: list[list[Handed]], zone: tzinfo | None) -> dict[str, str]:
    """The cells of people in a row; each of `pools` has the files that may count for one of its students."""
    sizes = [len(pool) for pool in pools if one in pool]
    return {
        "student": ", ".join(one.students),
        "submitted": shown(one.submitted, zone) if one.submitted else "",
        "counts": "yes" if 1 in sizes else "maybe" if sizes else "no",
        "state": READY if one.ready else REFUSED,
        "reason": one.reason,
    }


@dataclass(frozen=True)
class Change:
    """What a student earns for something instead, in hundredths of a point, and why."""

    what: str
    points: int
    reason: str
    by: str

    def __str__(self) -> str:
        return f"{self.points / 100:g} points by {self.by}: {self.reason}"


Changes = dict[str, dict[str, Change]]
"""The changes by hand, by student and by what is changed."""


def read_hand(roster: Roster, bank: Bank) -> Changes:
    """The changes by hand, none without a file.  Raises Refusal, with the line."""
    changes: Changes = {student: {} for student in roster.students}
    most = {case.id: bank.worth(case) for case in bank.cases}
    most |= {f"part {part.number}": part.points for part in bank.parts}
    most[TOTAL] = sum(part.points for part in bank.parts)
    rows = parse_table(HAND.read_bytes(), "grades/hand.csv", OF_HAND).rows() if HAND.exists() else []
    for line, row in rows:
        where = f"grades/hand.csv, line {line + 1}"
        who, what, points, reason, by = (row[column] for column in OF_HAND)
        if what not in most:
            raise Refusal(f"{where}: there is no {what!r}{like(what, most, 'write a case, `part 2` or `total`')}")
        if not re.fullmatch(r"\d{1,4}(\.\d{1,2})?", points):
            raise Refusal(f"{where}: points are {points!r}; write a number such as 2.5")
        if Fraction(points) * 100 > most[what]:
            raise Refusal(f"{where}: {what} is worth {most[what] / 100:g} points, and not {points}")
        if not (who and reason and by):
            raise Refusal(f"{where}: a change has an id, a reason, and somebody who made it")
        for student in chosen(roster, who, where):
            if what in changes[student]:
                raise Refusal(f"{where}: {student} has a line for {what} already; keep one")
            changes[student][what] = Change(what, int(Fraction(points) * 100), reason, by)
    return changes
