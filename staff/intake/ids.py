"""An id that something hangs on does not go silently: what to do about one that is gone
is said by line.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from grader.refusal import Refusal
from staff.course import Course
from staff.intake.roster import Roster, as_id
from staff.intake.tables import parse_table
from staff.store import GRADES, Store

HAND = GRADES / "hand.csv"


@dataclass(frozen=True)
class Tie:
    """What an id is used for: the id, and where, as the end of a sentence."""

    id: str
    where: str


def refuse_lost_ids(
    store: Store, roster: Roster, course: Course, before: dict[str, str]
) -> None:
    """Raise Refusal for an id that something hangs on, and that is neither on the
    roster nor declared as left.

    `before` has the names by id of the roster that was kept until now: an extension or
    a change by hand for an id that was never there is a slip of the pen, and is told
    elsewhere.
    """
    ties = [*_decisions(store), *_publications(store)]
    ties += [tie for tie in (*_course(course), *_by_hand()) if tie.id in before]
    lost = [
        tie
        for tie in ties
        if tie.id not in roster.students and tie.id not in course.left
    ]
    if not lost:
        return
    first = lost[0]
    others = sorted({tie.id for tie in lost} - {first.id})
    also = f" (and so for {', '.join(others)})" if others else ""
    way_out = f"{_fix(roster, first.id, before)}, or write `left: {{{first.id}: dropped}}` into staff/course.yaml"
    raise Refusal(
        f"{roster.name}: no line has the id {first.id}, {first.where}; {way_out}{also}"
    )


def _fix(roster: Roster, id: str, before: dict[str, str]) -> str:
    """What to do to the roster: in the line of a student of the same name the id may
    have become empty.
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
    rows = store.db.execute(
        "SELECT source, value FROM decision WHERE column = 'student' ORDER BY source"
    )
    for source, value in rows.fetchall():
        for id in filter(None, value.split(", ")):
            yield Tie(id, f"which grades/collected.csv has as `student` of {source}")


def _publications(store: Store) -> Iterator[Tie]:
    rows = store.db.execute(
        "SELECT student, max(number) FROM published GROUP BY student ORDER BY student"
    )
    for id, number in rows.fetchall():
        yield Tie(id, f"which is in publication {number}")


def _course(course: Course) -> Iterator[Tie]:
    for id in course.extensions:
        yield Tie(id, "which has an extension in staff/course.yaml")
    for id in course.excused:
        yield Tie(id, "which is excused in staff/course.yaml")


def _by_hand() -> Iterator[Tie]:
    """The ids in hand.csv; a file that cannot be understood is refused where it is read
    for its points.
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
            yield Tie(
                as_id(cells[column]),
                f"which grades/hand.csv has in line {table.line_in_file(number)}",
            )
