"""grades/collected.csv: a row for each file that was handed in; a cell that somebody edits is a decision, and kept."""

import csv
import hashlib
import io
import json
from collections.abc import Callable, Mapping
from datetime import tzinfo
from pathlib import Path

from boards.reading import write_whole
from grader.refusal import Refusal, like
from staff.course import Course
from staff.gradebook.matching import Matcher
from staff.gradebook.moments import Unclear, read_moment, shown
from staff.gradebook.standing import Handed, by_student, contenders
from staff.gradebook.store import GRADES, Store
from staff.gradebook.tables import parse_table, read_whole

FORM = "collected.csv"  # in grades/
OF_PEOPLE = ("student", "submitted", "counts", "state", "reason")
HEADS = ("source", "sha256", "size", "found", *OF_PEOPLE)
READY, REFUSED = "ready", "refused"
_WORDS = {"counts": ("yes", "no", "maybe"), "state": (READY, REFUSED)}
_FORMULA = ("=", "+", "-", "@")
Decisions = dict[tuple[str, str], str]
"""What people decided, by source and column."""


def take_edits(store: Store, form: Path, students: list[str], zone: tzinfo | None) -> Decisions:
    """The cells of the form that differ from what the kit last wrote, checked.  Raises Refusal, with the line."""
    if not form.exists():
        return {}
    data = read_whole(form)
    if store.has_logged(FORM, hashlib.sha256(data).hexdigest()):
        return {}  # the kit wrote just this
    table = parse_table(data, form)
    if odd := sorted(set(HEADS) ^ set(table.heads)):
        what = "missing" if odd[0] in HEADS else "new, and not kept"
        raise Refusal(f"grades/{FORM}: the column {odd[0]!r} is {what}")
    known = {_safe(row["source"]): row for row in store.db.execute("SELECT source, sha256, written FROM submission")}
    edits: Decisions = {}
    for line, row in table.rows():
        where, before = f"grades/{FORM}, line {line + 1}", known.pop(row["source"], None)
        if not before:
            raise Refusal(f"{where}: {row['source']!r} is no source of the kit, or stands twice")
        for column in OF_PEOPLE:
            cell = _unsafe(row[column])
            if column == "state" and cell == READY and not before["sha256"]:
                raise Refusal(f"{where}: nothing of {row['source']} was kept, so that it cannot be {READY}")
            if not _same(cell, json.loads(before["written"])[column]):
                edits[before["source"], column] = _checked(where, column, cell, students, zone)
    return edits


def _same(cell: str, before: str) -> bool:
    """Whether a cell is as it was; a spreadsheet takes the zeros at the beginning of a number."""
    return cell == before or (cell.isdecimal() and before.isdecimal() and int(cell) == int(before))


def _checked(where: str, column: str, cell: str, students: list[str], zone: tzinfo | None) -> str:
    """A cell as it is kept.  Raises Refusal."""
    if column == "submitted" and cell:
        try:
            return shown(read_moment(cell, zone), zone)
        except Unclear as error:
            raise Refusal(f"{where}: {error}") from None
    if column == "student":
        names = [name.strip() for name in cell.split(",") if name.strip()]
        for name in names:
            if name not in students:
                raise Refusal(f"{where}: {name!r} is not on the roster{like(name, students, 'write an id of it')}")
        return ", ".join(names)
    if column in _WORDS and cell not in _WORDS[column]:
        raise Refusal(f"{where}: {column} is {cell!r}; write {' or '.join(_WORDS[column][:2])}")
    return cell


def keep_edits(store: Store, edits: Decisions) -> None:
    """Make decisions of edited cells, and log them."""
    for (source, column), value in edits.items():
        written = store.db.execute("SELECT written FROM submission WHERE source = ?", (source,)).fetchone()[0]
        store.db.execute("INSERT OR REPLACE INTO decision VALUES (?, ?, ?)", (source, column, value))
        store.log(f"{column} of {source}", json.loads(written)[column], value)


def handed_in(store: Store, course: Course, matcher: Matcher) -> list[Handed]:
    """All that was handed in, as the kit found it and people decided."""
    decided = {(row["source"], row["column"]): row["value"] for row in store.db.execute("SELECT * FROM decision")}
    query = "SELECT * FROM submission ORDER BY source"
    return [_handed(dict(entry), decided, course, matcher) for entry in store.db.execute(query)]


def _handed(entry: Mapping[str, str], decided: Decisions, course: Course, matcher: Matcher) -> Handed:
    source, submitted = entry["source"], None
    problems: list[str] = []
    students = _owners(entry, matcher, problems)
    if (source, "student") in decided:
        names = decided[source, "student"].split(", ")
        students, problems = tuple(name for name in names if name in matcher.ids), []
    if not students and not problems:
        problems.append("belongs to nobody")
    try:
        if text := decided.get((source, "submitted"), entry["stated"]):
            submitted = read_moment(text, course.due.tzinfo)
    except Unclear as error:
        problems.append(f"time {error.reason}")
    ready = decided.get((source, "state"), REFUSED if entry["refused"] else READY) == READY
    reason = decided.get((source, "reason"), entry["refused"])
    counts = decided.get((source, "counts"), "").replace("maybe", "")
    own = (submitted, ready, reason, counts, entry["family"], int(entry["number"]), students)
    return Handed(source, entry["sha256"], *own, int(entry["size"]), entry["found"], tuple(problems))


def _owners(entry: Mapping[str, str], matcher: Matcher, problems: list[str]) -> tuple[str, ...]:
    """The students that a file's keys tell; what they leave open goes to the problems."""
    names: list[str] = []
    for keys in json.loads(entry["owners"]):
        hits = matcher.students_of(keys)
        if len(hits) > 1:
            problems.append(f"fits {' and '.join(', '.join(hit) for hit in hits)}")
        names += [name for hit in hits for name in hit if len(hits) == 1 and name not in names]
    return () if problems else tuple(names)


def cells_of(files: list[Handed], course: Course) -> dict[str, dict[str, str]]:
    """The cells of people of each row, by its source."""
    counting = {student: contenders(course, student, own) for student, own in by_student(course, files).items()}
    cells = {}
    for one in files:
        pools = [counting[student] for student in one.students if one in counting[student]]
        sure = any(len(pool) == 1 for pool in pools)
        cells[one.source] = {
            "student": ", ".join(one.students),
            "submitted": shown(one.submitted, course.due.tzinfo) if one.submitted else "",
            "counts": "yes" if sure else "maybe" if pools else "no",
            "state": READY if one.ready else REFUSED,
            "reason": one.reason,
        }
    return cells


def write_form(store: Store, files: list[Handed], course: Course) -> Callable[[], None]:
    """Keep what the form says now; gives what writes it, once that is safe.  What belongs to nobody stands first."""
    cells, stream = cells_of(files, course), io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(HEADS)
    for one in sorted(files, key=lambda one: (one.students, cells[one.source]["submitted"])):
        own = cells[one.source]
        writer.writerow(map(_safe, (one.source, one.sha256, one.size, one.found, *own.values())))
        store.db.execute("UPDATE submission SET written = ? WHERE source = ?", (json.dumps(own), one.source))
    data = stream.getvalue().encode("utf-8-sig")  # by which spreadsheets know that it is UTF-8
    digest = hashlib.sha256(data).hexdigest()
    if not store.has_logged(FORM, digest):
        store.log(FORM, new=digest)
    return lambda: write_whole(GRADES / FORM, data, 0o600)


def _safe(cell: object) -> str:
    """A text that no spreadsheet takes for a formula."""
    text = str(cell)
    return f"'{text}" if text.startswith(_FORMULA) else text


def _unsafe(text: str) -> str:
    return text[1:] if text[:1] == "'" and text[1:].startswith(_FORMULA) else text
