"""The screen of one failing case: what it is about, what went in, what came back, and what to type next;
and what is known of the mistake, above it or in a line."""

from collections.abc import Collection, Sequence

from boards.cases import Case
from grader.diagnosing.diagnosis import ANSWERED, Diagnosis, smallest_first
from grader.grading.rounding import shown, total
from grader.grading.sheet import ScoreSheet
from grader.judging.verdict import Status, Verdict
from grader.kinds.kind import kind_of
from grader.protocol.words import harmless, harmless_lines
from grader.showing.style import WIDTH, Style, code, cut, indented, table, within, wrapped

PRINTED_LINES = 10
FRAMES = 2
MOST_PASTED = 7
ALONE, IN_THE_DEBUGGER = "    This case alone:", "    In the debugger:"
PLAYED_BACK = "    Played back:"
AS_PYTHON = "    The call as Python, and the debugger:"
PASTED = "    In a Python of your own:"
PASTED_AFTER = "from lab import *; from api import *; from boards import *"
_LAST = {Status.NOT_STARTED: 1, Status.WAITS: 2}  # what is shown after the failing cases


def to_explain(sheet: ScoreSheet, failing: Sequence[Case]) -> Case:
    """Of the function that fails first, the case in which its mistake was located, else the smallest that is drawn.

    What waits, or is not begun, comes last.
    """
    verdicts = {case.id: sheet.verdict(case) for case in failing}
    last = {case.id: _LAST.get(verdicts[case.id].status, 0) for case in failing}
    first = min(failing, key=lambda case: last[case.id])
    alike = [case for case in failing if case.function == first.function and last[case.id] == last[first.id]]
    known = sheet.diagnoses.get(first.function)
    located = [case for case in alike if known and case.id == known.case]
    drawn = [case for case in alike if "\n" in verdicts[case.id].picture]
    return smallest_first(located or drawn or alike, verdicts)[0]


def points_of(sheet: ScoreSheet, cases: Collection[Case]) -> str:
    """What these cases earned together, and what they are worth."""
    return f"{shown(total(map(sheet.points, cases)))} of {shown(total(map(sheet.worth, cases)))}"


def explain(sheet: ScoreSheet, case: Case, verdict: Verdict, style: Style, printed: int = PRINTED_LINES) -> list[str]:
    """The failing case: what it is about, what went in, what came back, what was wanted, and what to type.

    Of what it printed there are so many lines, the last ones.
    """
    status = style.paint(verdict.status.value.upper(), verdict.status)
    known = sheet.diagnoses.get(case.function)
    here = known if known and known.case == case.id else None
    drawn = (here and here.picture) or verdict.picture
    picture = [f"    {part}".rstrip() for line in style.typed(drawn).splitlines() for part in within(line)]
    points = f"   ({points_of(sheet, [case])} points)" if sheet.worth(case) or case.advice else ""
    lines = [f"{status}  {case.id}{points}", *indented(case.says), *picture]
    lines += [*(["", *table(verdict.rows)] if verdict.rows else []), *indented(style.typed(verdict.message))]
    lines += indented(here.sentence) if here else []
    lines += _frames(sheet, verdict, case.function)
    if verdict.printed:
        at_the_end = ", at the end" if len(verdict.printed.splitlines()) > printed else ""
        lines.append(f"    It printed{at_the_end}:")
        lines += [f"    | {cut(line, WIDTH - 6)}" for line in harmless_lines(verdict.printed, printed)]
    commands = {ALONE: style.command(k=case.id)}
    words = {"case": case.id} | ({"call": str(verdict.call + 1)} if verdict.call else {})
    if can_be_played(case, verdict):
        commands[PLAYED_BACK] = style.command("trace", **words)
    pasted = _to_paste(case, verdict)
    is_long = len(pasted) > MOST_PASTED
    if is_long or (pasted and verdict.status is Status.CRASH):
        commands[AS_PYTHON if is_long else IN_THE_DEBUGGER] = style.command("debug", **words)
    for lead, command in commands.items():
        lines += [f"{lead} {command}"] if len(lead + command) < WIDTH else [lead, f"      {command}"]
    return [*lines, PASTED, *pasted] if pasted and not is_long else lines


def can_be_played(case: Case, verdict: Verdict) -> bool:
    """Whether `make trace` plays the call back that decided: a search that came to an answer, or raised something in
    a line of lab.py, and is public."""
    is_search = kind_of(case.graded).plays_back(case.calls[verdict.call])
    went_on = verdict.status in ANSWERED or (verdict.status is Status.CRASH and verdict.frames)
    return bool(is_search and went_on and not case.hidden)


def _frames(sheet: ScoreSheet, verdict: Verdict, asked: str) -> list[str]:
    """Where a crash came from, or time was up, with the lines of lab.py that stand there: the innermost, and where
    that is in another graded function, the last of the one that was asked."""
    if verdict.status not in (Status.CRASH, Status.TIME_OUT):
        return []
    written, shown = sheet.source.splitlines(), []
    in_functions = {number for number, function in verdict.frames if function[:1] != "<"}
    frames = [frame for frame in verdict.frames if frame[1][:1] != "<" or frame[0] not in in_functions]  # no <genexpr>
    is_elsewhere = verdict.inside in [other.name for other in sheet.bank.functions if other.name != asked]
    own = [frame for frame in frames[:-FRAMES] if frame[1] == asked and is_elsewhere]
    for number, function in own[-1:] + frames[-FRAMES:]:
        if 0 < number <= len(written):
            text = harmless(written[number - 1].decode("utf-8", "replace").strip(), 200)
            place = f"      lab.py:{number}, in {harmless(function, 40)}:"
            shown += [place, f"        {cut(text, WIDTH - 8)}"]
    return shown


def _to_paste(case: Case, verdict: Verdict) -> list[str]:
    """The failing call as Python, and one that it is compared with, where they are to be seen at all."""
    calls = sorted({verdict.call, verdict.call if verdict.beside is None else verdict.beside})
    pasted = "\n".join(kind_of(case.graded).pasted(case.graded, case.calls[call]) for call in calls)
    if not pasted or not verdict.picture or case.hidden:
        return []
    return [PASTED_AFTER, *code(pasted, WIDTH - 4)]


def cause(sheet: ScoreSheet, function: str) -> list[str]:
    """The misconceptions that fit all failing cases of a function, else that these fail alike; no lines where neither
    is known."""
    known = sheet.diagnoses.get(function, Diagnosis())
    number = known.explains if known.names else _alike(sheet, function)
    few = {1: "the failing case", 2: "both failing cases"}
    cases = few.get(number, f"all {number} failing cases")
    if not known.names:
        return wrapped(f"The same error in {cases} of {function}:") if number > 1 else []
    if len(known.names) == 1:
        (one,) = known.names
        lines = wrapped(f"One known mistake fits {cases} of {function}: it {one.name}.")
        return lines + indented(one.hint) + indented(f"Ask yourself: {one.question}" if one.question else "")
    lines = wrapped(f"Two known mistakes fit {cases} of {function}:")
    for each in known.names:
        lines += indented(f"It {each.name}." + (f" Then ask yourself: {each.question}" if each.question else ""))
    return lines


def _alike(sheet: ScoreSheet, function: str) -> int:
    """How many cases of a function fail, where what is said is the same of each, whatever it expects; else 0."""
    told = [
        verdict.message if (verdict.malformed or verdict.status is Status.CRASH) and not case.hidden else ""
        for case in sheet.bank.of(function)
        if (verdict := sheet.verdicts.get(case.id)) and not verdict.passed and not case.advice
    ]
    return len(told) if len({*told}) == 1 and told[0] else 0


def in_a_line(known: Diagnosis | None) -> str:
    """The same in a few words, and where nothing fits, what was located."""
    if known and known.names:
        return f" What fits: it {', or it '.join(each.name for each in known.names)}."
    return f" {known.sentence}" if known and known.sentence else ""
