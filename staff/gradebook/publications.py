"""Publications, as the store keeps them: what each student had, and all files of it to
the byte.
"""

import json
from collections.abc import Sequence
from pathlib import Path

from boards.reading import write_whole
from grader.refusal import Refusal
from staff.course.changes import Entry, held_once
from staff.store import GRADES, Store

FOLDER = GRADES / "published"
COMPARES = "changes.csv"  # which is about the publication before, so that it never stays the same


def last_number(store: Store) -> int:
    """The number of the last publication; 0 if there is none."""
    number = store.db.execute("SELECT max(number) FROM published").fetchone()[0]
    return number or 0


def refuse_unknown_ones(store: Store) -> None:
    """Raise Refusal if a folder has a number that the store has not given: its own
    store is gone then.
    """
    numbers = [int(place.name) for place in FOLDER.glob("*") if place.name.isdecimal()]
    last = last_number(store)
    if unknown := [number for number in sorted(numbers) if number > last]:
        raise Refusal(
            f"grades/published/{unknown[0]}/ is there, and grades/grades.db knows nothing of it: put your copy of "
            "grades.db back, or move grades/published/ to another place"
        )


def last_entries(store: Store) -> list[Entry]:
    """What each student had in the last publication."""
    query = "SELECT student, state, sums, made_of FROM published WHERE number = ? ORDER BY rowid"
    rows = store.db.execute(query, (last_number(store),))
    return [
        Entry(student, state, json.loads(sums), held_once(json.loads(made_of)))
        for student, state, sums, made_of in rows
    ]


def is_as_last(store: Store, entries: Sequence[Entry], folder: Path) -> bool:
    """Whether what is in a folder, and what each student has, is the last publication
    once more.
    """
    if {entry.student: entry for entry in entries} != {
        entry.student: entry for entry in last_entries(store)
    }:
        return False
    place = f"published/{last_number(store)}/"
    query = "SELECT substr(file, ?), bytes FROM frozen WHERE substr(file, 1, ?) = ?"
    before = dict(
        store.db.execute(query, (len(place) + 1, len(place), place)).fetchall()
    )
    now = files_in(folder)
    for files in (before, now):
        files.pop(COMPARES, None)
    return before == now


def files_in(folder: Path) -> dict[str, bytes]:
    """All files below a folder, by their names from there."""
    files = [file for file in sorted(folder.rglob("*")) if file.is_file()]
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def keep(store: Store, number: int, entries: Sequence[Entry], folder: Path) -> None:
    """Keep a publication whose files stand in a folder.  The caller commits."""
    rows = [
        (
            number,
            each.student,
            each.state,
            json.dumps(dict(each.sums)),
            json.dumps(dict(each.made_of)),
        )
        for each in entries
    ]
    store.db.executemany("INSERT INTO published VALUES (?, ?, ?, ?, ?)", rows)
    frozen = [
        (f"published/{number}/{name}", data) for name, data in files_in(folder).items()
    ]
    store.db.executemany("INSERT INTO frozen VALUES (?, ?)", frozen)


def bring_back(store: Store) -> list[str]:
    """Write again what is gone of the publications, or was changed there; a line for
    each of both.
    """
    gone, changed = list[str](), list[str]()
    for name, data in store.db.execute("SELECT file, bytes FROM frozen ORDER BY file"):
        file = GRADES / name
        if not file.exists():
            gone.append(name)
        elif file.read_bytes() != data:
            changed.append(name)
        else:
            continue
        write_whole(file, data)
    lines = {
        "missing in grades/": _by_folder(store, gone),
        "changed since it was published": changed,
    }
    return [
        f"{what}, and written again: {', '.join(names)}"
        for what, names in lines.items()
        if names
    ]


def _by_folder(store: Store, names: list[str]) -> list[str]:
    """These files of publications, with the folder alone where they are all of its
    files.
    """
    in_words = []
    for folder in dict.fromkeys(
        f"{FOLDER.name}/{name.split('/')[1]}/" for name in names
    ):
        own = [name for name in names if name.startswith(folder)]
        query = "SELECT count(*) FROM frozen WHERE substr(file, 1, ?) = ?"
        has_all = store.db.execute(query, (len(folder), folder)).fetchone()[0] == len(
            own
        )
        in_words += [folder] if has_all else own
    return in_words
