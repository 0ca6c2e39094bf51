"""grades/collected.csv: a row for each file that was handed in, and what people decide
about it.

What the kit says and what people decide stand in different columns, and the kit reads
the latter alone.  Each row names the number of the form that it was written in.  A cell
is a decision only if it differs from what stood in the form of that number: so a
spreadsheet that is saved late decides nothing by itself.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from datetime import datetime, tzinfo
from operator import itemgetter
from pathlib import Path
from typing import Any

from grader.refusal import Refusal
from staff.course import Course
from staff.course.standing import Handed, Timing, by_student, contenders
from staff.intake.owners import NOBODY, Owners, from_text, owners_of
from staff.intake.roster import Roster
from staff.intake.spreadsheet import (
    Line,
    headings,
    ids_of,
    lines_of,
    moment_of,
    word_of,
)
from staff.intake.systems import moment_as_text, read_moment
from staff.intake.tables import Garbled, as_csv, safe, unsafe
from staff.store import Store

FORM = "collected.csv"  # in grades/
NAME = f"grades/{FORM}"
OF_THE_KIT = (
    "source", "size", "sha256", "found", "kit_student", "kit_submitted", "kit_counts", "kit_state", "kit_reason",
)  # fmt: skip
OF_PEOPLE = ("student", "submitted", "counts", "state", "reason", "note")
NUMBER = "form"
HEADS = (*OF_THE_KIT, *OF_PEOPLE, NUMBER)
OLD_OF_PEOPLE = ("student", "submitted", "counts", "state", "reason")
OLD_HEADS = ("source", "sha256", "size", "found", *OLD_OF_PEOPLE)
READY, REFUSED = "ready", "refused"
NOTHING = {"student": "nobody", "submitted": "unknown", "reason": "none"}
"""The word for a decision that there is nothing: an empty cell is no decision."""
ANEW = "or delete it and type make collect: that writes it anew, with all that was kept as a decision"
_WORDS = {"counts": ("yes", "no"), "state": (READY, REFUSED)}

Edits = dict[tuple[str, str], tuple[str, str | None]]
"""By source and column: the decision so far, and the new one; None if it is taken
back.
"""
Decisions = dict[str, dict[str, str]]
"""What stands in people's cells, by source and column."""


def take_edits(
    store: Store, form: Path, ids: Collection[str], zone: tzinfo | None
) -> Edits:
    """What people have decided in the form since it was written.  Raises Refusal, with
    the line.

    `ids` are those to whom people may give a file: who is on the roster, and who has
    left.
    """
    if not form.exists():
        return {}
    data = form.read_bytes()
    if _is_as_written(store, data):
        return {}
    is_old, lines = _lines_of(data)
    _refuse_another_store(store, lines)
    read = _edits_of_an_old_form if is_old else _edits
    now = _decisions(store)
    edits = {}
    for (source, column), decided in read(store, lines, ids, zone).items():
        before = now.get(source, {}).get(column, "")
        if before != (in_the_cell(column, decided) if decided is not None else ""):
            edits[source, column] = before, decided
    return edits


def _lines_of(data: bytes) -> tuple[bool, list[Line]]:
    """Whether a kit of before has written a form, and its lines.  Raises Refusal if it
    is no form as a whole.
    """
    try:
        is_old = set(filter(None, headings(data, NAME))) == set(OLD_HEADS)
        return is_old, lines_of(data, NAME, OLD_HEADS if is_old else HEADS)
    except Garbled as error:
        raise Refusal(f"{error}, {ANEW}") from None


def _refuse_another_store(store: Store, lines: list[Line]) -> None:
    """Raise Refusal if no line of a form is about a file of this store: the store of
    the form is lost then.
    """
    files = _files(store)
    if lines and not any(row["source"] in files for _, row in lines):
        raise Refusal(
            f"{NAME} is about other files than grades/grades.db: put your copy of grades.db back, or move {FORM} to "
            "another place and type make collect; then copy its decisions into the new one"
        )


def keep_edits(store: Store, edits: Edits) -> None:
    """Make decisions of edited cells, or take decisions back, and log that."""
    for (source, column), (before, decided) in edits.items():
        store.db.execute(
            "DELETE FROM decision WHERE source = ? AND column = ?", (source, column)
        )
        if decided is not None:
            store.db.execute(
                "INSERT INTO decision VALUES (?, ?, ?)", (source, column, decided)
            )
        store.log(
            f"{column} of {source}",
            before,
            "" if decided is None else in_the_cell(column, decided),
        )


def _is_as_written(store: Store, data: bytes) -> bool:
    """Whether a form is as the kit has written it some day, or was about to."""
    digest = hashlib.sha256(data).hexdigest()
    known = "SELECT sha256 FROM form_written UNION SELECT sha256 FROM form"
    return bool(
        store.db.execute(
            f"SELECT 1 FROM ({known}) WHERE sha256 = ?", (digest,)
        ).fetchone()
    )


def _edits(
    store: Store, lines: list[Line], ids: Collection[str], zone: tzinfo | None
) -> dict[tuple[str, str], str | None]:
    """The cells of people that differ from those of the form that their row was written
    in.
    """
    files = _files(store)
    forms = {str(number): json.loads(text) for number, text in _forms(store)}
    edits = dict[tuple[str, str], str | None]()
    for where, row in lines:
        file = _file_of(where, row, files)
        if row[NUMBER] not in forms:
            raise Refusal(
                f"{where}: `{NUMBER}` is {row[NUMBER]!r}, which is no number of the kit's; copy another line's"
            )
        written: dict[str, str] = forms[row[NUMBER]].get(file["source"], {})
        for column in OF_PEOPLE:
            before = written.get(column, "")
            if _same(row[column], before):
                continue
            decided = (
                _checked(where, column, row[column], file, ids, zone)
                if row[column]
                else None
            )
            if decided is None or in_the_cell(column, decided) != before:
                edits[file["source"], column] = decided
    return edits


def _edits_of_an_old_form(
    store: Store, lines: list[Line], ids: Collection[str], zone: tzinfo | None
) -> dict[tuple[str, str], str | None]:
    """The edited cells of a form in which what the kit says and what people decide
    share their columns.

    A kit of before the steps has written it.  Raises Refusal if this kit has written
    one since then: nobody knows then which cells of the old one are older, and which
    were edited.
    """
    if list(_forms(store)):
        said = "was opened before the last ones were written, and saved late; delete it, and type make collect"
        raise Refusal(f"{NAME} {said}: that writes it anew, and no decision is lost")
    files = _files(store)
    edits = dict[tuple[str, str], str | None]()
    for where, row in lines:
        file = _file_of(where, row, files)
        written = json.loads(file["written"])
        for column in OLD_OF_PEOPLE:
            cell = row[column]
            if _same(cell, written.get(column, "")) or (
                column == "counts" and cell == "maybe"
            ):
                continue
            edits[file["source"], column] = _checked(
                where, column, cell, file, ids, zone
            )
    return edits


def _files(store: Store) -> dict[str, dict[str, Any]]:
    """What is stored of each file, by its name as a table shows it."""
    rows = store.db.execute("SELECT source, sha256, written FROM submission")
    return {unsafe(safe(row["source"])).strip(): dict(row) for row in rows}


def _file_of(
    where: str, row: Mapping[str, str], files: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    """What is stored of the file of a row, which is read then.  Raises Refusal."""
    file = files.pop(row["source"], None)
    if file is None:
        said = "is in another line already, or the kit has no such file; delete one line, or write the name back"
        raise Refusal(f"{where}: the source {row['source']!r} {said}")
    return file


def _same(cell: str, before: str) -> bool:
    """Whether a cell is as it was; a spreadsheet takes the zeros at the beginning of a
    number.
    """
    return cell == before or (
        cell.isdecimal() and before.isdecimal() and int(cell) == int(before)
    )


def _checked(
    where: str,
    column: str,
    cell: str,
    file: Mapping[str, Any],
    ids: Collection[str],
    zone: tzinfo | None,
) -> str:
    """A cell as it is kept; the empty text if it decides that there is nothing.  Raises
    Refusal.
    """
    if not cell or (column in NOTHING and word_of(cell, [NOTHING[column]])):
        return ""
    if column == "submitted":
        try:
            return moment_as_text(moment_of(cell, zone), zone)
        except ValueError as error:
            raise Refusal(f"{where}: {cell!r} {error}") from None
    if column == "student":
        return ", ".join(ids_of(cell, ids, where))
    if column in _WORDS:
        word = word_of(cell, _WORDS[column])
        if word is None:
            raise Refusal(
                f"{where}: {column} is {cell!r}; write {' or '.join(_WORDS[column])}"
            )
        if word == READY and not file["sha256"]:
            raise Refusal(
                f"{where}: nothing of {file['source']} was kept, so that it cannot be {READY}"
            )
        return word
    return cell


def in_the_cell(column: str, decided: str) -> str:
    """A decision as it stands in its cell."""
    return decided or NOTHING.get(column, "")


def _decisions(store: Store) -> Decisions:
    """What stands in people's cells."""
    decisions: Decisions = {}
    for source, column, value in store.db.execute(
        "SELECT source, column, value FROM decision ORDER BY source, column"
    ):
        if column in OF_PEOPLE and in_the_cell(column, value) and value != "maybe":
            decisions.setdefault(source, {})[column] = in_the_cell(column, value)
    return decisions


def _forms(store: Store) -> list[tuple[int, str]]:
    """The number of each form that was written, and the decisions in it."""
    return [
        tuple(row)
        for row in store.db.execute(
            "SELECT number, decisions FROM form_written ORDER BY number"
        )
    ]


def handed_in(store: Store, course: Course, roster: Roster) -> list[Handed]:
    """All that was handed in, as the kit found it and people decided."""
    return [
        _handed(dict(row), course, roster)
        for row in store.db.execute("SELECT * FROM handed ORDER BY source")
    ]


def _handed(row: dict[str, Any], course: Course, roster: Roster) -> Handed:
    """A row of the view `handed`: the file as it was found, and then as it was
    decided.
    """
    facts = {
        name: row[name]
        for name in ("source", "sha256", "size", "found", "family", "number")
    }
    owners = owners_of(from_text(row["owners"]), roster)
    time, problem = _time(row["stated"], course)
    found = Handed(
        **facts,
        students=owners.ids,
        submitted=time,
        ready=not row["refused"],
        reason=row["refused"] or "",
    )
    if row["student"] is not None:
        known = roster.students.keys() | course.left.keys()
        ids = tuple(
            id for id in dict.fromkeys(row["student"].split(", ")) if id in known
        )
        owners = Owners(ids) if ids else NOBODY
    if row["submitted"] is not None:
        time, problem = _time(row["submitted"], course)
    ready = found.ready if row["state"] is None else row["state"] == READY
    reason = "" if ready else found.reason
    decided = replace(
        found,
        students=owners.ids,
        submitted=time,
        ready=ready,
        reason=reason if row["reason"] is None else row["reason"],
        counts=row["counts"] or "",
        note=row["note"] or "",
        as_found=found,
    )
    return replace(
        decided, problems=(*owners.problems, *_problems(decided, problem, course))
    )


def _problems(file: Handed, of_time: str, course: Course) -> list[str]:
    """What a person should look at, besides whose file it is."""
    if not file.ready:
        return [f"refused: {file.reason or 'nobody wrote why'}"]
    if of_time:
        return [of_time]
    return (
        ["no time known"]
        if file.timing is Timing.UNKNOWN and course.late.by == "kit"
        else []
    )


def _time(text: str, course: Course) -> tuple[datetime | None, str]:
    """The moment that a text states; and what is wrong with it, as the end of a
    sentence.
    """
    try:
        return (read_moment(text, course.due.tzinfo) if text else None), ""
    except ValueError as error:
        return None, f"whose time {error}"


def form_of(store: Store, files: list[Handed], course: Course) -> bytes:
    """The form, kept in the store as what was last written.  What belongs to nobody
    stands first.
    """
    counting = {
        student: contenders(course, student, own)
        for student, own in by_student(files).items()
    }
    decisions = _decisions(store)
    in_order = sorted(
        files, key=lambda file: (", ".join(file.students), _shown(file, course))
    )
    rows = [
        _of_the_kit(file, [counting[id] for id in file.students], course)
        for file in in_order
    ]
    for row in rows:
        row |= {
            column: decisions.get(str(row["source"]), {}).get(column, "")
            for column in OF_PEOPLE
        }

    def written(number: int) -> bytes:
        return as_csv(
            [HEADS, *(itemgetter(*HEADS)({**row, NUMBER: number}) for row in rows)]
        )

    return _kept(store, written, decisions)


def _kept(store: Store, written: Callable[[int], bytes], decisions: Decisions) -> bytes:
    """The form under the number of the last one if it is the same, and else under a new
    one.
    """
    last = store.db.execute(
        "SELECT number, sha256 FROM form_written ORDER BY number DESC LIMIT 1"
    ).fetchone()
    number, digest = last or (0, "")
    if last and hashlib.sha256(written(number)).hexdigest() == digest:
        return written(number)
    data = written(number + 1)
    digest = hashlib.sha256(data).hexdigest()
    text = json.dumps(decisions)
    store.db.execute(
        "INSERT INTO form_written VALUES (?, ?, ?)", (number + 1, digest, text)
    )
    store.log(FORM, new=digest)
    return data


def _of_the_kit(
    file: Handed, contending: list[list[Handed]], course: Course
) -> dict[str, object]:
    """The cells of the kit in a row; `contending` has the files that may count, for
    each of its students.
    """
    found = file.as_found or file
    sizes = [len(files) for files in contending if file in files]
    counts = "no"
    if sizes:
        counts = "yes" if 1 in sizes else "maybe"
    return {
        "source": file.source,
        "size": file.size,
        "sha256": file.sha256,
        "found": file.found,
        "kit_student": ", ".join(found.students),
        "kit_submitted": _shown(found, course),
        "kit_counts": counts,
        "kit_state": READY if found.ready else REFUSED,
        "kit_reason": found.reason,
    }


def _shown(file: Handed, course: Course) -> str:
    """When a file was handed in, for a cell; empty if nobody knows."""
    return moment_as_text(file.submitted, course.due.tzinfo) if file.submitted else ""
