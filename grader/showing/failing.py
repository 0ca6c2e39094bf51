"""Writes the screen of one failing case.

The upper part may scroll away.  It says what the case is about, what the function was
given, and what the code printed.  The lower part takes few lines, and has what matters
most: the name of the mistake with its hint, what came back beside what was expected,
where it goes wrong, and what to type next.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from grader.bank.cases import Case
from grader.grading.diagnosis import ANSWERED, Diagnosis
from grader.grading.sheet import ScoreSheet
from grader.grading.source import line_of_definition
from grader.kinds.kind import kind_of
from grader.protocol.text import harmless_lines, in_utf8
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
from grader.verdicts.sentences import place_of
from grader.verdicts.verdict import HERE, Status, Verdict

PRINTED_LINES = 10  # lines of the code's output that are shown
PRINTED_ALONE = 200  # lines of the output that are shown if few cases run
# If a tree has more lines than this, it is cut to the part around the mark.
MOST_DRAWN = 15
AROUND = 5  # lines of a tree that are shown above and below the mark
GAP = "      …"  # in place of lines that are left out
# The ranks of the parts of a screen.  If the screen lacks room, parts with a lower rank
# are left out first.  Parts with the last rank are never left out.
AIR, CALL, POINTS, AGREEING, OTHERS, SECOND_COMMAND, HINT, KEPT = range(8)
# A case with one of these statuses is explained only if no case fails.  The status with
# the lowest number comes first.
IDLE = {Status.UNGRADED: 1, Status.NOT_STARTED: 2, Status.WAITS: 3}
NOTHING_KNOWN = Diagnosis()
# The label of a question that leads the student to the mistake.
QUESTION = "Ask yourself:"


def to_explain(sheet: ScoreSheet, failing: Sequence[Case]) -> Case:
    """Return the case that tells most about the mistake in one function: the first
    function that fails.

    If possible, this is a case that crashed in a known line.  Otherwise it is the case
    that the diagnosis is about, and otherwise the first case with a drawing.  A case
    that ran out of time, memory or recursion depth is chosen only if all cases did,
    because such a case is often the largest and tells least.

    If no case fails, the case is one that was not judged, or else one that is not
    begun, or else one that waits.
    """

    def turn(case: Case) -> int:
        return IDLE.get(sheet.verdict(case).status, 0)

    first = min(failing, key=turn)
    alike = [
        case
        for case in failing
        if case.function == first.function and turn(case) == turn(first)
    ]
    return max(alike, key=lambda case: _how_much_it_tells(sheet, case))


def _how_much_it_tells(sheet: ScoreSheet, case: Case) -> tuple[bool, int]:
    """Return a sort key.  The case that tells most about the mistake comes last."""
    verdict = sheet.verdict(case)
    tells = 0
    if verdict.status is Status.CRASH and verdict.frames:
        tells = 3
    elif case.id == _known(sheet, case.function).case:
        tells = 2
    elif "\n" in verdict.picture:
        tells = 1
    return not verdict.ran_out, tells


@dataclass(frozen=True)
class Part:
    """Some lines of the lower part of a screen, which may be left out if the screen
    lacks room.
    """

    lines: Sequence[str]
    rank: int = KEPT  # parts with the lowest rank are left out first
    shorter: Sequence[str] = ()  # the lines that stay when the part is left out


def lines_of(parts: Sequence[Part], given_way: int = -1) -> list[str]:
    """Return the lines of these parts.  If the rank of a part is `given_way` or lower,
    only its `shorter` lines stay.
    """
    lines: list[str] = []
    for part in parts:
        if part.rank <= given_way:
            lines += part.shorter
        else:
            lines += part.lines
    return lines


def fitted(parts: Sequence[Part], rows: int) -> list[str]:
    """Return the lines of these parts, in at most `rows` rows of a screen if possible.

    If there are too many lines, parts are left out, one rank after the other, until the
    lines fit.
    """
    for rank in range(-1, KEPT):  # -1 is lower than all ranks: no part is left out.
        lines = lines_of(parts, rank)
        if rows_of(lines) <= rows:
            break
    return lines


def explain(
    sheet: ScoreSheet, case: Case, style: Style, whole: bool = False, named: bool = True
) -> list[str]:
    """Explain a failing case on a page.

    People read a page from the top, but on a terminal the top scrolls away.  So the
    status comes first here.  If `whole` is True, a large tree is not cut, and more of
    the output is shown.  If `named` is True, the known mistake is named.
    """
    blocks = [
        [_status_line(sheet, case, style), *about(sheet, case, style, whole)],
        lines_of(_details(sheet, case, style)),
    ]
    if named:
        blocks.insert(1, lines_of(mistake(sheet, case.function)))
    return apart(*blocks)


def about(
    sheet: ScoreSheet, case: Case, style: Style, whole: bool = False
) -> list[str]:
    """Say what a failing case is about, what the function was given, and what the code
    printed.
    """
    verdict = sheet.verdict(case)
    lines = []
    if case.says:
        lines = wrapped(f"{case.id}: {case.says}", WIDTH)
    picture = style.typed(known_here(sheet, case).picture or verdict.picture)
    drawing = [
        f"    {part}".rstrip() for line in picture.splitlines() for part in within(line)
    ]
    label, texts = printed(verdict, PRINTED_ALONE if whole else PRINTED_LINES)
    if not whole:
        drawing = around_the_place(drawing)
    lines += drawing
    if texts:
        lines += [f"    {label}", *(f"    | {text}" for text in texts)]
    return lines


def matters(sheet: ScoreSheet, case: Case, style: Style) -> list[Part]:
    """Return the parts of the screen that matter most for a failing case.

    They are the known mistake with its hint, the status, the call, and the details.
    The call is repeated here because its drawing above may have scrolled away.
    """
    parts = mistake(sheet, case.function)
    if parts:
        parts.append(Part([""], AIR))
    call_again = Part(_call_again(sheet.verdict(case), style), CALL)
    verdict = Part([_status_line(sheet, case, style)])
    return [*parts, verdict, call_again, *_details(sheet, case, style)]


def _details(sheet: ScoreSheet, case: Case, style: Style) -> list[Part]:
    """Return the details of a failing case: what came back, where the code goes wrong,
    and what to type next.
    """
    verdict = sheet.verdict(case)
    differing = tuple(row for row in verdict.rows if row[1] != row[2])
    frames = []
    message = verdict.message
    if verdict.status in (Status.CRASH, Status.TIME_OUT):
        frames = frames_shown(verdict, sheet.source)
    if frames:  # The frames show the place that the message names.
        message = message.replace(place_of(verdict.frames), "")
    return [
        Part(table(verdict.rows), AGREEING, table(differing)),
        Part(indented(style.typed(message))),
        Part(_where_to_begin(sheet, case)),
        Part(_place(known_here(sheet, case))),
        Part(frames),
        *_commands(sheet, case, style),
    ]


def mistake(sheet: ScoreSheet, function: str) -> list[Part]:
    """Return the known mistake of a function, with its hint and its question.  There
    are no parts if no mistake is known.
    """
    texts = known_mistake(sheet, function)
    if not texts:
        return []
    (label, names), *helps = texts
    lines = []
    questions = []
    for kind, text in helps:
        below = indented(f"{kind} {text}")
        lines += below
        if kind == QUESTION:
            questions += below
    return [Part(wrapped(f"{label} {names}", WIDTH)), Part(lines, HINT, questions)]


def _status_line(sheet: ScoreSheet, case: Case, style: Style) -> str:
    """Return a line with the status and the id of a case.  If the case is worth points,
    the line also has its points.
    """
    status = sheet.verdict(case).status
    line = f"{style.paint(status.value.upper(), status)}  {case.id}"
    if sheet.bank.worth(case):
        line += f"   ({sheet.points(case)} points)"
    return line


def _call_again(verdict: Verdict, style: Style) -> list[str]:
    """Return the first line of the drawing of a case, which has the call.

    Return nothing if this line is the whole drawing, holds no closing parenthesis, or
    is too long for a line of the screen.  If the verdict compares two calls, there are
    two drawings, and nothing is returned.
    """
    if verdict.beside is not None:
        return []
    call, newline, _ = style.typed(verdict.picture).partition("\n")
    if newline and ")" in call and len(call) < WIDTH - 4:
        return [f"    {call}"]
    return []


def _place(known: Diagnosis) -> list[str]:
    """Say where the code goes wrong and what it does there.  If no place is known,
    return the note on the mistake.
    """
    if not known.where:
        return indented(known.note)
    return facts(f"{known.where}:", yours=known.yours, expected=known.expected)


def _known(sheet: ScoreSheet, function: str) -> Diagnosis:
    return sheet.diagnoses.get(function, NOTHING_KNOWN)


def known_here(sheet: ScoreSheet, case: Case) -> Diagnosis:
    """Return the diagnosis of the case's function, if it is about this case.

    Otherwise return an empty diagnosis.
    """
    known = _known(sheet, case.function)
    return known if known.case == case.id else NOTHING_KNOWN


def known_mistake(sheet: ScoreSheet, function: str) -> list[tuple[str, str]]:
    """Name the known mistake that explains every failing case of a function.

    Each text comes with a label.  First comes the name of the mistake, then its hint,
    and then its question.  If either of two mistakes explains the cases, the first text
    has the names of both, and the questions of both follow.  The hints are left out
    then, because they would contradict each other.  There are no texts if no mistake is
    known.
    """
    texts = list[tuple[str, str]]()
    every_case = f"every failing case of {function}:"
    match _known(sheet, function).names:
        case [only]:
            texts = [
                (f"One known mistake explains {every_case}", f"it {only.name}."),
                ("Hint:", only.hint),
                (QUESTION, only.question),
            ]
        case [first, second]:
            texts = [
                (
                    f"Either of two known mistakes explains {every_case}",
                    f"it {first.name}; or it {second.name}.",
                ),
                (QUESTION, first.question),
                (QUESTION, second.question),
            ]
    return [(label, text) for label, text in texts if text]


def _where_to_begin(sheet: ScoreSheet, case: Case) -> list[str]:
    """If the function of a case is not written yet, say in which line of lab.py the
    function begins.

    There are no lines if the function has been begun, or if its line is not known.
    """
    if sheet.verdict(case).status is not Status.NOT_STARTED:
        return []
    line = line_of_definition(in_utf8(sheet.source), case.function)
    if not line:
        return []
    lead = "Next, write"
    if sheet.to_begin_with:
        lead = "You have not started yet. Begin with"
    return indented(f"{lead} {case.function}: lab.py:{line}.")


def around_the_place(drawing: list[str]) -> list[str]:
    """Cut the drawing of a large tree, so that only the part around the marked node
    stays.

    The nodes on the way from the root to the marked node stay too.  A drawing without a
    mark is returned unchanged.
    """
    marked = [number for number, line in enumerate(drawing) if line.endswith(HERE)]
    if not marked or len(drawing) <= MOST_DRAWN:
        return drawing
    kept = _numbers_around(drawing, marked[0])
    lines = []
    for number, line in enumerate(drawing):
        if number in kept:
            lines.append(line)
        elif lines[-1:] != [GAP]:
            lines.append(GAP)
    left_out = len(drawing) - len(kept)
    note = f"    ({left_out} lines are left out; run only this case to see them.)"
    # If cutting leaves out only one or two lines, nothing is saved, because a line with
    # an ellipsis and the note are added.
    return min(drawing, [*lines, note], key=len)


def _numbers_around(drawing: list[str], place: int) -> set[int]:
    """Return the numbers of the lines that stay if a tree is cut.  `place` is the
    number of the marked line.
    """
    kept = set[int]()
    parent_is_left_of = 0
    for number, line in reversed(list(enumerate(drawing))):
        column = len(line) - len(line.lstrip(" |`-"))
        leads_there = number == place or column < parent_is_left_of
        if leads_there:
            parent_is_left_of = column
        is_branch = line.lstrip()[:1] in "|`"
        if leads_there or abs(number - place) <= AROUND or not is_branch:
            kept.add(number)
    return kept


def printed(verdict: Verdict, most: int) -> tuple[str, list[str]]:
    """Return a label, and the last lines that the student's code printed in the call.
    There are at most `most` lines.
    """
    label = "It printed:"
    if len(verdict.printed.splitlines()) > most:
        label = f"The last {most} lines that it printed:"
    return label, harmless_lines(verdict.printed, most)


def _commands(sheet: ScoreSheet, case: Case, style: Style) -> list[Part]:
    """Return the commands to type next.  There are none for a hidden case.

    The first command runs this case alone.  The second command starts a tool that shows
    more about this case, if there is such a tool.

    The grader can name a known mistake only after all cases of a function have run.  If
    some of them have not, the first command may run all of them instead.
    """
    if case.hidden:
        return []
    verdict = sheet.verdict(case)
    first = _labelled("Run only this case:", style.command(k=case.id))
    has_all_run = all(
        graded.id in sheet.verdicts
        for graded in sheet.graded
        if graded.function == case.function
    )
    if not has_all_run and verdict.status not in IDLE and sheet.kit.feedback == "full":
        all_cases = style.command(k=case.function)
        first = _labelled("For a diagnosis, run all cases:", all_cases)
    words = {"case": case.id}
    if verdict.call:
        words["call"] = str(verdict.call + 1)
    second = []
    if can_be_played(case, verdict) and verdict.status is not Status.CRASH:
        second = _labelled("Replay it:", style.command("trace", **words))
    elif kind_of(case.graded).pasted(case.calls[verdict.call]):
        second = _labelled("Debug it:", style.command("debug", **words))
    return [Part(first), Part(second, SECOND_COMMAND)]


def _labelled(label: str, command: str) -> list[str]:
    line = f"    {label} {command}"
    if len(line) <= WIDTH:
        return [line]
    return [f"    {label}", f"      {command}"]


def can_be_played(case: Case, verdict: Verdict) -> bool:
    """Whether `make trace` can play back the call that decided the verdict.

    The case must be public, and its kind must be able to play the call back.  The call
    must have returned a wrong answer, or raised an exception in a line of lab.py.
    """
    has_crashed_in_lab = verdict.status is Status.CRASH and bool(verdict.frames)
    if case.hidden or not (verdict.status in ANSWERED or has_crashed_in_lab):
        return False
    return kind_of(case.graded).plays_back(case.calls[verdict.call])
