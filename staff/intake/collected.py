"""grades/collected.csv: a row for each file that was handed in, with people's
decisions.

This table is a form: the kit writes it, and people fill in cells.  The kit and people
write into different columns.  The kit numbers the forms that it writes.  Each row has
the number of its form.  The kit takes a decision from a cell only if a person has
changed that cell since the kit wrote the form with this number.  So the other cells of
an old form decide nothing, even if somebody saves the old form late.
"""

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import tzinfo
from pathlib import Path
from typing import Any

from grader.refusal import Refusal
from staff.course import Course
from staff.course.standing import Handed, by_student, contenders
from staff.intake.handed import READY, REFUSED
from staff.intake.spreadsheet import (
    Line,
    headings,
    ids_of,
    lines_of,
    moment_of,
    word_of,
)
from staff.intake.systems import moment_as_text
from staff.intake.tables import Garbled, as_csv, safe, unsafe
from staff.store import Store

FORM = "collected.csv"  # in grades/
NAME = f"grades/{FORM}"
OF_THE_KIT = (
    "source",
    "size",
    "sha256",
    "found",
    "kit_student",
    "kit_submitted",
    "kit_counts",
    "kit_state",
    "kit_reason",
)
OF_PEOPLE = ("student", "submitted", "counts", "state", "reason", "note")
NUMBER = "form"
HEADS = (*OF_THE_KIT, *OF_PEOPLE, NUMBER)
OLD_OF_PEOPLE = ("student", "submitted", "counts", "state", "reason")
OLD_HEADS = ("source", "sha256", "size", "found", *OLD_OF_PEOPLE)
NOTHING = {"student": "nobody", "submitted": "unknown", "reason": "none"}
"""The word that decides that there is nothing.  An empty cell is no decision."""
ANEW = (
    "or delete it and type make collect: that writes it again, with all that was kept "
    "as a decision"
)
YES = "yes"
NO = "no"
MAYBE = "maybe"
_WORDS = {"counts": (YES, NO), "state": (READY, REFUSED)}

Place = tuple[str, str]
"""A cell: the name of the file, and the column."""
Decisions = dict[str, dict[str, str]]
"""The texts in people's cells.  The keys are the file, and then the column."""


@dataclass(frozen=True)
class Edit:
    """A decision that a person has made or taken back."""

    before: str  # the text of the cell before
    decided: str | None  # the decision as the store keeps it; None if it was taken back


Edits = dict[Place, Edit]


def take_edits(
    store: Store, form: Path, ids: Collection[str], zone: tzinfo | None
) -> Edits:
    """Return the decisions that people have made or taken back in the form.

    Without a form there are none.  `ids` are the students to whom people may give a
    file: those on the roster, and those who have left.  Raises Refusal if the form
    cannot be used.  If one line is at fault, the Refusal names it.
    """
    if not form.exists():
        return {}
    data = form.read_bytes()
    if _is_as_written(store, data):
        return {}
    is_old, lines = _lines_of(data)
    reader = _Reader(store, ids, zone)
    reader.refuse_another_store(lines)
    decisions = reader.of_old_form(lines) if is_old else reader.of_form(lines)
    now = _decisions(store)
    edits = {}
    for (source, column), decided in decisions.items():
        before = now.get(source, {}).get(column, "")
        after = "" if decided is None else in_the_cell(column, decided)
        if before != after:
            edits[source, column] = Edit(before, decided)
    return edits


def _is_as_written(store: Store, data: bytes) -> bool:
    """Whether a form has the same bytes as a form that the kit has written itself.

    If so, no person has changed the form.  `make collect` notes each form in the store
    before it writes the file.  So the kit knows its forms even if the command is killed
    in between.
    """
    digest = hashlib.sha256(data).hexdigest()
    known = "SELECT sha256 FROM form_written UNION SELECT sha256 FROM form"
    query = f"SELECT 1 FROM ({known}) WHERE sha256 = ?"
    return store.db.execute(query, (digest,)).fetchone() is not None


def _lines_of(data: bytes) -> tuple[bool, list[Line]]:
    """Return whether an earlier kit wrote a form, and the lines of the form.

    Raises Refusal if the form holds no text, if its headings are wrong, or if a line
    has too many cells.
    """
    try:
        is_old = set(filter(None, headings(data, NAME))) == set(OLD_HEADS)
        return is_old, lines_of(data, NAME, OLD_HEADS if is_old else HEADS)
    except Garbled as error:
        raise Refusal(f"{error}, {ANEW}") from None


def keep_edits(store: Store, edits: Edits) -> None:
    """Keep the decisions that people have made, and delete those that people have taken
    back.  Log both.
    """
    delete = "DELETE FROM decision WHERE source = ? AND column = ?"
    for (source, column), edit in edits.items():
        store.db.execute(delete, (source, column))
        after = ""
        if edit.decided is not None:
            values = (source, column, edit.decided)
            store.db.execute("INSERT INTO decision VALUES (?, ?, ?)", values)
            after = in_the_cell(column, edit.decided)
        store.log(f"{column} of {source}", edit.before, after)


@dataclass(frozen=True)
class _Reader:
    """Reads the decisions in the lines of a form.

    A decision is None if a person took it back.  It is empty if a person decided that
    there is nothing, such as no owner or no time.
    """

    store: Store
    ids: Collection[str]  # the students to whom people may give a file
    zone: tzinfo | None  # the time zone of times that name none

    def refuse_another_store(self, lines: list[Line]) -> None:
        """Raise Refusal if a form has lines, but none is about a file of this store.

        Such a form was written with another store, which is not in its place any more.
        """
        files = self._files()
        if lines and not any(row["source"] in files for _, row in lines):
            raise Refusal(
                f"{NAME} is about other files than grades/grades.db: put your copy of "
                f"grades.db back, or move {FORM} to another place and type make "
                "collect; then copy its decisions into the new one"
            )

    def of_form(self, lines: list[Line]) -> dict[Place, str | None]:
        """Return the decisions in the cells that people have changed.

        The key is the cell.  Each row has the number of a form that the kit wrote.  The
        kit compares each cell of the row with the same cell in that form.  Raises
        Refusal if a row has no such number, if a row names no file of the store, or if
        a decision cannot be used.
        """
        files = self._files()
        rows = self.store.db.execute("SELECT number, decisions FROM form_written")
        forms = {str(number): json.loads(text) for number, text in rows}
        decisions = dict[Place, str | None]()
        for where, row in lines:
            file = _file_of(where, row, files)
            if row[NUMBER] not in forms:
                raise Refusal(
                    f"{where}: `{NUMBER}` is {row[NUMBER]!r}, which is not a number of "
                    "the kit's; copy another line's"
                )
            written: dict[str, str] = forms[row[NUMBER]].get(file["source"], {})
            for column in OF_PEOPLE:
                cell = row[column]
                before = written.get(column, "")
                if _is_unchanged(cell, before):
                    continue
                decided = None
                if cell:
                    decided = self._checked(where, column, cell, file)
                if decided is None or in_the_cell(column, decided) != before:
                    decisions[file["source"], column] = decided
        return decisions

    def of_old_form(self, lines: list[Line]) -> dict[Place, str | None]:
        """Return the decisions in cells that people have changed in an old form.

        An earlier kit wrote the old form.  In it, the kit and people wrote into the
        same columns.  Raises Refusal if this kit has written a form already.  In that
        case nobody knows which cells people have changed, and which are only older.
        Also raises Refusal if a row names no file of the store, or if a decision cannot
        be used.
        """
        if self.store.db.execute("SELECT 1 FROM form_written").fetchone():
            raise Refusal(
                f"{NAME} was opened before the last ones were written, and saved late;"
                " delete it, and type make collect: that writes it again, and no "
                "decision is lost"
            )
        files = self._files()
        decisions = dict[Place, str | None]()
        for where, row in lines:
            file = _file_of(where, row, files)
            written = json.loads(file["written"])
            for column in OLD_OF_PEOPLE:
                cell = row[column]
                is_open = column == "counts" and cell == MAYBE
                if not is_open and not _is_unchanged(cell, written.get(column, "")):
                    decided = self._checked(where, column, cell, file)
                    decisions[file["source"], column] = decided
        return decisions

    def _files(self) -> dict[str, dict[str, Any]]:
        """Return what the store has about each file.

        The key is the name of the file, as `lines_of` reads it from a form.
        """
        rows = self.store.db.execute("SELECT source, sha256, written FROM submission")
        return {unsafe(safe(row["source"])).strip(): dict(row) for row in rows}

    def _checked(
        self, where: str, column: str, cell: str, file: Mapping[str, Any]
    ) -> str:
        """Return the decision that a cell states, as the store keeps it.

        The decision is an empty text if the cell is empty, or if it holds the word in
        NOTHING for its column, such as `nobody` for `student`.  Raises Refusal if the
        column does not take this text, or does not take it for this file.
        """
        if not cell or (column in NOTHING and word_of(cell, [NOTHING[column]])):
            return ""
        if column == "submitted":
            try:
                return moment_as_text(moment_of(cell, self.zone), self.zone)
            except ValueError as error:
                raise Refusal(f"{where}: {cell!r} {error}") from None
        if column == "student":
            return ", ".join(ids_of(cell, self.ids, where))
        if column in _WORDS:
            return _checked_word(where, column, cell, file)
        return cell


def _checked_word(where: str, column: str, cell: str, file: Mapping[str, Any]) -> str:
    """Return the word in a cell.

    Raises Refusal if the column does not take the word, or if the word is `ready` and
    nothing of the file was kept.
    """
    word = word_of(cell, _WORDS[column])
    if word is None:
        words = " or ".join(_WORDS[column])
        raise Refusal(f"{where}: {column} is {cell!r}; write {words}")
    if word == READY and not file["sha256"]:
        raise Refusal(
            f"{where}: nothing of {file['source']} was kept, so it cannot be {READY}"
        )
    return word


def _file_of(
    where: str, row: Mapping[str, str], files: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    """Return what the store has about the file in a row, and remove the file from
    `files`.

    Raises Refusal if `files` does not have the file.  Another row may have named the
    file already.
    """
    file = files.pop(row["source"], None)
    if file is None:
        raise Refusal(
            f"{where}: the source {row['source']!r} is in another line already, or the "
            "kit has no such file; delete one line, or write the name back"
        )
    return file


def _is_unchanged(cell: str, before: str) -> bool:
    """Whether a cell has the same text as before.

    Two numbers count as the same if they differ only in zeros at the beginning, because
    spreadsheets remove such zeros.
    """
    if cell.isdecimal() and before.isdecimal():
        return int(cell) == int(before)
    return cell == before


def in_the_cell(column: str, decided: str) -> str:
    """Return the text with which a decision stands in a cell of the form."""
    return decided or NOTHING.get(column, "")


def _decisions(store: Store) -> Decisions:
    """Return what people have decided so far, as it stands in the cells of the form.

    The first key is the name of a file, and the second key is a column.
    """
    rows = store.db.execute(
        "SELECT source, column, value FROM decision ORDER BY source, column"
    )
    decisions: Decisions = {}
    for source, column, value in rows:
        cell = in_the_cell(column, value)
        if column in OF_PEOPLE and cell and value != MAYBE:
            decisions.setdefault(source, {})[column] = cell
    return decisions


def form_of(store: Store, files: list[Handed], course: Course) -> bytes:
    """Return the bytes of the form for these files.

    If the form differs from the last one, note it in the store.  Files that belong to
    nobody come first.
    """
    contending = {
        student: contenders(course, student, own)
        for student, own in by_student(files).items()
    }
    decisions = _decisions(store)

    def owners_and_time(file: Handed) -> tuple[str, str]:
        return ", ".join(file.students), _time_in_cell(file, course)

    rows = []
    for file in sorted(files, key=owners_and_time):
        row = _cells_of_the_kit(file, [contending[id] for id in file.students], course)
        decided = decisions.get(file.source, {})
        row |= {column: decided.get(column, "") for column in OF_PEOPLE}
        rows.append(row)
    return _kept(store, rows, decisions)


def _kept(store: Store, rows: list[dict[str, object]], decisions: Decisions) -> bytes:
    """Return the bytes of the form with these rows.

    If the last form had the same rows, this form has the same number.  Otherwise the
    form gets a new number, and is noted in the store.
    """
    last = store.db.execute(
        "SELECT number, sha256 FROM form_written ORDER BY number DESC LIMIT 1"
    ).fetchone()
    number = 0
    if last:
        number = last["number"]
        data = _written(rows, number)
        if hashlib.sha256(data).hexdigest() == last["sha256"]:
            return data
    data = _written(rows, number + 1)
    digest = hashlib.sha256(data).hexdigest()
    values = (number + 1, digest, json.dumps(decisions))
    store.db.execute("INSERT INTO form_written VALUES (?, ?, ?)", values)
    store.log(FORM, new=digest)
    return data


def _written(rows: list[dict[str, object]], number: int) -> bytes:
    """Return the bytes of a form that has this number in each row."""
    lines: list[list[object]] = [[*HEADS]]
    for row in rows:
        cells = {**row, NUMBER: number}
        lines.append([cells[head] for head in HEADS])
    return as_csv(lines)


def _cells_of_the_kit(
    file: Handed, contending: list[list[Handed]], course: Course
) -> dict[str, object]:
    """Return the cells that the kit writes into the row of a file.

    `contending` has a list for each student to whom the file belongs.  The list holds
    the files that may count for that student.
    """
    as_found = file.as_found or file
    sizes = [len(files) for files in contending if file in files]
    counts = NO
    if 1 in sizes:
        counts = YES
    elif sizes:
        counts = MAYBE
    return {
        "source": file.source,
        "size": file.size,
        "sha256": file.sha256,
        "found": file.found,
        "kit_student": ", ".join(as_found.students),
        "kit_submitted": _time_in_cell(as_found, course),
        "kit_counts": counts,
        "kit_state": READY if as_found.ready else REFUSED,
        "kit_reason": as_found.reason,
    }


def _time_in_cell(file: Handed, course: Course) -> str:
    """Return the text of a cell that says when a file was handed in.

    The text is empty if nobody knows the time.
    """
    if not file.submitted:
        return ""
    return moment_as_text(file.submitted, course.due.tzinfo)
