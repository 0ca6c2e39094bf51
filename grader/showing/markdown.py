"""The score sheet as a page of Markdown, for the summary of a workflow run.

What could hold a student's words stands in fenced blocks, and all other text has its punctuation
escaped, so that nobody's output becomes a heading, a table row, a link or HTML.
"""

import re
import string

from boards.cases import Case
from grader.grading.rounding import shown
from grader.grading.sheet import ScoreSheet
from grader.pipe.words import harmless, plural
from grader.release import MASTER
from grader.showing.causes import cause
from grader.showing.console import IDLE, advice, in_words, part_rows, reminders, score_line
from grader.showing.failing import explain, to_explain
from grader.showing.layout import wrapped
from grader.showing.style import Style

MOST_CASES = 20
MOST_BYTES = 60_000
LONGEST_LINE = 1000
_PLAIN = Style(colour=False, ascii_only=False, make=True)
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
    rows = [("Part", "Points", "At the deadline", "Cases"), ("---", "---:", "---:", "---")]
    for part, points, later, counts in part_rows(sheet, sheet.bank.cases):
        rows.append((f"{part.number} {inert(part.title)}", points, later, in_words(counts)))
    chosen = (0, 1, 2, 3) if sheet.later else (0, 1, 3)
    return "\n".join(f"| {' | '.join(row[column] for column in chosen)} |" for row in rows)


def _failing(sheet: ScoreSheet) -> list[str]:
    """The failing cases in full, then what waits and what is not started, in a line each."""
    failing = [case for case in sheet.bank.cases if not case.advice and not sheet.verdict(case).passed]
    wrong = [case for case in failing if sheet.verdict(case).status not in IDLE]
    blocks = _explained(sheet, _one_of_each_first(sheet, wrong))
    if left_out := len(wrong) - len(blocks):
        blocks.append(f"{plural(left_out, 'more failing case')}: `make test V=1` shows every case in a line.")
    for status, title in IDLE.items():
        functions = dict.fromkeys(case.function for case in failing if sheet.verdict(case).status is status)
        if functions:
            blocks.append(f"{title}: {inert(', '.join(functions))}")
    return blocks


def _one_of_each_first(sheet: ScoreSheet, cases: list[Case]) -> list[Case]:
    """The cases in an order that shows every function before any function's second case."""
    functions = dict.fromkeys(case.function for case in cases)
    best = [to_explain(sheet, [case for case in cases if case.function == function]) for function in functions]
    cases = [*best, *(case for case in cases if case not in best)]
    named = [case.function for case in cases]
    rounds = {case.id: named[:index].count(case.function) for index, case in enumerate(cases)}
    return sorted(cases, key=lambda case: rounds[case.id])


def _explained(sheet: ScoreSheet, cases: list[Case]) -> list[str]:
    blocks: list[str] = []
    seen: set[str] = set()
    for case in cases[:MOST_CASES]:
        above = [] if case.function in seen else cause(sheet, case.function)
        block = fenced([*above, *([""] if above else []), *explain(sheet, case, sheet.verdict(case), _PLAIN)])
        seen.add(case.function)
        if sum(len(other.encode()) for other in [*blocks, block]) > MOST_BYTES:
            break
        blocks.append(block)
    return blocks
