"""Gradescope: writes results/results.json, with a test for each case.

    python -m reports.gradescope /autograder

Students see public cases at once, and hidden cases when the grades are published
(`after_published`).  Gradescope hides the total as long as any test is hidden.  So if
there are hidden cases, students see the total only when the grades are published.
Until then the text above the tests shows the points of the public cases.  The text says
nothing about hidden cases except how many points they carry.

The score of the submission counts.  The scores of the tests add up to this score.
`extra_data` has the answers to the survey, which staff can download.

If a person has to look at the submission, neither the submission nor any test has a
score, because Gradescope would count the sum of the scores.  Gradescope then shows the
submission as not graded.
"""

import sys
import time
from pathlib import Path
from typing import Any

from boards.reading import write_whole
from grader.bank.cases import Case
from grader.grading.sheet import ScoreSheet, as_points
from grader.protocol.text import harmless
from grader.showing.console import import_failed
from grader.showing.failing import explain
from grader.showing.markdown import fenced
from grader.showing.style import Style, wrapped
from grader.verdicts.verdict import Status

from .submission import as_json, grade_submission, say_why

MOST_TEXT = 3_000  # bytes of the output of a test
MOST_IN_ALL = 300_000  # bytes of the outputs of all tests together
LONGEST_LINE = 200  # characters
CUT = "…"
PLAIN = Style(colour=False, ascii_only=False, make=True)
NEEDS_HUMAN = (
    "**Not graded: this needs a human.** Not everything could be judged. The course "
    "staff can see why; tell them if this does not change."
)
_FORMATS = {
    "output_format": "md",
    "test_output_format": "md",
    "test_name_format": "text",
    "visibility": "visible",
    "stdout_visibility": "hidden",
}


def result(sheet: ScoreSheet, seconds: float) -> dict[str, Any]:
    """Return the result for a score sheet.  `seconds` is how long the grading took.

    The result has no score if a person has to look at a case.
    """
    if sheet.import_failure:
        tests = [_whole_lab(sheet)]
    else:
        tests = _tests(sheet)
    report = {
        "execution_time": int(seconds),
        "output": _output(sheet),
        **_FORMATS,
        "extra_data": {
            key: sheet.data[key]
            for key in ("version", "lab_sha256", "cases_sha256", "survey")
        },
        "tests": tests,
    }
    if sheet.ungraded:
        return report
    return {"score": sheet.total.score / 100, **report}


def needs_human() -> dict[str, Any]:
    """Return the result of a submission that could not be graded.

    The result says that a person has to look at the submission, and has no score.
    """
    return {
        "output": NEEDS_HUMAN,
        **_FORMATS,
        "extra_data": {"needs_human": True},
        "tests": [],
    }


def _output(sheet: ScoreSheet) -> str:
    """Return the text above the tests.

    The text says how many points the public cases give, and how many points hidden
    cases decide later.  If lab.py is missing or cannot be imported, the text says why.
    """
    if sheet.import_failure:
        return f"**0 of {as_points(sheet.total.out_of)} points.**\n\n{_why(sheet)}"
    public = [case for case in sheet.bank.cases if not case.hidden]
    points = sheet.points(*public)
    later = sheet.total.out_of + sheet.total.later - points.out_of
    paragraphs = []
    if sheet.ungraded:
        paragraphs.append(NEEDS_HUMAN)
    paragraphs.append(f"**{points} points** for the cases that are shown.")
    if later:
        paragraphs.append(
            f"{as_points(later)} more are decided by cases that are not shown before "
            "the grades are published."
        )
    if sheet.unfilled:
        missing = ", ".join(sheet.unfilled)
        paragraphs.append(f"The survey in lab.py still asks for {missing} (no points).")
    return "\n\n".join(paragraphs)


def _tests(sheet: ScoreSheet) -> list[dict[str, Any]]:
    """Return a test for each case.

    All outputs together have at most MOST_IN_ALL bytes of text.
    """
    most = min(MOST_TEXT, MOST_IN_ALL // len(sheet.graded))
    return [_test(sheet, case, most) for case in sheet.graded]


def _test(sheet: ScoreSheet, case: Case, most: int) -> dict[str, Any]:
    """Return the test of a case.  Its output has at most `most` bytes of text."""
    verdict = sheet.verdict(case)
    test: dict[str, Any] = {
        "name": case.id,
        "output": fenced(plain(explanation(sheet, case), most).splitlines()),
        "tags": [case.function],
        "visibility": "visible",
    }
    if case.hidden:
        test["visibility"] = "after_published"
    if verdict.passed:
        test["status"] = "passed"
    elif verdict.status is not Status.UNGRADED:
        test["status"] = "failed"
    if not sheet.ungraded:
        points = sheet.points(case).as_data()
        test |= {"score": points["score"], "max_score": points["out_of"]}
    return test


def plain(text: str, most: int) -> str:
    r"""Cut a text to at most `most` bytes of UTF-8, in whole lines.

    A longer line is cut to LONGEST_LINE characters.  Control characters are escaped.

    >>> plain("a\x1b[31mb\nsecond\nthird", 22)
    'a\\x1b[31mb\nsecond\n…'
    """
    lines = [harmless(line, LONGEST_LINE) for line in text.splitlines()]
    if len("\n".join(lines).encode()) <= most:
        return "\n".join(lines)
    kept = []
    left = most - len(CUT.encode())
    for line in lines:
        left -= len(line.encode()) + 1
        if left < 0:
            break
        kept.append(line)
    return "\n".join([*kept, CUT])


def explanation(sheet: ScoreSheet, case: Case) -> str:
    """Return the lines that a student may read about a case.

    If the case passes, the lines say what the case is about.  If a public case fails,
    they explain the failure in full.  If a hidden case fails, they say what the case is
    about, and give the status and the message of the verdict.
    """
    verdict = sheet.verdict(case)
    if verdict.passed:
        return "\n".join(wrapped(case.says))
    if case.hidden:
        failure = f"{verdict.status.value}: {verdict.message}".rstrip(": ")
        return "\n".join([*wrapped(case.says), *wrapped(failure)])
    return "\n".join(explain(sheet, case, PLAIN, named=False))


def _whole_lab(sheet: ScoreSheet) -> dict[str, Any]:
    """Return the only test of a result without other tests.

    Such a result is for a lab.py that is missing or cannot be imported.
    """
    test = {
        "score": 0,
        "max_score": sheet.total.out_of / 100,
        "status": "failed",
        "name": "lab.py",
    }
    return test | {"output": _why(sheet), "visibility": "visible"}


def _why(sheet: ScoreSheet) -> str:
    """Say in a block of text why lab.py is missing or cannot be imported."""
    return fenced(plain("\n".join(import_failed(sheet)), MOST_TEXT).splitlines())


def main(words: list[str]) -> int:
    """Grade the submission in a folder, which is /autograder on the service.

    Return 0, even if grading fails.  This function writes the result of `needs_human`
    first.  That result stays if grading fails or is stopped.
    """
    root = Path(words[0])
    started = time.monotonic()
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
