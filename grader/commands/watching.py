"""`make watch`: grades lab.py again on every save, and shows one screen.

Nothing is written.  It looks at the file three times a second, which works on any
system; Ctrl-C ends it.
"""

import contextlib
import time
from collections.abc import Callable
from pathlib import Path

from grader.bank.reading import load_bank
from grader.grading.feedback import with_feedback
from grader.grading.session import grade
from grader.grading.source import NotALab, read_lab
from grader.parser import refuse_words
from grader.showing.console import report
from grader.showing.style import Style, has_escapes

BETWEEN_LOOKS = 0.3
CLEAR = "\x1b[2J\x1b[3J\x1b[H"


def main(
    words: list[str],
    lab: Path,
    rest: Callable[[], None] = lambda: time.sleep(BETWEEN_LOOKS),
) -> int:
    """Watch until Ctrl-C; exit status 0.  `rest` is done between two looks at the file.
    Raises Refusal.
    """
    refuse_words("watch", words)
    bank, seen, style = load_bank(), b"", Style.of_terminal()
    try:
        while True:
            with contextlib.suppress(
                OSError, NotALab
            ):  # an editor may be just about to put another file there
                source = read_lab(lab)
                if source != seen:
                    seen = source
                    print(
                        "Grading lab.py ...", flush=True
                    )  # what stands above may be of another one
                    sheet = grade(lab, bank)
                    screen = report(
                        with_feedback(sheet, sheet.kit.feedback), False, style
                    )
                    clear = CLEAR if has_escapes() else ""
                    print(
                        f"{clear}{screen}\nWatching lab.py; Ctrl-C ends it.", flush=True
                    )
            rest()
    except KeyboardInterrupt:
        print("\nstopped watching")
        return 0
