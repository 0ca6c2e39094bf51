"""What a page tells of a sheet, in whatever form: markdown.py and `make report` each give it theirs."""

from collections.abc import Iterator

from boards.cases import Case
from grader.grading.sheet import ScoreSheet
from grader.showing.console import IDLE, idle_functions, in_words, part_rows
from grader.showing.failing import cause, explain, to_explain
from grader.showing.style import Style

PLAIN = Style(colour=False, ascii_only=False, make=True)


def table_of_parts(sheet: ScoreSheet) -> list[tuple[str, ...]]:
    """The heads of a table, and a row a part; what is decided at the deadline has a column where there is any."""
    rows: list[tuple[str, ...]] = [("Part", "Points", "At the deadline", "Cases")]
    for part, points, later, counts in part_rows(sheet, sheet.bank.cases):
        rows.append((f"{part.number} {part.title}", points, later, in_words(counts)))
    return rows if sheet.later else [(*row[:2], *row[3:]) for row in rows]


def wrong_cases(sheet: ScoreSheet) -> list[Case]:
    """The failing cases, but for what waits and what is not started."""
    return [case for case in _failing(sheet) if sheet.verdict(case).status not in IDLE]


def explained(sheet: ScoreSheet) -> Iterator[tuple[Case, list[str]]]:
    """Of each function with wrong cases the one that shows best what is wrong, as a screen shows it."""
    wrong = wrong_cases(sheet)
    for function in dict.fromkeys(case.function for case in wrong):
        case = to_explain(sheet, [case for case in wrong if case.function == function])
        above = cause(sheet, function)
        yield case, [*above, *([""] if above else []), *explain(sheet, case, sheet.verdict(case), PLAIN)]


def idle(sheet: ScoreSheet) -> list[str]:
    """The functions that wait, and those not started, in a sentence each."""
    return idle_functions(sheet, _failing(sheet))


def _failing(sheet: ScoreSheet) -> list[Case]:
    return [case for case in sheet.bank.cases if not case.advice and not sheet.verdict(case).passed]
