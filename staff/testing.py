"""`make test` in the master copy: all public cases, or with COURSE=1 the cases and points of the course."""

import os
from pathlib import Path

from boards.cases import Bank
from grader.commands.testing import main as grade
from grader.grading.sheet import shown


def main(words: list[str], lab: Path) -> int:
    """Grade lab.py as the words say; the exit status.  Raises BadFile."""
    bank, note = bank_of_the_course()
    return grade(words, lab, bank, note)


def bank_of_the_course() -> tuple[Bank | None, str]:
    """With COURSE=1 the cases and points of the course, with hidden cases, and a line about them; else None.

    Raises BadFile.
    """
    if os.environ.get("COURSE", "") in ("", "0"):
        return None, ""
    from staff.course import read_course  # with jsonschema, which takes long to import
    from staff.release.shares import course_bank

    course = read_course()
    bank = course_bank(course)
    hidden = sum(case.hidden for case in bank.cases)
    parts = ", ".join(map(str, course.parts))
    points = shown(sum(part.points for part in bank.parts))
    cases = f"{hidden or 'no'} hidden case{'' if hidden == 1 else 's'}"
    return bank, f"As the course grades: parts {parts}; {points} points; {cases}."
