"""Carries out `make test`, debug, trace and report in the master copy.

A bank holds cases and the points for them.  This file chooses the bank for these verbs.
With COURSE=1, it is the bank of the course, with hidden cases.
"""

import importlib
import os
from pathlib import Path

from boards.reading import shown
from grader.bank.cases import Bank
from grader.bank.reading import load_bank
from grader.grading.sheet import as_points
from grader.protocol.text import plural
from grader.refusal import Refusal, tell
from grader.verbs import VERBS
from staff.stored import changed_since

CHANGED = "{} has changed since its expectations were filled in: type make expectations"
COURSE = ("COURSE", "--course")  # how people type this option


def main(words: list[str], lab: Path) -> int:
    """Carry out a verb of students in the master copy, and return the exit status.

    The first of `words` is the verb.  COURSE=1 may be among the other words.  Raises
    what the verb itself raises, such as Refusal.
    """
    verb, *typed = words
    others = []
    for word in typed:
        name, equals, value = word.partition("=")
        if equals and name in COURSE:
            os.environ["COURSE"] = value
        else:
            others.append(word)
    module = importlib.import_module(VERBS[verb].module)
    # `make debug` shows the variables of every frame on the stack.  This function puts
    # the bank into no variable, because a student could read there what a case expects.
    return int(module.main(others, lab, bank()))


def bank() -> Bank:
    """Return the bank of the course if COURSE=1 is in the environment.

    Without COURSE, return the bank of the master copy, which has no hidden cases.
    Raises BadFile, and Refusal for a case that cannot be graded.
    """
    if os.environ.get("COURSE", "") in ("", "0"):
        return checked(load_bank())
    return checked(_bank_of_the_course())


def checked(some_bank: Bank) -> Bank:
    """Check that all cases of a bank can be graded, and return the bank.

    Print each case file that has changed since `make expectations` filled it in.
    Raises Refusal if a case cannot be graded.
    """
    refuse_what_cannot_be_graded(some_bank)
    for file in changed_since():
        tell(CHANGED.format(file))
    return some_bank


def refuse_what_cannot_be_graded(some_bank: Bank) -> None:
    """Raise Refusal if a case expects nothing yet, or if a case is dropped and no other
    case can take its points.

    Only public cases can take the points of a public case, and only hidden cases those
    of a hidden case.
    """
    for case in some_bank.cases:
        if not all(call.expect for call in case.calls):
            raise Refusal(f"{case.id} expects nothing yet: type make expectations")
        can_take = [
            other
            for other in some_bank.of(case.function)
            if other.hidden == case.hidden and some_bank.worth(other)
        ]
        if case.void == "drop" and not can_take:
            sort = "hidden case" if case.hidden else "public case"
            raise Refusal(
                f"{case.id} is dropped, but no other {sort} of {case.function} can "
                "take its points: how: full"
            )


def refuse_changed_cases() -> None:
    """Raise Refusal if a case file has changed since its expectations were filled in.

    Without this check, a whole class would be graded by the old expectations.
    """
    for file in changed_since():
        raise Refusal(CHANGED.format(file))


def _bank_of_the_course() -> Bank:
    """Return the bank of the course, and print what it holds.

    Raises BadFile.
    """
    # These modules import jsonschema, which takes long.
    from staff.course import read_course
    from staff.release.shares import course_bank

    course = read_course()
    courses_bank = course_bank(course)
    parts = ", ".join(map(str, course.parts))
    points = as_points(sum(part.points for part in courses_bank.parts))
    number = sum(case.hidden for case in courses_bank.cases)
    hidden = plural(number, "hidden case")
    print(f"As the course grades: parts {parts}; {points} points; {hidden}.")
    if course.questions:
        print(f"Part 3 has the questions of {shown(course.questions.file)}.")
    print()
    return courses_bank
