"""The cases that make test, debug, trace and report are about in the master copy; with
COURSE=1 those of the course.
"""

import os

from grader.bank.cases import Bank
from grader.bank.reading import load_bank
from grader.grading.sheet import shown
from grader.protocol.words import plural
from grader.refusal import Refusal, tell
from staff.generated import changed_since

CHANGED = "{} has changed since its expectations were filled in: type make expectations"


def bank() -> Bank:
    """The cases, after a line about those of the course.  Raises BadFile, and Refusal
    for a case that is not whole.
    """
    return checked(
        load_bank()
        if os.environ.get("COURSE", "") in ("", "0")
        else _bank_of_the_course()
    )


def checked(found: Bank) -> Bank:
    """The same cases, if they can be graded.  Raises Refusal, and says which files have
    changed.
    """
    for case in found.cases:
        if not all(call.expect for call in case.calls):
            raise Refusal(f"{case.id} expects nothing yet: type make expectations")
        if case.void == "drop" and not any(map(found.worth, found.of(case.function))):
            raise Refusal(
                f"{case.id} is dropped, but no other case of {case.function} can take its points: how: full"
            )
    for file in changed_since():
        tell(CHANGED.format(file))
    return found


def refuse_changed_cases() -> None:
    """Raise Refusal if a case file is newer than its expectations: a whole class would
    be graded by the old ones.
    """
    for file in changed_since():
        raise Refusal(CHANGED.format(file))


def _bank_of_the_course() -> Bank:
    """The cases and points of the course, with hidden cases, after a line about them.
    Raises BadFile.
    """
    from staff.course import read_course  # with jsonschema, which takes long to import
    from staff.release.shares import course_bank

    course = read_course()
    found = course_bank(course)
    points = shown(sum(part.points for part in found.parts))
    hidden = plural(sum(case.hidden for case in found.cases), "hidden case")
    print(
        f"As the course grades: parts {', '.join(map(str, course.parts))}; {points} points; {hidden}.\n"
    )
    return found
