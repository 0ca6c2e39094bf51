"""Who is in the class, and whose a file is: a table of ids, or the gradebook that the course's system exports.

How systems write theirs stands in systems.yaml.  Nobody is ever guessed.
"""

import hashlib
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from grader.refusal import Refusal, like
from staff.gradebook.store import Store
from staff.gradebook.systems import SYSTEMS
from staff.gradebook.tables import Table, parse_table

Key = tuple[str, str]
"""A kind, such as username, and what somebody's is."""

AT_THE_END = " at the end"
_MAY_MISS = ("sid", "email")  # after which others are tried; any other key decides, if the roster has its kind
_TEST_STUDENT = "Student, Test"  # of Canvas


@dataclass(frozen=True)
class Export:
    """A system's table, as systems.yaml says."""

    system: str
    heads: list[str]
    ids: list[str]
    keys: dict[str, str]
    names: list[str]
    stated: str = ""
    takes: str = ""
    excused: str = ""
    feedback: bool = False
    otherwise: str = ""


@dataclass(frozen=True)
class Student:
    """A student: the id that everything goes by, the keys by which files are matched, and the line in the roster.

    `stated` is the time of handing in, where the roster states one.
    """

    id: str
    name: str
    keys: frozenset[Key]
    line: int
    stated: str = ""


@dataclass(frozen=True)
class Roster:
    """The students by their ids; whose table it is, the heading of the ids, the name of its file, and the table."""

    students: dict[str, Student]
    export: Export
    known_by: str
    name: str
    table: Table

    @cached_property
    def _known(self) -> dict[Key, list[str]]:
        known: dict[Key, list[str]] = defaultdict(list)
        for student in self.students.values():
            for key in student.keys:
                known[key].append(student.id)
        return known

    def students_of(self, keys: Iterable[Key]) -> list[str]:
        """Whom the keys of one owner fit: nobody, one student, or several between whom nothing decides."""
        kinds = {kind for kind, _ in self._known}
        for name, value in keys:
            kind = name.removesuffix(AT_THE_END)
            starts = [at for at in range(len(value)) if name != kind and not value[at - 1].isalnum()]
            endings = [key_of(kind, value[at:]) for at in (0, *starts)]  # the longest first
            found = next((key for key in endings if key in self._known), endings[0])
            if value and kind in kinds and (found in self._known or kind not in _MAY_MISS):
                return self._known.get(found, [])
        return []


EXPORTS = [Export(**row) for row in SYSTEMS["rosters"]]


def read_roster(name: str, data: bytes) -> Roster:
    """The class that a table lists, whose file has this name.

    Raises Refusal for one that is not understood, or in which two are the same.
    """
    table = parse_table(data, name)
    export = next((each for each in EXPORTS if set(each.heads) <= set(table.heads)), None)
    if not export:
        systems = ", ".join(each.system for each in EXPORTS[:-1])
        raise Refusal(f"{name}: the first line needs the heading `id`, or those of an export, in English: {systems}")
    lines = [(line, row) for line, row in table.rows() if row.get("Student") != _TEST_STUDENT]
    rows = {line: row for line, row in lines if any(map(row.get, export.ids))}
    if not rows:
        raise Refusal(f"{name} lists nobody")
    known_by = next((head for head in export.ids if all(row.get(head) for row in rows.values())), export.ids[-1])
    ids = [row.get(known_by, "") for row in rows.values()]
    for one in ids:
        if not one.isprintable() or "," in one or not one or ids.count(one) > 1:
            raise Refusal(f"{name}: in the column {known_by} {one!r} is empty, stands twice, or has a comma")
    students = {row[known_by]: _student(export, known_by, line, row) for line, row in rows.items()}
    return Roster(students, export, known_by, name, table)


def kept_roster(store: Store) -> Roster:
    """The class as the last roster lists it.  Raises Refusal if there was none."""
    for name, data in store.db.execute("SELECT name, bytes FROM roster"):
        return read_roster(name, data)
    raise Refusal("there is no roster yet: make collect FROM=downloads/ ROSTER=roster.csv")


def keep_roster(store: Store, file: Path) -> None:
    """Keep a roster in the place of the last one, to the byte, since it comes back filled in.  Raises Refusal."""
    data = file.read_bytes()
    roster = read_roster(file.name, data)
    store.db.execute("INSERT INTO roster VALUES (?, ?, ?)", (file.name, roster.export.system, data))
    students = [(one.id, one.name, one.line) for one in roster.students.values()]
    store.db.executemany("INSERT INTO student VALUES (?, ?, ?)", students)
    store.log("roster", new=f"{file.name}, SHA-256 {hashlib.sha256(data).hexdigest()}")


def _student(export: Export, known_by: str, line: int, row: dict[str, str]) -> Student:
    name = " ".join(row[head] for head in export.names if row.get(head))
    *first, last = name.split() or [""]
    keys = [("id", row[known_by]), ("name", " ".join([*first, last])), ("name", " ".join([last, *first]))]
    keys += [(kind, row.get(head, "")) for head, kind in export.keys.items()]
    known = frozenset(key_of(kind, value) for kind, value in keys if value)
    # A dash is Moodle's sign for no time.
    return Student(row[known_by], name, known, line, row.get(export.stated, "").removeprefix("-"))


def key_of(kind: str, value: str) -> Key:
    """A key as it is compared: a name as letters alone, without accents.

    >>> key_of("name", "Doe, José"), key_of("id", "Ann")
    (('name', 'doejose'), ('id', 'ann'))
    """
    if kind == "name":
        value = "".join(one for one in unicodedata.normalize("NFKD", value) if one.isalnum())
    return kind, value.casefold()


def chosen(roster: Roster, who: str, where: str = "WHO") -> list[str]:
    """The students that a text such as that of WHO=id,id names.  Raises Refusal for a name that nobody has."""
    names = [name.strip() for name in who.split(",") if name.strip()]
    for name in names:
        if name not in roster.students:
            raise Refusal(f"{where}: {name!r} is not on the roster{like(name, roster.students, 'write an id of it')}")
    return names
