"""`make collect FROM=downloads/ ROSTER=roster.csv`: finds out who has handed in what.

The command grades nothing.  `make grade` does that.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
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
from staff.intake.collected import FORM, form_of, keep_edits, take_edits
from staff.intake.gathering import Gathered, gather
from staff.intake.handed import handed_in
from staff.intake.ids import refuse_lost_ids
from staff.intake.keeping import Keeper
from staff.intake.kept import (
    keep_encoding,
    keep_field,
    keep_roster,
    kept_roster,
    names_before,
    names_ever,
)
from staff.intake.owners import from_text, owners_of
from staff.intake.roster import Roster, without_id_in_words
from staff.intake.times import Filling, filling, read_times
from staff.store import GRADES, Store
from staff.templates import rendered

LEFT = "left"
MOST_CANDIDATES = 12  # lines about files that may belong to students
Groups = defaultdict[str, list[str]]
"""Students or files.  The key is what they have in common."""


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
    """Collect what was handed in, and print what was found.

    If `main` raises Refusal or BadFile, nothing has changed.
    """
    origin = _path(options["FROM"])
    table = _path(options["ROSTER"])
    times = _path(options["TIMES"])
    course = read_course()
    zone = course.due.tzinfo
    with store.db:
        roster = _roster(store, course, table)
        ever = names_ever(store)
        never = [id for id in course.left if id not in ever]
        left = {id: why for id, why in course.left.items() if id in ever}
        course = replace(course, left=left)
        gathered = Gathered()
        if origin:
            gathered = gather(origin, [table, times], roster, course.assignment)
        ids = {*roster.students, *course.left}
        edits = take_edits(store, GRADES / FORM, ids, zone)
        keep_edits(store, edits)
        new = Keeper(store, roster).keep(gathered)
        filled = Filling()
        if times:
            moments = read_times(times, ids, zone)
            filled = filling(store, moments, handed_in(store, course, roster), zone)
            keep_edits(store, filled.edits)
        files = handed_in(store, course, roster)
        form = form_of(store, files, course)
    standings = _standings(course, roster, files)
    write_whole(GRADES / FORM, form, 0o600)
    text = rendered(
        "collect.txt",
        roster=roster,
        unread=roster.unread if table else (),
        formats=gathered.formats,
        files=files,
        new=new,
        zone=zone,
        states=_states(course, standings),
        problems=_to_look_at(course, roster, files, standings, gathered, never),
        unused=filled.unused,
        perhaps=_perhaps(store, roster, files),
        most=MOST_CANDIDATES,
        beside=gathered.beside,
        edits=edits,
        times=times.name if times else "",
        filled=filled.edits,
    )
    print(text.decode(), end="")


def _path(word: str) -> Path | None:
    """Return the file or folder that an option names; None if the option is empty."""
    return Path(word).expanduser() if word else None


def _roster(store: Store, course: Course, table: Path | None) -> Roster:
    """Return the roster.  If somebody named a new table, keep it as the roster first.

    Raises Refusal if there is no roster, if a roster cannot be used, or if the roster
    lacks an id on which something depends.
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
    """Return the students, ids and files that a person should look at.

    The key is the reason.  The reasons are in the order in which they are printed.
    `never` are ids of students who have left, according to course.yaml, although no
    roster ever had these ids.
    """
    named = {*course.extensions, *course.excused, *never}
    unknown = named - roster.students.keys() - course.left.keys()
    unsettled = [
        with_files(now.student, now.unsettled) for now in standings if now.unsettled
    ]
    return {
        "no id yet, and left out": without_id_in_words(roster),
        SEVERAL: unsettled,
        **_problems(course, files),
        "not understood": gathered.left,
        "in course.yaml, and not on the roster": sorted(unknown),
    }


def _perhaps(store: Store, roster: Roster, files: list[Handed]) -> Groups:
    """Group the files that belong to nobody, but may belong to some students.

    The key names these students, as in `perhaps of ada or bob`.
    """
    groups = Groups(list)
    owners = dict(store.db.execute("SELECT source, owners FROM submission").fetchall())
    for file in files:
        if file.students:
            continue
        candidates = owners_of(from_text(owners[file.source]), roster).candidates
        if candidates:
            groups[f"perhaps of {' or '.join(candidates)}"].append(file.source)
    return groups


def _standings(course: Course, roster: Roster, files: list[Handed]) -> list[Standing]:
    """Return a Standing for each student on the roster who has not left the class.

    `make collect` grades nothing and knows no points.  So each submission has 0 points
    here.
    """
    own = by_student(files)
    nothing = Sum(Fraction(0))
    return [
        standing(course, student, own[student], lambda _: nothing, Fraction(0))
        for student in roster.students
        if student not in course.left
    ]


def _states(course: Course, standings: list[Standing]) -> Groups:
    """Group the students of the class by their state.

    First come the students whose submission can be graded, and of these first the
    students who are on time.  Last come the students who have left.
    """

    def rank(now: Standing) -> tuple[bool, int]:
        return now.state not in (GRADED, UNGRADED), now.begun

    groups = Groups(list)
    for now in sorted(standings, key=rank):
        common = now.state
        if now.state == GRADED:
            common = time_in_words(course, now)
        elif now.state == UNGRADED:
            common = "unsettled"
        groups[common].append(now.student)
    if course.left:
        groups[LEFT] += sorted(course.left)
    return groups


def _problems(course: Course, files: Iterable[Handed]) -> Groups:
    """Return the files that a person should look at.  The key is the reason."""
    groups = Groups(list)
    for file in files:
        for problem in file.problems:
            groups[problem].append(file.source)
        if LATE not in file.found:
            continue
        if not file.submitted:
            groups["marked LATE, time unknown"].append(file.source)
        elif file.ready and _is_on_time_for_all(course, file):
            groups["marked LATE, and on time here"].append(file.source)
    return groups


def _is_on_time_for_all(course: Course, file: Handed) -> bool:
    """Whether a file is on time for each of its students."""
    return not any(lateness(course, student, file) for student in file.students)
