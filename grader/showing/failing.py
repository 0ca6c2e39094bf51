"""The screen of one failing case, block by block; and above it what is known of the mistake.

What it is about and what went in, what came back beside what was expected, where it goes wrong, and what to type next.
"""

from collections.abc import Sequence

from boards.cases import Case
from grader.diagnosing.diagnosis import ANSWERED, Diagnosis
from grader.grading.sheet import ScoreSheet
from grader.judging.verdict import Status, Verdict
from grader.kinds.kind import kind_of
from grader.protocol.words import harmless, harmless_lines
from grader.showing.style import WIDTH, Style, cut, facts, indented, table, within, wrapped

PRINTED_LINES = 10
FRAMES = 2
ALONE, IN_THE_DEBUGGER, PLAYED_BACK = "    This case alone:", "    In the debugger:", "    Played back:"
_LAST = {Status.UNGRADED: 1, Status.NOT_STARTED: 2, Status.WAITS: 3}  # what is shown after the failing cases
NOTHING_KNOWN = Diagnosis()


def to_explain(sheet: ScoreSheet, failing: Sequence[Case]) -> Case:
    """Of the function that fails first, the case in which its mistake was located, else the first that is drawn.

    What is not judged, not begun, or waits comes last.
    """
    verdicts = {case.id: sheet.verdict(case) for case in failing}
    last = {case.id: _LAST.get(verdicts[case.id].status, 0) for case in failing}
    first = min(failing, key=lambda case: last[case.id])
    alike = [case for case in failing if case.function == first.function and last[case.id] == last[first.id]]
    located = [case for case in alike if case.id == sheet.diagnoses.get(first.function, NOTHING_KNOWN).case]
    drawn = [case for case in alike if "\n" in verdicts[case.id].picture]
    return (located or drawn or alike)[0]


def explain(sheet: ScoreSheet, case: Case, style: Style, printed: int = PRINTED_LINES) -> list[str]:
    """The failing case.  Of what it printed there are so many lines, the last ones."""
    verdict = sheet.verdict(case)
    diagnosis = sheet.diagnoses.get(case.function, NOTHING_KNOWN)
    here = diagnosis if diagnosis.case == case.id else NOTHING_KNOWN
    return [
        *_heading(sheet, case, verdict, style),
        *_picture(here.picture or verdict.picture, style),
        *_comparison(verdict, style),
        *_place(here),
        *_frames(sheet, verdict),
        *_printed(verdict, printed),
        *_commands(case, verdict, style),
    ]


def _heading(sheet: ScoreSheet, case: Case, verdict: Verdict, style: Style) -> list[str]:
    """The status, the name, the points, and what the case is about."""
    status = style.paint(verdict.status.value.upper(), verdict.status)
    points = f"   ({sheet.points(case)} points)" if sheet.bank.worth(case) else ""
    return [f"{status}  {case.id}{points}", *indented(case.says)]


def _picture(drawn: str, style: Style) -> list[str]:
    """The call, with its board or tree."""
    return [f"    {part}".rstrip() for line in style.typed(drawn).splitlines() for part in within(line)]


def _comparison(verdict: Verdict, style: Style) -> list[str]:
    """What was expected beside what came back, and what is wrong in a sentence."""
    rows = ["", *table(verdict.rows)] if verdict.rows else []
    return [*rows, *indented(style.typed(verdict.message))]


def _place(here: Diagnosis) -> list[str]:
    """The first place where it goes wrong, with what the student's code does there and what the reference does."""
    return facts(f"{here.where}:", yours=here.yours, expected=here.expected) if here.where else indented(here.note)


def _frames(sheet: ScoreSheet, verdict: Verdict) -> list[str]:
    """Where a crash came from, or time was up, with the lines of lab.py that stand there, the innermost last."""
    if verdict.status not in (Status.CRASH, Status.TIME_OUT):
        return []
    source, lines = sheet.source.splitlines(), []
    for number, function in verdict.frames[-FRAMES:]:
        if 0 < number <= len(source):
            text = harmless(source[number - 1].decode("utf-8", "replace").strip(), 200)
            lines += [f"      lab.py:{number}, in {harmless(function, 40)}:", f"        {cut(text, WIDTH - 8)}"]
    return lines


def _printed(verdict: Verdict, most: int) -> list[str]:
    """What the student's code printed in the call."""
    if not verdict.printed:
        return []
    at_the_end = ", at the end" if len(verdict.printed.splitlines()) > most else ""
    lines = [f"    | {cut(line, WIDTH - 6)}" for line in harmless_lines(verdict.printed, most)]
    return [f"    It printed{at_the_end}:", *lines]


def _commands(case: Case, verdict: Verdict, style: Style) -> list[str]:
    """The two commands that lead on: the case alone, and a tool that shows more of it; none for a hidden case."""
    if case.hidden:
        return []
    commands = {ALONE: style.command(k=case.id)}
    words = {"case": case.id} | ({"call": str(verdict.call + 1)} if verdict.call else {})
    if can_be_played(case, verdict) and verdict.status is not Status.CRASH:
        commands[PLAYED_BACK] = style.command("trace", **words)
    elif kind_of(case.graded).pasted(case.graded, case.calls[verdict.call]):
        commands[IN_THE_DEBUGGER] = style.command("debug", **words)
    lines = []
    for lead, command in commands.items():
        lines += [f"{lead} {command}"] if len(lead + command) < WIDTH else [lead, f"      {command}"]
    return lines


def can_be_played(case: Case, verdict: Verdict) -> bool:
    """Whether `make trace` plays the call back that decided: a search that came to an answer, or raised something in
    a line of lab.py, and is public."""
    is_search = kind_of(case.graded).plays_back(case.calls[verdict.call])
    went_on = verdict.status in ANSWERED or (verdict.status is Status.CRASH and verdict.frames)
    return bool(is_search and went_on and not case.hidden)


def cause(sheet: ScoreSheet, function: str) -> list[str]:
    """The known mistakes that fit every failing case of a function, with hints; no lines if none is known."""
    diagnosis = sheet.diagnoses.get(function, NOTHING_KNOWN)
    lines = []
    for number, each in enumerate(diagnosis.names):
        also = "Another" if number else "One"
        lines += wrapped(f"{also} known mistake fits every failing case of {function}: it {each.name}.")
        lines += indented(each.hint) if len(diagnosis.names) == 1 else []
        lines += indented(f"Ask yourself: {each.question}" if each.question else "")
    return lines


def in_a_line(diagnosis: Diagnosis) -> str:
    """The same in a few words, and when nothing fits, what was located."""
    if diagnosis.names:
        return f" What fits: it {', or it '.join(each.name for each in diagnosis.names)}."
    return f" {diagnosis.sentence}" if diagnosis.sentence else ""
