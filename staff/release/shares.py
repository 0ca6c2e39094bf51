"""Computes which parts a course has, how their points are scaled, and what share of the
points depends on hidden cases.

This module also writes notes about things that an instructor may not have intended.
"""

import dataclasses
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

from boards.reading import read_yaml
from grader.bank.cases import Bank
from grader.bank.points import read_points, rescaled
from grader.bank.reading import make_bank
from grader.grading.sheet import as_points
from grader.kinds.kind import kind_of
from staff.course import Course
from staff.release.questions import case_files_of
from staff.strict.bank import case_files, check_shares, hidden_files
from staff.strict.twins import with_void_twins

# If a case carries more than this share of all points, the instructor gets a note.
HEAVY = Fraction(3, 100)
# The course.yaml of this repository contains these examples.  An instructor should
# replace them.
EXAMPLES = ("forum.example.edu", "github.com/your-course")
NO_HIDDEN_CASES = (
    "there are no hidden cases: a lab.py that holds a table of the answers to the "
    "public ones earns everything; docs/cases.md says how to write some"
)


def functions_of(file: Path) -> set[str]:
    """The functions that the cases in a file belong to."""
    data = read_yaml(file)
    return {case.get("function") or data["function"] for case in data["cases"]}


def hidden_shares(course: Course) -> dict[str, Fraction]:
    """Return the share of each function's points that hidden cases decide.

    A share is a number from 0 to 1.  A function whose share is 0 is left out.  If a
    course does not show the answers to its questions, the share of each question is 1.
    """
    with_hidden_cases = {name for file in hidden_files() for name in functions_of(file)}
    chosen = [part for part in read_points() if part.number in course.parts]
    shares = {}
    for part in chosen:
        for function in part.graded.values():
            if not (course.show_answers or kind_of(function).is_code):
                shares[function.name] = Fraction(1)
            elif course.hidden_share and function.name in with_hidden_cases:
                shares[function.name] = course.hidden_share
    return shares


def course_bank(course: Course) -> Bank:
    """The cases and points that decide a grade in this course, including hidden
    cases.
    """
    with case_files_of(course, [*case_files(), *hidden_files()]) as files:
        everything = make_bank(files, read_points())
    shares = hidden_shares(course)
    chosen = [part for part in everything.parts if part.number in course.parts]
    if course.scaled_to is not None:
        chosen = list(rescaled(chosen, int(course.scaled_to * 100)))
    parts = tuple(
        dataclasses.replace(
            part,
            hidden={name: shares[name] for name in part.functions if name in shares},
        )
        for part in chosen
    )
    functions = {name for part in chosen for name in part.functions}
    cases = [
        case
        for case in everything.cases
        if functions.issuperset({case.function, *case.graded.needs})
    ]
    graded = tuple(
        dataclasses.replace(case, hidden=case.hidden or shares.get(case.function) == 1)
        for case in cases
        if course.hidden_share or not case.hidden
    )
    return check_shares(with_void_twins(Bank(parts, graded)))


def notes(course: Course, bank: Bank) -> list[str]:
    """Sentences about things that an instructor may not have intended."""
    sentences = [
        f"staff/course.yaml still has the example {word}"
        for word in EXAMPLES
        if word in course.help + course.repository
    ]
    if course.due < datetime.now(UTC):
        sentences.append("the due date has passed")
    return sentences + notes_on_cases(bank)


def notes_on_cases(bank: Bank) -> list[str]:
    """Sentences about cases that carry many points, and about missing hidden cases."""
    total = sum(part.points for part in bank.parts)
    sentences = [
        f"{case.id} alone carries {as_points(bank.worth(case))} points; "
        f"write more cases of {case.function}"
        for case in bank.cases
        if bank.worth(case) > total * HEAVY
    ]
    if not any(case.hidden for case in bank.cases if kind_of(case.graded).is_code):
        sentences.append(NO_HIDDEN_CASES)
    return sentences
