"""The score sheet as a page of Markdown, for the summary of a workflow run; and what
any page tells of a sheet.

What could hold a student's words stands in fenced blocks, and all other text has its
punctuation escaped, so that nobody's output becomes a heading, a table row, a link or
HTML.
"""

import re
import string
from collections.abc import Iterator, Sequence

from grader.bank.cases import Case
from grader.grading.sheet import ScoreSheet, shown
from grader.protocol.words import harmless
from grader.release import MASTER
from grader.showing.console import (
    advice,
    failing,
    import_failed,
    reminders,
    score_line,
    table_of_parts,
)
from grader.showing.failing import IDLE, explain, to_explain
from grader.showing.style import Style

PLAIN = Style(colour=False, ascii_only=False, make=True)
LONGEST_LINE = 1000
_ESCAPES = str.maketrans(
    {character: f"\\{character}" for character in string.punctuation}
)


def summary(sheet: ScoreSheet, notes: Sequence[str] = ()) -> str:
    """The page.  `notes` are what else is to be said of the run."""
    texts = [*notes, *reminders(sheet), *advice(sheet)]
    blocks = [
        _heading(sheet),
        _table(sheet),
        "\n".join(f"- {inert(text)}" for text in texts),
    ]
    failed = (
        [import_failed(sheet)]
        if sheet.import_failure
        else [lines for _, lines in explained(sheet)]
    )
    blocks += map(fenced, failed)
    return "\n\n".join(block for block in blocks if block) + "\n"


def inert(text: str) -> str:
    r"""Text that Markdown shows as it is, on one line.

    >>> inert("<b> | *no*")
    '\\<b\\> \\| \\*no\\*'
    """
    return harmless(text, LONGEST_LINE).translate(_ESCAPES)


def fenced(lines: list[str]) -> str:
    """Lines in a block with a fence that none of them can close."""
    text = "\n".join(harmless(line, LONGEST_LINE) for line in lines)
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}\n{fence}"


def _heading(sheet: ScoreSheet) -> str:
    by = "" if sheet.kit == MASTER else f", by kit {sheet.kit.version}"
    later = (
        f" {shown(sheet.total.later)} more points are decided at the deadline."
        if sheet.total.later
        else ""
    )
    due = f" The deadline is {sheet.kit.due}." if sheet.kit.due else ""
    counts = f" {sheet.kit.counts}" if sheet.kit.counts else ""
    title, provisional = (
        score_line(sheet),
        f"This is provisional{by}.{later}{due}{counts}",
    )
    if sheet.to_begin_with:
        title, provisional = not_begun(sheet), f"{title}. {provisional}"
    return f"## {title}\n\n{inert(provisional)}"


def not_begun(sheet: ScoreSheet) -> str:
    """What to say of a lab.py in which nothing is begun."""
    return f"Not begun: start with {sheet.to_begin_with}"


def _table(sheet: ScoreSheet) -> str:
    heads, *rows = table_of_parts(sheet)
    lines = [
        heads,
        ("---", *("---:" for _ in heads[2:]), "---"),
        *((inert(part), *cells) for part, *cells in rows),
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def explained(
    sheet: ScoreSheet, style: Style = PLAIN
) -> Iterator[tuple[Case, list[str]]]:
    """Of each function with wrong cases the one that shows best what is wrong, as a
    screen shows it.
    """
    wrong = [case for case in failing(sheet) if sheet.verdict(case).status not in IDLE]
    for function in dict.fromkeys(case.function for case in wrong):
        case = to_explain(sheet, [case for case in wrong if case.function == function])
        yield case, explain(sheet, case, style)
