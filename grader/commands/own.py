"""`make test` and the student's own cases: they are run after the kit's, in a session of their own."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from boards.cases import Bank, Case
from grader.grading.own import OwnSession, of_the_case, read_own_cases
from grader.kit import MY_CASES
from grader.showing.console import every_case, some_of
from grader.showing.failing import explain
from grader.showing.style import Style, wrapped
from grader.signals import ending_in_order


def try_own_cases(lab: Path, kit: Bank, is_chosen: Callable[[Case], bool], verbose: bool) -> tuple[str, bool] | None:
    """What to say of the chosen cases beside lab.py, and whether all are right; None where there are none."""
    own = read_own_cases(lab.with_name(MY_CASES), kit)
    cases = tuple(case for case in own.bank.cases if is_chosen(case))
    if not (cases or own.mistakes):
        return None
    with ending_in_order(), OwnSession(lab, replace(own.bank, cases=cases)) as session:
        verdicts = {case.id: of_the_case(session.verdict(case)) for case in cases}
        sheet = replace(session.sheet_of(()), verdicts=verdicts)  # no diagnosis goes by what a student expects
    style, lines = Style.of_terminal(), [line for mistake in own.mistakes for line in wrapped(mistake)]
    wrong = [case for case in cases if not sheet.verdict(case).passed]
    if sheet.import_failure:
        lines.append("Your own cases wait until lab.py can be imported.")
    elif cases:
        who = " Where one is not, lab.py is wrong, or what you expect is." if wrong else ""
        lines += wrapped(f"Your own cases: {len(cases) - len(wrong)} of {len(cases)} right (no points).{who}")
        lines += ["", *every_case(sheet, cases, style)] if verbose else []
        if wrong:
            lines += ["", *explain(sheet, wrong[0], sheet.verdict(wrong[0]), style)]
        if wrong[1:] and not verbose:
            lines += wrapped(f"Not right either: {some_of([case.id for case in wrong[1:]])}")
    return style.finish("\n".join(lines)), not (own.mistakes or wrong or sheet.import_failure)
