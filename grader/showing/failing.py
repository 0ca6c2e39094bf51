"""The screen of one failing case.

Above, where it may scroll away, stand what the case is about, what went in, and what
the code printed.  Below, in few lines, stands what matters most: the mistake by name
with its hint, what came back beside what was expected, where it goes wrong, and what to
type next.
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

PRINTED_LINES = 10  # that are shown of what the code printed
PRINTED_ALONE = 200  # that are shown if few cases run
MOST_DRAWN = 15  # lines of a tree; of a larger one the part around the place is shown
AROUND = 5  # lines on each side of the place
GAP = "      …"  # in place of lines that are left out
# The ranks of parts, in the order in which they give way if a screen lacks room.
# A part of the last rank stays.
AIR, CALL, POINTS, AGREEING, OTHERS, SECOND_COMMAND, HINT, KEPT = range(8)
# When an idle case is explained: after the failing ones, in this order.
IDLE = {Status.UNGRADED: 1, Status.NOT_STARTED: 2, Status.WAITS: 3}
NOTHING_KNOWN = Diagnosis()
QUESTION = "Ask yourself:"  # the label of a question that leads on
ONE_KNOWN = "One known mistake explains every failing case:"
TWO_KNOWN = "Either of two known mistakes explains every failing case:"


def to_explain(sheet: ScoreSheet, failing: Sequence[Case]) -> Case:
    """The case that tells most about the mistake in the function that fails first.

    That is a case that crashed in a known line, else the one in which the mistake was
    located, else the first that is drawn.  A case that ran out of time, memory or depth
    comes after the others: it is often the largest and tells least.  Cases that are not
    judged, not begun or waiting come last of all.
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
    """A sort key: the case that tells most comes last."""
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
    """Some lines of the end of a screen."""

    lines: Sequence[str]
    rank: int = KEPT  # parts of the lowest rank give way first
    shorter: Sequence[str] = ()  # lines once it gives way


def lines_of(parts: Sequence[Part], given_way: int = -1) -> list[str]:
    """The lines of the parts, where all parts up to this rank have given way."""
    lines: list[str] = []
    for part in parts:
        if part.rank <= given_way:
            lines += part.shorter
        else:
            lines += part.lines
    return lines


def fitted(parts: Sequence[Part], rows: int) -> list[str]:
    """The lines of the parts in this many rows of a screen, if that is possible.

    As few parts as possible give way.
    """
    for rank in range(-1, KEPT):
        lines = lines_of(parts, rank)
        if rows_of(lines) <= rows:
            break
    return lines


def explain(
    sheet: ScoreSheet, case: Case, style: Style, whole: bool = False, named: bool = True
) -> list[str]:
    """The lines about a failing case on a page, which people read from the top.

    A large tree, and much printed text, are cut unless they are to be shown whole.  The
    known mistake is there if it is to be named.
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
    """What a failing case is about, what went in, and what the code printed."""
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
    """What matters most in a failing case.

    These are the known mistake with its hint, the verdict, the line with the call, in
    case that the drawing has scrolled away, and the details.
    """
    parts = mistake(sheet, case.function)
    if parts:
        parts.append(Part([""], AIR))
    call_again = Part(_call_again(sheet.verdict(case), style), CALL)
    verdict = Part([_status_line(sheet, case, style)])
    return [*parts, verdict, call_again, *_details(sheet, case, style)]


def _details(sheet: ScoreSheet, case: Case, style: Style) -> list[Part]:
    """What came back, the place, and what to type next."""
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
    """The known mistake of a function, with what helps; no parts if none is known."""
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
    """The status of a case, with its points if it has some."""
    status = sheet.verdict(case).status
    line = f"{style.paint(status.value.upper(), status)}  {case.id}"
    if sheet.bank.worth(case):
        line += f"   ({sheet.points(case)} points)"
    return line


def _call_again(verdict: Verdict, style: Style) -> list[str]:
    """The call of a case that is drawn further up, if the call fits one line.

    It is the first line of the drawing.  Two calls that are compared with each other
    have drawings of their own, and are not repeated.
    """
    if verdict.beside is not None:
        return []
    call, newline, _ = style.typed(verdict.picture).partition("\n")
    if newline and ")" in call and len(call) < WIDTH - 4:
        return [f"    {call}"]
    return []


def _place(known: Diagnosis) -> list[str]:
    """The place of a mistake, with what happens there; or a note on the mistake."""
    if not known.where:
        return indented(known.note)
    return facts(f"{known.where}:", yours=known.yours, expected=known.expected)


def _known(sheet: ScoreSheet, function: str) -> Diagnosis:
    return sheet.diagnoses.get(function, NOTHING_KNOWN)


def known_here(sheet: ScoreSheet, case: Case) -> Diagnosis:
    """What is known of the mistake, if it was located in this case."""
    known = _known(sheet, case.function)
    return known if known.case == case.id else NOTHING_KNOWN


def known_mistake(sheet: ScoreSheet, function: str) -> list[tuple[str, str]]:
    """The known mistake that explains every failing case of a function, by name; then
    its hint and its question.  Each has its label.

    If two mistakes are possible, the hints contradict each other, and only the
    questions help.  Nothing if no mistake is known.
    """
    texts = list[tuple[str, str]]()
    match _known(sheet, function).names:
        case [only]:
            texts = [
                (ONE_KNOWN, f"{function} {only.name}."),
                ("Hint:", only.hint),
                (QUESTION, only.question),
            ]
        case [first, second]:
            texts = [
                (TWO_KNOWN, f"{function} {first.name}; or it {second.name}."),
                (QUESTION, first.question),
                (QUESTION, second.question),
            ]
    return [(label, text) for label, text in texts if text]


def _where_to_begin(sheet: ScoreSheet, case: Case) -> list[str]:
    """Where a function begins that is not written yet; no lines if that is unknown."""
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
    """The part of a large tree around the node that is marked.

    The nodes that lead there from the root are in it.
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
    # Three lines at least, or the note would make the drawing longer.
    return min(drawing, [*lines, note], key=len)


def _numbers_around(drawing: list[str], place: int) -> set[int]:
    """The numbers of the lines to keep of a tree, if this line is marked."""
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
    """The last lines that the student's code printed in the call, and their label."""
    label = "It printed:"
    if len(verdict.printed.splitlines()) > most:
        label = f"The last {most} lines that it printed:"
    return label, harmless_lines(verdict.printed, most)


def _commands(sheet: ScoreSheet, case: Case, style: Style) -> list[Part]:
    """The two commands that lead on: the case alone, and a tool that shows more of it.

    A known mistake shows in all cases of a function.  If some of them were not run, the
    first command runs all.
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
    """Whether `make trace` plays back the call that decided.

    That is a call of a search which is public, and which returned something or raised
    something in a line of lab.py.
    """
    has_crashed_in_lab = verdict.status is Status.CRASH and bool(verdict.frames)
    if case.hidden or not (verdict.status in ANSWERED or has_crashed_in_lab):
        return False
    return kind_of(case.graded).plays_back(case.calls[verdict.call])
