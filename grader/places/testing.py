"""`make test`: grades lab.py, prints the report, writes build/results.json.

A run of some cases only (a part, a word) never writes the score sheet.  pytest has no hand in it:
`pytest tests` asks the same session for the same verdicts, and shows them in its own way.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from boards.cases import Bank, Case, load_bank
from grader.grading.session import Session
from grader.kit import KIT
from grader.showing.console import Style, report
from grader.showing.feedback import with_feedback
from grader.signals import ending_in_order

RESULTS = KIT / "build" / "results.json"


def main(words: list[str], lab: Path, bank: Bank | None = None, note: str = "") -> int:
    """Grade lab.py as the words say; 0 at full marks, 1 below, 2 where there is nothing to grade.

    `bank` has other cases and points than those of this kit, and `note` stands above the report.
    """
    options = _parse(words)

    def is_chosen(case: Case) -> bool:
        name = f"{case.id} {case.function}".lower()
        in_part = not options.part or case.part in options.part
        return in_part and (not options.k or any(word in name for word in options.k))

    if note:
        print(f"{note}\n")
    return run(lab, is_chosen, options.v, bank or load_bank())


def run(lab: Path, is_chosen: Callable[[Case], bool], verbose: bool, bank: Bank) -> int:
    """Grade the chosen cases of lab.py and print the report; the exit status."""
    running = []

    def before(case: Case) -> None:
        running.append(case.id)
        _show_progress(case.id)

    try:
        chosen = [case for case in bank.cases if is_chosen(case)]
        if not chosen:
            numbers = ", ".join(str(part.number) for part in bank.parts)
            print(f"no case fits; the parts are {numbers}, and V=1 lists the cases", file=sys.stderr)
            return 2
        with ending_in_order(), Session(lab, bank) as session:
            sheet = session.sheet_of(chosen, before)
        sheet = with_feedback(sheet, sheet.kit.feedback)
        _show_progress("")
    except KeyboardInterrupt:
        print(f"\nstopped in {running[-1]}; no score is written" if running else "\nstopped", file=sys.stderr)
        return 130
    except OSError as error:
        print(error, file=sys.stderr)
        return 2
    if len(chosen) == len(bank.cases):
        sheet.write(RESULTS)
    chosen = [case for case in sheet.bank.cases if is_chosen(case)]
    print(report(sheet, chosen, verbose, Style.of_terminal()))
    return 0 if all(sheet.verdict(case).passed for case in chosen if not case.advice) else 1


def _show_progress(case: str) -> None:
    """The case that is being graded, on a terminal, in a line that the next one overwrites."""
    if sys.stderr.isatty():
        print(f"\r{case:<60}\r", end="", file=sys.stderr, flush=True)


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


def _parse(words: list[str]) -> argparse.Namespace:
    parser = _Parser(prog="python grader test", description="Grade lab.py.")
    parser.add_argument("--part", type=_numbers, help="only this part, by its number; or several: 0,1")
    parser.add_argument("--k", type=_words, metavar="WORD", help="only cases or functions with a word in the name")
    parser.add_argument("--v", action="store_true", help="show every case")
    return parser.parse_args(words)
