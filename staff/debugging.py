"""`make debug` in the master copy: with COURSE=1 of any case of the course, the hidden ones too."""

from pathlib import Path

from grader.tools.debug import main as debug
from staff.testing import bank_of_the_course


def main(words: list[str], lab: Path) -> int:
    """Make a call of a case in the debugger; the exit status.  Raises BadFile and Refusal."""
    bank, _ = bank_of_the_course()
    return debug(words, lab, bank)
