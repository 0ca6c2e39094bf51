"""The plugin behind `pytest tests`: one grading session behind all tests of a run, a test a case."""

import os
from collections.abc import Callable, Collection
from pathlib import Path

import pytest

from boards.cases import Case, load_bank
from grader.grading.feedback import limited
from grader.grading.session import Session
from grader.kit import KIT
from grader.release import release_here


class GradingPlugin:
    """One grading session behind all tests of one pytest run."""

    def __init__(self, session: Session, chosen: Collection[Case]) -> None:
        self.session, self.chosen = session, chosen
        self._feedback = release_here().feedback

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """One test for each chosen case of the function that a test is named for."""
        if "case" in metafunc.fixturenames:
            function = metafunc.function.__name__.removeprefix("test_")
            cases = [case for case in self.chosen if case.function == function]
            metafunc.parametrize("case", cases, ids=[case.id for case in cases])

    def pytest_exception_interact(self, node: pytest.Item, call: pytest.CallInfo[None]) -> None:
        """A case that ends without a verdict was stopped in the grader's own code, by pytest-timeout for one."""
        case = case_of(node)
        if case and call.excinfo:
            self.session.give_up(case, str(call.excinfo.value))

    @pytest.fixture
    def grade(self) -> Callable[[Case], None]:
        """Fails the test, without a traceback, when the verdict on a case is not a pass."""
        return self.grade_case

    def grade_case(self, case: Case) -> None:
        """The same."""
        verdict = self.session.verdict(case) if self.session.is_due(case) else None
        if verdict is None or (case.advice and not verdict.passed):
            pytest.skip(f"advice, without points: {case.says}")
        if not verdict.passed:
            told = limited(verdict, self._feedback)
            rows = [f"{what}: expected {expected}, yours {yours}" for what, expected, yours in told.rows]
            pytest.fail("\n".join([f"{told.status.value}: {told.message}", told.picture, *rows]), pytrace=False)


def case_of(item: object) -> Case | None:
    """The case of a test; None for one that has none."""
    case = getattr(getattr(item, "callspec", None), "params", {}).get("case")
    return case if isinstance(case, Case) else None


def pytest_configure(config: pytest.Config) -> None:
    """Start a grading session for this run of pytest."""
    try:
        bank = load_bank()
        session = Session(Path(os.environ.get("LAB") or KIT / "lab.py"), bank)
    except (ValueError, OSError) as error:
        raise pytest.UsageError(str(error)) from None
    config.pluginmanager.register(GradingPlugin(session, bank.cases))
    config.add_cleanup(session.close)
