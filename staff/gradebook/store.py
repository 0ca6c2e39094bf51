"""grades/grades.db: what the kit found out, and what people decided.  One process writes, others may read."""

import contextlib
import functools
import getpass
import sqlite3
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from boards.reading import write_whole
from grader.kit import KIT
from grader.refusal import Refusal

GRADES = KIT / "grades"
TABLES = Path(__file__).with_name("store.sql")


@dataclass(frozen=True)
class Store:
    """The open database; `verb` is what is being done.  A change is made within `with store.db:`."""

    db: sqlite3.Connection
    verb: str

    def log(self, what: str, old: str = "", new: str = "") -> None:
        """Add a line to the log: what was changed, from what to what; who, when and with which kit are added."""
        line = (_who(), _kit(), self.verb, what, old, new)
        self.db.execute("INSERT INTO log (who, kit, verb, what, old, new) VALUES (?, ?, ?, ?, ?, ?)", line)

    def bring_back(self) -> None:
        """Write again what is gone of the publications."""
        for name, data in self.db.execute("SELECT file, bytes FROM frozen"):
            if not (file := GRADES / name).exists():
                write_whole(file, data)

    def wrote(self, sha256: str) -> bool:
        """Whether the form is as the kit has left it: as it was last written, or was about to be."""
        return bool(self.db.execute("SELECT 1 FROM form WHERE sha256 = ?", (sha256,)).fetchone())


@contextlib.contextmanager
def opened(verb: str, writes: bool) -> Iterator[Store]:
    """The store; who writes holds a lock that ends with the process.

    It is SQLite's own on an empty file beside the store, so that others may read that.
    Raises Refusal if there is none to read, if another process writes, or if it is damaged.
    """
    if not writes and not (GRADES / "grades.db").exists():
        raise Refusal("nothing is collected yet: make collect FROM=downloads/ ROSTER=roster.csv")
    GRADES.mkdir(mode=0o700, exist_ok=True)
    with _connected("lock", 0) as lock, _connected("grades.db", 10) as db:
        try:
            lock.execute("BEGIN EXCLUSIVE" if writes else "BEGIN")
        except sqlite3.OperationalError:
            raise Refusal("another command is writing into grades/; wait until it has ended") from None
        try:
            if writes:
                db.executescript(TABLES.read_text("utf-8"))
            yield Store(db, verb)
        except sqlite3.DatabaseError as error:
            raise Refusal(f"grades/grades.db cannot be used ({error}); bring back a copy, or move it away") from None


def _connected(name: str, seconds: float) -> "contextlib.closing[sqlite3.Connection]":
    """A file of SQLite's in grades/, which its owner alone reads, and so many seconds to wait for others."""
    file = GRADES / name
    file.touch(0o600)
    file.chmod(0o600)
    db = sqlite3.connect(file, timeout=seconds)
    db.row_factory = sqlite3.Row
    return contextlib.closing(db)


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
        return subprocess.run(words, cwd=KIT, capture_output=True, text=True).stdout.strip() or "no version"
    return "no version"
