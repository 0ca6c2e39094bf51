"""The roster that the store keeps, and everybody who was ever on a roster."""

import hashlib
from pathlib import Path

from grader.refusal import Refusal
from staff.intake.roster import Roster, read_roster, sheet_of
from staff.store import Store

_ENCODING = "encoding of the roster"  # a key of the table `kept`


def kept_roster(store: Store) -> Roster:
    """Return the roster in the store.

    Raises Refusal if there is none, or if it cannot be read any more.
    """
    row = store.db.execute("SELECT name, system, bytes FROM roster").fetchone()
    if row is None:
        raise Refusal(
            "there is no roster yet: make collect FROM=downloads/ ROSTER=roster.csv"
        )
    known_by = _kept(store, _field_of(row["system"]))
    return read_roster(row["name"], row["bytes"], known_by, _kept(store, _ENCODING))


def keep_roster(store: Store, file: Path) -> None:
    """Keep a roster in place of the last one.  Raises Refusal if it cannot be used.

    The store keeps all bytes of the table, because `make grade` fills the grades into a
    copy of the table.
    """
    try:
        data = file.read_bytes()
    except IsADirectoryError:
        raise Refusal(
            f"ROSTER={file} is a folder; "
            f"name the table in it, such as {file / 'roster.csv'}"
        ) from None
    except OSError as error:
        raise Refusal(
            f"ROSTER={file}: {error.strerror}; "
            "name the table that the course's system exported"
        ) from None
    encoding = _kept(store, _ENCODING)
    system = sheet_of(file.name, data, encoding).export.system
    roster = read_roster(file.name, data, _kept(store, _field_of(system)), encoding)
    _keep(store, _field_of(system), roster.field)
    store.db.execute("INSERT INTO roster VALUES (?, ?, ?)", (file.name, system, data))
    students = [
        (student.id, student.name, student.line) for student in roster.students.values()
    ]
    store.db.executemany("INSERT INTO student VALUES (?, ?, ?)", students)
    store.log("roster", new=f"{file.name}, SHA-256 {hashlib.sha256(data).hexdigest()}")


def keep_encoding(store: Store, encoding: str) -> None:
    """Keep the encoding that course.yaml names for rosters.

    An empty text says that course.yaml names none.
    """
    _keep(store, _ENCODING, encoding)


def keep_field(store: Store) -> None:
    """Note in the store which field of the roster gave the ids.

    Only a store that an earlier kit wrote lacks this note.
    """
    query = "SELECT name, system, bytes FROM roster"
    for name, system, data in store.db.execute(query).fetchall():
        if not _kept(store, _field_of(system)):
            roster = read_roster(name, data, encoding=_kept(store, _ENCODING))
            _keep(store, _field_of(system), roster.field)


def names_before(store: Store) -> dict[str, str]:
    """Return the name of each student on the roster in the store.  The key is the id.

    Students without an id are left out.
    """
    rows = store.db.execute("SELECT id, name FROM student")
    return {row["id"]: row["name"] for row in rows}


def names_ever(store: Store) -> dict[str, str]:
    """Return the name of everybody who was ever on a roster.  The key is the id.

    The name is empty if the store does not know it.
    """
    return dict(store.db.execute("SELECT id, name FROM ever ORDER BY id").fetchall())


def _field_of(system: str) -> str:
    """Return a key of the table `kept`.

    Under this key, `kept` says which field gives the ids in rosters of a system.
    """
    return f"field of the ids in {system}"


def _kept(store: Store, key: str) -> str:
    """The value under a key of the table `kept`; empty if there is none."""
    row = store.db.execute("SELECT value FROM kept WHERE what = ?", (key,)).fetchone()
    return row["value"] if row else ""


def _keep(store: Store, key: str, value: str) -> None:
    store.db.execute("INSERT OR REPLACE INTO kept VALUES (?, ?)", (key, value))
