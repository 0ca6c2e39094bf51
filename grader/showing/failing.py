"""The screen of one failing case.

Above, where it may scroll away: what the case is about, what went in, and what it
printed.  Last, in few lines, stands what matters most: the mistake by name with its
hint, what came back beside what was expected, where it goes wrong, and what to type
next.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from grader.bank.cases import Case
from grader.diagnosing.diagnosis import ANSWERED, Diagnosis
from grader.grading.sheet import ScoreSheet
from grader.grading.source import line_of_definition
from grader.judging.sentences import place_of
from grader.judging.verdict import Status, Verdict
from grader.kinds.kind import kind_of
from grader.protocol.words import harmless_lines, in_utf8, plural
from grader.showing.excerpt import frames_shown
from grader.showing.style import (
    WIDTH,
    Style,
    apart,
    facts,
    indented,
    rows_of,
    table,
    within,
    wrapped,
)

PRINTED_LINES, PRINTED_ALONE = 10, 200
MOST_DRAWN, AROUND = 15, 5  # lines of a drawing, and on each side of its place
AIR, CALL, POINTS, AGREEING, OTHERS, SECOND_COMMAND, HINT = range(
    7
)  # what is left out without room: first, and last
KEPT = -1
IDLE = {
    Status.UNGRADED: 1,
    Status.NOT_STARTED: 2,
    Status.WAITS: 3,
}  # what is shown after the failing cases
NOTHING_KNOWN = Diagnosis()


def to_explain(sheet: ScoreSheet, failing: Sequence[Case]) -> Case:
    """The case of the function that fails first which tells most about its mistake.

    That is a case that crashed in a known line, else the one in which the mistake was
    located, else the first that is drawn.  A case that ran out of time, memory or depth
    comes after the others: it is often the largest, and tells least.  What is not
    judged, not begun, or waits comes last of all.
    """
    last = {case.id: IDLE.get(sheet.verdict(case).status, 0) for case in failing}
    first = min(failing, key=lambda case: last[case.id])
    alike = [
        case
        for case in failing
        if case.function == first.function and last[case.id] == last[first.id]
    ]
    alike = [case for case in alike if not sheet.verdict(case).ran_out] or alike
    crashed = [
        case
        for case in alike
        if sheet.verdict(case).status is Status.CRASH and sheet.verdict(case).frames
    ]
    located = [
        case
        for case in alike
        if case.id == sheet.diagnoses.get(first.function, NOTHING_KNOWN).case
    ]
    drawn = [case for case in alike if "\n" in sheet.verdict(case).picture]
    return (crashed or located or drawn or alike)[0]


@dataclass(frozen=True)
class Part:
    """Some lines of what a screen ends with.

    Where there is too little room, `shorter` stands in place of `lines`: first in the
    parts of the lowest `rank`.  A part of the rank KEPT stays as it is.
    """

    lines: list[str]
    rank: int = KEPT
    shorter: list[str] = field(default_factory=list)


def fitted(parts: Sequence[Part], rows: int) -> list[str]:
    """The lines of the parts, with as little left out as this many rows of a screen ask
    for.
    """
    lines = [line for part in parts for line in part.lines]
    for rank in sorted({part.rank for part in parts} - {KEPT}):
        if rows_of(lines) <= rows:
            break
        lines = [
            line
            for part in parts
            for line in (part.shorter if 0 <= part.rank <= rank else part.lines)
        ]
    return lines


def explain(
    sheet: ScoreSheet, case: Case, style: Style, whole: bool = False, named: bool = True
) -> list[str]:
    """The failing case, with the known mistake if it is to be named.

    Of a large tree, and of much that was printed, a part is shown unless it is to be
    whole.
    """
    what_matters = [
        line for part in matters(sheet, case, style, named) for line in part.lines
    ]
    return apart(about(sheet, case, style, whole), what_matters)


def about(
    sheet: ScoreSheet, case: Case, style: Style, whole: bool = False
) -> list[str]:
    """What the failing case is about, what went in, and what the student's code
    printed.
    """
    verdict = sheet.verdict(case)
    picture = style.typed(_known_here(sheet, case).picture or verdict.picture)
    drawing = [
        f"    {part}".rstrip() for line in picture.splitlines() for part in within(line)
    ]
    return [
        *(wrapped(f"{case.id}: {case.says}", WIDTH) if case.says else []),
        *(drawing if whole else around_the_place(drawing)),
        *_printed(verdict, PRINTED_ALONE if whole else PRINTED_LINES),
    ]


def matters(
    sheet: ScoreSheet,
    case: Case,
    style: Style,
    named: bool = True,
    has_scrolled: bool = False,
) -> list[Part]:
    """What matters most in a failing case: the known mistake with its hint, what came
    back, the place, and what to type next.

    The line with the call is there again if the drawing `has_scrolled` away.
    """
    verdict, here = sheet.verdict(case), _known_here(sheet, case)
    function = case.function if named else ""
    mistakes = known_mistakes(sheet, function)
    place = (
        facts(f"{here.where}:", yours=here.yours, expected=here.expected)
        if here.where
        else indented(here.note)
    )
    points = f"   ({sheet.points(case)} points)" if sheet.bank.worth(case) else ""
    has_frames = verdict.status in (Status.CRASH, Status.TIME_OUT)
    frames = frames_shown(verdict, sheet.source) if has_frames else []
    said = (
        verdict.message.replace(place_of(verdict.frames[-1:]), "")
        if frames
        else verdict.message
    )
    differing = tuple(row for row in verdict.rows if row[1] != row[2])
    commands = [] if case.hidden else _commands(sheet, case, style)
    return [
        Part(mistakes),
        Part(hint(sheet, function), HINT, questions(sheet, function)),
        Part([""] if mistakes else [], AIR),
        Part(
            [
                f"{style.paint(verdict.status.value.upper(), verdict.status)}  {case.id}{points}"
            ]
        ),
        Part(_call_again(verdict, style) if has_scrolled else [], CALL),
        Part(
            table(verdict.rows) if verdict.rows else [],
            AGREEING,
            table(differing) if differing else [],
        ),
        Part(indented(style.typed(said))),
        Part(_where_to_begin(sheet, case)),
        Part(place),
        Part(frames),
        *(
            Part(lines, KEPT if number == 0 else SECOND_COMMAND)
            for number, lines in enumerate(commands)
        ),
    ]


def _call_again(verdict: Verdict, style: Style) -> list[str]:
    """The call of a case that is drawn further up, in its first line there, if the call
    fits one line.

    Two calls that are compared with each other have drawings of their own, and are left
    there.
    """
    if verdict.beside is not None:
        return []
    call, newline, _ = style.typed(verdict.picture).partition("\n")
    return [f"    {call}"] if newline and ")" in call and len(call) < WIDTH - 4 else []


def _known_here(sheet: ScoreSheet, case: Case) -> Diagnosis:
    """What is known of the mistake, if it was located in this case."""
    known = sheet.diagnoses.get(case.function, NOTHING_KNOWN)
    return known if known.case == case.id else NOTHING_KNOWN


def hint(sheet: ScoreSheet, function: str) -> list[str]:
    """What helps against the known mistake that fits; if two fit, only the questions
    that lead on.
    """
    names = sheet.diagnoses.get(function, NOTHING_KNOWN).names
    texts = [f"Hint: {names[0].hint}"] if len(names) == 1 and names[0].hint else []
    return [line for text in texts for line in indented(text)] + questions(
        sheet, function
    )


def questions(sheet: ScoreSheet, function: str) -> list[str]:
    """The questions that lead on from the known mistakes that fit."""
    names = sheet.diagnoses.get(function, NOTHING_KNOWN).names
    return [
        line
        for each in names
        if each.question
        for line in indented(f"Ask yourself: {each.question}")
    ]


def known_mistakes(sheet: ScoreSheet, function: str) -> list[str]:
    """The known mistakes that fit every failing case of a function; no lines if none is
    known.
    """
    names = [each.name for each in sheet.diagnoses.get(function, NOTHING_KNOWN).names]
    fit = "A known mistake fits" if len(names) == 1 else "Two known mistakes fit"
    return (
        wrapped(
            f"{fit} every failing case: {function} {'; or it '.join(names)}.", WIDTH
        )
        if names
        else []
    )


def _where_to_begin(sheet: ScoreSheet, case: Case) -> list[str]:
    """The line in which a function begins that is not written yet; no lines if that is
    not known.
    """
    if sheet.verdict(case).status is not Status.NOT_STARTED:
        return []
    line = line_of_definition(in_utf8(sheet.source), case.function)
    code = [other for other in sheet.graded if kind_of(other.graded).is_code]
    is_untouched = not any(sheet.verdict(other).passed for other in code)
    what = "Start with" if is_untouched else "Next comes"
    return indented(f"{what} {case.function}: lab.py:{line}.") if line else []


def around_the_place(drawing: list[str]) -> list[str]:
    """Of a large tree the lines around the place that is marked, and the nodes that
    lead there from the root.
    """
    place = next(
        (number for number, line in enumerate(drawing) if line.endswith("<-- here")),
        None,
    )
    if place is None or len(drawing) <= MOST_DRAWN:
        return drawing
    gap, column, lines = "      …", 0, list[str]()
    for number, line in reversed(list(enumerate(drawing))):
        here = len(line) - len(line.lstrip(" |`-"))
        leads_there = number == place or here < column
        column = here if leads_there else column
        if (
            leads_there
            or abs(number - place) <= AROUND
            or line.lstrip()[:1] not in "|`"
        ):
            lines.append(line)
        elif lines[-1:] != [gap]:
            lines.append(gap)
    left_out = len(drawing) - len(lines) + lines.count(gap)
    part = [
        *reversed(lines),
        f"    (… stands for {plural(left_out, 'more line')}; run this case alone to see them.)",
    ]
    return min(drawing, part, key=len)


def _printed(verdict: Verdict, most: int) -> list[str]:
    """What the student's code printed in the call."""
    lines = [f"    | {line}" for line in harmless_lines(verdict.printed, most)]
    at_the_end = ", at the end" if len(verdict.printed.splitlines()) > most else ""
    return [f"    It printed{at_the_end}:", *lines] if lines else []


def _commands(sheet: ScoreSheet, case: Case, style: Style) -> list[list[str]]:
    """The two commands that lead on: the case alone, and a tool that shows more of it.

    A known mistake shows in all cases of a function: if some of them were not run, that
    leads on instead of the first.
    """
    verdict, commands = (
        sheet.verdict(case),
        {"    This case alone:": style.command(k=case.id)},
    )
    not_run = [
        each
        for each in sheet.graded
        if each.function == case.function and each.id not in sheet.verdicts
    ]
    if not_run and verdict.status not in IDLE and sheet.kit.feedback == "full":
        commands = {
            "    To see if a known mistake fits:": style.command(k=case.function)
        }
    words = {"case": case.id} | (
        {"call": str(verdict.call + 1)} if verdict.call else {}
    )
    if can_be_played(case, verdict) and verdict.status is not Status.CRASH:
        commands["    Played back:"] = style.command("trace", **words)
    elif kind_of(case.graded).pasted(case.calls[verdict.call]):
        commands["    In the debugger:"] = style.command("debug", **words)
    blocks = list[list[str]]()
    for lead, command in commands.items():
        blocks.append(
            [f"{lead} {command}"]
            if len(lead + command) < WIDTH
            else [lead, f"      {command}"]
        )
    return blocks


def can_be_played(case: Case, verdict: Verdict) -> bool:
    """Whether `make trace` plays the call back that decided: a search that came to an
    answer, or raised something in a line of lab.py, and is public.
    """
    went_on = verdict.status in ANSWERED or (
        verdict.status is Status.CRASH and bool(verdict.frames)
    )
    return (
        went_on
        and not case.hidden
        and kind_of(case.graded).plays_back(case.calls[verdict.call])
    )
