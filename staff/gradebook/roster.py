"""Who is in the class: a table of ids, or the gradebook that the course's system exports (systems.yaml)."""

import re
import unicodedata
from dataclasses import dataclass

from grader.refusal import Refusal, like
from staff.gradebook.systems import SYSTEMS
from staff.gradebook.tables import Table

Key = tuple[str, str]
"""A kind, such as username, and what somebody's is."""


@dataclass(frozen=True)
class Export:
    """A system's table, as systems.yaml says."""

    system: str
    heads: list[str]
    ids: list[str]
    keys: dict[str, str]
    names: list[str]
    stated: str = ""


@dataclass(frozen=True)
class Student:
    """A student: the id that everything goes by, the keys by which files are matched, and the line in the roster.

    `stated` is the time of handing in, where the roster states one.
    """

    id: str
    name: str
    keys: tuple[Key, ...]
    line: int
    stated: str = ""


@dataclass(frozen=True)
class Roster:
    """The students, whose table it is, and the heading under which their ids stand."""

    students: list[Student]
    system: str
    known_by: str


EXPORTS = [Export(**row) for row in SYSTEMS["rosters"]]
_NO_STUDENTS = ("Student, Test", "Points Possible")  # of Canvas


def read_roster(table: Table, file: str) -> Roster:
    """The class that a table lists.  Raises Refusal for one that is not understood, or in which two are the same."""
    export = next((each for each in EXPORTS if set(each.heads) <= set(table.heads)), None)
    if not export:
        systems = ", ".join(each.system for each in EXPORTS[:-1])
        raise Refusal(f"{file}: the first line needs the heading `id`, or those of an export, in English: {systems}")
    rows = [
        row for row in table.rows() if row[1].get("Student") not in _NO_STUDENTS and any(map(row[1].get, export.ids))
    ]
    columns = {head: [row.get(head, "") for _, row in rows] for head in export.ids}
    known_by = next((head for head, ids in columns.items() if all(ids) and len(set(ids)) == len(ids)), export.ids[-1])
    ids = columns[known_by]
    for one in ids:
        if not one.isprintable() or "," in one or not one or ids.count(one) > 1:
            raise Refusal(f"{file}: in the column {known_by} {one!r} is empty, stands twice, or has a comma")
    if not ids:
        raise Refusal(f"{file} lists nobody")
    return Roster([_student(export, known_by, *row) for row in rows], export.system, known_by)


def _student(export: Export, known_by: str, line: int, row: dict[str, str]) -> Student:
    name = " ".join(row[head] for head in export.names if row.get(head))
    last, comma, first = name.partition(",")
    *others, ending = name.split() or [""]
    forms = {form_of("name", each) for each in (name, f"{first} {last}" if comma else " ".join([ending, *others]))}
    keys = [(kind, row[head]) for head, kind in export.keys.items() if row.get(head)]
    keys += [("id", row[known_by]), *(("name", form) for form in forms if form)]
    time = row.get(export.stated, "").removeprefix("-")  # Moodle's sign for none
    return Student(row[known_by], name, tuple(keys), line, time)


def form_of(kind: str, value: str) -> str:
    """A key as it is compared: a name as letters alone, without accents; Moodle's number out of `Participant 7`.

    >>> form_of("name", "Doe, José"), form_of("moodle", "Participant 7"), form_of("id", "Ann")
    ('doejose', '7', 'ann')
    """
    if kind in ("name", "team"):
        return "".join(one for one in unicodedata.normalize("NFKD", value).casefold() if one.isalnum())
    return "".join(re.findall(r"\d+$", value)) if kind == "moodle" else value.casefold()


def chosen(roster: Roster, who: str) -> list[str]:
    """The students that WHO=id,id names.  Raises Refusal for a name that nobody has."""
    known = [one.id for one in roster.students]
    names = [name.strip() for name in who.split(",") if name.strip()]
    for name in names:
        if name not in known:
            raise Refusal(f"WHO: {name!r} is not on the roster{like(name, known, 'write an id of it')}")
    return names
