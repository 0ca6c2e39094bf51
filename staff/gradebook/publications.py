"""The publications in the store: what each student had, and the bytes of each file."""

import json
from collections.abc import Sequence
from pathlib import Path

from boards.reading import write_whole
from grader.refusal import Refusal
from staff.course.changes import Entry, held_once
from staff.store import GRADES, Store

FOLDER = GRADES / "published"
# This file compares a publication with the one before.  So it may differ although
# nothing else has changed.
COMPARES = "changes.csv"
_FILES = "SELECT count(*) FROM frozen WHERE substr(file, 1, ?) = ?"


def last_number(store: Store) -> int:
    """The number of the last publication; 0 if there is none."""
    number = store.db.execute("SELECT max(number) FROM published").fetchone()[0]
    return number or 0


def refuse_unknown_ones(store: Store) -> None:
    """Raise Refusal if a folder in grades/published/ has a higher number than the last
    publication in the store.

    Such a folder means that the store which made the publication is lost.
    """
    numbers = [int(place.name) for place in FOLDER.glob("*") if place.name.isdecimal()]
    last = last_number(store)
    for number in sorted(numbers):
        if number > last:
            raise Refusal(
                f"grades/published/{number}/ is there, and grades/grades.db knows "
                "nothing of it: put your copy of grades.db back, or move "
                "grades/published/ to another place"
            )


def last_entries(store: Store) -> list[Entry]:
    """What each student had in the last publication."""
    rows = store.db.execute(
        "SELECT student, state, sums, made_of FROM published WHERE number = ? "
        "ORDER BY rowid",
        (last_number(store),),
    )
    return [
        Entry(student, state, json.loads(sums), held_once(json.loads(made_of)))
        for student, state, sums, made_of in rows
    ]


def is_as_last(store: Store, entries: Sequence[Entry], folder: Path) -> bool:
    """Whether nothing has changed since the last publication.

    `entries` and the files in `folder` are compared with those of the last publication.
    The file changes.csv is not compared.
    """
    now = {entry.student: entry for entry in entries}
    before = {entry.student: entry for entry in last_entries(store)}
    if now != before:
        return False
    place = f"published/{last_number(store)}/"
    rows = store.db.execute(
        "SELECT substr(file, ?), bytes FROM frozen WHERE substr(file, 1, ?) = ?",
        (len(place) + 1, len(place), place),
    )
    published = dict(rows.fetchall())
    files = files_in(folder)
    published.pop(COMPARES, None)
    files.pop(COMPARES, None)
    return published == files


def files_in(folder: Path) -> dict[str, bytes]:
    """Read all files below a folder.  The key is the path of a file in the folder."""
    files = [file for file in sorted(folder.rglob("*")) if file.is_file()]
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def keep(store: Store, number: int, entries: Sequence[Entry], folder: Path) -> None:
    """Put a publication into the store: `entries`, and the files in `folder`.

    The caller commits to the store.
    """
    rows = []
    for entry in entries:
        sums = json.dumps(dict(entry.sums))
        made_of = json.dumps(dict(entry.made_of))
        rows.append((number, entry.student, entry.state, sums, made_of))
    store.db.executemany("INSERT INTO published VALUES (?, ?, ?, ?, ?)", rows)
    frozen = [
        (f"published/{number}/{name}", data) for name, data in files_in(folder).items()
    ]
    store.db.executemany("INSERT INTO frozen VALUES (?, ?)", frozen)


def bring_back(store: Store) -> list[str]:
    """Write again each file of a publication that is missing or has changed.

    Return a line about the files that were missing, if any, and a line about the files
    that had changed, if any.
    """
    gone = list[str]()
    changed = list[str]()
    for name, data in store.db.execute("SELECT file, bytes FROM frozen ORDER BY file"):
        file = GRADES / name
        if not file.exists():
            gone.append(name)
        elif file.read_bytes() != data:
            changed.append(name)
        else:
            continue
        write_whole(file, data)
    lines = []
    if gone:
        names = ", ".join(_by_folder(store, gone))
        lines.append(f"missing in grades/, and written again: {names}")
    if changed:
        names = ", ".join(changed)
        lines.append(f"changed since it was published, and written again: {names}")
    return lines


def _by_folder(store: Store, names: list[str]) -> list[str]:
    """The names of these files, for a person.

    If all files of a publication are among them, the folder of the publication is named
    instead.
    """
    in_words = []
    folders = [f"{FOLDER.name}/{name.split('/')[1]}/" for name in names]
    for folder in dict.fromkeys(folders):
        own = [name for name in names if name.startswith(folder)]
        number = store.db.execute(_FILES, (len(folder), folder)).fetchone()[0]
        in_words += [folder] if number == len(own) else own
    return in_words
