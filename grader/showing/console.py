"""The score sheet for a terminal: a line a part, the first failing case drawn, the rest in a line each."""

import os
import sys
from collections import Counter
from collections.abc import Collection, Sequence
from fractions import Fraction

from boards.cases import Case
from grader.grading.rounding import shown
from grader.grading.sheet import NOT_RUN, ScoreSheet
from grader.judging.status import Status
from grader.judging.verdict import Verdict
from grader.pipe.locks import OPEN_CASES
from grader.pipe.words import harmless, harmless_lines, plural
from grader.release import MASTER
from grader.showing.layout import WIDTH, cut, plain_ascii, table, within, wrapped

PRINTED_LINES = 5
NAMED = 10
MAKE_CMD = "MAKE_CMD"
ALONE = "    This case alone:"
RANK = {Status.NOT_STARTED: 1, Status.WAITS: 2}  # what is shown after the failing cases
_COLOURS = {Status.PASS: "32", Status.PARTIAL: "33", Status.WAITS: "33", Status.NOT_STARTED: "2"}


class Style:
    """Colour where the terminal has it, plain ASCII where it has nothing else, and commands that
    can be typed: those of make where this runs below it, or where `make` says so.

    >>> Style(colour=False, ascii_only=True).finish("0x…")
    '0x...'
    >>> Style(colour=False, ascii_only=True, make=True).command(k="alphabeta")
    'make test K=alphabeta'
    """

    def __init__(self, colour: bool, ascii_only: bool, make: bool = False) -> None:
        self._colour, self._ascii_only = colour, ascii_only
        self._make = make or "MAKELEVEL" in os.environ or MAKE_CMD in os.environ

    @classmethod
    def of_terminal(cls) -> "Style":
        """What standard output can show."""
        terminal = sys.stdout.isatty()
        encoding = (sys.stdout.encoding or "").lower().replace("-", "")
        return cls(terminal and not os.environ.get("NO_COLOR"), not terminal or encoding != "utf8")

    def paint(self, text: str, status: Status) -> str:
        """The text in the colour of a status."""
        return self.tint(text, _COLOURS.get(status, "31"))

    def tint(self, text: str, colour: str) -> str:
        """The text in a colour, which is one of ECMA-48's numbers: 31 red, 33 yellow, 1 bold, 2 faint, 7 inverse."""
        return f"\x1b[{colour}m{text}\x1b[0m" if self._colour else text

    def finish(self, text: str) -> str:
        """The text as this terminal can show it."""
        return plain_ascii(text) if self._ascii_only else text

    def command(self, **words: str) -> str:
        """The command that runs some cases."""
        if self._make:
            return " ".join(["make test", *(f"{name.upper()}={value}" for name, value in words.items())])
        return " ".join(["python grader test", *(f"--{name} {value}" for name, value in words.items())])


def report(sheet: ScoreSheet, cases: Collection[Case], verbose: bool, style: Style) -> str:
    """What `make test` prints: about these cases only, which may be all."""
    verdicts = {case.id: sheet.verdict(case) for case in cases}
    parts = _part_lines(sheet, cases, verdicts, style)
    blocks = [wrapped(sheet.import_failure) if sheet.import_failure else parts]
    if verbose and not sheet.import_failure:
        blocks.append(_every_case(sheet, cases, verdicts, style))
    failing = [case for case in cases if not verdicts[case.id].passed and not case.advice]
    if failing and not sheet.import_failure:
        first = min(failing, key=lambda case: RANK.get(verdicts[case.id].status, 0))
        blocks.append(explain(sheet, first, verdicts[first.id], style))
        blocks.append(_other_functions(first, failing, verdicts))
    blocks.append(advice(cases, verdicts))
    blocks.append(_last_lines(sheet, cases, style))
    return style.finish("\n\n".join("\n".join(block) for block in blocks if block))


def _part_lines(sheet: ScoreSheet, cases: Collection[Case], verdicts: dict[str, Verdict], style: Style) -> list[str]:
    """A line a part, in columns as wide as what stands in them."""
    seen, rows = sheet.in_hundredths, []
    for part in sheet.bank.parts:
        graded = sheet.graded(part)
        chosen = [case for case in graded if case.id in verdicts]
        if chosen or not graded:
            counts = Counter(verdicts[case.id].status for case in chosen)
            worth = sum(map(seen.worth, chosen), Fraction(0))
            later = seen.later_of(part) if chosen == graded else Fraction(0)
            total = f"{shown(sum(map(seen.points, chosen), Fraction(0))):>6} of {shown(worth)}" if chosen else ""
            rows.append((f"  {part.number}  {part.title}", total, f"+{shown(later)}" if later else "", counts))
    if not rows:
        return []
    widths = [max(21, *(len(row[0]) for row in rows)), *(max(len(row[column]) for row in rows) for column in (1, 2))]
    lines = []
    for name, points, more, counts in rows:
        start = f"{name:<{widths[0]}}  {points:<{widths[1]}}   {f'{more:<{widths[2]}}   ' if widths[2] else ' '}"
        told = _counted(counts, WIDTH - len(start)) if counts else ["at the deadline"]
        worst = max(counts, key=list(Status).index, default=Status.WAITS)
        starts = [start, *[" " * len(start)] * (len(told) - 1)]
        lines += [f"{start}{style.paint(line, worst)}" for start, line in zip(starts, told, strict=True)]
    return lines


def _counted(counts: Counter[Status], width: int) -> list[str]:
    """How many cases have which status, in lines of this width."""
    held = in_words(counts).replace(" ", "\0").replace(",\0", ", ")  # a number stays with its word
    return [line.replace("\0", " ") for line in wrapped(held, width)]


def in_words(counts: Counter[Status]) -> str:
    """How many cases have which status.

    >>> in_words(Counter([Status.FAIL, Status.PASS])), in_words(Counter([Status.PASS]))
    ('1 pass, 1 fail', 'all pass')
    """
    if set(counts) == {Status.PASS}:
        return "all pass"
    return ", ".join(f"{counts[status]} {status.value}" for status in Status if counts[status])


def _every_case(sheet: ScoreSheet, cases: Collection[Case], verdicts: dict[str, Verdict], style: Style) -> list[str]:
    seen, lines = sheet.in_hundredths, []
    for case in cases:
        verdict = verdicts[case.id]
        word = "advice" if case.advice else verdict.status.value
        points = "" if case.advice else f"{shown(seen.points(case))} of {shown(seen.worth(case))}"
        lines.append(f"  {style.paint(f'{word:<12}', verdict.status)}{case.id:<42}{points}")
        if verdict.message:
            lines += [f"{'':14}{line}" for line in wrapped(verdict.message, WIDTH - 14)]
    return lines


def explain(sheet: ScoreSheet, case: Case, verdict: Verdict, style: Style) -> list[str]:
    """The failing case: what it is about, what went in, what came back, what was wanted."""
    earned = f"{shown(sheet.in_hundredths.points(case))} of {shown(sheet.in_hundredths.worth(case))} points"
    lines = [f"{style.paint(verdict.status.value.upper(), verdict.status)}  {case.id}   ({earned})"]
    if case.says:
        lines += [f"    {line}" for line in wrapped(case.says)]
    lines += [f"    {part}" for line in verdict.picture.splitlines() for part in within(line)]
    if verdict.rows:
        lines += ["", *table(verdict.rows)]
    if verdict.message:
        lines += [f"    {line}" for line in wrapped(verdict.message)]
    if verdict.printed:
        lines.append("    It printed:")
        lines += [f"    | {cut(line, WIDTH - 6)}" for line in harmless_lines(verdict.printed, PRINTED_LINES)]
    command = f"{ALONE} {style.command(k=case.id)}"
    lines += [command] if len(command) <= WIDTH else [ALONE, f"      {style.command(k=case.id)}"]
    return lines


def _other_functions(first: Case, failing: list[Case], verdicts: dict[str, Verdict]) -> list[str]:
    """The other functions with failing cases, in a line each; those not started in one."""
    by_function: dict[str, list[Case]] = {}
    for case in failing:
        by_function.setdefault(case.function, []).append(case)
    same = len(by_function.pop(first.function)) - 1
    lines = [f"  {first.function}: {plural(same, 'more case', 'more cases')} of it"] if same else []
    idle: dict[Status, list[str]] = {Status.WAITS: [], Status.NOT_STARTED: []}
    for function, cases in by_function.items():
        verdict = verdicts[cases[0].id]
        if verdict.status in idle:
            idle[verdict.status].append(function)
            continue
        text = f"{function}: {plural(len(cases), 'case')}, {cases[0].id} {verdict.status.value}"
        lines += [f"  {line}" for line in wrapped(f"{text}: {verdict.message}" if verdict.message else text)]
    lines = ["Not right yet either:", *lines] if lines else []
    for title, status in (("Waiting for other functions", Status.WAITS), ("Not started", Status.NOT_STARTED)):
        if idle[status]:
            lines += [f"  {line}" for line in wrapped(f"{title}: {', '.join(idle[status])}")]
    return lines


def advice(cases: Collection[Case], verdicts: dict[str, Verdict]) -> list[str]:
    """Advice that was not followed: no points, no colour."""
    open_advice = [case for case in cases if case.advice and case.id in verdicts and not verdicts[case.id].passed]
    return [
        f"  {line}"
        for case in open_advice
        if verdicts[case.id].message != NOT_RUN
        for line in wrapped(f"Advice, without points ({case.id}): {case.says}{_what_is_there(verdicts[case.id])}")
    ]


def _what_is_there(verdict: Verdict) -> str:
    """What is wrong with what follows an advice; empty where nothing follows it yet."""
    begun = verdict.status is not Status.NOT_STARTED and not verdict.message.endswith("is not written yet.")
    return f" {verdict.message}" if begun and verdict.message else ""


def reminders(sheet: ScoreSheet) -> list[str]:
    """What to say beside the points: the kit, the survey, a fault of the grader."""
    said = about_the_kit(sheet)
    if sheet.unfilled:
        said.append(f"The survey in lab.py still asks for {', '.join(sheet.unfilled)} (no points).")
    if any(case.hidden for case in sheet.ungraded) and not sheet.locks.keep_cases:
        said.append(f"Hidden cases: {OPEN_CASES}")
    return said + about_the_open(sheet)


def about_the_open(sheet: ScoreSheet) -> list[str]:
    """What nobody has judged, and what there was no time for."""
    said, unknown = [], [case.id for case in sheet.ungraded if case not in sheet.not_run]
    if unknown:
        said.append(f"UNGRADED, needs a human: {some_of(unknown)}")
    if sheet.not_run:
        slowest = ", ".join(f"{function} ({seconds:.0f} s)" for function, seconds in sheet.slowest(3))
        said.append(f"NOT RUN, as time was up: {some_of([case.id for case in sheet.not_run])}. It went to {slowest}.")
    return said


def some_of(names: Sequence[str]) -> str:
    """The first names, and how many there are more."""
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"{', '.join(names[:NAMED])}{more}"


def about_the_kit(sheet: ScoreSheet) -> list[str]:
    """What is not as it was handed out: an older kit, changed files of it, files in the way of a library."""
    said, mine, edited = [], sheet.checkout.version, sheet.checkout.edited
    if mine != sheet.kit.version and sheet.kit != MASTER:
        said.append(f"You have kit {harmless(mine, 20)}, grades use {sheet.kit.version}: make update")
    if edited:
        names = some_of([harmless(name, 80) for name in edited])
        said.append(f"Changed here, and of no effect on the grade: {names}. To bring back what was: make update")
    for name in sheet.checkout.hiding:
        module = name.partition("/")[0].removesuffix(".py")
        said.append(f"{name}, beside lab.py, hides the module {module} from `python lab.py`: give it another name.")
    return said


def _last_lines(sheet: ScoreSheet, cases: Collection[Case], style: Style) -> list[str]:
    seen = sheet.in_hundredths
    if len(cases) < len(sheet.bank.cases):
        lines = [line for text in about_the_kit(sheet) + about_the_open(sheet) for line in wrapped(text)]
        chosen = [case for case in cases if not case.advice]
        score = sum(map(seen.points, chosen), Fraction(0))
        worth = sum(map(seen.worth, chosen), Fraction(0))
        words = f"{shown(score)} of {shown(worth)} points in {plural(len(chosen), 'chosen case')}"
        return [*lines, f"{words}; no score is written."]
    lines = [line for text in reminders(sheet) for line in wrapped(text)]
    here = f" here; {shown(seen.later)} more are decided at the deadline" if seen.later else ""
    if sheet.is_full:
        words = f"{shown(seen.score)} of {shown(seen.out_of)} points{here}: everything passes."
        return [*lines, style.paint(words, Status.PASS)]
    at_least = "At least " if sheet.score and (sheet.waiting() or sheet.ungraded) else ""
    lines.append(f"{at_least}{shown(seen.score)} of {shown(seen.out_of)} points{here}.")
    if "MAKELEVEL" in os.environ:
        lines.append("(make adds `Error 1` to this: it only means that not everything passes yet.)")
    return lines
