"""What `make collect` says: who has what, how late, who is missing, and what a person should look at."""

import textwrap
from collections.abc import Iterable, Iterator
from fractions import Fraction

from grader.protocol.words import plural
from staff.course import Course
from staff.gradebook import standing as standings
from staff.gradebook.collected import FORM, cells_of
from staff.gradebook.gathering import Gathered
from staff.gradebook.roster import Roster
from staff.gradebook.standing import Handed, Standing, Sum, by_student, due_of, lateness

WIDTH, NAMES = 79, 28  # where the names of a group begin
Group = tuple[str, list[str]]
"""What some have in common, and who they are."""


def report(course: Course, roster: Roster, files: list[Handed], gathered: Gathered, new: int) -> Iterator[str]:
    """The lines on the whole class."""
    own = by_student(course, files)
    found = [standing_so_far(course, one.id, own[one.id]) for one in roster.students]
    yield f"{plural(len(found), 'student')} by {roster.known_by}, as {roster.system} lists them"
    yield from gathered.formats
    yield f"{plural(len(files), 'file')} of theirs, {new} new; {gathered.beside} more beside a lab.py"
    yield ""
    yield from _lines(_states(course, found))
    problems = list(_lines(_problems(course, roster, files, gathered.left)))
    if problems:
        yield f"\nTo look at, and to decide by editing grades/{FORM}, then make collect:"
        yield from problems


def standing_so_far(course: Course, student: str, own: list[Handed]) -> Standing:
    """What a student has before anything is graded: ungraded stands for what can be."""
    return standings.standing(course, student, own, lambda _: Sum(Fraction(0), ("any case",)), Fraction(0))


def files_of_each(course: Course, who: list[str], files: list[Handed]) -> Iterator[str]:
    """Each file of some students: what counts, when it came, how late it is, and why it is refused."""
    cells, by_name = cells_of(files, course), by_student(course, files)
    for name in who:
        own = by_name[name]
        yield f"{name}: due {due_of(course, name):%Y-%m-%d %H:%M}{'' if own else ', nothing found'}"
        for one in own:
            units, said = lateness(course, name, one), cells[one.source]
            time = f"{said['submitted'] or 'time unknown'}{f' ({course.late.note(units)})' if units else ''}"
            yield f"  {said['counts']:6}{time}  {one.source}{'' if one.ready else f' {one.reason}'}"


def _states(course: Course, found: list[Standing]) -> Iterator[Group]:
    counted = [one for one in found if one.state == standings.UNGRADED and one.handed]
    yield "on time", [one.student for one in counted if not one.begun]
    late, most = course.late, course.late.most
    yield f"late ({late.unit}s begun)", [f"{one.student} ({one.begun})" for one in counted if 0 < one.begun <= most]
    yield late.note(most + 1), [one.student for one in counted if one.begun > most]
    yield "unsettled", [one.student for one in found if one.state == standings.UNGRADED and not one.handed]
    for state in (standings.REFUSED, standings.MISSING):
        yield state, [one.student for one in found if one.state == state]
    yield "excused", [f"{one.student} ({one.notes[0]})" for one in found if one.state == standings.EXCUSED]


def _problems(course: Course, roster: Roster, files: list[Handed], left: list[str]) -> Iterator[Group]:
    named = {*course.extensions, *course.excused, *(name for team in course.teams.values() for name in team)}
    on_time = [one for one in files if not any(lateness(course, name, one) for name in one.students)]
    for problem in dict.fromkeys(problem for one in files for problem in one.problems):
        yield problem, [one.source for one in files if problem in one.problems]
    refused = [one for one in files if not one.ready]
    for reason in dict.fromkeys(one.reason for one in refused):
        yield f"refused: {reason}", [one.source for one in refused if one.reason == reason]
    yield "LATE, and on time here", [one.source for one in on_time if one.says_late and one.submitted]
    yield "no time known", [one.source for one in files if one.ready and not one.submitted]
    yield "not understood", left
    yield "in course.yaml, and not on the roster", sorted(named - {one.id for one in roster.students})


def _lines(groups: Iterable[Group]) -> Iterator[str]:
    """How many each group has, what they have in common, and as many of them as two lines hold."""
    for common, names in (group for group in groups if group[1]):
        head = f"{len(names):5} {common}"
        if len(head) > NAMES - 2:
            yield head[:WIDTH]
            head = ""
        text = ", ".join(name.replace(" ", "\xa0") for name in names)  # so that no name is parted
        for line in textwrap.wrap(text, WIDTH - NAMES, max_lines=2, placeholder=" and\xa0more", break_on_hyphens=False):
            yield f"{head:{NAMES}}{line}".replace("\xa0", " ")
            head = ""
