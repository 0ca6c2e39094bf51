"""`make watch`: grades lab.py again on every save, what the change touches first, and shows one screen.

Nothing is written.  It looks at the file three times a second, which works on any system; Ctrl-C ends it.
"""

import contextlib
import time
from collections.abc import Callable
from pathlib import Path

from boards.cases import Bank, Case, load_bank
from grader.grading.call_graph import code_behind
from grader.grading.feedback import with_feedback
from grader.grading.session import Session
from grader.grading.sheet import ScoreSheet
from grader.grading.source import read_lab
from grader.protocol.words import plural
from grader.showing.console import report
from grader.showing.style import Style, has_escapes

BETWEEN_LOOKS = 0.3
CLEAR = "\x1b[2J\x1b[3J\x1b[H"


def main(words: list[str], lab: Path, rest: Callable[[], None] = lambda: time.sleep(BETWEEN_LOOKS)) -> int:
    """Watch until Ctrl-C; exit status 0.  `rest` is done between two looks at the file."""
    watcher = Watcher(lab, load_bank())
    try:
        while True:
            watcher.look()
            rest()
    except KeyboardInterrupt:
        print("\nwatched no longer")
        return 0


class _Saved(Exception):
    """lab.py was saved again while it was graded."""


class Watcher:
    """What is known of a lab.py from one look to the next."""

    def __init__(self, lab: Path, bank: Bank) -> None:
        self._lab, self._bank = lab, bank
        self._seen = b""  # the last text of the file
        self._behind: dict[str, str] = {}  # the code behind each function when it was graded

    def look(self) -> None:
        """Grade lab.py if it was saved since the last look, and show what came of it."""
        with contextlib.suppress(_Saved, OSError):  # an editor may be just about to put another file there
            source = read_lab(self._lab)
            if source != self._seen:
                self._seen = source
                print("Grading lab.py ...", flush=True)  # what stands above may be of another one
                self._grade(source)

    def _grade(self, source: bytes) -> None:
        """Grade the cases of the functions that have changed, then the others.  Raises _Saved."""
        behind = {function.name: code_behind(source, function.name) for function in self._bank.functions}
        changed = {name for name, code in behind.items() if code != self._behind.get(name)}
        runs_on = {case.id: {case.function, *case.graded.needs, *case.graded.may_call} for case in self._bank.cases}
        first = [case for case in self._bank.cases if changed & runs_on[case.id]]
        then = [case for case in self._bank.cases if not changed & runs_on[case.id]]
        with Session(self._lab, self._bank) as session:
            session.begin([*first, *then])
            if first and then:
                _show(session.sheet_of(first, self._stop_if_saved), f"{plural(len(then), 'more case')} to come.")
            _show(session.sheet_of([*first, *then], self._stop_if_saved), "Watching lab.py; Ctrl-C ends it.")
        self._behind = behind

    def _stop_if_saved(self, case: Case) -> None:
        if read_lab(self._lab) != self._seen:
            raise _Saved


def _show(sheet: ScoreSheet, last: str) -> None:
    screen = report(with_feedback(sheet, sheet.kit.feedback), False, Style.of_terminal())
    print(f"{CLEAR if has_escapes() else ''}{screen}\n{last}", flush=True)
