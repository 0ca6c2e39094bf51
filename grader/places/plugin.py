"""How pytest and the grader meet: pytest runs the cases and displays, the session decides.

A test named `test_<function>` with an argument `case` runs once for each case of that function;
`grade(case)` fails it with the verdict's own sentence.  Neither pytest's exit status nor what it
counts ever becomes a point.
"""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from boards.cases import Bank, Case, load_bank
from boards.reading import BadFile
from grader.grading.session import Session
from grader.judging.verdict import Verdict
from grader.kit import KIT
from grader.release import release_here
from grader.showing.feedback import limited


class GradingPlugin:
    """One grading session behind all tests of one pytest run."""

    def __init__(self, bank: Bank, lab: Path) -> None:
        self.bank = bank
        self.session = Session(lab, bank)

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """One test for each case of the function that a test is named for."""
        if "case" in metafunc.fixturenames:
            cases = self.bank.of(metafunc.function.__name__.removeprefix("test_"))
            metafunc.parametrize("case", cases, ids=[case.id for case in cases])


@pytest.fixture(scope="session")
def grade(request: pytest.FixtureRequest) -> Callable[[Case], None]:
    """Fails the test, without a traceback, where the verdict on a case is not a pass."""
    plugins = request.config.pluginmanager.get_plugins()
    session = next(plugin.session for plugin in plugins if isinstance(plugin, GradingPlugin))

    def grade(case: Case) -> None:
        verdict = session.verdict(case)
        if not verdict.passed:
            if case.advice:
                pytest.skip(f"advice, without points: {case.says}")
            pytest.fail(explanation(case, verdict, release_here().feedback), pytrace=False)

    return grade


def explanation(case: Case, verdict: Verdict, feedback: str) -> str:
    """The verdict on a case as plain pytest shows it, with as much feedback as the course gives."""
    verdict = limited(verdict, feedback)
    rows = [f"{what}: wanted {wanted}, yours {yours}" for what, wanted, yours in verdict.rows]
    says = "" if feedback == "verdict" else case.says
    return "\n".join(filter(None, [f"{verdict.status.value}: {verdict.message}", says, verdict.picture, *rows]))


def pytest_configure(config: pytest.Config) -> None:
    """Start a grading session for this run of pytest."""
    try:
        plugin = GradingPlugin(load_bank(), Path(os.environ.get("LAB") or KIT / "lab.py"))
    except (BadFile, OSError) as error:
        raise pytest.UsageError(str(error)) from None
    config.pluginmanager.register(plugin)
    config.add_cleanup(plugin.session.close)
