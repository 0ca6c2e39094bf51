"""Who is in the class: a table of ids, or the gradebook that the course's system
exports.

How systems write theirs is in systems.yaml.  The field that the ids are taken from is
chosen once for each system, and kept in the store, so that no student gets another id
because of somebody else's line.
"""

import hashlib
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain
from pathlib import Path

from grader.refusal import Refusal
from staff.intake.systems import SYSTEMS
from staff.intake.tables import Table, as_heading, parse_table
from staff.store import Store

ID, NAME, MOODLE = "id", "name", "moodle"
MAY_BE_THE_ID = (
    "sid",
    "email",
)  # systems differ in what they call a student's number or address
IS_THE_ID = ("github", "username")  # the id takes their place in a roster without them
_ENCODING = "encoding of the roster"  # in the table `kept`


@dataclass(frozen=True)
class Export:
    """A system's table, as systems.yaml says."""

    system: str
    marks: list[list[str]]
    fields: dict[str, list[str]]
    ids: list[str]
    names: list[list[str]]
    language: str = ""
    nobody: list[str] = field(default_factory=list)
    role: str = ""
    students: list[str] = field(default_factory=list)
    stated: str = ""
    words: dict[str, str] = field(default_factory=dict)
    takes: str = ""
    maximum: str = ""
    decimal: str = "."
    excused: str = ""
    feedback: bool = False
    otherwise: str = ""

    @property
    def title(self) -> str:
        """The system, with the language if that is not English."""
        return f"{self.system} in {self.language}" if self.language else self.system

    def takes_grades(self, heading: str) -> bool:
        """Whether the column under a heading takes grades."""
        return bool(self.takes and re.fullmatch(self.takes, heading, re.IGNORECASE))


@dataclass(frozen=True)
class Student:
    """A student: the id that everything goes by, the name, and the line in the table.

    `facts` has, by field, each value under which files may name this student, as it is
    compared.  `stated` is the time of handing in, where the roster states one.  `id` is
    empty if the roster has none yet.
    """

    id: str
    name: str
    facts: Mapping[str, frozenset[str]]
    line: int
    stated: str = ""


@dataclass(frozen=True)
class Roster:
    """The students by their ids, and those without an id; whose table it is, the
    heading of the ids, and the table.

    `field` is where the ids are taken from, `name` is that of the file.  `unread` says
    what of the table is not read.
    """

    students: dict[str, Student]
    without_id: tuple[Student, ...]
    export: Export
    field: str
    known_by: str
    name: str
    table: Table
    unread: tuple[str, ...] = ()

    @property
    def everybody(self) -> list[Student]:
        """All students, also those without an id."""
        return [*self.students.values(), *self.without_id]

    @cached_property
    def values(self) -> dict[str, frozenset[str]]:
        """By field, each value that somebody has."""
        values = dict[str, frozenset[str]]()
        for student in self.everybody:
            for name, own in student.facts.items():
                values[name] = values.get(name, frozenset()) | own
        return values

    def fields_for(self, name: str) -> tuple[str, ...]:
        """The fields of this roster in which to look for a field that a file names."""
        fields = [name] if name in self.values else []
        if name in MAY_BE_THE_ID or (name in IS_THE_ID and not fields):
            fields.append(ID)
        return tuple(fields)


EXPORTS = [Export(**row) for row in SYSTEMS["rosters"]]


def read_roster(
    name: str, data: bytes, known_by: str = "", encoding: str = ""
) -> Roster:
    """The class that a table lists, whose file has this name; `known_by` is the field
    that the ids were taken from.

    Raises Refusal, with the line, for a table that is not understood, or in which an id
    stands twice.
    """
    table = parse_table(data, name, encoding=encoding)
    export = _export_of(table, name)
    columns = _columns(export, table, name)
    lines = _lines_of_students(export, columns, table, name)
    if not lines:
        raise Refusal(f"{name} lists nobody; export it again, with the students")
    chosen = known_by or _best_field(export, columns, lines)
    if chosen not in columns.fields:
        heading = " or ".join(
            f"`{head}`" for head in export.fields.get(chosen, [chosen])
        )
        raise Refusal(
            f"{name} has no column {heading}, by which the students were known so far; export it with that"
        )
    students = dict[str, Student]()
    without_id = list[Student]()
    for line in lines:
        student = _student(export, columns, chosen, line)
        if not student.id:
            without_id.append(student)
            continue
        where = f"{name}, line {table.line_in_file(line.number)}"
        if not student.id.isprintable():
            raise Refusal(
                f"{where}: the id {student.id!r} holds a character that cannot be seen; type it again"
            )
        if student.id in students:
            first = table.line_in_file(students[student.id].line)
            raise Refusal(
                f"{where}: the id {student.id!r} is in line {first} already; give each student an id of their own"
            )
        students[student.id] = student
    heading = table.heads[columns.fields[chosen]]
    if not students:
        raise Refusal(
            f"{name}: the column `{heading}`, by which the students are known, is empty in every line; "
            "export the table again with it"
        )
    unread = (
        *_unread_columns(export, columns, table),
        *_unread_lines(export, columns, lines, table),
        *_unread_details(columns, chosen, lines, table),
    )
    return Roster(
        students, tuple(without_id), export, chosen, heading, name, table, unread
    )


@dataclass(frozen=True)
class Columns:
    """Where a table has what is read of it: by field its column, the columns of the
    name, of a time and of the role.
    """

    fields: dict[str, int]
    names: tuple[int, ...]
    stated: int | None
    role: int | None


@dataclass(frozen=True)
class Line:
    """A line of the table: its number, and the texts of its cells."""

    number: int
    cells: list[str]

    def __getitem__(self, column: int) -> str:
        return self.cells[column] if column < len(self.cells) else ""


def _export_of(table: Table, name: str) -> Export:
    """The system whose headings a table has."""
    heads = set(map(as_heading, table.heads))
    for export in EXPORTS:
        if any(heads.issuperset(map(as_heading, marks)) for marks in export.marks):
            return export
    systems = ", ".join(export.title for export in EXPORTS[:-1])
    raise Refusal(
        f"{name}: the first line needs the heading `id`, or those of an export, in English: {systems}"
    )


def _columns(export: Export, table: Table, name: str) -> Columns:
    fields = dict[str, int]()
    for each, headings in export.fields.items():
        column = table.column(headings, name)
        if column is not None:
            fields[each] = column
    names: tuple[int, ...] = ()
    for headings in export.names:
        columns = [table.column([heading], name) for heading in headings]
        if not names and None not in columns:
            names = tuple(column for column in columns if column is not None)
    stated = table.column([export.stated], name) if export.stated else None
    role = table.column([export.role], name) if export.role else None
    return Columns(fields, names, stated, role)


def _lines_of_students(
    export: Export, columns: Columns, table: Table, name: str
) -> list[Line]:
    """The lines that have a student.  Raises Refusal for one with more cells than there
    are headings.
    """
    nobody = frozenset(chain.from_iterable(map(names_of, export.nobody)))
    lines = []
    for number, cells in table.texts():
        if any(cells[len(table.heads) :]):
            said = f"{len(cells)} cells under {len(table.heads)} headings; put quotes round a text that holds a comma"
            raise Refusal(f"{name}, line {table.line_in_file(number)}: {said}")
        line = Line(number, cells)
        is_somebody = any(
            line[column] for column in (*columns.names, *columns.fields.values())
        )
        if (
            is_somebody
            and nobody.isdisjoint(_names(columns, line))
            and not _role_of_staff(export, columns, line)
        ):
            lines.append(line)
    return lines


def _role_of_staff(export: Export, columns: Columns, line: Line) -> str:
    """The role of somebody on the roster who is no student; empty for a student."""
    role = "" if columns.role is None else line[columns.role]
    return "" if role.casefold() in export.students else role


def _best_field(export: Export, columns: Columns, lines: list[Line]) -> str:
    """The field to take the ids from: the first that everybody has, or else the one
    that most have.
    """
    known = [each for each in export.ids if each in columns.fields]
    if not known:
        return export.ids[-1]
    having = {
        each: sum(1 for line in lines if line[columns.fields[each]]) for each in known
    }
    return max(known, key=lambda each: having[each])


def _student(export: Export, columns: Columns, known_by: str, line: Line) -> Student:
    id = as_id(line[columns.fields[known_by]])
    facts = {}
    for each, column in columns.fields.items():
        value = comparable(each, line[column])
        if value:
            facts[each] = frozenset([value])
    if id:
        facts[ID] = frozenset([comparable(ID, id)])
    names = _names(columns, line)
    if names:
        facts[NAME] = names
    stated = line[columns.stated] if columns.stated is not None else ""
    # A dash is Moodle's sign for no time.
    return Student(
        id,
        _name(columns, line),
        facts,
        line.number,
        _in_english(export, stated.removeprefix("-")),
    )


def _name(columns: Columns, line: Line) -> str:
    return " ".join(line[column] for column in columns.names if line[column])


def _names(columns: Columns, line: Line) -> frozenset[str]:
    """The name of a line in each order of its words that systems use, as names are
    compared.
    """
    if len(columns.names) == 1:
        return names_of(_name(columns, line))
    backwards = " ".join(line[column] for column in reversed(columns.names))
    return frozenset(
        filter(
            None, (comparable(NAME, _name(columns, line)), comparable(NAME, backwards))
        )
    )


def names_of(name: str) -> frozenset[str]:
    """A name as one writes it in one cell, and with the last name in the other place,
    as names are compared.

    >>> sorted(names_of("Moor, Jo")), sorted(names_of("Jo van Moor"))
    (['jomoor', 'moorjo'], ['jovanmoor', 'moorjovan'])
    """
    last, comma, first = name.partition(",")
    if not comma:
        first, _, last = name.strip().rpartition(" ")
    return frozenset(
        filter(
            None,
            (comparable(NAME, f"{first} {last}"), comparable(NAME, f"{last} {first}")),
        )
    )


def _in_english(export: Export, text: str) -> str:
    """A time with the words of its language in English."""
    return re.sub(
        r"[^\W\d_]+", lambda word: export.words.get(word.group(), word.group()), text
    )


def _unread_columns(export: Export, columns: Columns, table: Table) -> list[str]:
    """The headings of the columns of which nothing is read, in a sentence; nothing if
    there are none.
    """
    read = {*columns.fields.values(), *columns.names, columns.stated, columns.role}
    unread = []
    for column, head in enumerate(table.heads):
        if column not in read and head and not export.takes_grades(head):
            unread.append(head)
    return [f"columns not read: {', '.join(unread)}"] if unread else []


def _unread_lines(
    export: Export, columns: Columns, lines: list[Line], table: Table
) -> list[str]:
    """The lines in which there is no student, in a sentence; nothing if there are
    none.
    """
    read = {line.number for line in lines}
    unread = []
    for number, cells in table.texts():
        if number not in read:
            role = _role_of_staff(export, columns, Line(number, cells))
            unread.append(
                f"{table.line_in_file(number)} ({role})"
                if role
                else str(table.line_in_file(number))
            )
    return [f"lines without a student: {', '.join(unread)}"] if unread else []


def _unread_details(
    columns: Columns, known_by: str, lines: list[Line], table: Table
) -> list[str]:
    """What is read in another way than it is written: the commas of ids, and an
    encoding that nothing names.
    """
    notes = []
    with_comma = [
        table.line_in_file(line.number)
        for line in lines
        if "," in line[columns.fields[known_by]]
    ]
    if with_comma:
        number = f"in line {', '.join(map(str, with_comma))}"
        notes.append(
            f"ids without their comma, {number}: write them like this everywhere"
        )
    if table.decoded.is_guess:
        said = "read as Windows-1252, as it is not in UTF-8; if names look wrong, write `encoding: …`"
        notes.append(f"{said} into staff/course.yaml")
    return notes


def as_id(text: str) -> str:
    """An id as it is used: without commas, since several ids in a cell have commas
    between them.

    >>> as_id("Müller, Anna")
    'Müller Anna'
    """
    return " ".join(text.replace(",", " ").split())


@lru_cache(maxsize=1 << 14)
def comparable(field_name: str, value: str) -> str:
    """A value as it is compared: a name as letters alone, without accents; of Moodle's
    identifier, its number.

    >>> comparable("name", "Doe, José"), comparable("id", "Ann"), comparable("moodle", "Participant 12")
    ('doejose', 'ann', '12')
    """
    if field_name == NAME:
        value = "".join(
            letter
            for letter in unicodedata.normalize("NFKD", value)
            if letter.isalnum()
        )
    elif field_name == MOODLE:
        value = "".join(re.findall(r"\d+$", value))
    elif field_name == ID:
        value = as_id(value)
    return unicodedata.normalize("NFC", value.strip()).casefold()


def kept_roster(store: Store) -> Roster:
    """The class as the last roster lists it.  Raises Refusal if there was none."""
    row = store.db.execute("SELECT name, system, bytes FROM roster").fetchone()
    if row is None:
        raise Refusal(
            "there is no roster yet: make collect FROM=downloads/ ROSTER=roster.csv"
        )
    return read_roster(
        row["name"],
        row["bytes"],
        _kept(store, _field_of(row["system"])),
        _kept(store, _ENCODING),
    )


def keep_roster(store: Store, file: Path) -> None:
    """Keep a roster in the place of the last one, to the byte, since it comes back
    filled in.  Raises Refusal.
    """
    try:
        data = file.read_bytes()
    except IsADirectoryError:
        raise Refusal(
            f"ROSTER={file} is a folder; name the table in it, such as {file / 'roster.csv'}"
        ) from None
    except OSError as error:
        raise Refusal(
            f"ROSTER={file}: {error.strerror}; name the table that the course's system exported"
        ) from None
    encoding = _kept(store, _ENCODING)
    system = _export_of(
        parse_table(data, file.name, encoding=encoding), file.name
    ).system
    roster = read_roster(file.name, data, _kept(store, _field_of(system)), encoding)
    _keep(store, _field_of(system), roster.field)
    store.db.execute("INSERT INTO roster VALUES (?, ?, ?)", (file.name, system, data))
    students = [
        (student.id, student.name, student.line) for student in roster.students.values()
    ]
    store.db.executemany("INSERT INTO student VALUES (?, ?, ?)", students)
    store.log("roster", new=f"{file.name}, SHA-256 {hashlib.sha256(data).hexdigest()}")


def keep_encoding(store: Store, encoding: str) -> None:
    """Keep the encoding that course.yaml names for rosters; nothing if it names
    none.
    """
    _keep(store, _ENCODING, encoding)


def keep_field(store: Store) -> None:
    """Keep from which field the ids of the last roster are taken, where a kit kept that
    nowhere.
    """
    for name, system, data in store.db.execute(
        "SELECT name, system, bytes FROM roster"
    ).fetchall():
        if not _kept(store, _field_of(system)):
            encoding = _kept(store, _ENCODING)
            _keep(
                store,
                _field_of(system),
                read_roster(name, data, encoding=encoding).field,
            )


def _field_of(system: str) -> str:
    return f"field of the ids in {system}"


def _kept(store: Store, what: str) -> str:
    row = store.db.execute("SELECT value FROM kept WHERE what = ?", (what,)).fetchone()
    return row["value"] if row else ""


def _keep(store: Store, what: str, value: str) -> None:
    store.db.execute("INSERT OR REPLACE INTO kept VALUES (?, ?)", (what, value))


def names_before(store: Store) -> dict[str, str]:
    """By their ids, the names of the students on the roster that is kept now."""
    return {
        row["id"]: row["name"]
        for row in store.db.execute("SELECT id, name FROM student")
    }


def names_ever(store: Store) -> dict[str, str]:
    """The name of everybody who was ever on a roster, by id."""
    return dict(store.db.execute("SELECT id, name FROM ever ORDER BY id").fetchall())


def without_id_in_words(roster: Roster) -> list[str]:
    """The students that have no id yet, each with the line."""
    words = []
    for student in roster.without_id:
        line = f"line {roster.table.line_in_file(student.line)}"
        words.append(f"{student.name} ({line})" if student.name else line)
    return words
