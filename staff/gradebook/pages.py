"""Pages and texts: what the templates in pages/ make of the accounts of students."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import fill
from typing import Any

import jinja2

from grader.bank.cases import Case
from grader.grading.feedback import concealed, with_feedback
from grader.grading.sheet import ScoreSheet
from grader.protocol.words import harmless, plural
from grader.refusal import as_typed
from grader.showing.failing import IDLE, explain, hint, known_mistakes
from grader.showing.markdown import LONGEST_LINE, PLAIN, fenced, inert
from grader.showing.style import indented
from staff.course.late import percent
from staff.course.standing import Timing
from staff.gradebook.book import Account, decimals

_TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).with_name("pages")), autoescape=jinja2.select_autoescape(["html"]),
    undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
)  # fmt: skip


def in_lines(names: Sequence[str], common: str) -> str:
    """How many these are, what they have in common, and as many of them as three lines
    hold.
    """
    text = f"{len(names):5} {common}: {', '.join(names)}"
    return fill(
        text,
        79,
        subsequent_indent=" " * 6,
        max_lines=3,
        placeholder=" and more",
        break_on_hyphens=False,
    )


def in_lines_of_text(text: str) -> str:
    """A sentence on as many as three lines."""
    return fill(
        text,
        79,
        subsequent_indent=" " * 6,
        max_lines=3,
        placeholder=" and more",
        break_on_hyphens=False,
    )


_TEMPLATES.filters |= {
    each.__name__: each
    for each in (
        as_typed,
        decimals,
        fenced,
        in_lines,
        in_lines_of_text,
        inert,
        percent,
        plural,
    )
}
_TEMPLATES.globals["Timing"] = Timing


def rendered(template: str, **values: Any) -> bytes:
    """A template of pages/, filled in; in an .html all that is filled in is escaped."""
    return (
        _TEMPLATES.get_template(template)
        .render(values)
        .encode("utf-8", "backslashreplace")
    )


def arithmetic(account: Account, is_staff: bool) -> list[str]:
    """The state, the file, its time, and the exact sum; students do not read which
    hidden cases there are.
    """
    secret = {
        case.id for case in account.book.bank.cases if case.hidden and not is_staff
    }
    text = rendered(
        "account.txt", account=account, secret=secret, is_staff=is_staff
    ).decode()
    return [harmless(line, LONGEST_LINE) for line in text.splitlines()]


def files_in_lines(account: Account) -> list[str]:
    """Each file that came in from a student, with its time, its digest, and why it
    counts or does not; for staff.
    """
    lines = ["Files that came in:"]
    for file, why in account.files:
        time = (
            account.book.course.in_words(file.submitted)
            if file.submitted
            else "no time"
        )
        digest = f"SHA-256 {file.sha256[:12]}" if file.sha256 else "nothing kept"
        lines.append(
            harmless(f"  {file.source} ({time}; {digest}): {why}", LONGEST_LINE)
        )
    return lines if account.files else ["Files that came in: none"]


def feedback(account: Account) -> dict[str, bytes]:
    """What a student reads, as .html and as .md."""
    blocks = list(lost_points(account, account.lost, is_staff=False))
    values = {
        "account": account,
        "lines": arithmetic(account, is_staff=False),
        "blocks": blocks,
    }
    return {
        ending: rendered(f"feedback.{ending}", **values) for ending in ("html", "md")
    }


def lost_points(
    account: Account, cases: list[Case], is_staff: bool
) -> Iterator[tuple[str, list[str]]]:
    """For each function of these cases the known cause, and each case with call,
    expected, yours and place.

    A student reads as much as the course says, and of a hidden case only how it failed.
    """
    sheet = (
        account.sheet
        if is_staff
        else _as_shown(account.sheet, account.book.course.feedback)
    )
    if sheet.import_failure:
        yield "lab.py", [sheet.import_failure]
        return
    ids = {case.id for case in cases}
    found = [case for case in sheet.bank.cases if case.id in ids]
    for function in dict.fromkeys(case.function for case in found):
        blocks = [[*known_mistakes(sheet, function), *hint(sheet, function)]]
        blocks += [
            _explained(sheet, case, is_staff)
            for case in found
            if case.function == function
        ]
        yield (
            function,
            "\n\n".join("\n".join(block) for block in blocks if block).splitlines(),
        )


def _as_shown(sheet: ScoreSheet, level: str) -> ScoreSheet:
    hidden = {
        case.id: concealed(sheet.verdict(case)) for case in sheet.graded if case.hidden
    }
    return with_feedback(replace(sheet, verdicts=sheet.verdicts | hidden), level)


def _explained(sheet: ScoreSheet, case: Case, is_staff: bool) -> list[str]:
    verdict, is_secret = sheet.verdict(case), case.hidden and not is_staff
    if verdict.status not in IDLE and not is_secret:
        return explain(sheet, case, PLAIN, named=False)
    name = f"a hidden case of {case.function}" if is_secret else case.id
    head = f"{verdict.status.value.upper()}  {name}   ({sheet.points(case)} points)"
    return [head, *indented(PLAIN.typed(verdict.message))]
