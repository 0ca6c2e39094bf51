"""`make collect FROM=downloads/ ROSTER=roster.csv`: who has handed in what, before anything is graded."""

import hashlib
import itertools
import json
import sys
from pathlib import Path

from grader.protocol.words import plural
from grader.refusal import Refusal
from staff.course import read_course
from staff.gradebook.collected import FORM, handed_in, keep_edits, take_edits, write_form
from staff.gradebook.gathering import Gathered, gather
from staff.gradebook.matching import Matcher
from staff.gradebook.report import files_of_each, report
from staff.gradebook.roster import Roster, chosen, read_roster
from staff.gradebook.store import GRADES, Store, opened
from staff.gradebook.tables import parse_table, read_whole
from staff.parser import Parser

_ADD = """
INSERT INTO submission VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, '{}') ON CONFLICT (source) DO UPDATE SET
    found = excluded.found, owners = excluded.owners, stated = excluded.stated, refused = excluded.refused
    WHERE stated = ''
"""


def main(words: list[str]) -> int:
    """Collect, and say what was found; 0.  Raises Refusal or BadFile before anything is changed."""
    parser = Parser(prog="make collect", usage="make collect FROM=downloads/ ROSTER=roster.csv WHO=id,id")
    parser.add_argument("--from", dest="origin", type=lambda text: Path(text).expanduser())
    parser.add_argument("--roster", type=lambda text: Path(text).expanduser())
    parser.add_argument("--who", default="")
    options = parser.parse_args(words)
    course = read_course()
    with opened("collect", writes=True) as store:
        given = (options.roster.name, read_whole(options.roster)) if options.roster else None
        name, data = given or kept_roster(store)
        roster = read_roster(parse_table(data, Path(name)), name)
        who = chosen(roster, options.who)
        matcher = Matcher(roster.students, course.teams)
        gathered = gather(options.origin, options.roster, matcher) if options.origin else Gathered()
        edits = take_edits(store, GRADES / FORM, matcher.ids, course.due.tzinfo)
        with store.db:
            if given:
                _keep_roster(store, roster, name, data)
            keep_edits(store, edits)
            new = _keep_files(store, gathered, roster, matcher)
            files = handed_in(store, course, matcher)
            form = write_form(store, files, course)
        form()
    lines = files_of_each(course, who, files) if who else report(course, roster, files, gathered, new)
    print(*lines, sep="\n")
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


def _keep_files(store: Store, gathered: Gathered, roster: Roster, matcher: Matcher) -> int:
    """Add what was handed in; a source with other bytes than before is a file of its own.  How many are new."""
    stated = {one.id: one.stated for one in roster.students}
    earlier = {row["source"]: row for row in store.db.execute("SELECT * FROM submission")}
    known = {source: (row["sha256"], row["size"]) for source, row in earlier.items()}
    for system, found, lab in gathered.handed:
        digest = hashlib.sha256(lab.data).hexdigest() if lab.data else ""
        facts = digest, len(lab.data) or found.item.size
        names = (f"{found.source} ({number})" if number > 1 else found.source for number in itertools.count(1))
        source = next(name for name in names if known.setdefault(name, facts) == facts)
        hits = [hit for keys in found.owners for hit in matcher.students_of(keys)]
        time = found.stated or (stated.get(hits[0][0], "") if system == roster.system and len(hits) == 1 else "")
        said = ", ".join(filter(None, (system, found.said, time)))
        family = found.family or found.source
        number = found.number or sum(row["family"] == family for row in earlier.values())
        owners = json.dumps(found.owners)
        store.db.execute("INSERT OR IGNORE INTO lab VALUES (?, ?)", (digest, lab.data))
        store.db.execute(_ADD, (source, *facts, said, owners, time, lab.reason, family, number))
        if source not in earlier:
            store.log(f"file {source}", new=digest)
    return len(known) - len(earlier)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
