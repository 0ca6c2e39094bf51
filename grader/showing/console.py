"""Writes the score sheet for a terminal.

A terminal shows the end of a long text; its beginning scrolls away.  So only one
failing case is explained, and the points come last.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence

from grader.bank.cases import Case
from grader.grading.diagnosis import FAILED
from grader.grading.sheet import ScoreSheet, as_points
from grader.kinds.kind import kind_of
from grader.protocol.text import in_utf8, plural
from grader.showing.excerpt import unreadable_shown
from grader.showing.failing import (
    AIR,
    CALL,
    OTHERS,
    POINTS,
    Part,
    about,
    fitted,
    lines_of,
    matters,
    to_explain,
)
from grader.showing.style import (
    ROWS,
    WIDTH,
    Style,
    apart,
    in_columns,
    indented,
    rows_of,
    within,
)
from grader.verdicts.sentences import read_words
from grader.verdicts.verdict import Status

FEW = 3  # if so few cases run, everything about the failing one is shown
NAMED = 3  # functions with ungraded cases that are named; the others are only counted
# How many rows of the terminal the report leaves free for what is printed below it: the
# note on Error 1 (commands/testing.py), the line that make adds, and the next prompt.
BELOW = 3

NOTHING_GRADED = "Nothing could be graded."
NEXT_STEP = (
    "Now see your code play: make ladder plays it against stronger and stronger "
    "players, and make board opens a page on which you play against it."
)


def report(sheet: ScoreSheet, verbose: bool, style: Style) -> str:
    """Return the text that `make test` prints about the cases that have verdicts.

    If `verbose` is True, each of these cases has a line.  At most one failing case is
    explained.  What matters most about this case is in the last rows, so that a
    terminal of 24 rows still shows it.
    """
    if sheet.import_failure:
        below = [*_remarks(sheet, style), _total_line(sheet, style)]
        lines = apart(import_failed(sheet), below)
    else:
        lines = _graded(sheet, verbose, style)
    return style.finish("\n".join(lines))


def _graded(sheet: ScoreSheet, verbose: bool, style: Style) -> list[str]:
    """Return the lines about a lab.py that could be imported."""
    blocks = []
    below = [Part([*_remarks(sheet, style), _total_line(sheet, style)])]
    if verbose:
        blocks = [_part_lines(sheet), every_case(sheet, style)]
    else:
        below.insert(0, Part(indented(points_by_part(sheet), 0), POINTS))
    wrong = failing(sheet)
    if not wrong:
        return apart(*blocks, lines_of(below))
    case = to_explain(sheet, wrong)
    above = about(sheet, case, style, whole=len(sheet.verdicts) <= FEW)
    if not verbose:
        others = style.typed(the_others(sheet, case, wrong))
        if others:
            others += f" List all: {style.command(v='1')}"
        below.insert(0, Part(indented(others, 0), OTHERS))
    parts = matters(sheet, case, style)
    without_call = [part for part in parts if part.rank != CALL]
    rows = rows_of(apart(above, lines_of(without_call), lines_of(below)))
    if rows <= ROWS - BELOW:
        parts = without_call
    parts += [Part([""], AIR), *below]
    return apart(*blocks, above, fitted(parts, ROWS - BELOW))


def import_failed(sheet: ScoreSheet) -> list[str]:
    """Return the lines that say why lab.py cannot be imported.

    If Python cannot read the text of lab.py, the lines also show the place.
    """
    return [
        *indented(sheet.import_failure or "", 2),
        *unreadable_shown(sheet.source),
        f"  {NOTHING_GRADED}",
    ]


def _remarks(sheet: ScoreSheet, style: Style) -> list[str]:
    """Return the lines just above the points: advice, reminders, and what to do next if
    everything passes.
    """
    texts = [*advice(sheet), *reminders(sheet)]
    if sheet.is_full:
        texts.append(NEXT_STEP)
    return [line for text in texts for line in indented(style.typed(text), 0)]


def failing(sheet: ScoreSheet) -> list[Case]:
    """Return the graded cases that do not pass, among those that `chosen` returns."""
    return [case for case in chosen(sheet) if not sheet.verdict(case).passed]


def is_whole(sheet: ScoreSheet) -> bool:
    """Whether the sheet covers all graded cases, so that its sum is the score.

    That is so if all graded cases have verdicts, or if none has one.
    """
    return len(chosen(sheet)) == len(sheet.graded)


def chosen(sheet: ScoreSheet) -> list[Case]:
    """Return the graded cases that have verdicts.  If none has one, return all graded
    cases.

    If there is no lab.py to grade, no case has a verdict, and the points of all cases
    are shown.
    """
    return [case for case in sheet.graded if case.id in sheet.verdicts] or sheet.graded


def table_of_parts(sheet: ScoreSheet) -> list[tuple[str, ...]]:
    """Return a table of the parts of the assignment.  Its first row has the titles of
    the columns.

    If some points are decided at the deadline, these points have a column of their own.
    """
    rows: list[tuple[str, ...]] = [("Part", "Points", "At the deadline", "Cases")]
    for part in sheet.bank.parts:
        cases = _chosen_of_part(sheet, part.number)
        points = ""
        words = "at the deadline"
        later = ""
        if cases:
            points = str(sheet.points(*cases))
            words = in_words(sheet, cases)
        if is_whole(sheet) and sheet.points_of_parts(part).later:
            later = f"+{as_points(sheet.points_of_parts(part).later)}"
        if cases or later:
            rows.append((f"{part.number} {part.title}", points, later, words))
    if sheet.total.later:
        return rows
    return [(title, points, words) for title, points, _, words in rows]


def _chosen_of_part(sheet: ScoreSheet, number: int) -> list[Case]:
    return [case for case in chosen(sheet) if case.part == number]


def _part_lines(sheet: ScoreSheet) -> list[str]:
    """Return the table of the parts as lines of text, without the titles of the
    columns.
    """
    _, *rows = table_of_parts(sheet)
    return [part for line in in_columns(rows) for part in within(f"  {line}", WIDTH)]


def points_by_part(sheet: ScoreSheet) -> str:
    """Return the points of each part of the assignment, all in one line.

    A part without a chosen case is left out.  The line is empty unless at least two
    parts have chosen cases.
    """
    sums = []
    for part in sheet.bank.parts:
        if cases := _chosen_of_part(sheet, part.number):
            points = sheet.points(*cases)
            share = f"{as_points(points.score)}/{as_points(points.out_of)}"
            sums.append(f"part {part.number}: {share}")
    if len(sums) <= 1:
        return ""
    return ", ".join(sums).capitalize()


def in_words(sheet: ScoreSheet, cases: Sequence[Case]) -> str:
    """Say how many of these cases have each status, such as `3 pass, 1 fail`."""
    counts = Counter(sheet.verdict(case).status for case in cases)
    if set(counts) == {Status.PASS}:
        return "all pass"
    words = [f"{counts[status]} {status.value}" for status in Status if counts[status]]
    return ", ".join(words)


def every_case(sheet: ScoreSheet, style: Style) -> list[str]:
    """Return a line for each case that has a verdict, with the points of the case, if
    it is worth any.

    The message of the verdict is below that line, unless the case is advice.
    """
    lines = []
    for case in sheet.bank.cases:
        verdict = sheet.verdicts.get(case.id)
        if verdict is None:
            continue
        word = "advice" if case.advice else verdict.status.value
        status = style.paint(f"{word:<14}", verdict.status)
        points = sheet.points(case) if sheet.bank.worth(case) else ""
        lines.append(f"  {status}{case.id:<42}{points}".rstrip())
        if not case.advice:
            lines += indented(style.typed(verdict.message), 16)
    return lines


def the_others(sheet: ScoreSheet, first: Case, wrong: Sequence[Case]) -> str:
    """Say what does not pass besides `first`, the case that is explained.

    The text counts the other failing cases of the function of `first`.  Then it counts
    the other functions that have a case in `wrong`, or names the function if there is
    only one.  Such a function counts under the status of its first case there.  The
    text is empty if there is nothing to count.
    """
    parts = []
    more = [
        case
        for case in wrong
        if case.function == first.function
        and case is not first
        and sheet.verdict(case).status in FAILED
    ]
    if more:
        parts.append(
            plural(
                len(more),
                f"more case of {first.function} does not pass.",
                f"more cases of {first.function} do not pass.",
            )
        )
    first_cases = {
        case.function: case
        for case in reversed(wrong)
        if case.function != first.function
    }
    for words in read_words()["others"]:
        alike = [
            case
            for case in first_cases.values()
            if sheet.verdict(case).status.value in words["statuses"]
        ]
        if len(alike) == 1:
            # The sentence that is begun here already has the case as its subject.
            reason = sheet.verdict(alike[0]).message.removeprefix("It ")
            parts.append(words["one"].format(alike[0].function, reason=reason))
        elif alike:
            others = f"{len(alike)} other {_nouns(alike)}"
            parts.append(words["several"].format(others))
    return " ".join(parts)


def _nouns(cases: Sequence[Case]) -> str:
    """Return the nouns for what these cases test: functions, answers or both."""
    nouns = {
        "functions" if kind_of(case.graded).is_code else "answers" for case in cases
    }
    return " and ".join(sorted(nouns, reverse=True))


def advice(sheet: ScoreSheet) -> list[str]:
    """Return a text about the first advice that lab.py does not follow.

    Advice is a case without points.  There is no text if a graded case does not pass,
    or if lab.py follows all advice.
    """
    if failing(sheet):
        return []
    for case in sheet.bank.cases:
        verdict = sheet.verdict(case)
        if case.advice and case.id in sheet.verdicts and not verdict.passed:
            text = f"{case.id}: {case.says} {verdict.message}".rstrip(": ")
            return [f"Advice (no points) on {text}"]
    return []


def reminders(sheet: ScoreSheet) -> list[str]:
    """Return the reminders about the survey, about the encoding of lab.py, and about
    ungraded cases.
    """
    texts = []
    if sheet.unfilled and sheet.is_full:
        questions = ", ".join(sheet.unfilled)
        texts.append(f"The survey in lab.py still asks for {questions} (no points).")
    if in_utf8(sheet.source) != sheet.source:
        texts.append(
            "lab.py is not encoded as UTF-8, as Python files are, so we read it as "
            "Latin-1. Save it as UTF-8."
        )
    return [*texts, *_not_graded(sheet)]


def _not_graded(sheet: ScoreSheet) -> list[str]:
    """Say which functions have ungraded cases, and why.  Each reason has a sentence of
    its own.
    """
    for_a_reason = defaultdict[tuple[bool, str], list[Case]](list)
    for case in sheet.ungraded:
        verdict = sheet.verdict(case)
        for_a_reason[verdict.ran, verdict.message].append(case)
    texts = []
    for (has_run, reason), cases in for_a_reason.items():
        counts = Counter(case.function for case in cases)
        names = [
            f"{function} ({plural(count, 'case')})"
            for function, count in counts.items()
        ]
        listed = ", ".join(names[:NAMED])
        if len(names) > NAMED:
            listed += f" and {len(names) - NAMED} more"
        lead = "UNGRADED, needs a human" if has_run else "UNGRADED"
        texts.append(f"{lead}: {listed}. {reason}".rstrip())
    return texts


def score_line(sheet: ScoreSheet, here: str = "") -> str:
    """Return a line with the points of all cases.  The text `here` follows the
    points.
    """
    line = f"{sheet.total} points{here}"
    if sheet.is_full:
        line += ": everything passes"
    may_grow = any(
        sheet.verdict(case).status in (Status.WAITS, Status.UNGRADED)
        for case in sheet.graded
    )
    if not (sheet.total.score and may_grow):
        return line
    why = "" if here else ": a waiting or ungraded case may add to them"
    return f"At least {line}{why}"


def _total_line(sheet: ScoreSheet, style: Style) -> str:
    """Return the last line of the report.

    This line has the points of the whole sheet.  But if only some of the graded cases
    have verdicts, it has only the points of these cases.
    """
    if not is_whole(sheet):
        cases = chosen(sheet)
        count = plural(len(cases), "chosen case")
        points = f"{sheet.points(*cases)} points in {count}"
        return f"{points}; only a full run saves the score."
    here = ""
    if sheet.total.later:
        here = f" here; {as_points(sheet.total.later)} more are decided at the deadline"
    line = f"{score_line(sheet, here)}."
    return style.paint(line, Status.PASS) if sheet.is_full else line
