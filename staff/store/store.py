"""grades/grades.db: the facts that the kit found, and people's decisions.

One process at a time may write, and others may read meanwhile.  store.sql makes the
tables of the store in numbered steps.  The store keeps in its user_version how many of
these steps it has taken.  A command that only reads changes no table.  If the store is
older than the kit, such a command takes the missing steps in a copy in memory.
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
FILE = GRADES / "grades.db"
LOCK = GRADES / "lock"
STEPS = Path(__file__).with_name("store.sql")
VIEWS = Path(__file__).with_name("views.sql")
WAIT_SECONDS = 10.0  # seconds to wait for another command that is writing
FULL = (
    "the disk is full ({}); free some space, and type the command again: nothing that "
    "was stored is lost"
)
BUSY = "another command is writing into grades/; wait until it has ended"
BROKEN = (
    "grades/grades.db is damaged ({}); put the last copy of it that you have in its "
    "place"
)
READ_ONLY = (
    "{} cannot be read and written ({}): allow that, or copy the whole kit to where it "
    "is allowed, and type the command again; nothing that was stored is lost"
)
IN_THE_WAY = (
    "{} cannot be used ({}): move it to another place, and type the command again; "
    "nothing that was stored is lost"
)
CLOSED = (
    "grades/grades.db cannot be opened ({}): let the kit read and write it, or put the "
    "last copy that you have there"
)
FAILS = (
    "the disk fails to read or write grades/grades.db ({}); nothing that was stored is "
    "lost"
)
SENTENCES = {
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_BUSY: BUSY,
    sqlite3.SQLITE_LOCKED: BUSY,
    sqlite3.SQLITE_NOTADB: BROKEN,
    sqlite3.SQLITE_CORRUPT: BROKEN,
    sqlite3.SQLITE_READONLY: READ_ONLY.format("grades/", "{}"),
    sqlite3.SQLITE_CANTOPEN: CLOSED,
    sqlite3.SQLITE_PERM: CLOSED,
    sqlite3.SQLITE_IOERR: FAILS,
}
# These bits of an error code of SQLite say what kind of error it is.
PRIMARY_CODE = 0xFF
NO_SPACE = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))
NOT_WRITABLE = (errno.EROFS, errno.EACCES, errno.EPERM)
INSERT = "INSERT INTO log (who, kit, verb, what, old, new) VALUES (?, ?, ?, ?, ?, ?)"


@dataclass(frozen=True)
class Store:
    """The open store.

    A command makes all changes in a block `with store.db:`, so that it makes all of
    them or none.
    """

    db: sqlite3.Connection
    verb: str  # the verb that somebody typed, which the log shows

    def log(self, what: str, old: str = "", new: str = "") -> None:
        """Add a line to the log: `what` was changed from `old` to `new`.

        The store adds who made the change, when, with which verb, and with which kit.
        """
        self.db.execute(INSERT, (_who(), _kit(), self.verb, what, old, new))


@contextlib.contextmanager
def opened(verb: str, writes: bool) -> Iterator[Store]:
    """Yield the store, for one command.  A command that writes holds a lock until it
    ends.

    Raises Refusal if there is no store to read, if another process writes, if the disk
    is full or fails, if a file in grades/ cannot be read or written, if the store is
    damaged, or if a newer kit has written it.
    """
    if not writes and not FILE.exists():
        raise Refusal(
            "nothing is collected yet: make collect FROM=downloads/ ROSTER=roster.csv"
        )
    with _failures_told(), _to_write() if writes else _to_read() as db:
        db.executescript(VIEWS.read_text("utf-8"))
        yield Store(db, verb)


def in_memory() -> sqlite3.Connection:
    """Return a new store in memory that has taken all steps of store.sql.

    The store is gone when it is closed.
    """
    db = sqlite3.connect(":memory:")
    db.row_factory = sqlite3.Row
    _take_steps(db)
    return db


@contextlib.contextmanager
def _failures_told() -> Iterator[None]:
    """Turn an error of the disk or of SQLite into a Refusal, which says what is wrong.

    An error for which the kit has no sentence stays as it is.
    """
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & PRIMARY_CODE
        if code not in SENTENCES:
            raise
        raise Refusal(SENTENCES[code].format(error)) from None
    except OSError as error:
        sentence = _sentence_about(error)
        if not sentence:
            raise
        raise Refusal(sentence) from None


def _sentence_about(error: OSError) -> str:
    """Return a sentence about a file that cannot be written.

    The sentence is empty if the file is not in grades/, unless the disk is full.
    """
    if error.errno in NO_SPACE:
        return FULL.format(error.filename or error.strerror)
    file = _file_of(error)
    if not file.is_relative_to(GRADES):
        return ""
    if error.errno not in NOT_WRITABLE:
        return IN_THE_WAY.format(shown(file), error.strerror)
    # If the file does not exist yet, the user does not know it.  So the sentence names
    # its folder.
    place = file if os.path.lexists(file) else file.parent
    return READ_ONLY.format(shown(place), error.strerror)


def _file_of(error: OSError) -> Path:
    """Return the file that an error is about; an empty path if the error names none."""
    # If the error names two files, the first is a new file that should have replaced
    # the second.
    name = error.filename2 or error.filename
    if isinstance(name, (str, bytes, os.PathLike)):
        return Path(os.fsdecode(name))
    return Path()


@contextlib.contextmanager
def _to_write() -> Iterator[sqlite3.Connection]:
    """Yield the store with all steps of store.sql taken, while this process holds the
    lock.

    The lock is a lock of SQLite on another file, which is empty.  So others can read
    the store meanwhile.
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
    """Yield the store to a command that only reads.

    If the store is older than the kit, this yields a copy that has taken all steps of
    store.sql.
    """
    # If a command was killed while it wrote, SQLite repairs the store.  It can do so
    # only if it may write.
    mode = "ro"
    if os.access(GRADES, os.W_OK) and os.access(FILE, os.W_OK):
        mode = "rw"
    with _connected(FILE, mode) as db:
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
    """Yield an existing database.  `mode` is one of SQLite's modes: ro or rw.

    If another process holds the database, a query waits for at most `seconds`.
    """
    address = f"{file.absolute().as_uri()}?mode={mode}"
    with contextlib.closing(sqlite3.connect(address, seconds, uri=True)) as db:
        db.row_factory = sqlite3.Row
        db.execute("PRAGMA temp_store = MEMORY")
        yield db


def _steps() -> list[str]:
    """Return the steps of store.sql, in their order."""
    return re.split(r"^-- step \d+", STEPS.read_text("utf-8"), flags=re.MULTILINE)[1:]


def _version(db: sqlite3.Connection) -> int:
    """Return how many of the steps in store.sql a store has taken.

    Raises Refusal if a newer kit has written the store.
    """
    number = int(db.execute("PRAGMA user_version").fetchone()[0])
    if number > len(_steps()):
        raise Refusal(
            "grades/grades.db was written by a newer kit than this one; bring this kit "
            "up to date"
        )
    return number


def _take_steps(db: sqlite3.Connection) -> None:
    """Take the steps that a store has not taken yet.  The store takes each step
    completely or not at all.
    """
    taken = _version(db)
    for number, step in enumerate(_steps()[taken:], start=taken + 1):
        db.executescript(
            f"BEGIN IMMEDIATE;\n-- {step}\nPRAGMA user_version = {number};\nCOMMIT;"
        )


def _who() -> str:
    """Return the user name of the person who typed the command.

    If the system knows no name, return a phrase in its place.
    """
    with contextlib.suppress(OSError, KeyError, ImportError):
        return getpass.getuser()
    return "somebody without a name"


@functools.cache
def _kit() -> str:
    """Return the version of the kit, as git describes it, or `no version`."""
    words = ["git", "describe", "--always", "--dirty", "--tags"]
    version = ""
    with contextlib.suppress(OSError):
        done = subprocess.run(words, cwd=KIT, capture_output=True, text=True)
        version = done.stdout.strip()
    return version or "no version"
