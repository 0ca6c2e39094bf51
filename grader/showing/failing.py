"""The screen of one failing case.

Above: the hint, what the case is about, what went in, and what it printed.  Last, in few lines, stands what matters
most: the mistake by name, where it goes wrong, what came back beside what was expected, and what to type next.
"""

from collections.abc import Sequence

from boards.cases import Case
from grader.diagnosing.diagnosis import ANSWERED, Diagnosis
from grader.grading.sheet import ScoreSheet
from grader.judging.sentences import place_of
from grader.judging.verdict import Status, Verdict
from grader.kinds.kind import kind_of
from grader.protocol.words import harmless, harmless_lines, plural
from grader.showing.style import WIDTH, Style, apart, facts, indented, table, within, wrapped

PRINTED_LINES, PRINTED_ALONE, FRAMES = 10, 200, 2
MOST_DRAWN, AROUND = 15, 5  # lines of a drawing, and on each side of its place
IDLE = {Status.UNGRADED: 1, Status.NOT_STARTED: 2, Status.WAITS: 3}  # what is shown after the failing cases
NOTHING_KNOWN = Diagnosis()


def to_explain(sheet: ScoreSheet, failing: Sequence[Case]) -> Case:
    """Of the function that fails first, the case in which its mistake was located, else the first that is drawn.

    What is not judged, not begun, or waits comes last.
    """
    last = {case.id: IDLE.get(sheet.verdict(case).status, 0) for case in failing}
    first = min(failing, key=lambda case: last[case.id])
    alike = [case for case in failing if case.function == first.function and last[case.id] == last[first.id]]
    located = [case for case in alike if case.id == sheet.diagnoses.get(first.function, NOTHING_KNOWN).case]
    drawn = [case for case in alike if "\n" in sheet.verdict(case).picture]
    return (located or drawn or alike)[0]


def explain(sheet: ScoreSheet, case: Case, style: Style, whole: bool = False, named: bool = True) -> list[str]:
    """The failing case, with the known mistake if it is to be named.

    Of a large tree, and of much that was printed, a part is shown unless it is to be whole.
    """
    verdict = sheet.verdict(case)
    known = sheet.diagnoses.get(case.function, NOTHING_KNOWN)
    here = known if known.case == case.id else NOTHING_KNOWN
    picture = style.typed(here.picture or verdict.picture)
    drawing = [f"    {part}".rstrip() for line in picture.splitlines() for part in within(line)]
    about = [
        *(wrapped(f"{case.id}: {case.says}", WIDTH) if case.says else []),
        *(drawing if whole else around_the_place(drawing)),
        *_printed(verdict, PRINTED_ALONE if whole else PRINTED_LINES),
    ]
    place = facts(f"{here.where}:", yours=here.yours, expected=here.expected) if here.where else indented(here.note)
    points = f"   ({sheet.points(case)} points)" if sheet.bank.worth(case) else ""
    frames = _frames(sheet, verdict)
    said = verdict.message.replace(place_of(verdict.frames[-1:]), "") if frames else verdict.message
    matters = [
        f"{style.paint(verdict.status.value.upper(), verdict.status)}  {case.id}{points}",
        *(table(verdict.rows) if verdict.rows else []),
        *indented(style.typed(said)),
        *place,
        *frames,
        *([] if case.hidden else _commands(sheet, case, style)),
    ]
    function = case.function if named else ""
    return apart(hint(sheet, function), about, known_mistakes(sheet, function), matters)


def hint(sheet: ScoreSheet, function: str) -> list[str]:
    """What helps against the known mistake that fits; if two fit, only the questions that lead on."""
    names = sheet.diagnoses.get(function, NOTHING_KNOWN).names
    texts = [names[0].hint] if len(names) == 1 else []
    texts += [f"Ask yourself: {each.question}" for each in names if each.question]
    return [f"A hint for {function}:", *(line for text in texts for line in indented(text))] if texts else []


def known_mistakes(sheet: ScoreSheet, function: str) -> list[str]:
    """The known mistakes that fit every failing case of a function; no lines if none is known."""
    names = [each.name for each in sheet.diagnoses.get(function, NOTHING_KNOWN).names]
    fit = "A known mistake fits" if len(names) == 1 else "Two known mistakes fit"
    return wrapped(f"{fit} every failing case: {function} {'; or it '.join(names)}.", WIDTH) if names else []


def around_the_place(drawing: list[str]) -> list[str]:
    """Of a large tree the lines around the place that is marked, and the nodes that lead there from the root."""
    place = next((number for number, line in enumerate(drawing) if line.endswith("<-- here")), None)
    if place is None or len(drawing) <= MOST_DRAWN:
        return drawing
    gap, column, lines = "      …", 0, list[str]()
    for number, line in reversed(list(enumerate(drawing))):
        here = len(line) - len(line.lstrip(" |`-"))
        leads_there = number == place or here < column
        column = here if leads_there else column
        if leads_there or abs(number - place) <= AROUND or line.lstrip()[:1] not in "|`":
            lines.append(line)
        elif lines[-1:] != [gap]:
            lines.append(gap)
    left_out = len(drawing) - len(lines) + lines.count(gap)
    part = [*reversed(lines), f"    (… stands for {plural(left_out, 'more line')}; run this case alone to see them.)"]
    return min(drawing, part, key=len)


def _frames(sheet: ScoreSheet, verdict: Verdict) -> list[str]:
    """Where a crash came from, or time was up, with the lines of lab.py that stand there, the innermost last."""
    if verdict.status not in (Status.CRASH, Status.TIME_OUT):
        return []
    source, lines = sheet.source.splitlines(), []
    for number, function in dict.fromkeys(verdict.frames[-FRAMES:]):
        if 0 < number <= len(source):
            text = source[number - 1].decode("utf-8", "replace").strip()
            lines.append(f"      {harmless(f'lab.py:{number}, in {function[:40]}: {text}', WIDTH - 8)}")
    return lines


def _printed(verdict: Verdict, most: int) -> list[str]:
    """What the student's code printed in the call."""
    lines = [f"    | {line}" for line in harmless_lines(verdict.printed, most)]
    at_the_end = ", at the end" if len(verdict.printed.splitlines()) > most else ""
    return [f"    It printed{at_the_end}:", *lines] if lines else []


def _commands(sheet: ScoreSheet, case: Case, style: Style) -> list[str]:
    """The two commands that lead on: the case alone, and a tool that shows more of it.

    A known mistake shows in all cases of a function: if some of them were not run, that leads on instead of the first.
    """
    verdict, commands = sheet.verdict(case), {"    This case alone:": style.command(k=case.id)}
    not_run = [each for each in sheet.graded if each.function == case.function and each.id not in sheet.verdicts]
    if not_run and verdict.status not in IDLE and sheet.kit.feedback == "full":
        commands = {"    To see if a known mistake fits:": style.command(k=case.function)}
    words = {"case": case.id} | ({"call": str(verdict.call + 1)} if verdict.call else {})
    if can_be_played(case, verdict) and verdict.status is not Status.CRASH:
        commands["    Played back:"] = style.command("trace", **words)
    elif kind_of(case.graded).pasted(case.graded, case.calls[verdict.call]):
        commands["    In the debugger:"] = style.command("debug", **words)
    lines = []
    for lead, command in commands.items():
        lines += [f"{lead} {command}"] if len(lead + command) < WIDTH else [lead, f"      {command}"]
    return lines


def can_be_played(case: Case, verdict: Verdict) -> bool:
    """Whether `make trace` plays the call back that decided: a search that came to an answer, or raised something in
    a line of lab.py, and is public."""
    went_on = verdict.status in ANSWERED or (verdict.status is Status.CRASH and bool(verdict.frames))
    return went_on and not case.hidden and kind_of(case.graded).plays_back(case.calls[verdict.call])
