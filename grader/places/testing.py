"""`make test`: grades lab.py, prints the report, writes build/results.json.

pytest carries it, a test a case, and takes whatever options it has (carrier.py); the session decides,
and the screen is the kit's own.  A run of some cases only (a part, a word, -x) never writes the score
sheet.  `pytest tests` asks the same session for the same verdicts, and shows them in pytest's way.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn, TextIO

from boards.cases import Bank, Case, load_bank
from grader.grading.feedback import with_feedback
from grader.grading.session import Session
from grader.kit import KIT
from grader.places.own import try_own_cases
from grader.places.strays import leave_out_strays
from grader.release import release_here
from grader.showing.console import report
from grader.showing.since import read_results, since
from grader.showing.style import Style
from grader.signals import ending_in_order

RESULTS = KIT / "build" / "results.json"


def main(words: list[str], lab: Path, bank: Bank | None = None, note: str = "", with_own: bool = True) -> int:
    """Grade lab.py as the words say; 0 at full marks, 1 below, 2 where there is nothing to grade.

    `bank` has other cases and points than those of this kit, and `note` stands above the report; below it
    stand the student's own cases, which are read only `with_own`.
    """
    options, for_pytest = _parse(words)

    def is_chosen(case: Case) -> bool:
        name = f"{case.id} {case.function}".lower()
        in_part = not options.part or case.part in options.part
        return in_part and (not options.k or any(word in name for word in options.k))

    for said in (note, leave_out_strays(release_here())):
        if said:
            print(f"{said}\n")
    bank = bank or load_bank()
    has_some = any(map(is_chosen, bank.cases))
    status = run(lab, is_chosen, options.v, bank, for_pytest) if has_some or not with_own else 0
    if with_own and status < 2:
        own = try_own_cases(lab, bank, is_chosen)
        if own:
            print(f"\n{own[0]}" if has_some else own[0])
        if not has_some:
            return int(not own[1]) if own else _nothing(bank)
    return status


def run(lab: Path, is_chosen: Callable[[Case], bool], verbose: bool, bank: Bank, words: Sequence[str] = ()) -> int:
    """Grade the chosen cases of lab.py, as far as pytest runs them with these words, and print the report.

    The exit status.
    """
    running: list[str] = []
    screen = sys.stderr  # which pytest does not get

    def before(case: Case) -> None:
        running.append(case.id)
        _show_progress(case.id, screen)

    try:
        wanted = [case for case in bank.cases if is_chosen(case)]
        if not wanted:
            return _nothing(bank)
        with ending_in_order(), Session(lab, bank) as session:
            session.begin(wanted)
            from grader.places.carrier import Carrier  # and with it pytest, while all that goes on

            carrier = Carrier(bank, session, is_chosen, before)
            told = carrier.run(words)
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
    except OSError as error:
        print(error, file=sys.stderr)
        return 2
    ran = {case.id for case in carrier.cases}
    changes = ""
    if len(ran) == len(bank.cases):
        changes = since("full run", read_results(RESULTS), sheet)
        sheet.write(RESULTS)
    chosen = [case for case in sheet.bank.cases if case.id in ran]
    print(report(sheet, chosen, verbose or carrier.is_verbose, Style.of_terminal(), changes))
    if len(ran) == len(bank.cases) and "MAKELEVEL" in os.environ and not sheet.is_full:
        print("(make adds `Error 1` to this: it only means that not everything passes yet.)")
    return 0 if all(sheet.verdict(case).passed for case in chosen if not case.advice) else 1


def _nothing(bank: Bank) -> int:
    """The exit status where no case fits."""
    numbers = ", ".join(str(part.number) for part in bank.parts)
    print(f"no case fits; the parts are {numbers}, and V=1 lists the cases", file=sys.stderr)
    return 2


def _show_progress(case: str, screen: TextIO) -> None:
    """The case that is being graded, on a terminal, in a line that the next one overwrites."""
    if screen.isatty():
        print(f"\r{case:<60}\r", end="", file=screen, flush=True)


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        print(f"{message}; {self.format_usage().strip()}", file=sys.stderr)
        sys.exit(2)


def _words(text: str) -> list[str]:
    return text.lower().replace(",", " ").split()


def _numbers(text: str) -> set[int]:
    try:
        return {int(word) for word in _words(text)}
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no number of a part, such as 2, or 0,1") from None


def _parse(words: list[str]) -> tuple[argparse.Namespace, list[str]]:
    """The kit's own options, and the words that are for pytest."""
    parser = _Parser(prog="python grader test", description="Grade lab.py.", add_help=False, allow_abbrev=False)
    parser.add_argument("--part", type=_numbers, help="only this part, by its number; or several: 0,1")
    parser.add_argument("--k", type=_words, metavar="WORD", help="only cases or functions with a word in the name")
    parser.add_argument("--v", action="store_true", help="show every case")
    return parser.parse_known_args(words)
