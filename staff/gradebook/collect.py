"""`make collect FROM=downloads/ ROSTER=roster.csv`: who has handed in what, before anything is graded."""

import hashlib
import itertools
import json
import textwrap
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from boards.reading import write_whole
from grader.protocol.words import plural
from staff.course import Course, read_course
from staff.gradebook.collected import FORM, form_of, handed_in, keep_edits, take_edits
from staff.gradebook.gathering import LATE, Gathered, gather
from staff.gradebook.roster import Roster, keep_roster, kept_roster
from staff.gradebook.standing import GRADED, UNGRADED, Handed, Sum, by_student, lateness, standing
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
    print(*_report(course, roster, files, gathered, new), sep="\n")
    if edits:
        print(f"{plural(len(edits), 'edited cell')} of grades/{FORM}, kept as decisions")


def _keep_files(store: Store, gathered: Gathered, roster: Roster) -> int:
    """Add what was handed in; a source with other bytes than before is a file of its own.  How many are new."""
    stated = {one.id: one.stated for one in roster.students}
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
        by_roster = stated[owners[0]] if len(owners) == 1 and found.system == roster.export.system else ""
        time = found.stated or by_roster
        said = ", ".join(filter(None, (found.system, found.said, time)))
        store.db.execute("INSERT OR IGNORE INTO lab VALUES (?, ?)", (digest, lab.data))
        store.db.execute(_ADD, (source, *facts, found.family, found.number or version))
        store.db.execute(_TELL, (said, json.dumps(found.owners), time, lab.reason, source))
        if source not in known:
            store.log(f"file {source}", new=digest)
        known[source] = facts
    return len(known) - len(earlier)


def _report(course: Course, roster: Roster, files: list[Handed], gathered: Gathered, new: int) -> Iterator[str]:
    """The lines on the whole class: who has what, how late, who is missing, and what a person should look at."""
    yield f"{plural(len(roster.ids), 'student')} by {roster.known_by}, as {roster.export.system} lists them"
    yield from gathered.formats
    yield f"{plural(len(files), 'file')}, {new} new; a time without a zone is one of {course.due.tzinfo}"
    yield ""
    yield from _lines(_states(course, roster, files))
    problems = list(_lines(_problems(course, roster, files, gathered.left)))
    if problems:
        yield f"\nTo look at, and to decide by editing grades/{FORM}, then make collect:"
        yield from problems


def _states(course: Course, roster: Roster, files: list[Handed]) -> Groups:
    """The students by what they would have if all that can be graded were."""
    own, groups = by_student(files), Groups(list)
    nothing = Sum(Fraction(0))
    found = [standing(course, student, own[student], lambda _: nothing, Fraction(0)) for student in roster.ids]
    for one in sorted(found, key=lambda one: (one.state not in (GRADED, UNGRADED), one.begun)):
        time = course.late.note(one.begun) if one.begun else "on time"
        groups[{GRADED: time, UNGRADED: "unsettled"}.get(one.state, one.state)].append(one.student)
    return groups


def _problems(course: Course, roster: Roster, files: list[Handed], left: list[str]) -> Groups:
    groups = Groups(list)
    for one in files:
        for problem in one.problems:
            groups[problem].append(one.source)
        if not one.ready:
            groups[f"refused: {one.reason}"].append(one.source)
        elif not one.submitted:
            groups["no time known"].append(one.source)
        elif LATE in one.found and not any(lateness(course, name, one) for name in one.students):
            groups["LATE, and on time here"].append(one.source)
    groups["not understood"] = left
    groups["in course.yaml, and not on the roster"] = sorted({*course.extensions, *course.excused} - {*roster.ids})
    return groups


def _lines(groups: Groups) -> Iterator[str]:
    """How many each group has, what they have in common, and as many of them as three lines hold."""
    for common, names in groups.items():
        text = f"{len(names):5} {common}: {', '.join(names)}"
        if names:
            yield textwrap.fill(text, 79, subsequent_indent=" " * 6, max_lines=3, placeholder=" and more")
