"""`make report` in the master copy: of all cases and their points, or with COURSE=1 of those of the course."""

from pathlib import Path

from grader.tools.report import main as write
from staff.testing import bank_of_the_course


def main(words: list[str], lab: Path) -> int:
    """Grade lab.py and write the page; the exit status.  Raises BadFile."""
    bank, note = bank_of_the_course()
    print(note, end="\n" if note else "")
    return write(words, lab, bank)
