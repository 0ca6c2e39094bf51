"""`make test` in the master copy: all cases and their points, or with COURSE=1 those of the course.

Where the two differ, the first line says which of them it is.
"""

import os
from pathlib import Path

from boards.cases import Bank
from grader.commands.testing import main as grade
from grader.grading.sheet import shown
from staff.course import Course, read_course
from staff.release.shares import course_bank
from staff.strict.bank import public_bank

COURSE = "COURSE"


def main(words: list[str], lab: Path) -> int:
    """Grade lab.py as the words say; the exit status.  Raises BadFile."""
    bank, note = asked_for()
    return grade(words, lab, bank, note)


def asked_for() -> tuple[Bank, str]:
    """The cases and points, what is to be said of them, and whether they are those of the course.  Raises BadFile."""
    whole = public_bank()
    course = read_course()
    as_graded = course_bank(course)
    if is_as_the_course():
        return as_graded, f"As the course grades: {describe(course, as_graded)}."
    unlike = "These are all public cases, and not what the course grades: that is COURSE=1."
    return whole, "" if is_alike(as_graded, whole) else unlike


def is_as_the_course() -> bool:
    """Whether COURSE=1 asks for the cases and points of the course."""
    return os.environ.get(COURSE, "") not in ("", "0")


def bank_of_the_course() -> Bank | None:
    """The cases of the course, with the hidden ones; None where they are not asked for.  Raises BadFile."""
    return course_bank(read_course()) if is_as_the_course() else None


def describe(course: Course, bank: Bank) -> str:
    """What a course grades, in a few words."""
    hidden = sum(case.hidden for case in bank.cases)
    parts = ", ".join(map(str, course.parts))
    points = sum(part.points for part in bank.parts)
    return f"parts {parts}; {shown(points)} points; {hidden or 'no'} hidden case{'' if hidden == 1 else 's'}"


def is_alike(one: Bank, other: Bank) -> bool:
    """Whether two banks have the same cases, with the same points."""
    return one.parts == other.parts and [case.id for case in one.cases] == [case.id for case in other.cases]
