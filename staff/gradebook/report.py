"""What `make collect` says: who has what, how late, who is missing, and what a person should look at."""

import textwrap
from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction

from grader.protocol.words import plural
from staff.course import Course
from staff.gradebook.collected import FORM
from staff.gradebook.gathering import LATE, Gathered
from staff.gradebook.roster import Roster
from staff.gradebook.standing import UNGRADED, Handed, Standing, Sum, by_student, lateness, standing

WIDTH = 79
Groups = dict[str, list[str]]
"""Who, or which files, have something in common."""


def report(course: Course, roster: Roster, files: list[Handed], gathered: Gathered, new: int) -> Iterator[str]:
    """The lines on the whole class."""
    yield f"{plural(len(roster.ids), 'student')} by {roster.known_by}, as {roster.system} lists them"
    yield from gathered.formats
    yield f"{plural(len(files), 'file')}, {new} new"
    yield ""
    yield from _lines(_states(course, roster, files))
    problems = list(_lines(_problems(course, roster, files, gathered.left)))
    if problems:
        yield f"\nTo look at, and to decide by editing grades/{FORM}, then make collect:"
        yield from problems


def _states(course: Course, roster: Roster, files: list[Handed]) -> Groups:
    own, groups = by_student(files), defaultdict[str, list[str]](list)
    nothing = Sum(Fraction(0), ("any case",))  # so that what can be graded is ungraded
    found = [standing(course, student, own[student], lambda _: nothing, Fraction(0)) for student in roster.ids]
    for one in sorted(found, key=lambda one: (one.state != UNGRADED, one.begun)):
        groups[_label(course, one)].append(one.student)
    return groups


def _label(course: Course, one: Standing) -> str:
    if one.state != UNGRADED:
        return one.state
    if not one.handed:
        return "unsettled"
    return course.late.note(one.begun) if one.begun else "on time"


def _problems(course: Course, roster: Roster, files: list[Handed], left: list[str]) -> Groups:
    groups = defaultdict[str, list[str]](list)
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


def _lines(groups: Mapping[str, list[str]]) -> Iterator[str]:
    """How many each group has, what they have in common, and as many of them as three lines hold."""
    for common, names in groups.items():
        text = f"{len(names):5} {common}: {', '.join(names)}"
        if names:
            yield textwrap.fill(text, WIDTH, subsequent_indent=" " * 6, max_lines=3, placeholder=" and more")
