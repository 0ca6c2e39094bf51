"""PrairieLearn: /grade/results/results.json, with a test for each case, in plain text.

A lab.py that is missing or does not import is not gradable, with the reason as a format error: that
costs no attempt.  Neither does a fault of the grader.  `score` is a share, 0 to 1, and mandatory; it
is not read where `gradable` is false.

PrairieLearn shows every test at once, so hidden cases do not belong there: with many attempts they
would be hidden no longer.  A hidden case that is there all the same shows its points alone.

    python -m reports.prairielearn /grade
"""

import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

from boards.cases import Case
from grader.grading.rounding import shown, two_decimals
from grader.grading.sheet import ScoreSheet

from .inert import explanation, plain
from .submission import report_on

MOST_TEXT, MOST_IN_ALL = 3_000, 300_000
NEEDS_HUMAN = "Not graded: this needs a human. Not everything could be judged; tell the course staff."


def result(sheet: ScoreSheet) -> dict[str, Any]:
    """The result for a score sheet."""
    if sheet.ungraded:
        return needs_human()
    if sheet.import_failure:
        return _not_gradable(plain(sheet.import_failure, MOST_TEXT))
    graded, (earned, out_of) = [case for case in sheet.bank.cases if not case.advice], sheet.exactly
    most = min(MOST_TEXT, MOST_IN_ALL // len(graded))
    return {
        "gradable": True,
        "score": four_decimals(earned / out_of),
        "message": f"{shown(sheet.score)} of {shown(sheet.out_of)} points.",
        "output": "",
        "format_errors": [],
        "tests": [_test(sheet, case, most) for case in graded],
    }


def needs_human() -> dict[str, Any]:
    """The result where there is no score sheet, or one that a person must look at."""
    return _not_gradable(NEEDS_HUMAN)


def four_decimals(share: Fraction) -> float:
    """A share, rounded down, so that almost full is not full.

    >>> four_decimals(Fraction(87999999, 88000000))
    0.9999
    """
    return float(Fraction(int(share * 10_000), 10_000))


def _not_gradable(reason: str) -> dict[str, Any]:
    return {"gradable": False, "score": 0.0, "message": reason, "output": "", "format_errors": [reason], "tests": []}


def _test(sheet: ScoreSheet, case: Case, most: int) -> dict[str, Any]:
    return {
        "name": case.id,
        "description": "A hidden case." if case.hidden else plain(case.says, most),
        "points": two_decimals(sheet.points(case)),
        "max_points": two_decimals(sheet.worth(case)),
        "message": sheet.verdict(case).status.value,
        "output": "" if case.hidden else plain(explanation(sheet, case), most),
    }


def main(words: list[str]) -> int:
    """Grade below this root, which is /grade there; always leaves a result."""
    root = Path(words[0])
    report_on(root / "student", root / "results" / "results.json", result, needs_human())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
