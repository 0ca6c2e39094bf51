"""Classroom 50: writes result.json and two pages for the student.

    python -m reports.classroom50 CHECKOUT FOLDER

The service sets the environment variables that FACTS lists.  result.json has a test for
each function.  Its scores must be whole numbers, so they are hundredths of a point:
6543 of 10000 means 65.43 of 100.  Both numbers leave out the points that hidden cases
decide later.

This program writes result.json last, and only if every case has a verdict.  If the exit
status is not 0, the service takes this as a fault of its own, and gives no score.  The
service replaces `datetime` in result.json by the date of the commit.
"""

import contextlib
import json
import os
import re
import sys
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import jsonschema

from boards.reading import write_whole
from grader.commands.workflow import grade_checkout
from grader.grading.sheet import ScoreSheet
from grader.grading.source import NotALab, read_lab
from grader.protocol.text import harmless, plural
from grader.showing.markdown import summary
from grader.tools.report import write_report

from .submission import LAB, as_json, say_why

SCHEMA = Path(__file__).with_name("classroom50.schema.json")
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
"""The facts that the service knows about a submission, each with its environment
variable.
"""

MOST_BODY = 2_000  # characters of release-body.md
MOST_MESSAGE = 500  # characters of a test's message
MORE = "\n\nThe rest does not fit on this page. `make test` shows all of it.\n"


def result(
    sheet: ScoreSheet, variables: Mapping[str, str], now: datetime
) -> dict[str, Any]:
    """Return the result for a score sheet on which every case has a verdict.

    `variables` are the environment variables, and `now` is the moment of the grading.
    Raises ValueError if the result breaks a rule of the service, for example because a
    variable is not set.
    """
    functions = dict.fromkeys(case.function for case in sheet.graded)
    report = {
        "schema": "classroom50/result/v1",
        **{fact: variables.get(name, "") for fact, name in FACTS.items()},
        "datetime": f"{now.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
        "score": sheet.total.score,
        "max-score": sheet.total.out_of,
        "tests": [_test(sheet, function) for function in functions],
    }
    schema = json.loads(SCHEMA.read_text("utf-8"))
    for error in jsonschema.Draft202012Validator(schema).iter_errors(report):
        raise ValueError(f"{_place_of(error)}: {error.message}")
    return report


def _place_of(error: jsonschema.ValidationError) -> str:
    """Name the part of a result that breaks a rule.

    If an environment variable of the service gives this part, name the variable too.
    """
    if not error.absolute_path:
        return "the result"
    fact = str(error.absolute_path[0])
    if fact in FACTS:
        return f"{fact} (${FACTS[fact]})"
    return fact


def _test(sheet: ScoreSheet, function: str) -> dict[str, Any]:
    """Return the test that stands for a function in the result."""
    cases = [case for case in sheet.graded if case.function == function]
    points = sheet.points(*cases)
    return {
        "test-name": function,
        "passed": points.score == points.out_of and not sheet.import_failure,
        "score": points.score,
        "max-score": points.out_of,
        "message": harmless(_message(sheet, function), MOST_MESSAGE),
    }


def _message(sheet: ScoreSheet, function: str) -> str:
    """Say how many cases of a function pass, and why the first failing case fails.

    If lab.py is missing or cannot be imported, only say why.
    """
    if sheet.import_failure:
        return sheet.import_failure
    cases = [case for case in sheet.graded if case.function == function]
    failing = [case for case in cases if not sheet.verdict(case).passed]
    if not failing:
        return "Passes."
    first = sheet.verdict(failing[0])
    passing = f"{len(cases) - len(failing)} of {plural(len(cases), 'case')} right."
    failure = f"{failing[0].id}, {first.status.value}: {first.message}"
    return f"{passing} {failure}".rstrip(": ")


def shortened(markdown: str, most: int) -> str:
    r"""Cut a page to at most `most` characters, in whole lines.

    If the cut is in a block of code, the block is closed after its last line.

    >>> page = "Points\n\n```text\nfirst\nsecond, and longer\n```\n" + 60 * "x"
    >>> shortened(page, 95).removesuffix(MORE)
    'Points\n\n```text\nfirst\n```'
    """
    if len(markdown) <= most:
        return markdown
    kept: list[str] = []
    fence = ""  # the line that ends the block of code that a line is in
    left = most - len(MORE)
    for line in markdown.splitlines():
        mark = re.match("```+", line)
        fence_after = fence
        if mark and not fence:
            fence_after = mark[0]
        elif fence and line == fence:
            fence_after = ""
        left -= len(line) + 1
        if left < len(fence_after) + 1:
            break
        kept.append(line)
        fence = fence_after
    if fence:
        kept.append(fence)
    return "\n".join(kept).rstrip() + MORE


def grade_apart(checkout: Path, folder: Path) -> ScoreSheet:
    """Copy lab.py from a checkout into `folder`, grade it there, and return the sheet.

    So student code sees no other file of the checkout.  If lab.py cannot be read, it is
    not copied, and the sheet says why.
    """
    try:
        source = read_lab(checkout / LAB)
    except (NotALab, OSError):
        return grade_checkout(checkout)
    (folder / LAB).write_bytes(source)
    return grade_checkout(folder)


def main(words: list[str], variables: Mapping[str, str] = os.environ) -> int:
    """Grade a checkout, and write the result and the pages into a folder.

    `words` are the checkout and the folder.  Return 1 if there is no result, and
    otherwise 0.
    """
    checkout, out = map(Path, words)
    try:
        with tempfile.TemporaryDirectory(prefix="submission-") as folder:
            sheet = grade_apart(checkout, Path(folder))
            if sheet.ungraded:
                cases = ", ".join(case.id for case in sheet.ungraded)
                print(f"no result: a person must look at {cases}", file=sys.stderr)
                return 1
            report = as_json(result(sheet, variables, datetime.now(UTC)))
            # The result is written even if this page cannot be written.
            with contextlib.suppress(Exception):
                write_report(sheet, out / "report.html")
        body = shortened(summary(sheet), MOST_BODY)
        write_whole(out / "release-body.md", body.encode())
        write_whole(out / "result.json", report)
    except Exception as fault:
        say_why(fault)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
