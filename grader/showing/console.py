"""The score sheet for a terminal: a line a part, the first failing case drawn, the rest in a line each."""

from collections import Counter
from collections.abc import Sequence

from boards.cases import Case, Part
from grader.grading.sheet import ScoreSheet, shown
from grader.judging.verdict import Status
from grader.protocol.words import in_utf8, plural
from grader.showing.failing import NOTHING_KNOWN, PRINTED_LINES, cause, explain, in_a_line, to_explain
from grader.showing.style import WIDTH, Style, indented, wrapped

PRINTED_ALONE, FEW = 200, 3
NAMED = 10
IDLE = {Status.WAITS: "Waiting for other functions", Status.NOT_STARTED: "Not started", Status.UNGRADED: "Not judged"}


def report(sheet: ScoreSheet, verbose: bool, style: Style) -> str:
    """What `make test` prints, about the cases with verdicts."""
    if sheet.import_failure:
        blocks = [indented(sheet.import_failure, 2)]
    else:
        blocks = [_part_lines(sheet, style), every_case(sheet, style) if verbose else []]
        if wrong := failing(sheet):
            first = to_explain(sheet, wrong)
            printed = PRINTED_ALONE if len(sheet.verdicts) <= FEW else PRINTED_LINES
            blocks.append(cause(sheet, first.function))
            blocks.append(explain(sheet, first, style, printed))
            blocks.append(_other_functions(sheet, first, wrong, style))
        blocks.append(advice(sheet))
    blocks.append(_last_lines(sheet, style))
    return style.finish("\n\n".join("\n".join(block) for block in blocks if block))


def failing(sheet: ScoreSheet) -> list[Case]:
    """The graded cases that do not pass."""
    return [case for case in chosen(sheet) if not sheet.verdict(case).passed]


def is_whole(sheet: ScoreSheet) -> bool:
    """Whether this is a sheet of all graded cases, and so one with a score."""
    return len(chosen(sheet)) == len(sheet.graded)


def chosen(sheet: ScoreSheet) -> list[Case]:
    """The graded cases with verdicts; all of them when there is no lab.py, and so no verdict."""
    return [case for case in sheet.graded if case.id in sheet.verdicts] or sheet.graded


def part_rows(sheet: ScoreSheet) -> list[tuple[Part, str, str, Counter[Status]]]:
    """For each part that is shown: its points, those that are decided at the deadline, and its verdicts."""
    rows = []
    for part in sheet.bank.parts:
        cases = [case for case in chosen(sheet) if case.part == part.number]
        later = sheet.points_of_part(part).later if is_whole(sheet) else 0
        if cases or later:
            counts = Counter(sheet.verdict(case).status for case in cases)
            points = str(sheet.points(*cases)) if cases else ""
            rows.append((part, points, f"+{shown(later)}" if later else "", counts))
    return rows


def _part_lines(sheet: ScoreSheet, style: Style) -> list[str]:
    """A line a part, in columns as wide as what stands in them."""
    lines, rows = [], part_rows(sheet)
    title_width = max(len(part.title) for part, *_ in rows)
    points_width = max(len(points) for _, points, *_ in rows)
    later_width = max(len(later) for _, _, later, _ in rows)
    for part, points, later, counts in rows:
        start = f"  {part.number}  {part.title:<{title_width}}   {points:>{points_width}}   {later:<{later_width}} "
        worst = max(counts, key=list(Status).index, default=Status.WAITS)
        first, *others = [style.paint(line, worst) for line in wrapped(in_words(counts), WIDTH - len(start))]
        lines += [f"{start}{first}", *(f"{'':{len(start)}}{line}" for line in others)]
    return lines


def in_words(counts: Counter[Status]) -> str:
    """How many cases have which status.

    >>> in_words(Counter([Status.WAITS, Status.PASS, Status.PASS])), in_words(Counter([Status.PASS]))
    ('2 pass, 1 waits', 'all pass')
    """
    if not counts:
        return "at the deadline"
    if set(counts) == {Status.PASS}:
        return "all pass"
    return ", ".join(f"{counts[status]} {status.value}" for status in Status if counts[status])


def every_case(sheet: ScoreSheet, style: Style) -> list[str]:
    """Each case in a line, with its points if it has some, and what is wrong with it below."""
    lines = []
    for case in sheet.bank.cases:
        if verdict := sheet.verdicts.get(case.id):
            word = "advice" if case.advice else verdict.status.value
            points = str(sheet.points(case)) if sheet.bank.worth(case) else ""
            lines.append(f"  {style.paint(f'{word:<12}', verdict.status)}{case.id:<42}{points}".rstrip())
            lines += [] if case.advice else indented(style.typed(verdict.message), 14)
    return lines


def _other_functions(sheet: ScoreSheet, first: Case, wrong: list[Case], style: Style) -> list[str]:
    """The other functions with failing cases, in a line each; those that are idle in one together."""
    lines = []
    for function in dict.fromkeys(case.function for case in wrong):
        cases = [case for case in wrong if case.function == function]
        if function == first.function:
            lines += [f"  {function}: {plural(len(cases) - 1, 'more case')} of it"] if len(cases) > 1 else []
        elif sheet.verdict(cases[0]).status not in IDLE:
            lines += indented(style.typed(_function_in_a_line(sheet, cases)), 2)
    idle = idle_functions(sheet, [case for case in wrong if case.function != first.function])
    heading = ["Not right yet either:"] if lines else []
    return [*heading, *lines, *(line for text in idle for line in indented(text, 2))]


def _function_in_a_line(sheet: ScoreSheet, cases: list[Case]) -> str:
    """A function with these failing cases: one of them, and what is known of the mistake."""
    diagnosis = sheet.diagnoses.get(cases[0].function, NOTHING_KNOWN)
    case = next((case for case in cases if case.id == diagnosis.case), cases[0])
    verdict = sheet.verdict(case)
    such = f"{plural(len(cases), 'case')}, such as " if len(cases) > 1 else ""
    message = f": {verdict.message}" if verdict.message else ""
    return f"{case.function}: {such}{case.id} ({verdict.status.value}){message}{in_a_line(diagnosis)}"


def idle_functions(sheet: ScoreSheet, wrong: Sequence[Case]) -> list[str]:
    """The functions that wait, are not started or not judged, as the first of their cases says."""
    statuses = {case.function: sheet.verdict(case).status for case in reversed(wrong)}
    names = {title: [name for name in reversed(statuses) if statuses[name] is idle] for idle, title in IDLE.items()}
    return [f"{title}: {', '.join(functions)}" for title, functions in names.items() if functions]


def advice(sheet: ScoreSheet) -> list[str]:
    """Advice that was not followed, once nothing else is wrong: no points, no colour."""
    due = [case for case in sheet.bank.cases if case.advice and case.id in sheet.verdicts]
    left = [case for case in due if not sheet.verdict(case).passed]
    texts = [f"Advice, without points ({case.id}): {case.says} {sheet.verdict(case).message}" for case in left]
    return [] if failing(sheet) else [line for text in texts for line in indented(text.rstrip(), 2)]


def reminders(sheet: ScoreSheet) -> list[str]:
    """What to say beside the points: the survey once all is well, and what nobody has judged."""
    texts = []
    if sheet.unfilled and sheet.is_full:
        texts.append(f"The survey in lab.py still asks for {', '.join(sheet.unfilled)} (no points).")
    if in_utf8(sheet.source) != sheet.source:
        texts.append("lab.py is not in UTF-8, as Python files are, and was read as Latin-1: save it as UTF-8.")
    if unknown := [case.id for case in sheet.ungraded if sheet.verdict(case).ran]:
        texts.append(f"UNGRADED, needs a human: {_some_of(unknown)}")
    if not_run := [case.id for case in sheet.ungraded if not sheet.verdict(case).ran]:
        texts.append(f"NOT RUN, as time was up: {_some_of(not_run)}")
    return texts


def _some_of(names: Sequence[str]) -> str:
    """The first names, and how many there are more."""
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"{', '.join(names[:NAMED])}{more}"


def score_line(sheet: ScoreSheet, here: str = "") -> str:
    """The points of all cases."""
    full = ": everything passes" if sheet.is_full else ""
    may_grow = any(sheet.verdict(case).status in (Status.WAITS, Status.UNGRADED) for case in sheet.graded)
    at_least = "At least " if sheet.total.score and may_grow else ""
    return f"{at_least}{sheet.total} points{here}{full}"


def _last_lines(sheet: ScoreSheet, style: Style) -> list[str]:
    lines = [line for text in reminders(sheet) for line in wrapped(style.typed(text))]
    if not is_whole(sheet):
        cases = chosen(sheet)
        points = f"{sheet.points(*cases)} points in {plural(len(cases), 'chosen case')}"
        return [*lines, f"{points}; no score is written."]
    later = f" here; {shown(sheet.total.later)} more are decided at the deadline" if sheet.total.later else ""
    line = f"{score_line(sheet, later)}."
    return [*lines, style.paint(line, Status.PASS) if sheet.is_full else line]
