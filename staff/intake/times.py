"""TIMES=times.csv: when students handed in, for systems that export no times.

Staff look the times up in the system, and write them into a table:

id         the id of the student
submitted  a time, as in collected.csv; an empty cell says nothing

A time becomes a decision about the last file of the student, as if somebody had typed
the time into collected.csv.  The table only fills gaps: if the system states a time, or
if somebody has filled in the cell, that time stays.
"""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from pathlib import Path

from grader.refusal import Refusal
from staff.course.standing import SEVERAL, Handed, by_student, latest
from staff.intake.collected import Edit, Edits
from staff.intake.spreadsheet import ids_of, lines_of, moment_of
from staff.intake.systems import moment_as_text
from staff.store import Store

COLUMNS = ("id", "submitted")
OTHERWISE = "collected.csv has another time, which stays"


@dataclass
class Filling:
    """Which times of a table become decisions, and whose times do not."""

    edits: Edits = field(default_factory=dict)
    # The students whose times do not become decisions.  The key is the reason.
    unused: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))


def read_times(
    file: Path, ids: Collection[str], zone: tzinfo | None
) -> dict[str, datetime]:
    """Read the times in a table.  The key is the id of the student.

    Raises Refusal if the table cannot be used.  If one line is at fault, the Refusal
    names it.
    """
    try:
        data = file.read_bytes()
    except OSError as error:
        raise Refusal(f"TIMES={file}: {error.strerror}") from None
    times = dict[str, datetime]()
    for where, row in lines_of(data, file.name, COLUMNS):
        if not row["submitted"]:
            continue
        if not row["id"]:
            raise Refusal(f"{where}: a time without an id; write whose it is")
        try:
            moment = moment_of(row["submitted"], zone)
        except ValueError as error:
            raise Refusal(f"{where}: {row['submitted']!r} {error}") from None
        for id in ids_of(row["id"], ids, where):
            if id in times:
                raise Refusal(
                    f"{where}: {id} has a time in another line already; keep one"
                )
            times[id] = moment
    return times


def filling(
    store: Store, times: dict[str, datetime], files: list[Handed], zone: tzinfo | None
) -> Filling:
    """Find out which times of a table become decisions.

    `times` are the times of the table.  The key is the id of the student.  `files` are
    all files that were handed in.
    """
    rows = store.db.execute("SELECT source FROM decision WHERE column = 'submitted'")
    decided = {row["source"] for row in rows}
    own = by_student(files)
    result = Filling()
    for student, moment in times.items():
        last = latest(own.get(student, []))
        if not last:
            result.unused["handed in nothing"].append(student)
        elif any(_is_of(file, moment) for file in own[student]):
            # The student handed in a file at exactly this time, and the store knows
            # that already.  So the table says nothing new.
            continue
        elif len(last) > 1:
            result.unused[SEVERAL].append(student)
        elif last[0].submitted or last[0].source in decided:
            result.unused[OTHERWISE].append(student)
        else:
            time = moment_as_text(moment, zone)
            _fill_in(result, student, last[0].source, time)
    return result


def _is_of(file: Handed, moment: datetime) -> bool:
    """Whether a file was handed in at exactly this moment."""
    if file.submitted is None:
        return False
    return file.submitted.timestamp() == moment.timestamp()


def _fill_in(result: Filling, student: str, source: str, time: str) -> None:
    """Add the time of a student as a decision about a file.

    The members of a team share a file.  If another member has already given the file
    another time, the student's time is not added, but noted as unused.
    """
    edit = Edit("", time)
    if result.edits.setdefault((source, "submitted"), edit) != edit:
        result.unused[OTHERWISE].append(student)
