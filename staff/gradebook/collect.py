"""`make collect FROM=downloads/ ROSTER=roster.csv`: who has handed in what, before
anything is graded.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

from boards.reading import write_whole
from grader.parser import Parser
from staff.course import Course, read_course
from staff.course.standing import (
    GRADED,
    LATE,
    SEVERAL,
    UNGRADED,
    Handed,
    Standing,
    Sum,
    by_student,
    lateness,
    standing,
    time_in_words,
    with_files,
)
from staff.gradebook.archives import Lab
from staff.gradebook.collected import FORM, form_of, handed_in, keep_edits, take_edits
from staff.gradebook.gathering import Found, Gathered, gather
from staff.gradebook.ids import refuse_lost_ids
from staff.gradebook.owners import as_text, from_text, owners_of
from staff.gradebook.pages import rendered
from staff.gradebook.roster import (
    Roster,
    keep_encoding,
    keep_field,
    keep_roster,
    kept_roster,
    names_before,
    names_ever,
    without_id_in_words,
)
from staff.gradebook.store import GRADES, Store
from staff.gradebook.times import Filling, filling, read_times

LEFT = "left"
MOST_CANDIDATES = 12  # lines about whose file something may be
_ADD = "INSERT INTO submission (source, sha256, size, family, number) VALUES (?, ?, ?, ?, ?)"
_TELL = "UPDATE submission SET owners = ?, number = max(number, ?) WHERE source = ?"
_TELL_ONCE = "UPDATE submission SET found = ?, stated = ?, refused = ? WHERE source = ? AND stated = ''"
Groups = defaultdict[str, list[str]]
"""Who, or which files, have something in common."""


USAGE = "[FROM=downloads/] [ROSTER=roster.csv] [TIMES=times.csv]"


def add_options(parser: Parser) -> None:
    """Declare the options of make collect."""
    parser.add_argument(
        "--from", default="", metavar="FOLDER", help="what was downloaded"
    )
    parser.add_argument(
        "--roster", default="", metavar="FILE", help="who is in the class"
    )
    parser.add_argument(
        "--times",
        default="",
        metavar="FILE",
        help="when they handed in, if no export says so",
    )


def main(store: Store, options: dict[str, str]) -> None:
    """Collect, and say what was found.  Raises Refusal or BadFile before anything is
    changed.
    """
    origin, table, times = (
        _path(options[name]) for name in ("FROM", "ROSTER", "TIMES")
    )
    course = read_course()
    with store.db:
        roster = _roster(store, course, table)
        ever = names_ever(store)
        never = [id for id in course.left if id not in ever]
        course = replace(
            course, left={id: why for id, why in course.left.items() if id in ever}
        )
        gathered = (
            gather(origin, [table, times], roster, course.assignment)
            if origin
            else Gathered()
        )
        ids, zone = {*roster.students, *course.left}, course.due.tzinfo
        edits = take_edits(store, GRADES / FORM, ids, zone)
        keep_edits(store, edits)
        new = Keeper(store, roster).keep(gathered)
        filled = Filling()
        if times:
            filled = filling(
                store,
                read_times(times, ids, zone),
                handed_in(store, course, roster),
                zone,
            )
            keep_edits(store, filled.edits)
        files = handed_in(store, course, roster)
        form = form_of(store, files, course)
    standings = _standings(course, roster, files)
    write_whole(GRADES / FORM, form, 0o600)
    values = {
        "roster": roster,
        "unread": roster.unread if table else (),
        "formats": gathered.formats,
        "files": files,
        "new": new,
        "zone": zone,
        "states": _states(course, standings),
        "problems": _to_look_at(course, roster, files, standings, gathered, never),
        "unused": filled.unused,
        "perhaps": _perhaps(store, roster, files),
        "most": MOST_CANDIDATES,
        "beside": gathered.beside,
        "edits": edits,
        "times": times.name if times else "",
        "filled": filled.edits,
    }
    print(rendered("collect.txt", **values).decode(), end="")


def _path(word: str) -> Path | None:
    """The file or folder that a word names; None for an empty word."""
    return Path(word).expanduser() if word else None


def _roster(store: Store, course: Course, table: Path | None) -> Roster:
    """The class, by a new table if there is one.  Raises Refusal for one that loses an
    id that something hangs on.
    """
    before = names_before(store)
    keep_encoding(store, course.encoding)
    keep_field(store)
    if table:
        keep_roster(store, table)
    roster = kept_roster(store)
    refuse_lost_ids(store, roster, course, before)
    return roster


def _to_look_at(
    course: Course,
    roster: Roster,
    files: list[Handed],
    standings: list[Standing],
    gathered: Gathered,
    never: list[str],
) -> dict[str, list[str]]:
    """What a person should look at, by why: first the students without an id, then
    files, then slips of the pen.

    `never` has those whom `left` names, and who were never on a roster.
    """
    unknown = (
        {*course.extensions, *course.excused, *never}
        - roster.students.keys()
        - course.left.keys()
    )
    return {
        "no id yet, and left out": without_id_in_words(roster),
        SEVERAL: [
            with_files(each.student, each.unsettled)
            for each in standings
            if each.unsettled
        ],
        **_problems(course, files),
        "not understood": gathered.left,
        "in course.yaml, and not on the roster": sorted(unknown),
    }


def _perhaps(store: Store, roster: Roster, files: list[Handed]) -> Groups:
    """The files that are nobody's, by the students whose file it may be."""
    groups = Groups(list)
    owners = dict(store.db.execute("SELECT source, owners FROM submission").fetchall())
    for file in files:
        candidates = (
            ()
            if file.students
            else owners_of(from_text(owners[file.source]), roster).candidates
        )
        if candidates:
            groups[f"perhaps of {' or '.join(candidates)}"].append(file.source)
    return groups


@dataclass
class Keeper:
    """Keeps in the store what was handed in.

    A path with other bytes than before is a file of its own, with `(2)` behind its
    path.  `known` are the files by path; `seen` is the number that a path got which
    appeared in this run, and not before it.
    """

    store: Store
    roster: Roster
    known: dict[str, tuple[str, int]] = field(default_factory=dict)
    seen: dict[str, int] = field(default_factory=dict)

    def keep(self, gathered: Gathered) -> int:
        """Keep all that was handed in; how many files are new."""
        rows = self.store.db.execute(
            "SELECT source, sha256, size FROM submission"
        ).fetchall()
        self.known = {source: (sha256, size) for source, sha256, size in rows}
        for found, lab in gathered.handed:
            self._keep_file(found, lab)
        return len(self.known) - len(rows)

    def _keep_file(self, found: Found, lab: Lab) -> None:
        digest = hashlib.sha256(lab.data).hexdigest() if lab.data else ""
        facts = digest, len(lab.data) or found.item.size
        source, version = self._source(found.item.path, facts)
        people = as_text(found.people)
        owners = owners_of(found.people, self.roster).ids
        time = found.stated or self._time_of(found.system, owners)
        said = ", ".join(filter(None, (found.system, found.said, time)))
        number = found.number
        if source not in self.known:
            # Nothing says which of two files under one path is the later one if both
            # come in the same run.
            number = number or self.seen.setdefault(found.item.path, version)
            self.store.db.execute(
                "INSERT OR IGNORE INTO lab VALUES (?, ?)", (digest, lab.data)
            )
            self.store.db.execute(_ADD, (source, *facts, found.family, number))
            self.store.log(f"file {source}", new=digest)
        else:
            self._log_owners(source, owners)
        self.store.db.execute(_TELL, (people, number, source))
        self.store.db.execute(_TELL_ONCE, (said, time, lab.reason, source))
        self.known[source] = facts

    def _source(self, path: str, facts: tuple[str, int]) -> tuple[str, int]:
        """Under which name a file is kept, and which version of its path it is: a known
        one has the same bytes.
        """
        version, source = 1, path
        while self.known.get(source, facts) != facts:
            version += 1
            source = f"{path} ({version})"
        return source, version

    def _time_of(self, system: str, owners: tuple[str, ...]) -> str:
        """The time that the roster states for the one student whose file it is."""
        if system != self.roster.export.system or len(owners) != 1:
            return ""
        return self.roster.students[owners[0]].stated

    def _log_owners(self, source: str, now: tuple[str, ...]) -> None:
        """Log it if a known file is read as somebody else's than before."""
        row = self.store.db.execute(
            "SELECT owners FROM submission WHERE source = ?", (source,)
        ).fetchone()
        before = owners_of(from_text(row["owners"]), self.roster).ids
        if before != now:
            self.store.log(f"owners of {source}", ", ".join(before), ", ".join(now))


def _standings(course: Course, roster: Roster, files: list[Handed]) -> list[Standing]:
    """What each student who is here would have if all that can be graded were."""
    own, nothing = by_student(files), Sum(Fraction(0))
    here = [student for student in roster.students if student not in course.left]
    return [
        standing(course, student, own[student], lambda _: nothing, Fraction(0))
        for student in here
    ]


def _states(course: Course, standings: list[Standing]) -> Groups:
    """The students by what they would have, and those who have left."""
    groups = Groups(list)
    for each in sorted(
        standings, key=lambda each: (each.state not in (GRADED, UNGRADED), each.begun)
    ):
        time = time_in_words(course, each)
        groups[
            {GRADED: time, UNGRADED: "unsettled"}.get(each.state, each.state)
        ].append(each.student)
    if course.left:
        groups[LEFT] += sorted(course.left)
    return groups


def _problems(course: Course, files: Iterable[Handed]) -> Groups:
    """The files that a person should look at, by why."""
    groups = Groups(list)
    for each in files:
        for problem in each.problems:
            groups[problem].append(each.source)
        on_time = (
            each.ready
            and each.submitted
            and not any(lateness(course, name, each) for name in each.students)
        )
        if LATE in each.found and (on_time or not each.submitted):
            groups[
                "marked LATE, and on time here"
                if on_time
                else "marked LATE, time unknown"
            ].append(each.source)
    return groups
