"""The score sheet as a page of Markdown, for the summary of a workflow run.

What could hold a student's words stands in fenced blocks, and all other text has its punctuation
escaped, so that nobody's output becomes a heading, a table row, a link or HTML.
"""

import re
import string
from collections import Counter

from boards.cases import Case
from boards.points import Part
from grader.grading.rounding import shown
from grader.grading.sheet import ScoreSheet
from grader.judging.status import Status
from grader.pipe.words import harmless, plural
from grader.release import MASTER
from grader.showing.console import RANK, Style, advice, explain, in_words, reminders
from grader.showing.layout import wrapped

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
    seen = sheet.in_hundredths
    at_least = "At least " if sheet.score and (sheet.waiting() or sheet.ungraded) else ""
    full = ": everything passes" if sheet.is_full else ""
    says = ["This is provisional."] if sheet.kit == MASTER else [f"This is provisional, by kit {sheet.kit.version}."]
    if sheet.later:
        says.append(f"{shown(seen.later)} more points are decided at the deadline.")
    if sheet.kit.due:
        says.append(f"The deadline is {sheet.kit.due}.")
    return f"## {at_least}{shown(seen.score)} of {shown(seen.out_of)} points{full}\n\n{inert(' '.join(says))}"


def _table(sheet: ScoreSheet) -> str:
    rows = [("Part", "Points", "At the deadline", "Cases"), ("---", "---:", "---:", "---")]
    rows += [_row(sheet, part) for part in sheet.bank.parts]
    chosen = (0, 1, 2, 3) if sheet.later else (0, 1, 3)
    return "\n".join(f"| {' | '.join(row[column] for column in chosen)} |" for row in rows)


def _row(sheet: ScoreSheet, part: Part) -> tuple[str, str, str, str]:
    counts = Counter(sheet.verdict(case).status for case in sheet.graded(part))
    seen = sheet.in_hundredths
    points = f"{shown(seen.score_of(part))} of {shown(seen.out_of_part(part))}" if counts else ""
    later = seen.later_of(part)
    return f"{part.number} {inert(part.title)}", points, f"+{shown(later)}" if later else "", in_words(counts)


def _failing(sheet: ScoreSheet) -> list[str]:
    """The failing cases in full, then what waits and what is not started, in a line each."""
    failing = [case for case in sheet.bank.cases if not case.advice and not sheet.verdict(case).passed]
    wrong = [case for case in failing if sheet.verdict(case).status not in RANK]
    blocks = _explained(sheet, _one_of_each_first(wrong))
    if left_out := len(wrong) - len(blocks):
        blocks.append(f"{plural(left_out, 'more failing case')}: `make test V=1` shows every case in a line.")
    for title, status in (("Waiting for other functions", Status.WAITS), ("Not started", Status.NOT_STARTED)):
        functions = dict.fromkeys(case.function for case in failing if sheet.verdict(case).status is status)
        if functions:
            blocks.append(f"{title}: {inert(', '.join(functions))}")
    return blocks


def _one_of_each_first(cases: list[Case]) -> list[Case]:
    """The cases in an order that shows every function before any function's second case."""
    seen: Counter[str] = Counter()
    rounds = []
    for case in cases:
        seen[case.function] += 1
        rounds.append(seen[case.function])
    return [case for _, case in sorted(zip(rounds, cases, strict=True), key=lambda pair: pair[0])]


def _explained(sheet: ScoreSheet, cases: list[Case]) -> list[str]:
    blocks: list[str] = []
    for case in cases[:MOST_CASES]:
        block = fenced(explain(sheet, case, sheet.verdict(case), _PLAIN))
        if sum(len(other.encode()) for other in [*blocks, block]) > MOST_BYTES:
            break
        blocks.append(block)
    return blocks
