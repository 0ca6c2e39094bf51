"""grades/grades.db: what the kit found out, and what people decided.  One process
writes, others may read.

A store keeps in its user_version how many steps of store.sql it has taken.  Who reads
changes nothing: of an older store a copy in memory takes the steps.
"""

import contextlib
import errno
import functools
import getpass
import os
import re
import sqlite3
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from boards.reading import shown
from grader.kit import KIT
from grader.refusal import Refusal

GRADES = KIT / "grades"
FILE, LOCK = GRADES / "grades.db", GRADES / "lock"
STEPS, VIEWS = (Path(__file__).with_name(name) for name in ("store.sql", "views.sql"))
WAIT_SECONDS = 10.0  # for another command that writes just now
FULL = "the disk is full ({}); free some space, and type the command again: nothing that was stored is lost"
BUSY = "another command is writing into grades/; wait until it has ended"
BROKEN = "grades/grades.db is damaged ({}); put the last copy of it that you have in its place"
READ_ONLY = (
    "{} cannot be read and written ({}): allow that, or copy the whole kit to where it is allowed, and type the "
    "command again; nothing that was stored is lost"
)
IN_THE_WAY = "{} cannot be used ({}): move it to another place, and type the command again; nothing that was stored is lost"
CLOSED = "grades/grades.db cannot be opened ({}): let the kit read and write it, or put the last copy that you have there"
SENTENCES = {
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_BUSY: BUSY,
    sqlite3.SQLITE_LOCKED: BUSY,
    sqlite3.SQLITE_NOTADB: BROKEN,
    sqlite3.SQLITE_CORRUPT: BROKEN,
    sqlite3.SQLITE_READONLY: READ_ONLY.format("grades/", "{}"),
    sqlite3.SQLITE_CANTOPEN: CLOSED,
    sqlite3.SQLITE_PERM: CLOSED,
    sqlite3.SQLITE_IOERR: "the disk fails to read or write grades/grades.db ({}); nothing that was stored is lost",
}
NO_SPACE = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))
NOT_WRITABLE = (errno.EROFS, errno.EACCES, errno.EPERM)


@dataclass(frozen=True)
class Store:
    """The open database; `verb` is what is being done.  A change is made within `with
    store.db:`.
    """

    db: sqlite3.Connection
    verb: str

    def log(self, what: str, old: str = "", new: str = "") -> None:
        """Add a line to the log: what was changed, from what to what; who, when and
        with which kit are added.
        """
        line = (_who(), _kit(), self.verb, what, old, new)
        self.db.execute(
            "INSERT INTO log (who, kit, verb, what, old, new) VALUES (?, ?, ?, ?, ?, ?)",
            line,
        )


@contextlib.contextmanager
def opened(verb: str, writes: bool) -> Iterator[Store]:
    """The store; who writes holds a lock that ends with the process.

    Raises Refusal if there is no store to read, if another process writes, if the disk
    is full, if something in grades/ cannot be written, or if the store is damaged.
    """
    if not writes and not FILE.exists():
        raise Refusal(
            "nothing is collected yet: make collect FROM=downloads/ ROSTER=roster.csv"
        )
    with _failures_told(), _to_write() if writes else _to_read() as db:
        db.executescript(VIEWS.read_text("utf-8"))
        yield Store(db, verb)


@contextlib.contextmanager
def _failures_told() -> Iterator[None]:
    """What the disk or SQLite fails in becomes a Refusal that names the true cause."""
    try:
        yield
    except sqlite3.Error as error:
        code = (
            getattr(error, "sqlite_errorcode", 0) & 0xFF
        )  # without what SQLite adds to it
        if code not in SENTENCES:
            raise
        raise Refusal(SENTENCES[code].format(error)) from None
    except OSError as error:
        sentence = _sentence_about(error)
        if not sentence:
            raise
        raise Refusal(sentence) from None


def _sentence_about(error: OSError) -> str:
    """What to say of a file that cannot be written; nothing if it is none of grades/,
    unless the disk is full.
    """
    if error.errno in NO_SPACE:
        return FULL.format(error.filename or error.strerror)
    name = (
        error.filename2 or error.filename
    )  # the first of two is the new file that was to take the other's place
    file = (
        Path(os.fsdecode(name))
        if isinstance(name, (str, bytes, os.PathLike))
        else Path()
    )
    if not file.is_relative_to(GRADES):
        return ""
    if error.errno not in NOT_WRITABLE:
        return IN_THE_WAY.format(shown(file), error.strerror)
    place = (
        file if os.path.lexists(file) else file.parent
    )  # the name of a new file says nothing to anybody
    return READ_ONLY.format(shown(place), error.strerror)


@contextlib.contextmanager
def _to_write() -> Iterator[sqlite3.Connection]:
    """The store, with all steps taken, and a lock on it: SQLite's own on an empty file,
    so that others may read.
    """
    GRADES.mkdir(mode=0o700, exist_ok=True)
    for file in (FILE, LOCK):
        file.touch(0o600)
        file.chmod(0o600)
    with _connected(LOCK, "rw", seconds=0) as lock, _connected(FILE, "rw") as db:
        lock.execute("BEGIN EXCLUSIVE")
        _take_steps(db)
        yield db


@contextlib.contextmanager
def _to_read() -> Iterator[sqlite3.Connection]:
    """The store as it is, or a copy of an older one that has taken all steps."""
    may_write = os.access(GRADES, os.W_OK) and os.access(
        FILE, os.W_OK
    )  # what a killed command left is put right then
    with _connected(FILE, "rw" if may_write else "ro") as db:
        if _version(db) == len(_steps()):
            yield db
            return
        with contextlib.closing(sqlite3.connect(":memory:")) as copy:
            copy.row_factory = sqlite3.Row
            db.backup(copy)
            _take_steps(copy)
            yield copy


@contextlib.contextmanager
def _connected(
    file: Path, mode: str, seconds: float = WAIT_SECONDS
) -> Iterator[sqlite3.Connection]:
    """A file of SQLite's that exists already, and so many seconds to wait for
    others.
    """
    with contextlib.closing(
        sqlite3.connect(f"{file.absolute().as_uri()}?mode={mode}", seconds, uri=True)
    ) as db:
        db.row_factory = sqlite3.Row
        db.execute("PRAGMA temp_store = MEMORY")
        yield db


def _steps() -> list[str]:
    """The steps, in their order."""
    return re.split(r"^-- step \d+", STEPS.read_text("utf-8"), flags=re.MULTILINE)[1:]


def _version(db: sqlite3.Connection) -> int:
    """How many steps a store has taken.  Raises Refusal if a newer kit has made it."""
    number = int(db.execute("PRAGMA user_version").fetchone()[0])
    if number > len(_steps()):
        raise Refusal(
            "grades/grades.db was written by a newer kit than this one; bring this kit up to date"
        )
    return number


def _take_steps(db: sqlite3.Connection) -> None:
    """Take the steps that a store has not taken yet, each whole or not at all."""
    taken = _version(db)
    for number, step in enumerate(_steps()[taken:], start=taken + 1):
        db.executescript(
            f"BEGIN IMMEDIATE;\n-- {step}\nPRAGMA user_version = {number};\nCOMMIT;"
        )


def _who() -> str:
    """The name by which this machine knows who types."""
    with contextlib.suppress(OSError, KeyError, ImportError):
        return getpass.getuser()
    return "somebody without a name"


@functools.cache
def _kit() -> str:
    """The version of the kit, as git has it."""
    with contextlib.suppress(OSError):
        words = ["git", "describe", "--always", "--dirty", "--tags"]
        return (
            subprocess.run(
                words, cwd=KIT, capture_output=True, text=True
            ).stdout.strip()
            or "no version"
        )
    return "no version"
