"""The score sheet as a page of Markdown, for the summary of a workflow run.

What could hold a student's words stands in fenced blocks, and all other text has its punctuation
escaped, so that nobody's output becomes a heading, a table row, a link or HTML.
"""

import re
import string

from grader.grading.rounding import shown
from grader.grading.sheet import ScoreSheet
from grader.pipe.words import harmless, plural
from grader.release import MASTER
from grader.showing.console import advice, reminders, score_line
from grader.showing.style import wrapped
from grader.showing.told import explained, idle, table_of_parts, wrong_cases

LONGEST_LINE = 1000
_ESCAPES = str.maketrans({character: f"\\{character}" for character in string.punctuation})


def summary(sheet: ScoreSheet, fallback: str = "") -> str:
    """The page.  `fallback` says why the kit of the release did not grade, where it did not."""
    notes = [f"Graded with the files of this repository: {fallback}."] if fallback else []
    notes += [*reminders(sheet), *(line.strip() for line in advice(sheet.bank.cases, sheet.verdicts))]
    blocks = [_heading(sheet), _table(sheet), "\n".join(f"- {inert(note)}" for note in notes)]
    if sheet.import_failure:
        blocks.append(fenced(wrapped(sheet.import_failure)))
    else:
        blocks += _failing(sheet)
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
    later = f" {shown(sheet.in_hundredths.later)} more points are decided at the deadline." if sheet.later else ""
    due = f" The deadline is {sheet.kit.due}." if sheet.kit.due else ""
    return f"## {score_line(sheet)}\n\n{inert(f'This is provisional{by}.{later}{due}')}"


def _table(sheet: ScoreSheet) -> str:
    heads, *rows = table_of_parts(sheet)
    lines = [heads, ("---", *("---:" for _ in heads[2:]), "---"), *((inert(part), *cells) for part, *cells in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _failing(sheet: ScoreSheet) -> list[str]:
    """Of each function with failing cases one in full, then what waits and what is not started, in a line each."""
    blocks = [fenced(lines) for _, lines in explained(sheet)]
    if left_out := len(wrong_cases(sheet)) - len(blocks):
        blocks.append(f"{plural(left_out, 'more failing case')}: `make test V=1` shows every case in a line.")
    return blocks + [inert(line) for line in idle(sheet)]
