"""`make watch`: grades lab.py again on every save, and shows one screen.

It writes no file.  It looks at lab.py three times a second, which works on any system.
Ctrl-C ends it.
"""

import contextlib
from pathlib import Path
from time import sleep

from grader.bank.cases import Bank
from grader.bank.reading import load_bank
from grader.grading.feedback import with_feedback
from grader.grading.session import grade
from grader.grading.source import NotALab, read_lab
from grader.parser import Parser
from grader.showing.console import report
from grader.showing.style import Style, has_escapes

BETWEEN_LOOKS = 0.3  # seconds
CLEAR = "\x1b[2J\x1b[3J\x1b[H"


def main(words: list[str], lab: Path) -> int:
    """Watch until Ctrl-C; the exit status is then 0.  Raises Refusal."""
    lab = Parser("watch", "make watch takes no words", lab).read(words).lab
    bank = load_bank()
    seen = b""
    try:
        while True:
            # An editor may be replacing the file at this moment.
            with contextlib.suppress(NotALab, OSError):
                source = read_lab(lab)
                if source != seen:
                    seen = source
                    _show(lab, bank)
            sleep(BETWEEN_LOOKS)
    except KeyboardInterrupt:
        print("\nstopped watching")
        return 0


def _show(lab: Path, bank: Bank) -> None:
    """Grade lab.py, and put the new report in place of the last one.

    Before that, a line says that lab.py is being graded: the report above that line may
    be out of date.
    """
    print("Grading lab.py ...", flush=True)
    sheet = grade(lab, bank)
    screen = report(with_feedback(sheet), False, Style.of_terminal())
    clear = CLEAR if has_escapes() else ""
    print(f"{clear}{screen}\nWatching lab.py; Ctrl-C ends it.", flush=True)
