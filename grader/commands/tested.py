"""What `make test` does while the first cases are run (testing.py).

pytest carries it, a test a case, and takes whatever options it has (carrier.py); the session decides,
and the screen is the kit's own.  A run of some cases only (a part, a word, -x) never writes the score
sheet.  `pytest tests` asks the same session for the same verdicts, and shows them in pytest's way.
"""

import os
import sys
from argparse import Namespace
from collections.abc import Callable
from typing import TextIO

from boards.cases import Bank, Case
from grader.commands.strays import leave_out_strays
from grader.grading.asking import Asking
from grader.grading.feedback import with_feedback
from grader.grading.session import Session
from grader.kit import KIT
from grader.refusal import like, tell
from grader.release import release_here
from grader.showing.console import report
from grader.showing.since import read_results, since
from grader.showing.style import Style

RESULTS = KIT / "build" / "results.json"


def run(asking: Asking, bank: Bank, is_chosen: Callable[[Case], bool], options: Namespace, note: str) -> int:
    """Grade the chosen cases; the exit status.  The note stands above the report."""
    if strays := leave_out_strays(release_here()):
        print(f"{strays}\n")
    parts = [part.number for part in bank.parts]
    if strange := sorted((options.part or set()).difference(parts)):
        tell(f"there is no part {strange[0]}; the parts are {', '.join(map(str, parts))}")
        return 2
    if not any(map(is_chosen, bank.cases)):
        return _nothing(bank, options)
    return _graded(Session(asking.lab, bank, asking=asking), is_chosen, options, note)


def _graded(session: Session, is_chosen: Callable[[Case], bool], options: Namespace, note: str) -> int:
    """Grade the chosen cases, as far as pytest runs them with its words, and print the report; the exit status."""
    bank, running = session.bank, list[str]()
    screen = sys.stderr  # which pytest does not get

    def before(case: Case) -> None:
        running.append(case.id)
        _show_progress(case.id, screen)

    try:
        with session:
            from grader.commands.carrier import Carrier  # and with it pytest, while cases are run already

            carrier = Carrier(bank, session, is_chosen, before)
            told = carrier.run(options.for_pytest)
            if told is not None:
                return told
            if not carrier.cases:
                return _nothing(bank)
            sheet = session.sheet_of(carrier.cases)
        sheet = with_feedback(sheet, sheet.kit.feedback)
        _show_progress("", screen)
    except KeyboardInterrupt:
        print(f"\nstopped in {running[-1]}; no score is written" if running else "\nstopped", file=sys.stderr)
        return 130
    ran = {case.id for case in carrier.cases}
    is_all = len(ran) == len(bank.cases)
    changes = since("full run", read_results(RESULTS), sheet) if is_all else ""
    chosen = [case for case in sheet.bank.cases if case.id in ran]
    if note:
        print(f"{note}\n")
    print(report(sheet, chosen, options.v or carrier.is_verbose, Style.of_terminal(), changes), flush=True)
    if is_all:
        sheet.write(RESULTS)  # which may fail, where nobody may write here
        if "MAKELEVEL" in os.environ and not sheet.is_full:
            print("(make adds `Error 1` to this: it only means that not everything passes yet.)")
    return 0 if all(sheet.verdict(case).passed for case in chosen if not case.advice) else 1


def _nothing(bank: Bank, options: Namespace | None = None) -> int:
    """The exit status where no case fits; it is said what is like the first word of `k`."""
    said = f"; the parts are {', '.join(str(part.number) for part in bank.parts)}, and V=1 lists the cases"
    if options and options.k:
        cases = [case for case in bank.cases if not options.part or case.part in options.part]
        names = dict.fromkeys(name for case in cases for name in (case.id.partition("/")[0], case.function, case.id))
        said = like(options.k[0], names, said.removeprefix("; "))
    tell(f"no case fits{said}")
    return 2


def _show_progress(case: str, screen: TextIO) -> None:
    """The case that is being graded, on a terminal, in a line that the next one overwrites."""
    if screen.isatty():
        print(f"\r{case:<60}\r", end="", file=screen, flush=True)
