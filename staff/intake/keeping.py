"""Keeps what was handed in, file by file, in the store."""

import hashlib
from dataclasses import dataclass, field

from staff.intake.archives import Content
from staff.intake.gathering import File, Gathered
from staff.intake.owners import as_text, from_text, owners_of
from staff.intake.roster import Roster
from staff.store import Store

_ADD = (
    "INSERT INTO submission (source, sha256, size, family, number) "
    "VALUES (?, ?, ?, ?, ?)"
)
_TELL = "UPDATE submission SET owners = ?, number = max(number, ?) WHERE source = ?"
_TELL_ONCE = (
    "UPDATE submission SET found = ?, stated = ?, refused = ? "
    "WHERE source = ? AND stated = ''"
)
Facts = tuple[str, int]
"""The SHA-256 and the size of a file.  The SHA-256 is empty if no bytes are kept."""


@dataclass
class Keeper:
    """Keeps the files of one `make collect`.

    If the store has a file with the same path but other bytes, the new file gets a name
    of its own.  This name is the path with a number behind it, such as `(2)`.
    """

    store: Store
    roster: Roster
    # The SHA-256 and the size of each file in the store.  The key is the name of the
    # file.
    known: dict[str, Facts] = field(default_factory=dict)
    # For each path, the number of the first version that this command has kept.  If the
    # system numbers the files, their paths are left out.
    versions: dict[str, int] = field(default_factory=dict)

    def keep(self, gathered: Gathered) -> int:
        """Keep everything that was handed in; return the number of new files."""
        rows = self.store.db.execute(
            "SELECT source, sha256, size FROM submission"
        ).fetchall()
        self.known = {source: (sha256, size) for source, sha256, size in rows}
        for file, content in gathered.handed:
            self._keep_file(file, content)
        return len(self.known) - len(rows)

    def _keep_file(self, file: File, content: Content) -> None:
        """Keep a file.  If the store has it already, only update what is known of
        it.
        """
        digest = hashlib.sha256(content.data).hexdigest() if content.data else ""
        facts = (digest, len(content.data) or file.item.size)
        source, version = self._source(file.item.path, facts)
        owners = owners_of(file.people, self.roster).ids
        time = file.stated or self._time_of(file.system, owners)
        said = ", ".join(filter(None, (file.system, file.said, time)))
        number = file.number
        db = self.store.db
        if source in self.known:
            self._log_owners(source, owners)
        else:
            # If one command keeps two files with the same path, nothing says which of
            # them is later.  So both get the same number.
            number = number or self.versions.setdefault(file.item.path, version)
            db.execute(
                "INSERT OR IGNORE INTO lab VALUES (?, ?)", (digest, content.data)
            )
            db.execute(_ADD, (source, *facts, file.family, number))
            self.store.log(f"file {source}", new=digest)
        db.execute(_TELL, (as_text(file.people), number, source))
        db.execute(_TELL_ONCE, (said, time, content.reason, source))
        self.known[source] = facts

    def _source(self, path: str, facts: Facts) -> tuple[str, int]:
        """Return the name under which to keep a file, and the version of its path.

        The version is 1 for the first file of a path, 2 for a file with other bytes
        under the same path, and so on.  The name of the second version ends with `(2)`.
        """
        version = 1
        source = path
        while self.known.get(source, facts) != facts:
            version += 1
            source = f"{path} ({version})"
        return source, version

    def _time_of(self, system: str, owners: tuple[str, ...]) -> str:
        """Return the time at which a file was handed in, according to the roster.

        The text is empty if the roster states no time, if the file comes from another
        system than the roster, or if the file does not belong to exactly one student.
        """
        if system != self.roster.export.system or len(owners) != 1:
            return ""
        return self.roster.students[owners[0]].stated

    def _log_owners(self, source: str, now: tuple[str, ...]) -> None:
        """Log the owners of a file that is in the store, if they have changed."""
        query = "SELECT owners FROM submission WHERE source = ?"
        row = self.store.db.execute(query, (source,)).fetchone()
        before = owners_of(from_text(row["owners"]), self.roster).ids
        if before != now:
            self.store.log(f"owners of {source}", ", ".join(before), ", ".join(now))
