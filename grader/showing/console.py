"""The score sheet for a terminal: a line a part, the first failing case drawn, the rest in a line each."""

from collections import Counter
from collections.abc import Collection, Sequence
from fractions import Fraction

from boards.cases import Case, Part
from grader.grading.mentions import begins_in
from grader.grading.rounding import shown
from grader.grading.sheet import NOT_RUN, ScoreSheet
from grader.judging.verdict import Status, Verdict
from grader.protocol.locks import OPEN_CASES
from grader.protocol.words import harmless, plural
from grader.release import MASTER
from grader.showing.failing import PRINTED_LINES, cause, explain, in_a_line, points_of, to_explain
from grader.showing.style import WIDTH, Style, indented, wrapped

PRINTED_ALONE, FEW = 200, 3
NAMED = 10
_COUNTED = {
    Status.PASS: ("passes", "pass"),
    Status.FAIL: ("fails", "fail"),
    Status.TIME_OUT: ("time-out", "time-outs"),
    Status.CRASH: ("crash", "crashes"),
    Status.WAITS: ("waits", "wait"),
}
IDLE = {Status.WAITS: "Waiting for other functions", Status.NOT_STARTED: "Not started"}


def report(sheet: ScoreSheet, cases: Collection[Case], verbose: bool, style: Style, changes: str = "") -> str:
    """What `make test` prints: about these cases only, which may be all; `changes` says what is new."""
    verdicts = {case.id: sheet.verdict(case) for case in cases}
    if sheet.import_failure:
        blocks = [indented(sheet.import_failure, 2)]
    else:
        blocks = [_part_lines(sheet, cases, style), every_case(sheet, cases, style) if verbose else []]
        if failing := [case for case in cases if not verdicts[case.id].passed and not case.advice]:
            first = to_explain(sheet, failing)
            printed = PRINTED_ALONE if len(cases) <= FEW else PRINTED_LINES
            blocks.append(cause(sheet, first.function))
            blocks.append(explain(sheet, first, verdicts[first.id], style, printed))
            blocks.append(_other_functions(sheet, first, failing, style))
            blocks.append(_begun_again(sheet, failing))
    blocks += [advice(cases, verdicts), _last_lines(sheet, cases, style, changes)]
    return style.finish("\n\n".join("\n".join(block) for block in blocks if block))


def part_rows(sheet: ScoreSheet, cases: Collection[Case]) -> list[tuple[Part, str, str, Counter[Status]]]:
    """For each part with one of these cases, or with none at all: points, those at the deadline, and verdicts."""
    rows, ids = [], {case.id for case in cases}
    for part in sheet.bank.parts:
        graded = [case for case in sheet.bank.cases if case.part == part.number and not case.advice]
        chosen = [case for case in graded if case.id in ids]
        if chosen or not graded:
            points = points_of(sheet, chosen) if chosen else ""
            later = sheet.by_part[part.number][2] if chosen == graded else Fraction(0)
            counts = Counter(sheet.verdict(case).status for case in chosen)
            rows.append((part, points, f"+{shown(later)}" if later else "", counts))
    return rows


def _part_lines(sheet: ScoreSheet, cases: Collection[Case], style: Style) -> list[str]:
    """A line a part, in columns as wide as what stands in them."""
    lines, rows = [], part_rows(sheet, cases)
    names = [f"  {part.number}  {part.title}" for part, *_ in rows]
    points = [" " * (6 - points.find(" ")) + points if points else "" for _, points, *_ in rows]
    widths = [max(map(len, column), default=0) for column in (names, points, [more for _, _, more, _ in rows])]
    for name, score, (_, _, more, counts) in zip(names, points, rows, strict=True):
        later = f"{more:<{widths[2]}}   " if widths[2] else " "
        start = f"{name:<{max(21, widths[0])}}  {score:<{widths[1]}}   {later}"
        told = _counted(counts, WIDTH - len(start)) if counts else ["at the deadline"]
        worst = max(counts, key=list(Status).index, default=Status.WAITS)
        lines += [f"{' ' * len(start) if n else start}{style.paint(line, worst)}" for n, line in enumerate(told)]
    return lines


def _counted(counts: Counter[Status], width: int) -> list[str]:
    """How many cases have which status, in lines of this width."""
    held = in_words(counts).replace(" ", "\0").replace(",\0", ", ")  # a number stays with its word
    return [line.replace("\0", " ") for line in wrapped(held, width)]


def in_words(counts: Counter[Status]) -> str:
    """How many cases have which status.

    >>> in_words(Counter([Status.WAITS, Status.PASS, Status.PASS])), in_words(Counter([Status.PASS]))
    ('2 pass, 1 waits', 'all pass')
    """
    if set(counts) == {Status.PASS}:
        return "all pass"
    return ", ".join(plural(counts[one], *_COUNTED.get(one, (one.value,) * 2)) for one in Status if counts[one])


def every_case(sheet: ScoreSheet, cases: Collection[Case], style: Style) -> list[str]:
    """Each case in a line, with its points where it has some, and what is wrong with it below."""
    lines = []
    for case in cases:
        verdict = sheet.verdict(case)
        word = "advice" if case.advice else verdict.status.value
        points = points_of(sheet, [case]) if sheet.worth(case) and not case.advice else ""
        lines.append(f"  {style.paint(f'{word:<12}', verdict.status)}{case.id:<42}{points}".rstrip())
        lines += indented(style.typed(_what_is_there(verdict) if case.advice else verdict.message), 14)
    return lines


def _other_functions(sheet: ScoreSheet, first: Case, failing: list[Case], style: Style) -> list[str]:
    """The other functions with failing cases, in a line each; those not started in one."""
    verdicts = {case.id: sheet.verdict(case) for case in failing}
    by_function: dict[str, list[Case]] = {}
    for case in failing:
        by_function.setdefault(case.function, []).append(case)
    same = len(by_function.pop(first.function)) - 1
    lines = [f"  {first.function}: {plural(same, 'more case', 'more cases')} of it"] if same else []
    reason, alike = verdicts[first.id].message, list[str]()
    for function, cases in by_function.items():
        if verdicts[cases[0].id].status in IDLE:
            continue
        if verdicts[cases[0].id].message == reason and verdicts[cases[0].id].status is Status.UNGRADED:
            alike.append(function)
            continue
        known = sheet.diagnoses.get(function)
        shown = known.case if known and known.case in verdicts else cases[0].id
        such = "such as " if len(cases) > 1 else ""
        text = f"{function}: {plural(len(cases), 'case')}, {such}{shown} ({verdicts[shown].status.value})"
        text += f": {verdicts[shown].message}" if verdicts[shown].message else ""
        lines += indented(f"{style.typed(text)}{in_a_line(known)}", 2)
    lines += indented(f"Ungraded for the same reason: {', '.join(alike)}", 2) if alike else []
    lines = ["Not right yet either:", *lines] if lines else []
    idle = idle_functions(sheet, [case for cases in by_function.values() for case in cases])
    return lines + [line for text in idle for line in indented(text, 2)]


def _begun_again(sheet: ScoreSheet, failing: list[Case]) -> list[str]:
    """The functions that lab.py defines more than once, of which the first one may be looked at for long."""
    begins, functions = begins_in(sheet.source), {case.function: None for case in failing}
    told = {name: " and ".join(map(str, begins[name])) for name in functions if len(begins.get(name, ())) > 1}
    texts = [f"lab.py defines {name} in lines {lines}, and Python takes the last one." for name, lines in told.items()]
    return [line for text in texts for line in wrapped(text)]


def idle_functions(sheet: ScoreSheet, failing: list[Case]) -> list[str]:
    """The functions that wait, and those not started, as the first of their failing cases says, in a sentence each."""
    status = {case.function: sheet.verdict(case).status for case in reversed(failing)}
    gone = {case.function for case in failing if sheet.verdict(case).message.startswith("lab.py has no ")}
    told = [(status[name], f"{name} (not in lab.py)" if name in gone else name) for name in reversed(status)]
    names = {title: [name for found, name in told if found is idle] for idle, title in IDLE.items()}
    return [f"{title}: {', '.join(functions)}" for title, functions in names.items() if functions]


def advice(cases: Collection[Case], verdicts: dict[str, Verdict]) -> list[str]:
    """Advice that was not followed, once nothing else is wrong: no points, no colour."""
    left = [(case, verdicts[case.id]) for case in cases if case.id in verdicts and not verdicts[case.id].passed]
    said = [
        f"Advice, without points ({case.id}): {case.says} {_what_is_there(verdict)}".strip().removesuffix(":")
        for case, verdict in left
        if verdict.message != NOT_RUN and all(other.advice for other, _ in left)
    ]
    return [line for text in said for line in indented(text, 2)]


def _what_is_there(verdict: Verdict) -> str:
    """What is wrong with what follows an advice; empty where nothing follows it yet."""
    begun = verdict.status is not Status.NOT_STARTED and not verdict.message.endswith("is not written yet.")
    said = "Yours went on until it was stopped." if verdict.status is Status.TIME_OUT else verdict.message
    return f"{said}{'' if said.endswith(('.', '?')) else '.'} That costs nothing." if begun and said else ""


def reminders(sheet: ScoreSheet) -> list[str]:
    """What to say beside the points: the kit, the survey once all is well, a fault of the grader."""
    said = about_the_kit(sheet)
    if sheet.unfilled and sheet.is_full:
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
    if mine not in (sheet.kit.version, MASTER.version) and sheet.kit != MASTER:  # where lab.py stands alone, say
        said.append(f"You have kit {harmless(mine, 20)}, grades use {sheet.kit.version}: make update")
    if edited:
        names = some_of([harmless(name, 80) for name in edited])
        said.append(f"Changed here, and of no effect on the grade: {names}. To bring back what was: make update")
    for name in sheet.checkout.hiding:
        module = name.partition("/")[0].removesuffix(".py")
        said.append(f"{name}, beside lab.py, hides the module {module} from `python lab.py`: give it another name.")
    return said


def score_line(sheet: ScoreSheet, here: str = "") -> str:
    """The points of all cases."""
    full = ": everything passes" if sheet.is_full else ""
    at_least = "At least " if sheet.score and (sheet.waiting() or sheet.ungraded) else ""
    return f"{at_least}{shown(sheet.score)} of {shown(sheet.out_of)} points{here}{full}"


def _last_lines(sheet: ScoreSheet, cases: Collection[Case], style: Style, changes: str) -> list[str]:
    is_all = len(cases) == len(sheet.bank.cases)
    texts = reminders(sheet) if is_all else about_the_kit(sheet) + about_the_open(sheet)
    lines = [line for text in texts for line in wrapped(style.typed(text))]
    if not is_all:
        chosen = [case for case in cases if not case.advice]
        said = f"{points_of(sheet, chosen)} points in {plural(len(chosen), 'chosen case')}; no score is written."
        return [*lines, said]
    later = f" here; {shown(sheet.later)} more are decided at the deadline" if sheet.later else ""
    said = f"{score_line(sheet, later)}."
    lines += wrapped(changes) if changes else []
    lines.append(style.paint(said, Status.PASS) if sheet.is_full else said)
    return lines
