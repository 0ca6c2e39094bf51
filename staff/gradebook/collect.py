"""`make collect FROM=downloads/ ROSTER=roster.csv`: who has handed in what, before anything is graded."""

import hashlib
import itertools
import json
from collections import defaultdict
from fractions import Fraction
from pathlib import Path

from boards.reading import write_whole
from staff.course import Course, read_course
from staff.course.standing import GRADED, LATE, UNGRADED, Handed, Sum, by_student, lateness, standing, time_in_words
from staff.gradebook.collected import FORM, form_of, handed_in, keep_edits, take_edits
from staff.gradebook.gathering import Gathered, gather
from staff.gradebook.pages import rendered
from staff.gradebook.roster import Roster, keep_roster, kept_roster
from staff.gradebook.store import GRADES, Store

_ADD = "INSERT OR IGNORE INTO submission (source, sha256, size, family, number) VALUES (?, ?, ?, ?, ?)"
_TELL = "UPDATE submission SET found = ?, owners = ?, stated = ?, refused = ? WHERE source = ? AND stated = ''"
Groups = defaultdict[str, list[str]]
"""Who, or which files, have something in common."""


def main(store: Store, options: dict[str, str]) -> None:
    """Collect, and say what was found.  Raises Refusal or BadFile before anything is changed."""
    origin, table = (Path(options[name]).expanduser() if options[name] else None for name in ("FROM", "ROSTER"))
    course = read_course()
    with store.db:
        if table:
            keep_roster(store, table)
        roster = kept_roster(store)
        gathered = gather(origin, table, roster) if origin else Gathered()
        edits = take_edits(store, GRADES / FORM, roster, course.due.tzinfo)
        keep_edits(store, edits)
        new = _keep_files(store, gathered, roster)
        files = handed_in(store, course, roster)
        form = form_of(store, files, course)
    write_whole(GRADES / FORM, form, 0o600)
    unknown = {*course.extensions, *course.excused} - roster.students.keys()
    problems = _problems(course, files) | {"not understood": gathered.left}
    problems |= {"in course.yaml, and not on the roster": sorted(unknown)}
    values = dict[str, object](roster=roster, zone=course.due.tzinfo, files=files, new=new, edits=edits)
    values |= {"formats": gathered.formats, "states": _states(course, roster, files), "problems": problems}
    print(rendered("collect.txt", **values).decode(), end="")


def _keep_files(store: Store, gathered: Gathered, roster: Roster) -> int:
    """Add what was handed in; a source with other bytes than before is a file of its own.  How many are new."""
    earlier = store.db.execute("SELECT source, sha256, size FROM submission").fetchall()
    known = {source: (digest, size) for source, digest, size in earlier}
    for found, lab in gathered.handed:
        digest = hashlib.sha256(lab.data).hexdigest() if lab.data else ""
        facts = digest, len(lab.data) or found.item.size
        for version in itertools.count(1):
            source = f"{found.item.path} ({version})" if version > 1 else found.item.path
            if known.get(source, facts) == facts:
                break
        owners = [student for keys in found.owners for student in roster.students_of(keys)]
        times = [roster.students[name].stated for name in owners if found.system == roster.export.system]
        time = found.stated or (times[0] if len(times) == 1 else "")
        said = ", ".join(filter(None, (found.system, found.said, time)))
        store.db.execute("INSERT OR IGNORE INTO lab VALUES (?, ?)", (digest, lab.data))
        store.db.execute(_ADD, (source, *facts, found.family, found.number or version))
        store.db.execute(_TELL, (said, json.dumps(found.owners), time, lab.reason, source))
        if source not in known:
            store.log(f"file {source}", new=digest)
        known[source] = facts
    return len(known) - len(earlier)


def _states(course: Course, roster: Roster, files: list[Handed]) -> Groups:
    """The students by what they would have if all that can be graded were."""
    own, groups, nothing = by_student(files), Groups(list), Sum(Fraction(0))
    found = [standing(course, student, own[student], lambda _: nothing, Fraction(0)) for student in roster.students]
    for one in sorted(found, key=lambda one: (one.state not in (GRADED, UNGRADED), one.begun)):
        time = time_in_words(course, one)
        groups[{GRADED: time, UNGRADED: "unsettled"}.get(one.state, one.state)].append(one.student)
    return groups


def _problems(course: Course, files: list[Handed]) -> Groups:
    """The files that a person should look at, by why."""
    groups = Groups(list)
    for one in files:
        for problem in one.problems:
            groups[problem].append(one.source)
        on_time = one.ready and one.submitted and not any(lateness(course, name, one) for name in one.students)
        if LATE in one.found and (on_time or not one.submitted):
            groups["marked LATE, and on time here" if on_time else "marked LATE, time unknown"].append(one.source)
    return groups
