"""Makes lab.py and the handout of the sample course, which docs/student/ shows."""

import dataclasses
from pathlib import Path

from grader.kit import KIT
from staff.course import read_course
from staff.release.handout import handout_context, render_handout
from staff.release.tree import stub_for
from staff.strict.bank import public_bank

SAMPLE = KIT / "staff" / "tests" / "support" / "course.yaml"
"""The sample course.  staff/course.yaml belongs to the instructor, and may change."""


def student_files() -> dict[str, str]:
    """The text of lab.py and of the handout's files.  The key is the name in a
    release.
    """
    course = read_course(SAMPLE)
    bank = public_bank()
    parts = tuple(part for part in bank.parts if part.number in course.parts)
    bank = dataclasses.replace(bank, parts=parts)
    handout = render_handout(handout_context(course, bank))
    return {"lab.py": stub_for(course), **handout}


def write_student_files(folder: Path) -> None:
    """Write lab.py and the handout of the sample course into a folder."""
    for name, text in student_files().items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
