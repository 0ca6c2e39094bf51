"""A student's text, cut and made harmless for the place that shows it.

The verdicts come with control characters spelled out already; here nothing depends on that.
"""

import re

from boards.cases import Case
from grader.grading.sheet import ScoreSheet
from grader.protocol.words import harmless
from grader.showing.failing import explain
from grader.showing.style import Style, wrapped

LONGEST_LINE = 200
_CUT = "…"
_PLAIN = Style(colour=False, ascii_only=False, make=True)
_COMMAND = re.compile(r":(?=:)|#(?=#\[)")


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


def without_commands(text: str) -> str:
    r"""The text with an invisible space in what a log of GitHub Actions would take for a command.

    >>> without_commands("::notice::full marks, ##[error]x, a[1:2]")
    ':\u200b:notice:\u200b:full marks, #\u200b#[error]x, a[1:2]'
    """
    return _COMMAND.sub(lambda found: f"{found[0]}\u200b", text)


def explanation(sheet: ScoreSheet, case: Case) -> str:
    """What a student may read about a case, in lines.

    It is what `make test` shows; of a hidden case, which nobody can run at home, only how it failed.
    """
    verdict = sheet.verdict(case)
    if verdict.passed:
        return "\n".join(wrapped(case.says))
    if case.hidden:
        return "\n".join([*wrapped(case.says), *wrapped(f"{verdict.status.value}: {verdict.message}".rstrip(": "))])
    return "\n".join(explain(sheet, case, _PLAIN))
