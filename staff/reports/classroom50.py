"""Classroom 50: result.json, with a test for each function, and release-body.md beside it.

Scores are whole numbers there.  They are rounded down, the points that can be had are rounded up, and only who has
every point gets the full score.

If the grader fails, or a person must look at a case, no result is written and the exit status is 1: Classroom 50 takes
that for its own infrastructure's failure, and not for the student's.  A lab.py that is missing or does not import has a
result with score 0 and says why.

    python -m reports.classroom50 CHECKOUT     in the environment that Classroom 50 sets
"""

import os
import shutil
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Any

from grader.grading.sheet import ScoreSheet, shown
from grader.protocol.words import harmless, plural
from grader.showing.markdown import fenced

from .inert import plain, without_commands
from .submission import as_json, grade_submission, say_why, write_in_place

RESULT, BODY = "result.json", "release-body.md"
MOST_MESSAGE, MOST_BODY = 500, 1_250  # bytes: half as much again, with what breaks commands
FACTS = {
    "classroom": "CLASSROOM",
    "assignment": "ASSIGNMENT",
    "assignment_type": "ASSIGNMENT_TYPE",
    "owner": "OWNER",
    "submission": "SUBMISSION_TAG",
    "commit": "COMMIT_URL",
    "release": "RELEASE_URL",
    "review": "REVIEW_URL",
}
"""What Classroom 50 says of a submission, and the variables in which it says so."""


def facts_of(environment: Mapping[str, str]) -> dict[str, str]:
    """What Classroom 50 says of this submission.  ValueError, with a sentence, if it does not."""
    missing = [name for name in FACTS.values() if name not in environment]
    if missing:
        raise ValueError(f"{', '.join(missing)} not set; Classroom 50 sets them where it runs this program")
    return {fact: environment[name] for fact, name in FACTS.items()}


def result(sheet: ScoreSheet, facts: dict[str, str], now: datetime) -> dict[str, Any]:
    """The result for a score sheet on which no case needs a person."""
    score, out_of = whole(sheet.score, sheet.out_of)
    functions = {case.function: case.part for case in sheet.bank.cases if not case.advice}
    return {
        "schema": "classroom50/result/v1",
        **facts,
        "datetime": f"{now.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
        "score": score,
        "max-score": out_of,
        "tests": [_test(sheet, function, part) for function, part in functions.items()],
    }


def whole(points: Fraction, out_of: Fraction) -> tuple[int, int]:
    """Points in whole numbers: the score rounded down, and full only if every point is there.

    >>> whole(Fraction(175, 2), Fraction(88)), whole(Fraction(9, 2), Fraction(9, 2)), whole(Fraction(4), Fraction(9, 2))
    ((87, 88), (5, 5), (4, 5))
    """
    most = ceil(out_of)
    return (most if points == out_of else min(int(points), most - 1)), most


def body(sheet: ScoreSheet) -> str:
    """The feedback for the page of the release, in Markdown: a line for each function, and the survey for the staff."""
    functions = dict.fromkeys(case.function for case in sheet.bank.cases if not case.advice)
    lines = [f"{function}: {_message(sheet, function)}" for function in functions]
    if sheet.import_failure:
        lines = [sheet.import_failure]
    lines += [f"{question}: {answer}" for question, answer in (sheet.survey or {}).items()]
    text = without_commands(fenced(plain("\n".join(lines), MOST_BODY).splitlines()))
    return f"{shown(sheet.score)} of {shown(sheet.out_of)} points. `make test` shows all of it.\n\n{text}\n"


def _test(sheet: ScoreSheet, function: str, part: int) -> dict[str, Any]:
    worth = sum(map(sheet.worth, sheet.bank.of(function)), Fraction(0))
    points = sum(map(sheet.points, sheet.bank.of(function)), Fraction(0))
    score, out_of = whole(points, worth)
    return {
        "test-name": function,
        "part": part,
        "passed": points == worth,
        "score": score,
        "max-score": out_of,
        "message": without_commands(harmless(_message(sheet, function), MOST_MESSAGE)),
    }


def _message(sheet: ScoreSheet, function: str) -> str:
    """One line on a function: how many cases pass, and what is wrong with the first that does not."""
    if sheet.import_failure:
        return sheet.import_failure
    cases = [case for case in sheet.bank.of(function) if not case.advice]
    failing = [case for case in cases if not sheet.verdict(case).passed]
    if not failing:
        return "Passes."
    first = sheet.verdict(failing[0])
    passing = f"{len(cases) - len(failing)} of {plural(len(cases), 'case')} right."
    return f"{passing} {failing[0].id}, {first.status.value}: {first.message}".rstrip(": ")


def main(words: list[str], environment: Mapping[str, str] = os.environ) -> int:
    """Grade a checkout and write the two files into it; 1 if there is no result."""
    checkout = Path(words[0])
    try:
        for name in (RESULT, BODY):
            _clear(checkout / name)
        facts = facts_of(environment)
        sheet = grade_submission(checkout)
        write_in_place(checkout / BODY, body(sheet))
        if sheet.ungraded:
            cases = ", ".join(case.id for case in sheet.ungraded)
            print(f"ungraded, needs a human: {cases}; no result is written", file=sys.stderr)
            return 1
        write_in_place(checkout / RESULT, as_json(result(sheet, facts, datetime.now(UTC))))
    except Exception as fault:
        say_why(fault)
        return 1
    return 0


def _clear(path: Path) -> None:
    """Take away what the student's checkout has where a file of ours goes."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
