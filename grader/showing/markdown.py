"""Writes the score sheet as Markdown, for the summary page of a workflow run.

Text that may hold a student's words is in fenced blocks, or has its punctuation
escaped.  So nobody's output becomes a heading, a table row, a link or HTML.
"""

import re
import string
from collections import defaultdict
from collections.abc import Sequence

from grader.bank.cases import Case
from grader.grading.sheet import ScoreSheet, as_points
from grader.protocol.text import harmless
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
    """Return the summary of a score sheet.  `notes` are sentences about the run."""
    texts = [*notes, *reminders(sheet), *advice(sheet)]
    items = "\n".join(f"- {inert(text)}" for text in texts)
    blocks = [_heading(sheet), _table(sheet), items]
    if sheet.import_failure:
        blocks.append(fenced(import_failed(sheet)))
    else:
        blocks += [fenced(explain(sheet, case, PLAIN)) for case in to_show(sheet)]
    return "\n\n".join(filter(None, blocks)) + "\n"


def inert(text: str) -> str:
    r"""Escape a text so that Markdown shows it as plain text, on one line.

    The end of a very long text is left out.

    >>> inert("<b> | *no*")
    '\\<b\\> \\| \\*no\\*'
    """
    return harmless(text, LONGEST_LINE).translate(_ESCAPES)


def fenced(lines: list[str]) -> str:
    """Put lines into a fenced block of Markdown.  The fence has more backticks than any
    line has in a row, so no line can end the block.
    """
    text = "\n".join(harmless(line, LONGEST_LINE) for line in lines)
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}\n{fence}"


def _heading(sheet: ScoreSheet) -> str:
    kit = sheet.kit
    by = "" if kit == MASTER else f" (kit {kit.version})"
    sentences = [f"These points are provisional{by}."]
    if sheet.total.later:
        later = as_points(sheet.total.later)
        sentences.append(f"{later} more points are decided at the deadline.")
    if kit.due:
        sentences.append(f"The deadline is {kit.due}.")
    if kit.counts:
        sentences.append(kit.counts)
    title = score_line(sheet)
    if sheet.to_begin_with:
        sentences.insert(0, f"{title}.")
        title = not_begun(sheet)
    return f"## {title}\n\n{inert(' '.join(sentences))}"


def not_begun(sheet: ScoreSheet) -> str:
    """Return the title of the summary if no function of lab.py is begun."""
    return f"Not begun: start with {sheet.to_begin_with}"


def _table(sheet: ScoreSheet) -> str:
    heads, *rows = table_of_parts(sheet)
    # The first column names the part, and the last one describes its cases.  All
    # columns between them hold points.
    points = ["---:"] * (len(heads) - 2)
    lines = [heads, ("---", *points, "---")]
    lines += [(inert(part), *cells) for part, *cells in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def to_show(sheet: ScoreSheet) -> list[Case]:
    """For each function that fails, return the case that tells most about the
    mistake.
    """
    wrong = [case for case in failing(sheet) if sheet.verdict(case).status not in IDLE]
    of_functions = defaultdict[str, list[Case]](list)
    for case in wrong:
        of_functions[case.function].append(case)
    return [to_explain(sheet, cases) for cases in of_functions.values()]
