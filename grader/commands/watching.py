"""`make watch`: grades lab.py again after every save, and shows only the newest report.

This command writes no file.  It reads lab.py three times a second to see whether the
file has changed, because that works on every system.  Ctrl-C ends it.
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
    """Watch lab.py until somebody presses Ctrl-C, and then return the exit status 0.

    Raises Refusal for words that the verb does not take.  Raises NotALab or OSError if
    lab.py cannot be read when the command begins.
    """
    lab = (
        Parser("watch", "make watch takes only options, such as LAB=file", lab)
        .read(words)
        .lab
    )
    bank = load_bank()
    read_lab(lab)
    seen = b""
    try:
        while True:
            # An editor may be replacing lab.py at this very moment, so that it cannot
            # be read.
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
    """Grade lab.py, and print the new report.

    On a terminal that can be cleared, the new report replaces the last one.  While the
    grader works, the last report is still on the screen, although it may be out of
    date.  So a line below the report says that lab.py is being graded.
    """
    print("Grading lab.py ...", flush=True)
    sheet = grade(lab, bank)
    screen = report(with_feedback(sheet), False, Style.of_terminal())
    clear = CLEAR if has_escapes() else ""
    print(f"{clear}{screen}\nWatching lab.py; Ctrl-C ends it.", flush=True)
