"""Who earns what in a course: the chosen parts, rescaled, and the share that hidden cases carry."""

import dataclasses
from fractions import Fraction
from pathlib import Path

from boards.cases import Bank, Case, Part, make_bank, read_points, rescaled
from boards.reading import read_yaml
from grader.kinds.kind import kind_of
from staff.course import Course
from staff.strict.bank import check_everything, check_shares, hidden_files

HEAVY = 3  # points of 100


def functions_of(file: Path) -> set[str]:
    """The functions that the cases of a file are for."""
    data = read_yaml(file)
    return {case.get("function") or data["function"] for case in data["cases"]}


def hidden_shares(course: Course, bank: Bank) -> dict[str, Fraction]:
    """The share of each function's points that is decided at the deadline, 0 to 1.

    Answers that are not shown before it are hidden altogether.
    """
    shares = {}
    if course.hidden_share:
        shares = {name: course.hidden_share for file in hidden_files() for name in sorted(functions_of(file))}
    graded = [function for part in bank.parts if part.number in course.parts for function in part.graded.values()]
    chosen = [function.name for function in graded]
    if not course.show_answers:
        shares |= {function.name: Fraction(1) for function in graded if not kind_of(function).is_code}
    return {name: shares[name] for name in chosen if name in shares}


def course_bank(course: Course) -> Bank:
    """The cases and points that decide a grade in this course, with those that no release contains.

    Every case file is read, and named as it stands here: BadFile for a mistake in one.
    """
    everything = make_bank(check_everything(), read_points())
    shares = hidden_shares(course, everything)
    chosen = [part for part in everything.parts if part.number in course.parts]
    if course.scaled_to is not None:
        chosen = list(rescaled(chosen, course.scaled_to))
    functions = {name for part in chosen for name in part.functions}
    cases = [case for case in everything.cases if functions.issuperset({case.function, *case.graded.needs})]
    used = [_as_graded(case, shares) for case in cases if course.hidden_share or not case.hidden]
    return check_shares(Bank(tuple(_part(part, shares) for part in chosen), tuple(used)))


def _part(part: Part, shares: dict[str, Fraction]) -> Part:
    hidden = {name: shares[name] for name in part.functions if name in shares}
    return dataclasses.replace(part, hidden=hidden)


def _as_graded(case: Case, shares: dict[str, Fraction]) -> Case:
    return dataclasses.replace(case, hidden=case.hidden or shares.get(case.function) == 1)


def heavy_cases(bank: Bank) -> list[Case]:
    """The cases that each carry more than three points of a hundred: one mistake costs much there."""
    total = sum(part.points for part in bank.parts)
    return [case for case in bank.cases if bank.worth(case) * 100 > total * HEAVY]
