"""pytest runs the tests of the cases: under `make test`, and by itself.

Under `make test`, pytest decides which cases are run, by whatever options it was given,
and the kit shows its own report.  By itself, as in an editor's test view, pytest shows
of each failing case what `make test` would show of that case.

Under `make test`, nothing else steers pytest: no file in the kit's folder, no variable
of the environment and no plugin.
"""

import contextlib
import dataclasses
import io
import os
import re
from collections.abc import Callable, Collection, Generator, Sequence
from pathlib import Path

import pytest
import pytest_timeout  # type: ignore[import-untyped]

from grader.bank.cases import Case
from grader.bank.reading import load_bank
from grader.commands.explanations import Explanations
from grader.grading.feedback import with_feedback
from grader.grading.session import Session
from grader.grading.sheet import as_points
from grader.kit import BRINGS_BACK, KIT
from grader.protocol.text import harmless
from grader.refusal import Refusal, show_progress
from grader.release import read_release
from grader.showing.console import failing, is_whole, report
from grader.showing.style import Style

SETTINGS = Path(__file__).with_name("make_test.ini")
# Plugins of pytest that take time, and do nothing for the tests of the cases.  They are
# named on the command line, since pytest reads that before any file.
LEFT_OUT = (
    "doctest faulthandler junitxml legacypath logging monkeypatch pastebin recwarn "
    "setuponly setupplan stepwise subtests threadexception tmpdir unittest "
    "unraisableexception warnings"
)
WITHOUT_STEERING = {
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    "PYTEST_ADDOPTS": "",
    "PYTEST_PLUGINS": "",
}


def pytest_configure(config: pytest.Config) -> None:
    """Start a session for a run of `pytest tests`, by itself."""
    try:
        bank = load_bank()
        session = Session(Path(os.environ.get("LAB") or KIT / "lab.py"), bank)
    except (Refusal, OSError) as error:
        raise pytest.UsageError(str(error)) from None
    config.pluginmanager.register(GradingPlugin(session, bank.cases))
    config.add_cleanup(session.close)


def make_test(
    session: Session,
    chosen: Collection[Case],
    words: Sequence[str],
    verbose: bool,
    out: Path,
) -> int:
    """Grade the chosen cases, as far as pytest runs them with these words, and print
    the report; the exit status.

    Only a sheet of all cases is written to `out`.  Raises Refusal, OSError and
    KeyboardInterrupt.
    """
    cases = _run_pytest(session, chosen, words)
    if not cases:
        return 0
    sheet = session.sheet_of(cases)
    sheet = with_feedback(sheet)
    show_progress("")
    print(report(sheet, verbose, Style.of_terminal()), flush=True)
    if is_whole(sheet):
        sheet.write(out)
    return 1 if failing(sheet) else 0


def _run_pytest(
    session: Session, chosen: Collection[Case], words: Sequence[str]
) -> list[Case]:
    """The cases that pytest has run; none if the words ask for something else, such as
    --help, which is then printed.

    Raises Refusal for words that pytest does not take, and if it finds no case.
    """
    plugin = GradingPlugin(session, chosen, words)
    left_out = [f"-pno:{name}" for name in LEFT_OUT.split()]
    settings = ["-c", str(SETTINGS), "--rootdir", str(KIT), *left_out]
    os.environ |= WITHOUT_STEERING
    with (
        contextlib.redirect_stderr(io.StringIO()) as printed,
        contextlib.redirect_stdout(printed),
    ):
        status = pytest.main([*settings, *words], plugins=[plugin, pytest_timeout])
    if status in (pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.INTERNAL_ERROR):
        raise Refusal(f"pytest says: {_first_complaint(printed.getvalue())}")
    if status == pytest.ExitCode.NO_TESTS_COLLECTED:
        raise Refusal("no case matches; make test V=1 lists the cases")
    if not plugin.cases:
        print(printed.getvalue(), end="")
    return plugin.cases


class GradingPlugin:
    """One session behind all tests of one pytest run: a test for each case.

    The methods stand in the order in which pytest calls them.
    """

    def __init__(
        self,
        session: Session,
        chosen: Collection[Case],
        words: Sequence[str] | None = None,
    ) -> None:
        self.session = session
        self.chosen = chosen  # the cases that may be run
        self.cases = list[Case]()  # those that are run, in their order
        self._by_itself = words is None
        self._words = words or ()  # those behind make test that are for pytest
        self._explanations = Explanations(session, self.cases)  # if by itself

    def pytest_configure(self, config: pytest.Config) -> None:
        """Under make test, collect the kit's tests if the words name no others."""
        if self._by_itself or config.args_source is config.ArgsSource.ARGS:
            return
        names = read_release().names
        tests = [name for name in names if name.startswith("tests/test_")]
        # Relative to the kit, since pytest cuts a path at a bracket.
        config.args[:] = tests or ["tests"]
        config.invocation_params = dataclasses.replace(
            config.invocation_params, dir=KIT
        )

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """One test for each chosen case of the part that a test is named for."""
        if "case" in metafunc.fixturenames:
            cases = [
                case
                for case in self.chosen
                if metafunc.function.__name__ == f"test_part{case.part}"
            ]
            metafunc.parametrize("case", cases, ids=[case.id for case in cases])

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Under make test, run the tests of the chosen cases, in their order, and no
        others.  Each part with cases must have a test.
        """
        if self._by_itself:
            return
        cases = {item: case for item in items if (case := case_of(item))}
        turns = {case.id: number for number, case in enumerate(self.chosen)}
        items[:] = sorted(cases, key=lambda item: turns[cases[item].id])
        tested = {case.part for case in cases.values()}
        untested = {case.part for case in self.chosen} - tested
        if untested and not self._words:
            test = f"test_part{min(untested)}(case, grade)"
            raise pytest.UsageError(
                f"no {test} could be read from tests/, and there are cases for it: "
                f"{BRINGS_BACK}"
            )

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """By itself, begin with the cases that are run, so that those of a function run
        together.  Make test has begun already, and has no more to do before it waits.
        """
        if self._by_itself:
            self.cases += [case for item in session.items if (case := case_of(item))]
        if session.config.option.collectonly:
            return
        if self._by_itself:
            self.session.begin(self.cases)
        self.session.begin_typed()

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Under make test, note that a case is run: `-x` may end the run before the
        next one.
        """
        case = case_of(item)
        if case and not self._by_itself:
            self.cases.append(case)
            turn = f"{len(self.cases)} of {item.session.testscollected}"
            show_progress(f"{case.id} ({turn})")

    @pytest.fixture
    def grade(self, request: pytest.FixtureRequest) -> Callable[[Case], None]:
        """What a test calls with its case."""

        def grade_case(case: Case) -> None:
            if self._by_itself:
                request.node.user_properties += self._properties(case).items()
            self.grade_case(case)

        return grade_case

    def _properties(self, case: Case) -> dict[str, str]:
        """What `--junitxml` writes of a case, for a platform that reads it.  An
        ungraded case has no points, not even 0.
        """
        sheet = self._explanations.sheet_with(case)
        points = sheet.points(case)
        properties = {"function": case.function}
        if case not in sheet.ungraded:
            properties["points"] = as_points(points.score)
        return properties | {"max_points": as_points(points.out_of)}

    def grade_case(self, case: Case) -> None:
        """Fail the test of a case that does not pass, without a traceback.  Skip
        advice that is not followed.
        """
        if self.session.is_due(case) and self.session.verdict(case).passed:
            return
        if case.advice:
            pytest.skip(f"advice (no points): {case.says}")
        why = self._explanations.of(case) if self._by_itself else ""
        pytest.fail(why, pytrace=False)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """By itself, have the summary of the run name the status of a case: pytest
        would repeat there how an explanation begins.
        """
        test_report = yield
        case = case_of(item)
        crash = getattr(test_report.longrepr, "reprcrash", None)
        if case and crash and case.function in self._explanations.sheets:
            sheet = self._explanations.sheet_with(case)
            crash.message = sheet.verdict(case).status.value
        return test_report

    def pytest_exception_interact(
        self, node: pytest.Item, call: pytest.CallInfo[None]
    ) -> None:
        """A case that ends without a verdict was stopped in the grader's own code, by
        pytest-timeout for one.
        """
        if (case := case_of(node)) and call.excinfo:
            self.session.give_up(case, str(call.excinfo.value))

    @pytest.hookimpl(tryfirst=True)
    def pytest_keyboard_interrupt(self) -> None:
        """Under make test, end the run here: pytest would show the line that Ctrl-C has
        interrupted, and fails if Python does not know that line.
        """
        if not self._by_itself:
            raise KeyboardInterrupt


def case_of(item: object) -> Case | None:
    """The case of a test; None for a test that has none."""
    case = getattr(getattr(item, "callspec", None), "params", {}).get("case")
    return case if isinstance(case, Case) else None


def _first_complaint(printed: str) -> str:
    """What pytest says of words that it does not take, in a line.

    >>> usage = "ERROR: usage: x [options]\\n"
    >>> _first_complaint(f"{usage}x: error: unrecognized arguments: --y\\n")
    'unrecognized arguments: --y'
    """
    plain = re.sub(r"\x1b\[[\d;]*m", "", printed).strip()
    match = re.search(r"(?i:error): (?!usage:)(.*)", plain)
    return harmless(match[1] if match else plain.rpartition("\n")[2], 200)
