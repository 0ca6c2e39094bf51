"""Gradescope: results/results.json, with a test for each case.

Public cases are visible; hidden ones are `after_published`.  Gradescope hides the total
as long as any test is hidden.  So with hidden cases a student sees the total when the
grades are published; until then the points of the public cases, which stand in the
output.  The output therefore never speaks of hidden cases but by the points that they
carry.

The scores of the tests, in hundredths, add up to the score of the whole, which counts.
The answers of the survey stand in `extra_data`, which staff downloads with the
submissions.

If a person must look, no score stands anywhere, neither of the whole nor of a test: the
sum of the others would count as the score.  Gradescope then shows the submission as not
graded.

    python -m reports.gradescope /autograder
"""

import sys
import time
from pathlib import Path
from typing import Any

from boards.reading import write_whole
from grader.bank.cases import Case
from grader.grading.sheet import ScoreSheet, shown
from grader.judging.verdict import Status
from grader.protocol.words import harmless
from grader.showing.console import import_failed
from grader.showing.failing import explain
from grader.showing.markdown import fenced
from grader.showing.style import Style, wrapped

from .submission import as_json, grade_submission, say_why

MOST_TEXT, MOST_IN_ALL, LONGEST_LINE = 3_000, 300_000, 200
_CUT, _PLAIN = "…", Style(colour=False, ascii_only=False, make=True)
NEEDS_HUMAN = (
    "**Not graded: this needs a human.** Not everything could be judged. The course staff can see why; "
    "tell them if this stays so."
)
_FORMATS = {
    "output_format": "md",
    "test_output_format": "md",
    "test_name_format": "text",
    "visibility": "visible",
    "stdout_visibility": "hidden",
}


def result(sheet: ScoreSheet, seconds: float) -> dict[str, Any]:
    """The result for a score sheet that took so many seconds."""
    report = {
        "execution_time": int(seconds),
        "output": _output(sheet),
        **_FORMATS,
        "extra_data": {
            key: sheet.data[key]
            for key in ("version", "lab_sha256", "cases_sha256", "survey")
        },
        "tests": [_whole_lab(sheet)] if sheet.import_failure else _tests(sheet),
    }
    return report if sheet.ungraded else {"score": sheet.total.score / 100, **report}


def needs_human() -> dict[str, Any]:
    """The result if there is no score sheet."""
    return {
        "output": NEEDS_HUMAN,
        **_FORMATS,
        "extra_data": {"needs_human": True},
        "tests": [],
    }


def _output(sheet: ScoreSheet) -> str:
    if sheet.import_failure:
        return f"**0 of {shown(sheet.total.out_of)} points.**\n\n{_why(sheet)}"
    public = [case for case in sheet.bank.cases if not case.hidden]
    points = sheet.points(*public)
    later = sheet.total.out_of + sheet.total.later - points.out_of
    lines = [f"**{points} points** for the cases that are shown."]
    if later:
        lines.append(
            f"{shown(later)} more are decided by cases that are not shown before the grades are published."
        )
    if sheet.unfilled:
        lines.append(
            f"The survey in lab.py still asks for {', '.join(sheet.unfilled)} (no points)."
        )
    return "\n\n".join([NEEDS_HUMAN, *lines] if sheet.ungraded else lines)


def _tests(sheet: ScoreSheet) -> list[dict[str, Any]]:
    most = min(MOST_TEXT, MOST_IN_ALL // len(sheet.graded))
    return [_test(sheet, case, most) for case in sheet.graded]


def _test(sheet: ScoreSheet, case: Case, most: int) -> dict[str, Any]:
    verdict = sheet.verdict(case)
    test: dict[str, Any] = {
        "name": case.id,
        "output": fenced(plain(explanation(sheet, case), most).splitlines()),
        "tags": [case.function],
        "visibility": "after_published" if case.hidden else "visible",
    }
    if verdict.status is not Status.UNGRADED:
        test["status"] = "passed" if verdict.passed else "failed"
    if not sheet.ungraded:
        points = sheet.points(case).as_data()
        test |= {"score": points["score"], "max_score": points["out_of"]}
    return test


def plain(text: str, most: int) -> str:
    r"""Whole lines of a text, in at most `most` bytes of UTF-8, without control characters.

    >>> plain("a\x1b[31mb\nsecond\nthird", 22)
    'a\\x1b[31mb\nsecond\n…'
    """
    lines = [harmless(line, LONGEST_LINE) for line in text.splitlines()]
    if len("\n".join(lines).encode()) <= most:
        return "\n".join(lines)
    kept, left = [], most - len(_CUT.encode())
    for line in lines:
        left -= len(line.encode()) + 1
        if left < 0:
            break
        kept.append(line)
    return "\n".join([*kept, _CUT])


def explanation(sheet: ScoreSheet, case: Case) -> str:
    """What a student may read about a case, in lines.

    It is what `make test` shows; of a hidden case, which nobody can run at home, only
    how it failed.
    """
    verdict = sheet.verdict(case)
    if verdict.passed:
        return "\n".join(wrapped(case.says))
    if case.hidden:
        return "\n".join(
            [
                *wrapped(case.says),
                *wrapped(f"{verdict.status.value}: {verdict.message}".rstrip(": ")),
            ]
        )
    return "\n".join(explain(sheet, case, _PLAIN, named=False))


def _whole_lab(sheet: ScoreSheet) -> dict[str, Any]:
    """The one test of a lab.py that is missing or does not import."""
    test = {
        "score": 0,
        "max_score": sheet.total.out_of / 100,
        "status": "failed",
        "name": "lab.py",
    }
    return test | {"output": _why(sheet), "visibility": "visible"}


def _why(sheet: ScoreSheet) -> str:
    return fenced(plain("\n".join(import_failed(sheet)), MOST_TEXT).splitlines())


def main(words: list[str]) -> int:
    """Grade below this root, which is /autograder there.

    `needs_human` is written first, and stays if grading fails or is cut off.
    """
    root, started = Path(words[0]), time.monotonic()
    file = root / "results" / "results.json"
    write_whole(file, as_json(needs_human()))
    try:
        sheet = grade_submission(root / "submission")
        write_whole(file, as_json(result(sheet, time.monotonic() - started)))
    except Exception as fault:
        say_why(fault)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
