"""Explanations: what pytest says about a failing test if somebody runs pytest without
make.
"""

from collections.abc import Sequence

from grader.bank.cases import Case
from grader.grading.feedback import with_feedback
from grader.grading.session import Session
from grader.grading.sheet import ScoreSheet
from grader.showing.console import FEW, import_failed
from grader.showing.failing import IDLE, explain
from grader.showing.style import WIDTH, Style, wrapped


class Explanations:
    """Makes a block of text for each failing case.  The block says what `make test`
    would say about the case.

    A block shows no more than the course lets students see.
    """

    def __init__(self, session: Session, run: Sequence[Case]) -> None:
        self._session = session
        self._run = run  # the cases whose tests are run; pytest fills this list later
        self.sheets = dict[str, ScoreSheet]()  # the key is the name of the function
        # The names of the functions whose known mistake has been named in a block.
        self._named = set[str]()
        # The id of the case whose test says why lab.py cannot be imported.
        self._says_why = ""

    def sheet_with(self, case: Case) -> ScoreSheet:
        """Return the score sheet for the function of a case.

        The sheet has verdicts on the cases of the function whose tests are run.  Cases
        that only give advice have no verdict there.
        """
        if case.function not in self.sheets:
            of_function = [
                other
                for other in self._run
                if other.function == case.function and not other.advice
            ]
            sheet = self._session.sheet_of(of_function)
            self.sheets[case.function] = with_feedback(sheet)
        return self.sheets[case.function]

    def of(self, case: Case) -> str:
        """Return the block of text about a failing case.

        If the grader knows the mistake in a function, only one block about the function
        names that mistake.
        """
        sheet = self.sheet_with(case)
        style = Style.of_terminal()
        if sheet.import_failure:
            return style.finish("\n".join(self._why_not_imported(sheet, case)))
        names_mistake = (
            case.function not in self._named and sheet.verdict(case).status not in IDLE
        )
        if names_mistake:
            self._named.add(case.function)
        # The sheet has its own copy of the case.  The copy holds only what the course
        # lets students see.
        [shown] = [other for other in sheet.bank.cases if other.id == case.id]
        block = explain(
            sheet, shown, style, whole=len(self._run) <= FEW, named=names_mistake
        )
        return style.finish("\n".join(block))

    def _why_not_imported(self, sheet: ScoreSheet, case: Case) -> list[str]:
        """Return lines that say why lab.py cannot be imported.

        The lines give the reason only for the first failing test.  For every later test
        they name the first test instead.
        """
        if not self._says_why:
            self._says_why = case.id
            return import_failed(sheet)
        why = f"lab.py cannot be imported: the test of {self._says_why} says why."
        return wrapped(why, WIDTH)
