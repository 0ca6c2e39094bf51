"""`make collect FROM=downloads/ ROSTER=roster.csv`: who has handed in what, before anything is graded."""

import hashlib
import itertools
import json
import sys
from pathlib import Path

from boards.reading import write_whole
from grader.protocol.words import plural
from grader.refusal import Refusal
from staff.course import read_course
from staff.gradebook.collected import FORM, form_of, handed_in, keep_edits, take_edits
from staff.gradebook.gathering import Gathered, gather
from staff.gradebook.report import report
from staff.gradebook.roster import Roster, read_roster
from staff.gradebook.store import GRADES, Store, opened
from staff.gradebook.tables import read_whole
from staff.parser import Parser

_ADD = "INSERT OR IGNORE INTO submission (source, sha256, size, family, number) VALUES (?, ?, ?, ?, ?)"
_TELL = "UPDATE submission SET found = ?, owners = ?, stated = ?, refused = ? WHERE source = ? AND stated = ''"


def main(words: list[str]) -> int:
    """Collect, and say what was found; 0.  Raises Refusal or BadFile before anything is changed."""
    parser = Parser(prog="make collect", usage="make collect FROM=downloads/ ROSTER=roster.csv")
    parser.add_argument("--from", dest="origin", type=lambda text: Path(text).expanduser())
    parser.add_argument("--roster", type=lambda text: Path(text).expanduser())
    options = parser.parse_args(words)
    course = read_course()
    with opened("collect", writes=True) as store:
        given = (options.roster.name, read_whole(options.roster)) if options.roster else None
        name, data = given or kept_roster(store)
        roster = read_roster(name, data)
        gathered = gather(options.origin, options.roster, roster) if options.origin else Gathered()
        edits = take_edits(store, GRADES / FORM, roster.ids, course.due.tzinfo)
        with store.db:
            if given:
                _keep_roster(store, roster, name, data)
            keep_edits(store, edits)
            new = _keep_files(store, gathered, roster)
            files = handed_in(store, course, roster)
            form = form_of(store, files, course)
        write_whole(GRADES / FORM, form, 0o600)
    print(*report(course, roster, files, gathered, new), sep="\n")
    if edits:
        print(f"{plural(len(edits), 'edited cell')} of grades/{FORM}, kept as decisions")
    return 0


def kept_roster(store: Store) -> tuple[str, bytes]:
    """The name and the bytes of the last roster.  Raises Refusal if there was none."""
    for name, data in store.db.execute("SELECT name, bytes FROM roster"):
        return name, data
    raise Refusal("there is no roster yet: make collect FROM=downloads/ ROSTER=roster.csv")


def _keep_roster(store: Store, roster: Roster, name: str, data: bytes) -> None:
    """Keep the roster to the byte, since it comes back filled in."""
    store.db.execute("DELETE FROM roster")
    store.db.execute("DELETE FROM student")
    store.db.execute("INSERT INTO roster VALUES (?, ?, ?)", (name, roster.system, data))
    for one in roster.students:
        store.db.execute("INSERT INTO student VALUES (?, ?, ?)", (one.id, one.name, one.line))
    store.log("roster", new=f"{name}, SHA-256 {hashlib.sha256(data).hexdigest()}")


def _keep_files(store: Store, gathered: Gathered, roster: Roster) -> int:
    """Add what was handed in; a source with other bytes than before is a file of its own.  How many are new."""
    stated = {one.id: one.stated for one in roster.students}
    earlier = store.db.execute("SELECT source, sha256, size FROM submission").fetchall()
    known = {source: (digest, size) for source, digest, size in earlier}
    for found, lab in gathered.handed:
        digest = hashlib.sha256(lab.data).hexdigest() if lab.data else ""
        facts = digest, len(lab.data) or found.item.size
        for version in itertools.count(1):
            source = f"{found.source} ({version})" if version > 1 else found.source
            if known.setdefault(source, facts) == facts:
                break
        owners = [student for keys in found.owners for student in roster.students_of(keys)]
        by_roster = stated[owners[0]] if len(owners) == 1 and found.system == roster.system else ""
        time = found.stated or by_roster
        said = ", ".join(filter(None, (found.system, found.said, time)))
        store.db.execute("INSERT OR IGNORE INTO lab VALUES (?, ?)", (digest, lab.data))
        if store.db.execute(_ADD, (source, *facts, found.family, found.number or version)).rowcount:
            store.log(f"file {source}", new=digest)
        store.db.execute(_TELL, (said, json.dumps(found.owners), time, lab.reason, source))
    return len(known) - len(earlier)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
