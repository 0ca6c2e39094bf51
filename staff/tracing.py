"""`make trace` in the master copy: with COURSE=1 of any case of the course, the hidden ones too."""

from pathlib import Path

from grader.tools.trace import main as trace
from staff.testing import bank_of_the_course


def main(words: list[str], lab: Path) -> int:
    """Play a search back; the exit status.  Raises BadFile and Refusal."""
    bank, _ = bank_of_the_course()
    return trace(words, lab, bank)
