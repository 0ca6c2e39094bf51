"""`make watch`: grades lab.py again on every save, what the change touches first, and shows one screen.

Nothing is written.  It looks at the file three times a second, which works on any system; Ctrl-C ends it.
"""

import ast
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from boards.cases import Bank, Case, load_bank
from grader.grading.feedback import with_feedback
from grader.grading.mentions import code_behind
from grader.grading.session import Session
from grader.grading.sheet import ScoreSheet
from grader.grading.source import read_lab, what_ails
from grader.kit import KIT
from grader.protocol.words import plural
from grader.showing.console import report
from grader.showing.since import since
from grader.showing.style import Style, has_escapes, wrapped
from grader.signals import ending_in_order

BETWEEN_LOOKS = 0.3
CLEAR = "\x1b[2J\x1b[3J\x1b[H"


def main(words: list[str], lab: Path, rest: Callable[[], None] = lambda: time.sleep(BETWEEN_LOOKS)) -> int:
    """Watch until Ctrl-C; exit status 0.  `rest` is done between two looks at the file."""
    watcher = Watcher(lab, load_bank(), Style.of_terminal())
    try:
        with ending_in_order():
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

    def __init__(self, lab: Path, bank: Bank, style: Style) -> None:
        self._lab, self._bank, self._style = lab, bank, style
        self._watching = f"Watching {lab.relative_to(KIT) if lab.is_relative_to(KIT) else lab}; Ctrl-C ends it."
        self._seen, self._said = b"", ""  # the last text of the file, and what was said in place of a grade
        self._behind: dict[str, str] = {}  # what stood behind each function when it was graded
        self._results: Any = {}

    def look(self) -> None:
        """Grade lab.py where it was saved since the last look, and show what came of it."""
        try:
            source = read_lab(self._lab)
            if source == self._seen and self._behind:
                return
            if source != self._seen:
                self._seen, self._said = source, ""
            check_syntax(source)
            print("Grading lab.py ...", flush=True)  # what stands above may be of another one
            behind = {function.name: code_behind(source, function.name) for function in self._bank.functions}
            self._grade({name for name, code in behind.items() if code != self._behind.get(name)})
            self._behind = behind
        except _Saved:
            pass
        except OSError as error:  # Python cannot read it, it is gone, or this machine has no room for a process
            if str(error) != self._said:
                self._said = str(error)
                waits = f"{self._said.rstrip('.')}. The next save is waited for."
                print(self._style.finish("\n".join(wrapped(waits))), flush=True)

    def _grade(self, touched: set[str]) -> None:
        """Grade the cases of the functions that are touched, then the others.  Raises _Saved."""
        runs_on = {case.id: {case.function, *case.graded.needs, *case.graded.may_call} for case in self._bank.cases}
        first = [case for case in self._bank.cases if touched & runs_on[case.id]]
        then = [case for case in self._bank.cases if not touched & runs_on[case.id]]
        with Session(self._lab, self._bank) as session:
            session.begin([*first, *then])
            if first and then:
                sheet = session.sheet_of(first, self._stop_if_saved)
                self._show(sheet, first, f"{plural(len(then), 'more case')} to come. {self._watching}")
            sheet = session.sheet_of([*first, *then], self._stop_if_saved)
        self._show(sheet, [*first, *then], self._watching, since("save", self._results, sheet))
        self._results = sheet.data

    def _stop_if_saved(self, case: Case) -> None:
        if read_lab(self._lab) != self._seen:
            raise _Saved

    def _show(self, sheet: ScoreSheet, cases: list[Case], last: str, changes: str = "") -> None:
        sheet = with_feedback(sheet, sheet.kit.feedback)
        here = {case.id: case for case in sheet.bank.cases}
        screen = report(sheet, [here[case.id] for case in cases], False, self._style, changes)
        print(f"{CLEAR if has_escapes() else ''}{screen}\n{last}", flush=True)


def check_syntax(source: bytes) -> None:
    """Raise OSError with a sentence where Python cannot read a lab.py."""
    try:
        ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        at = f"lab.py:{error.lineno}: {error.msg}" if isinstance(error, SyntaxError) else f"lab.py: {error}"
        raise OSError(what_ails(source) or at) from None
