"""A plugin of pytest, which has each case graded as a test.

Under `make test`, the options of pytest decide which of the chosen cases are run, and
the kit prints its own report.  If somebody runs pytest without make, for example in the
test view of an editor, pytest shows what `make test` would show of each failing case.

`make test` keeps pytest from reading a conftest.py or a pytest.ini, and from loading
the plugins that happen to be installed.
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
# Plugins of pytest that take time and do nothing for the tests of cases.  `make test`
# switches them off on the command line, because pytest reads the command line before it
# loads any plugin.
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
    """Begin a session of grading.

    pytest calls this function only if somebody runs pytest without `make test`.  Raises
    UsageError if lab.py or a file of the kit cannot be read.
    """
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
    """Grade the chosen cases, print the report, and return the exit status.

    `words` are for pytest, and may exclude some of the chosen cases.  If they only have
    pytest print something, such as its help, there is no report, and the status is 0.
    The sheet is written to `out` only if it covers all graded cases.  Raises Refusal,
    OSError and KeyboardInterrupt.
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
    """Run pytest, and return the cases whose tests it has run.

    `words` may ask for something else than a run, such as --help.  Then no case is
    returned, and the output of pytest is printed.  Raises Refusal if pytest does not
    take the words or fails itself, or if no case matches.
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
    """Connects the tests of one run of pytest with a session of grading.

    Each case has a test.  The methods that pytest calls are in the order of its calls.
    """

    def __init__(
        self,
        session: Session,
        chosen: Collection[Case],
        words: Sequence[str] | None = None,
    ) -> None:
        self.session = session
        self.chosen = chosen  # the cases that may be run
        self.cases = list[Case]()  # the cases that are run, in their order
        self._by_itself = words is None
        self._words = words or ()  # the words after `make test` that are for pytest
        # Makes the explanations of failing cases.  pytest shows them only if somebody
        # runs pytest without make.
        self._explanations = Explanations(session, self.cases)

    def pytest_configure(self, config: pytest.Config) -> None:
        """Under `make test`, have pytest collect the tests of the kit.

        If the typed words name files with tests, pytest collects those instead.
        """
        if self._by_itself or config.args_source is config.ArgsSource.ARGS:
            return
        names = read_release().names
        tests = [name for name in names if name.startswith("tests/test_")]
        # The paths are relative to the kit, because pytest would cut an absolute path
        # at a bracket.
        config.args[:] = tests or ["tests"]
        config.invocation_params = dataclasses.replace(
            config.invocation_params, dir=KIT
        )

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Make a test for each chosen case.

        Each part has one test function, such as test_part2.  pytest runs it once for
        each chosen case of its part.
        """
        if "case" in metafunc.fixturenames:
            cases = [
                case
                for case in self.chosen
                if metafunc.function.__name__ == f"test_part{case.part}"
            ]
            metafunc.parametrize("case", cases, ids=[case.id for case in cases])

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Under `make test`, keep only the tests of the chosen cases, and put them in
        the order of grading.

        Raises UsageError if a part has chosen cases but no test.  If there are typed
        words for pytest, a part may lack tests.
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
        """Have the session begin its work, now that pytest has collected the tests.

        If somebody runs pytest without make, this method tells the session which cases
        are run, so that the session can run the cases of a function together.  Under
        `make test`, the session knows its cases already.  For some cases the grader
        types commands.  The session starts these commands now, because from now on the
        grader mostly waits.
        """
        if self._by_itself:
            self.cases += [case for item in session.items if (case := case_of(item))]
        if session.config.option.collectonly:
            return
        if self._by_itself:
            self.session.begin(self.cases)
        self.session.begin_typed()

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Under `make test`, note the case of a test before the test is run.

        If `-x` ends the run early, the cases of later tests are not noted.
        """
        case = case_of(item)
        if case and not self._by_itself:
            self.cases.append(case)
            turn = f"{len(self.cases)} of {item.session.testscollected}"
            show_progress(f"{case.id} ({turn})")

    @pytest.fixture
    def grade(self, request: pytest.FixtureRequest) -> Callable[[Case], None]:
        """Return a function that grades a case.

        pytest passes the function to each test, and the test calls it with its case.
        """

        def grade_case(case: Case) -> None:
            if self._by_itself:
                request.node.user_properties += self._properties(case).items()
            self.grade_case(case)

        return grade_case

    def _properties(self, case: Case) -> dict[str, str]:
        """Return what pytest writes about a case into the file of `--junitxml`.

        Some platforms read this file.  For an ungraded case, the file has `max_points`,
        but no `points`, not even 0.
        """
        sheet = self._explanations.sheet_with(case)
        points = sheet.points(case)
        properties = {"function": case.function}
        if case not in sheet.ungraded:
            properties["points"] = as_points(points.score)
        return properties | {"max_points": as_points(points.out_of)}

    def grade_case(self, case: Case) -> None:
        """If a case does not pass, fail its test without a traceback.

        If the case only gives advice, skip the test instead of failing it.
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
        """Put the status of a failing case into pytest's summary.

        Without this method, the summary would show the beginning of the explanation
        instead of the status.  Under `make test`, this method changes nothing.
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
        """If something has stopped the grader's own code in a test, leave the case
        ungraded.

        pytest-timeout can stop the code, for example.
        """
        if (case := case_of(node)) and call.excinfo:
            self.session.give_up(case, str(call.excinfo.value))

    @pytest.hookimpl(tryfirst=True)
    def pytest_keyboard_interrupt(self) -> None:
        """Under `make test`, let Ctrl-C end the run at once.

        Otherwise pytest would try to show the line that Ctrl-C has interrupted, and
        would fail if Python does not know that line.
        """
        if not self._by_itself:
            raise KeyboardInterrupt


def case_of(item: object) -> Case | None:
    """Return the case that belongs to a test; None if no case does."""
    case = getattr(getattr(item, "callspec", None), "params", {}).get("case")
    return case if isinstance(case, Case) else None


def _first_complaint(printed: str) -> str:
    """Return in one line what pytest says about words that it does not take.

    `printed` is the whole output of pytest.

    >>> usage = "ERROR: usage: x [options]\\n"
    >>> _first_complaint(f"{usage}x: error: unrecognized arguments: --y\\n")
    'unrecognized arguments: --y'
    """
    plain = re.sub(r"\x1b\[[\d;]*m", "", printed).strip()
    match = re.search(r"(?i:error): (?!usage:)(.*)", plain)
    return harmless(match[1] if match else plain.rpartition("\n")[2], 200)
