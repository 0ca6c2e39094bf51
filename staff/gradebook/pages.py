"""Writes what people read about a score: how it comes about, and each lost point."""

from collections.abc import Iterator
from dataclasses import replace

from grader.bank.cases import Case
from grader.grading.feedback import concealed, with_feedback
from grader.grading.sheet import ScoreSheet
from grader.protocol.text import harmless
from grader.showing.failing import IDLE, explain, lines_of, mistake
from grader.showing.markdown import LONGEST_LINE, PLAIN
from grader.showing.style import indented
from staff.course.standing import Handed
from staff.gradebook.book import Account
from staff.templates import rendered

DIGITS = 12  # characters of a SHA-256 that a person reads


def arithmetic(account: Account, is_staff: bool) -> list[str]:
    """Return lines that show how the score of a student comes about.

    Among other things, they have the state, the file, its time, and the exact sum.  If
    the reader is a student, no line names a hidden case.
    """
    secret = set[str]()
    if not is_staff:
        secret = {case.id for case in account.book.bank.cases if case.hidden}
    values = {"account": account, "secret": secret, "is_staff": is_staff}
    text = rendered("account.txt", **values).decode()
    return [harmless(line, LONGEST_LINE) for line in text.splitlines()]


def files_in_lines(account: Account) -> list[str]:
    """Lines for the staff: each file of a student, and why it counts or does not."""
    if not account.files:
        return ["Files that came in: none"]
    lines = ["Files that came in:"]
    for file, why in account.files:
        facts = _time_and_digest(account, file)
        lines.append(harmless(f"  {file.source} ({facts}): {why}", LONGEST_LINE))
    return lines


def _time_and_digest(account: Account, file: Handed) -> str:
    """The time of a file, and the beginning of its SHA-256, in words."""
    time = "no time"
    if file.submitted:
        time = account.book.course.in_words(file.submitted)
    digest = "nothing kept"
    if file.sha256:
        digest = f"SHA-256 {file.sha256[:DIGITS]}"
    return f"{time}; {digest}"


def feedback(account: Account) -> dict[str, bytes]:
    """Make the page of feedback for a student, as HTML and as Markdown.

    The keys are `html` and `md`.
    """
    values = {
        "account": account,
        "lines": arithmetic(account, is_staff=False),
        "blocks": list(lost_points(account, account.lost, is_staff=False)),
    }
    return {
        ending: rendered(f"feedback.{ending}", **values) for ending in ("html", "md")
    }


def lost_points(
    account: Account, cases: list[Case], is_staff: bool
) -> Iterator[tuple[str, list[str]]]:
    """Yield each function of these cases, with lines about its known mistake and its
    cases.

    If the reader is a student, course.yaml limits what the lines say, and the lines
    about a hidden case do not show the case.  If lab.py cannot be imported, this yields
    only `lab.py`, with the reason.
    """
    sheet = account.sheet
    if not is_staff:
        sheet = _for_students(sheet, account.book.course.feedback)
    if sheet.import_failure:
        yield "lab.py", [sheet.import_failure]
        return
    ids = {case.id for case in cases}
    in_order = [case for case in sheet.bank.cases if case.id in ids]
    for function in dict.fromkeys(case.function for case in in_order):
        blocks = [lines_of(mistake(sheet, function))]
        for case in in_order:
            if case.function == function:
                blocks.append(_explained(sheet, case, is_staff))
        text = "\n\n".join("\n".join(block) for block in blocks if block)
        yield function, text.splitlines()


def _for_students(sheet: ScoreSheet, level: str) -> ScoreSheet:
    """Return a score sheet with only what a student may see.

    The verdicts on hidden cases are concealed.  `level` is the level of feedback in
    course.yaml.
    """
    hidden = {
        case.id: concealed(sheet.verdict(case)) for case in sheet.graded if case.hidden
    }
    return with_feedback(replace(sheet, verdicts=sheet.verdicts | hidden), level)


def _explained(sheet: ScoreSheet, case: Case, is_staff: bool) -> list[str]:
    """Return lines that explain what became of a case."""
    verdict = sheet.verdict(case)
    is_secret = case.hidden and not is_staff
    if verdict.status not in IDLE and not is_secret:
        return explain(sheet, case, PLAIN, named=False)
    name = f"a hidden case of {case.function}" if is_secret else case.id
    head = f"{verdict.status.value.upper()}  {name}   ({sheet.points(case)} points)"
    return [head, *indented(PLAIN.typed(verdict.message))]
