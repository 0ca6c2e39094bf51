"""Reads who is in the class: from a table of ids, or from a course system's gradebook.

systems.yaml says how each system writes its table.  The ids of the students come from
one field of the table, such as the login or the email address.  The kit chooses this
field once for each system, and kept.py keeps the choice in the store.  If the kit chose
again for each table, a new line in the next table could change the choice.  Then
students would get other ids.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from grader.refusal import Refusal
from staff.intake.systems import SYSTEMS
from staff.intake.tables import Table, as_heading, parse_table
from staff.intake.values import (
    ID,
    NAME,
    as_id,
    comparable,
    names_in_both_orders,
    names_of,
)

# A file may state a value of one of these fields, and the roster may call the same
# value the id of the student.
MAY_BE_THE_ID = ("sid", "email")
# If a roster lacks one of these fields, the ids of the students take the place of its
# values.
IS_THE_ID = ("github", "username")


@dataclass(frozen=True)
class Export:
    """The form of a system's table, from a row of systems.yaml."""

    system: str
    # Lists of headings.  If a table has all headings of one of the lists, the table has
    # this form.
    marks: list[list[str]]
    fields: dict[str, list[str]]  # the headings of each field that names a student
    ids: list[str]  # the fields that may give the ids, the best first
    names: list[list[str]]  # the headings that make up a name, the best ones first
    language: str = ""  # the language of the table; empty for English
    # Names that belong to no student, such as the name of a test student.
    nobody: list[str] = field(default_factory=list)
    role: str = ""  # the heading of the column with the role
    # The words with which the table says that somebody's role is that of a student.
    students: list[str] = field(default_factory=list)
    stated: str = ""  # the heading of the column that says when students handed in
    # The words that may be in a time, each with the English word for it.  The key is
    # the word in the language of the table.
    words: dict[str, str] = field(default_factory=dict)
    takes: str = ""  # a pattern for the headings of columns that take grades
    maximum: str = ""  # the heading of the column with the maximum of points
    decimal: str = "."  # the mark before decimals in the language of the table
    excused: str = ""  # the text of a cell that excuses a student
    feedback: bool = False  # whether the system takes files with feedback
    otherwise: str = ""  # what to do if the table takes no grades

    @property
    def title(self) -> str:
        """The name of the system, with the table's language if it is not English."""
        return f"{self.system} in {self.language}" if self.language else self.system

    def takes_grades(self, heading: str) -> bool:
        """Whether the column under a heading takes grades."""
        return bool(self.takes and re.fullmatch(self.takes, heading, re.IGNORECASE))


EXPORTS = [Export(**row) for row in SYSTEMS["rosters"]]


@dataclass(frozen=True)
class Student:
    """A student on a roster."""

    id: str  # empty if the roster does not give the student an id yet
    name: str
    # The values by which files may name this student, as `comparable` makes them.  The
    # key is the field.
    facts: Mapping[str, frozenset[str]]
    line: int  # the number of the student's line in the table
    stated: str = ""  # when the student handed in; empty if the roster does not say


@dataclass(frozen=True)
class Roster:
    """The class, as one table lists it."""

    students: dict[str, Student]  # the key is the id
    without_id: tuple[Student, ...]
    export: Export
    field: str  # the name of the field that gives the ids
    known_by: str  # the heading of that field
    name: str  # the name of the file
    table: Table
    # Sentences about what the kit did not read in the table, or had to change or guess.
    unread: tuple[str, ...] = ()

    @property
    def everybody(self) -> list[Student]:
        """All students, including those without an id."""
        return [*self.students.values(), *self.without_id]

    @cached_property
    def values(self) -> dict[str, frozenset[str]]:
        """The values that students have in each field.  The key is the field."""
        values = dict[str, frozenset[str]]()
        for student in self.everybody:
            for name, own in student.facts.items():
                values[name] = values.get(name, frozenset()) | own
        return values

    def fields_for(self, name: str) -> tuple[str, ...]:
        """Return the fields of this roster that may hold a value of the field `name`.

        A download states such a value about the person who handed in a file.  The field
        of the ids is among the fields if an id may be such a value.
        """
        fields = [name] if name in self.values else []
        if name in MAY_BE_THE_ID or (name in IS_THE_ID and not fields):
            fields.append(ID)
        return tuple(fields)


def read_roster(
    name: str, data: bytes, known_by: str = "", encoding: str = ""
) -> Roster:
    """Read the class from a file with this name and these bytes.

    `known_by` is the field that has given the ids so far.  If it is empty, the kit
    chooses the best field.  Raises Refusal if the table cannot be used, for example
    because two lines have the same id.  If one line is at fault, the Refusal names it.
    """
    sheet = sheet_of(name, data, encoding)
    lines = sheet.lines_of_students()
    if not lines:
        raise Refusal(f"{name} lists nobody; export it again, with the students")
    chosen = known_by or sheet.best_field(lines)
    if chosen not in sheet.columns.fields:
        headings = sheet.export.fields.get(chosen, [chosen])
        heading = " or ".join(f"`{heading}`" for heading in headings)
        raise Refusal(
            f"{name} has no column {heading}, which has identified the students so "
            "far; export it with that column"
        )
    students = dict[str, Student]()
    without_id = list[Student]()
    for line in lines:
        student = sheet.student(line, chosen)
        if not student.id:
            without_id.append(student)
            continue
        sheet.refuse_id(student, students)
        students[student.id] = student
    heading = sheet.table.heads[sheet.columns.fields[chosen]]
    if not students:
        raise Refusal(
            f"{name}: the column `{heading}`, which identifies the students, is "
            "empty in every line; export the table again with it"
        )
    return Roster(
        students,
        tuple(without_id),
        sheet.export,
        chosen,
        heading,
        name,
        sheet.table,
        sheet.unread(lines, chosen),
    )


@dataclass(frozen=True)
class Columns:
    """The columns of a table that the kit reads."""

    fields: dict[str, int]  # the column of each field
    # The columns that make up the name, in the order of its words.
    names: tuple[int, ...]
    stated: int | None  # the column that says when students handed in
    role: int | None


@dataclass(frozen=True)
class Line:
    """A line of a table.  A cell that the line does not have is empty."""

    number: int
    cells: list[str]

    def __getitem__(self, column: int | None) -> str:
        if column is None or column >= len(self.cells):
            return ""
        return self.cells[column]

    def name(self, columns: Columns) -> str:
        """The name of the student in this line."""
        return " ".join(self[column] for column in columns.names if self[column])

    def names(self, columns: Columns) -> frozenset[str]:
        """Return the student's name with the last name last, and with it first.

        Both names are in a form in which names can be compared.
        """
        name = self.name(columns)
        if len(columns.names) == 1:
            return names_of(name)
        backwards = " ".join(self[column] for column in reversed(columns.names))
        return names_in_both_orders(name, backwards)


@dataclass(frozen=True)
class Sheet:
    """The table of a roster, and the form that it has."""

    name: str  # the name of the file
    table: Table
    export: Export
    columns: Columns

    def lines_of_students(self) -> list[Line]:
        """Return the lines that belong to students.

        Raises Refusal if a line has text in a cell after the last heading.
        """
        heads = len(self.table.heads)
        nobody = frozenset(chain.from_iterable(map(names_of, self.export.nobody)))
        lines = []
        for number, cells in self.table.texts():
            if any(cells[heads:]):
                raise Refusal(
                    f"{self.name}, line {self.table.line_in_file(number)}: "
                    f"{len(cells)} cells under {heads} headings; "
                    "put quotes around text that contains a comma"
                )
            line = Line(number, cells)
            is_nobody = not nobody.isdisjoint(line.names(self.columns))
            if self._is_named(line) and not (is_nobody or self._role_of_staff(line)):
                lines.append(line)
        return lines

    def _is_named(self, line: Line) -> bool:
        """Whether a line names a student: by a name, a login, an address or an id."""
        columns = (*self.columns.names, *self.columns.fields.values())
        return any(line[column] for column in columns)

    def _role_of_staff(self, line: Line) -> str:
        """Return the role in a line; empty if the role is that of a student."""
        role = line[self.columns.role]
        if role.casefold() in self.export.students:
            return ""
        return role

    def best_field(self, lines: list[Line]) -> str:
        """Return the field that should give the ids.

        systems.yaml lists the fields that may give them.  The best is the field that
        is filled in for the most students.  If the table has none of the fields, return
        the last one in the list.
        """
        known = [name for name in self.export.ids if name in self.columns.fields]
        if not known:
            return self.export.ids[-1]

        def number_of_ids(name: str) -> int:
            column = self.columns.fields[name]
            return sum(1 for line in lines if line[column])

        return max(known, key=number_of_ids)

    def student(self, line: Line, known_by: str) -> Student:
        """Make the student of a line.  The field `known_by` holds the id."""
        id = as_id(line[self.columns.fields[known_by]])
        facts = {}
        for name, column in self.columns.fields.items():
            value = comparable(name, line[column])
            if value:
                facts[name] = frozenset([value])
        if id:
            facts[ID] = frozenset([comparable(ID, id)])
        names = line.names(self.columns)
        if names:
            facts[NAME] = names
        # If Moodle knows no time, it writes a dash.
        stated = line[self.columns.stated].removeprefix("-")
        name = line.name(self.columns)
        return Student(id, name, facts, line.number, self._in_english(stated))

    def _in_english(self, text: str) -> str:
        """Replace the words of a time, such as names of months, by English words."""
        words = self.export.words
        return re.sub(
            r"[^\W\d_]+", lambda word: words.get(word.group(), word.group()), text
        )

    def refuse_id(self, student: Student, students: Mapping[str, Student]) -> None:
        """Raise Refusal if the id of a student cannot be used.

        The id must not contain an invisible character, and no student in `students` may
        have it.  These are the students of earlier lines.  The key is the id.
        """
        where = f"{self.name}, line {self.table.line_in_file(student.line)}"
        if not student.id.isprintable():
            raise Refusal(
                f"{where}: the id {student.id!r} contains an invisible character;"
                " type it again"
            )
        if student.id in students:
            first = self.table.line_in_file(students[student.id].line)
            raise Refusal(
                f"{where}: the id {student.id!r} is in line {first} already; "
                "give each student an id of their own"
            )

    def unread(self, lines: list[Line], known_by: str) -> tuple[str, ...]:
        """Say what the kit did not read in the table, and what it had to change or
        guess.

        Return a sentence for each.  `lines` are the lines that belong to students.
        """
        sentences = []
        columns = self._unread_columns()
        if columns:
            sentences.append(f"columns not read: {', '.join(columns)}")
        others = self._unread_lines(lines)
        if others:
            sentences.append(f"lines without a student: {', '.join(others)}")
        column = self.columns.fields[known_by]
        with_comma = [line.number for line in lines if "," in line[column]]
        if with_comma:
            numbers = ", ".join(
                str(self.table.line_in_file(number)) for number in with_comma
            )
            sentences.append(
                f"ids without their comma, in line {numbers}: "
                "write them like this everywhere"
            )
        if self.table.decoded.is_guess:
            sentences.append(
                "read as Windows-1252, as it is not in UTF-8; if names look wrong, "
                "write `encoding: …` into staff/course.yaml"
            )
        return tuple(sentences)

    def _unread_columns(self) -> list[str]:
        """Return the headings of columns that the kit neither reads nor fills in."""
        columns = self.columns
        read = {*columns.fields.values(), *columns.names, columns.stated, columns.role}
        maximum = as_heading(self.export.maximum)
        unread = []
        for column, head in enumerate(self.table.heads):
            is_of_grades = self.export.takes_grades(head) or as_heading(head) == maximum
            if column not in read and head and not is_of_grades:
                unread.append(head)
        return unread

    def _unread_lines(self, lines: list[Line]) -> list[str]:
        """Return the numbers of the lines that belong to no student, as texts.

        If a line names a role other than that of a student, the role follows the number
        in brackets.
        """
        read = {line.number for line in lines}
        unread = []
        for number, cells in self.table.texts():
            if number in read:
                continue
            said = str(self.table.line_in_file(number))
            role = self._role_of_staff(Line(number, cells))
            if role:
                said += f" ({role})"
            unread.append(said)
        return unread


def sheet_of(name: str, data: bytes, encoding: str) -> Sheet:
    """Read the table of a roster.

    `encoding` is the encoding of a file without a byte order mark; empty if nobody
    knows it.  Raises Refusal if the file cannot be read as a table, or if no known
    system writes such a table.
    """
    table = parse_table(data, name, encoding=encoding)
    export = _export_of(table, name)
    return Sheet(name, table, export, _columns(export, table, name))


def _export_of(table: Table, name: str) -> Export:
    """Return the form whose headings a table has.  Raises Refusal if there is none."""
    heads = set(map(as_heading, table.heads))
    for export in EXPORTS:
        if any(heads.issuperset(map(as_heading, marks)) for marks in export.marks):
            return export
    systems = ", ".join(export.title for export in EXPORTS[:-1])
    raise Refusal(
        f"{name}: the first line needs the heading `id`, or those of an export, "
        f"in English: {systems}"
    )


def _columns(export: Export, table: Table, name: str) -> Columns:
    """Find the columns that the kit reads.

    Raises Refusal if the heading of such a column appears twice.
    """
    fields = dict[str, int]()
    for field_name, headings in export.fields.items():
        column = table.column(headings, name)
        if column is not None:
            fields[field_name] = column
    names: tuple[int, ...] = ()
    for headings in export.names:
        columns = [table.column([heading], name) for heading in headings]
        if not names and None not in columns:
            names = tuple(column for column in columns if column is not None)
    stated = table.column([export.stated], name) if export.stated else None
    role = table.column([export.role], name) if export.role else None
    return Columns(fields, names, stated, role)


def without_id_in_words(roster: Roster) -> list[str]:
    """Name the students who have no id yet, each with the line in the file."""
    words = []
    for student in roster.without_id:
        line = f"line {roster.table.line_in_file(student.line)}"
        words.append(f"{student.name} ({line})" if student.name else line)
    return words
