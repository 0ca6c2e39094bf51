"""The files that were handed in, as the kit found them and as people decided about
them.
"""

from dataclasses import replace
from datetime import datetime
from typing import Any

from staff.course import Course
from staff.course.standing import Handed, Timing
from staff.intake.owners import NOBODY, Owners, from_text, owners_of
from staff.intake.roster import Roster
from staff.intake.systems import read_moment
from staff.store import Store

READY = "ready"
REFUSED = "refused"
_FOUND = ("source", "sha256", "size", "found", "family", "number")


def handed_in(store: Store, course: Course, roster: Roster) -> list[Handed]:
    """Return all files that were handed in, with people's decisions about them."""
    rows = store.db.execute("SELECT * FROM handed ORDER BY source")
    return [_handed(dict(row), course, roster) for row in rows]


def _handed(row: dict[str, Any], course: Course, roster: Roster) -> Handed:
    """Return the file in a row of the database's view `handed`.

    In the row, a decision is None if nobody has made it.
    """
    owners = owners_of(from_text(row["owners"]), roster)
    time, problem = _time(row["stated"], course)
    as_found = Handed(
        **{name: row[name] for name in _FOUND},
        students=owners.ids,
        submitted=time,
        ready=not row["refused"],
        reason=row["refused"] or "",
    )
    if row["student"] is not None:
        owners = _decided_owners(row["student"], course, roster)
    if row["submitted"] is not None:
        time, problem = _time(row["submitted"], course)
    ready = as_found.ready
    if row["state"] is not None:
        ready = row["state"] == READY
    reason = "" if ready else as_found.reason
    if row["reason"] is not None:
        reason = row["reason"]
    decided = replace(
        as_found,
        students=owners.ids,
        submitted=time,
        ready=ready,
        reason=reason,
        counts=row["counts"] or "",
        note=row["note"] or "",
        as_found=as_found,
    )
    problems = (*owners.problems, *_problems(decided, problem, course))
    return replace(decided, problems=problems)


def _decided_owners(ids: str, course: Course, roster: Roster) -> Owners:
    """Return the owners whom a person chose.

    An id is left out if neither the roster nor course.yaml knows it any more.  If no id
    is left, the file belongs to nobody.
    """
    known = roster.students.keys() | course.left.keys()
    owners = tuple(id for id in dict.fromkeys(ids.split(", ")) if id in known)
    return Owners(owners) if owners else NOBODY


def _time(text: str, course: Course) -> tuple[datetime | None, str]:
    """Return the moment that a text states, and the problem with the text.

    The problem is the end of a sentence that begins with the file.  It is empty if
    there is no problem.  The moment is None if there is a problem, or no text.
    """
    if not text:
        return None, ""
    try:
        return read_moment(text, course.due.tzinfo), ""
    except ValueError as error:
        return None, f"whose time {error}"


def _problems(file: Handed, of_time: str, course: Course) -> list[str]:
    """Return the problems of a file, except those with its owners.

    `of_time` is the problem with the time of the file; empty if there is none.
    """
    if not file.ready:
        return [f"refused: {file.reason or 'nobody wrote why'}"]
    if of_time:
        return [of_time]
    if file.timing is Timing.UNKNOWN and course.late.by == "kit":
        return ["no time known"]
    return []
