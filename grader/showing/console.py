"""The score sheet for a terminal, which shows the end of a text: one failing case
explained, and last the points.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence

from grader.bank.cases import Case
from grader.grading.sheet import ScoreSheet, shown
from grader.judging.verdict import Status
from grader.kinds.kind import kind_of
from grader.protocol.words import in_utf8, plural
from grader.showing.excerpt import unreadable_shown
from grader.showing.failing import (
    AIR,
    OTHERS,
    POINTS,
    Part,
    about,
    fitted,
    matters,
    to_explain,
)
from grader.showing.style import (
    ROWS,
    WIDTH,
    Style,
    apart,
    indented,
    rows_of,
    within,
    wrapped,
)

FEW, NAMED = 3, 3
OTHERS_IN_WORDS = {  # what is said of one function with these statuses, and of several
    frozenset({Status.FAIL, Status.PARTIAL, Status.CRASH, Status.TIME_OUT}): (
        "fails",
        "fail",
    ),
    frozenset({Status.NOT_STARTED}): ("is not written yet", "are not written yet"),
    frozenset({Status.WAITS}): ("waits for a wrong one", "wait for a wrong one"),
    frozenset({Status.UNGRADED}): ("is ungraded", "are ungraded"),
}
BELOW = 3  # rows of a terminal that others need: two for what make adds, and one for the next prompt

NOTHING_GRADED = "Nothing could be graded."
NEXT_STEP = "Now see your code play: make board opens a page, and make play a game in this terminal."


def report(sheet: ScoreSheet, verbose: bool, style: Style) -> str:
    """What `make test` prints, about the cases with verdicts; with all of them in a
    line each if it is verbose.

    What matters of the failing case that is explained stands in the last rows, which a
    terminal of 24 still shows.
    """
    if sheet.import_failure:
        return style.finish(
            "\n".join(
                apart(
                    import_failed(sheet),
                    [*_remarks(sheet, style), _total_line(sheet, style)],
                )
            )
        )
    blocks = [_part_lines(sheet), every_case(sheet, style)] if verbose else []
    explained, others = list[Part](), list[str]()
    if wrong := failing(sheet):
        first = to_explain(sheet, wrong)
        blocks.append(about(sheet, first, style, whole=len(sheet.verdicts) <= FEW))
        others = _as_lines(the_others(sheet, first, wrong), style)
        below = [
            *_remarks(sheet, style),
            *([] if verbose else [*others, points_by_part(sheet)]),
            "",
        ]
        what_matters = [
            line for part in matters(sheet, first, style) for line in part.lines
        ]
        has_scrolled = (
            rows_of([*blocks[-1], "", *what_matters, "", *below]) > ROWS - BELOW
        )
        explained = [
            *matters(sheet, first, style, has_scrolled=has_scrolled),
            Part([""], AIR),
        ]
    end = [
        *explained,
        Part([] if verbose else others, OTHERS),
        Part([] if verbose else _as_lines(points_by_part(sheet), style), POINTS),
        Part(_remarks(sheet, style)),
        Part([_total_line(sheet, style)]),
    ]
    return style.finish("\n".join(apart(*blocks, fitted(end, ROWS - BELOW))))


def import_failed(sheet: ScoreSheet) -> list[str]:
    """Why lab.py cannot be imported, with the place that Python cannot read, if that is
    why.
    """
    return [
        *indented(sheet.import_failure or "", 2),
        *unreadable_shown(sheet.source),
        f"  {NOTHING_GRADED}",
    ]


def _remarks(sheet: ScoreSheet, style: Style) -> list[str]:
    """What is to be said beside the points, in lines."""
    texts = [*advice(sheet), *reminders(sheet), NEXT_STEP if sheet.is_full else ""]
    return [line for text in texts for line in _as_lines(text, style)]


def _as_lines(text: str, style: Style) -> list[str]:
    return wrapped(style.typed(text), WIDTH) if text else []


def failing(sheet: ScoreSheet) -> list[Case]:
    """The graded cases that do not pass."""
    return [case for case in chosen(sheet) if not sheet.verdict(case).passed]


def is_whole(sheet: ScoreSheet) -> bool:
    """Whether this is a sheet of all graded cases, and so one with a score."""
    return len(chosen(sheet)) == len(sheet.graded)


def chosen(sheet: ScoreSheet) -> list[Case]:
    """The graded cases with verdicts; all of them when there is no lab.py, and so no
    verdict.
    """
    return [case for case in sheet.graded if case.id in sheet.verdicts] or sheet.graded


def table_of_parts(sheet: ScoreSheet) -> list[tuple[str, ...]]:
    """The heads of a table, and a row a part; what is decided at the deadline has a
    column if there is any.
    """
    rows: list[tuple[str, ...]] = [("Part", "Points", "At the deadline", "Cases")]
    for part in sheet.bank.parts:
        cases = [case for case in chosen(sheet) if case.part == part.number]
        later = sheet.points_of_part(part).later if is_whole(sheet) else 0
        if cases or later:
            points = str(sheet.points(*cases)) if cases else ""
            title, words = (
                f"{part.number} {part.title}",
                in_words(sheet, cases) or "at the deadline",
            )
            rows.append((title, points, f"+{shown(later)}" if later else "", words))
    return rows if sheet.total.later else [(*row[:2], *row[3:]) for row in rows]


def _part_lines(sheet: ScoreSheet) -> list[str]:
    """The same in columns."""
    _, *rows = table_of_parts(sheet)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["   ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    return [part for line in lines for part in within(f"  {line}", WIDTH)]


def points_by_part(sheet: ScoreSheet) -> str:
    """The points in one line, if there is more than one part."""
    _, *rows = table_of_parts(sheet)
    points = [
        f"{part.split()[0]}: {points.replace(' of ', '/')}"
        for part, points, *_ in rows
        if points
    ]
    return f"Points by part: {', '.join(points)}" if len(points) > 1 else ""


def in_words(sheet: ScoreSheet, cases: Sequence[Case]) -> str:
    """How many of these cases have which status; empty if there are no cases."""
    counts = Counter(sheet.verdict(case).status for case in cases)
    words = [f"{counts[status]} {status.value}" for status in Status if counts[status]]
    return "all pass" if set(counts) == {Status.PASS} else ", ".join(words)


def every_case(sheet: ScoreSheet, style: Style) -> list[str]:
    """Each case in a line, with its points if it has some, and what is wrong with it
    below.
    """
    lines = []
    for case in sheet.bank.cases:
        if verdict := sheet.verdicts.get(case.id):
            word = "advice" if case.advice else verdict.status.value
            points = str(sheet.points(case)) if sheet.bank.worth(case) else ""
            lines.append(
                f"  {style.paint(f'{word:<12}', verdict.status)}{case.id:<42}{points}".rstrip()
            )
            lines += [] if case.advice else indented(style.typed(verdict.message), 14)
    return lines


def the_others(sheet: ScoreSheet, first: Case, wrong: Sequence[Case]) -> str:
    """What does not pass besides the case that is explained; empty if nothing else is.

    It counts the other cases of its function, and the other functions by the status of
    their first such case.
    """
    parts = []
    if of_it := sum(case.function == first.function for case in wrong) - 1:
        does = "does" if of_it == 1 else "do"
        parts.append(
            f"{plural(of_it, 'more case')} of {first.function} {does} not pass"
        )
    first_cases = {
        case.function: case
        for case in reversed(wrong)
        if case.function != first.function
    }
    for statuses, (is_so, are_so) in OTHERS_IN_WORDS.items():
        alike = [
            case
            for case in first_cases.values()
            if sheet.verdict(case).status in statuses
        ]
        if len(alike) == 1:
            parts.append(f"1 other {_nouns(alike).removesuffix('s')} {is_so}")
        elif alike:
            parts.append(f"{len(alike)} other {_nouns(alike)} {are_so}")
    return f"Also: {'; '.join(parts)}. List all: make test V=1" if parts else ""


def _nouns(cases: Sequence[Case]) -> str:
    """What these cases are about: functions, answers to questions, or both."""
    are_code = {kind_of(case.graded).is_code for case in cases}
    if len(are_code) == 2:
        return "functions and answers"
    return "functions" if True in are_code else "answers"


def advice(sheet: ScoreSheet) -> list[str]:
    """The first advice that was not followed, once nothing else is wrong: no points."""
    due = [
        case for case in sheet.bank.cases if case.advice and case.id in sheet.verdicts
    ]
    left = [case for case in due if not (failing(sheet) or sheet.verdict(case).passed)]
    lead = "Advice, without points"
    return [
        f"{lead} ({case.id}): {case.says} {sheet.verdict(case).message}".rstrip()
        for case in left[:1]
    ]


def reminders(sheet: ScoreSheet) -> list[str]:
    """What to say beside the points: the survey once all is well, and what nobody has
    judged.
    """
    texts = []
    if sheet.unfilled and sheet.is_full:
        texts.append(
            f"The survey in lab.py still asks for {', '.join(sheet.unfilled)} (no points)."
        )
    if in_utf8(sheet.source) != sheet.source:
        texts.append(
            "lab.py is not in UTF-8, as Python files are, and was read as Latin-1: save it as UTF-8."
        )
    return [*texts, *_not_graded(sheet)]


def _not_graded(sheet: ScoreSheet) -> list[str]:
    """Which cases nobody has judged, by their functions, and the reason that their
    verdicts give: each reason once.
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
        more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
        lead = "UNGRADED, needs a human" if has_run else "UNGRADED"
        texts.append(f"{lead}: {', '.join(names[:NAMED])}{more}. {reason}".rstrip())
    return texts


def score_line(sheet: ScoreSheet, here: str = "") -> str:
    """The points of all cases."""
    full = ": everything passes" if sheet.is_full else ""
    may_grow = any(
        sheet.verdict(case).status in (Status.WAITS, Status.UNGRADED)
        for case in sheet.graded
    )
    at_least = "At least " if sheet.total.score and may_grow else ""
    return f"{at_least}{sheet.total} points{here}{full}"


def _total_line(sheet: ScoreSheet, style: Style) -> str:
    """The points of the whole, or of the chosen cases."""
    if not is_whole(sheet):
        cases = chosen(sheet)
        return f"{sheet.points(*cases)} points in {plural(len(cases), 'chosen case')}; only a full run saves the score."
    later = (
        f" here; {shown(sheet.total.later)} more are decided at the deadline"
        if sheet.total.later
        else ""
    )
    line = f"{score_line(sheet, later)}."
    return style.paint(line, Status.PASS) if sheet.is_full else line
