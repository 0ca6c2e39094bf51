"""How pytest and the grader meet: pytest runs the cases and displays, the session decides.

A test named `test_<function>` with an argument `case` runs once for each case of that function;
`grade(case)` fails it with the verdict's own sentence.  Neither pytest's exit status nor what it
counts ever becomes a point.  tests/conftest.py loads this file for `pytest tests`; what `make test`
adds stands in carrier.py.
"""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from boards.cases import Bank, Case, load_bank
from boards.reading import BadFile
from grader.grading.feedback import limited
from grader.grading.session import Session
from grader.judging.verdict import Verdict
from grader.kit import KIT
from grader.release import release_here


class GradingPlugin:
    """One grading session behind all tests of one pytest run."""

    def __init__(self, bank: Bank, session: Session, is_chosen: Callable[[Case], bool] = lambda case: True) -> None:
        self.bank, self.session, self.is_chosen, self.release = bank, session, is_chosen, release_here()

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """One test for each chosen case of the function that a test is named for."""
        if "case" in metafunc.fixturenames:
            cases = self.bank.of(metafunc.function.__name__.removeprefix("test_"))
            chosen = [case for case in cases if self.is_chosen(case)]
            metafunc.parametrize("case", chosen, ids=[case.id for case in chosen])

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """The cases in the order in which they are graded, hidden ones last, and then what is no case."""
        places = {case.id: (case.hidden, place) for place, case in enumerate(self.bank.cases)}
        last = (True, len(places))
        items.sort(key=lambda item: places[case.id] if (case := case_of(item)) else last)

    def pytest_exception_interact(self, node: pytest.Item, call: pytest.CallInfo[None]) -> None:
        """A case that ends without a verdict was stopped in the grader's own code, by pytest-timeout for one."""
        case = case_of(node)
        if case and call.excinfo:
            self.session.give_up(case, str(call.excinfo.value))

    @pytest.fixture
    def grade(self) -> Callable[[Case], None]:
        """Fails the test, without a traceback, where the verdict on a case is not a pass."""
        return self.grade_case

    def grade_case(self, case: Case) -> None:
        """The same."""
        verdict = self.session.verdict(case) if self.session.is_due(case) else None
        if verdict is None or (case.advice and not verdict.passed):
            pytest.skip(f"advice, without points: {case.says}")
        if not verdict.passed:
            pytest.fail(explanation(case, verdict, self.release.feedback), pytrace=False)


def case_of(item: object) -> Case | None:
    """The case of a test; None for one that has none."""
    case = getattr(getattr(item, "callspec", None), "params", {}).get("case")
    return case if isinstance(case, Case) else None


def explanation(case: Case, verdict: Verdict, feedback: str) -> str:
    """The verdict on a case as plain pytest shows it, with as much feedback as the course gives."""
    verdict = limited(verdict, feedback)
    rows = [f"{what}: wanted {wanted}, yours {yours}" for what, wanted, yours in verdict.rows]
    says = "" if feedback == "verdict" else case.says
    return "\n".join(filter(None, [f"{verdict.status.value}: {verdict.message}", says, verdict.picture, *rows]))


def pytest_configure(config: pytest.Config) -> None:
    """Start a grading session for this run of pytest."""
    try:
        bank = load_bank()
        session = Session(Path(os.environ.get("LAB") or KIT / "lab.py"), bank)
    except (BadFile, OSError) as error:
        raise pytest.UsageError(str(error)) from None
    config.pluginmanager.register(GradingPlugin(bank, session))
    config.add_cleanup(session.close)
