"""Makes sure that an id stays on the roster if something depends on it.

A decision, a publication, an extension, an excuse and a change by hand name students by
their ids.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from grader.refusal import Refusal
from staff.course import Course
from staff.intake.roster import Roster
from staff.intake.tables import parse_table
from staff.intake.values import as_id
from staff.store import GRADES, Store

HAND = GRADES / "hand.csv"


@dataclass(frozen=True)
class Tie:
    """Something that depends on an id."""

    id: str
    where: str  # what names the id, as the end of a sentence


def refuse_lost_ids(
    store: Store, roster: Roster, course: Course, before: dict[str, str]
) -> None:
    """Raise Refusal if something depends on an id whose student is gone.

    A student is gone if the roster does not have the student, and course.yaml does not
    list the student as left.  `before` is the roster that was kept until now: the name
    of each student, with the id as the key.  If an extension or a change by hand names
    an id that was not on that roster, the id is a typing error, which other commands
    report.
    """
    ties = [*_decisions(store), *_publications(store)]
    ties += [tie for tie in (*_rules(course), *_changes_by_hand()) if tie.id in before]
    known = roster.students.keys() | course.left.keys()
    lost = [tie for tie in ties if tie.id not in known]
    if not lost:
        return
    first = lost[0]
    fix = _fix(roster, first.id, before)
    more = sorted({tie.id for tie in lost} - {first.id})
    also = f" (and so for {', '.join(more)})" if more else ""
    raise Refusal(
        f"{roster.name}: no line has the id {first.id}, {first.where}; {fix}, "
        f"or write `left: {{{first.id}: dropped}}` into staff/course.yaml{also}"
    )


def _fix(roster: Roster, id: str, before: dict[str, str]) -> str:
    """Say how to fix the roster if it does not have an id any more.

    `before` says which student had the id.  If the roster has a student of that name
    without an id, somebody may have emptied the cell with the id.
    """
    name = before.get(id, "")
    for student in roster.without_id:
        if name and student.name == name:
            line = roster.table.line_in_file(student.line)
            return (
                f"line {line} has no id: if {name} there is {id}, write the id into it"
            )
    return "fix the student's line in the roster"


def _decisions(store: Store) -> Iterator[Tie]:
    """Yield a Tie for each id to which people gave a file."""
    query = (
        "SELECT source, value FROM decision WHERE column = 'student' ORDER BY source"
    )
    for source, value in store.db.execute(query).fetchall():
        for id in filter(None, value.split(", ")):
            yield Tie(id, f"which grades/collected.csv has as `student` of {source}")


def _publications(store: Store) -> Iterator[Tie]:
    """Yield a Tie for each id that is in a publication.

    The Tie names the last publication that has the id.
    """
    rows = store.db.execute(
        "SELECT student, max(number) FROM published GROUP BY student ORDER BY student"
    )
    for id, number in rows.fetchall():
        yield Tie(id, f"which is in publication {number}")


def _rules(course: Course) -> Iterator[Tie]:
    """Yield a Tie for each extension and for each excuse in course.yaml."""
    for id in course.extensions:
        yield Tie(id, "which has an extension in staff/course.yaml")
    for id in course.excused:
        yield Tie(id, "which is excused in staff/course.yaml")


def _changes_by_hand() -> Iterator[Tie]:
    """Yield a Tie for the id in each line of hand.csv.

    If the file cannot be read as a table, yield none.  The command that reads the
    points refuses such a file.
    """
    if not HAND.exists():
        return
    try:
        table = parse_table(HAND.read_bytes(), HAND.name)
        column = table.column(["id"], HAND.name)
    except Refusal:
        return
    for number, cells in table.texts():
        if column is not None and column < len(cells):
            line = table.line_in_file(number)
            yield Tie(as_id(cells[column]), f"which grades/hand.csv has in line {line}")
