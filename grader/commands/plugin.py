"""pytest runs the tests of the cases: behind `make test`, where it shows nothing of its
own, and by itself.

By itself, as in an editor's test view, it shows of each failing case what `make test`
would show of that case.

Which cases `make test` runs is up to pytest, by whatever options it was given.  A run
of some cases never writes the score sheet.  What steers pytest elsewhere (files in the
kit's folder, the environment, plugins) has no effect there.
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
from grader.grading.feedback import with_feedback
from grader.grading.session import Session
from grader.grading.sheet import ScoreSheet, as_points
from grader.kit import BRINGS_BACK, KIT
from grader.protocol.words import harmless
from grader.refusal import Refusal, show_progress
from grader.release import release_here
from grader.showing.console import FEW, failing, import_failed, is_whole, report
from grader.showing.failing import IDLE, explain
from grader.showing.style import WIDTH, Style, wrapped

SETTINGS = Path(__file__).with_name("make_test.ini")
LEFT_OUT = (  # plugins of pytest's that take time, and do nothing for our tests; named before pytest reads any file
    "doctest faulthandler junitxml legacypath logging monkeypatch pastebin recwarn setuponly setupplan stepwise "
    "subtests threadexception tmpdir unittest unraisableexception warnings"
)
WITHOUT_STEERING = {
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    "PYTEST_ADDOPTS": "",
    "PYTEST_PLUGINS": "",
}


def pytest_configure(config: pytest.Config) -> None:
    """Start a grading session for a run of `pytest tests`."""
    try:
        bank = load_bank()
        session = Session(Path(os.environ.get("LAB") or KIT / "lab.py"), bank)
    except (Refusal, ValueError, OSError) as error:
        raise pytest.UsageError(str(error)) from None
    config.pluginmanager.register(Explainer(session, bank.cases))
    config.add_cleanup(session.close)


def grade(
    session: Session,
    chosen: Collection[Case],
    words: Sequence[str],
    verbose: bool,
    out: Path,
) -> int:
    """Grade the chosen cases, as far as pytest runs them with these words, and print
    the report; the exit status.

    A whole sheet is written to `out`.  Raises Refusal and KeyboardInterrupt.
    """
    carrier = Carrier(session, chosen, words)
    carrier.run()
    if not carrier.cases:
        return 0
    sheet = session.sheet_of(carrier.cases)
    sheet = with_feedback(sheet, sheet.kit.feedback)
    show_progress("")
    print(report(sheet, verbose, Style.of_terminal()), flush=True)
    if is_whole(sheet):
        sheet.write(out)  # which may fail, when nobody may write here
        if "MAKELEVEL" in os.environ and not sheet.is_full:
            print(
                "(make adds `Error 1` to this: it only means that not everything passes yet.)"
            )
    return 1 if failing(sheet) else 0


class GradingPlugin:
    """One grading session behind all tests of one pytest run, a test a case."""

    def __init__(self, session: Session, chosen: Collection[Case]) -> None:
        self.session, self.chosen = session, chosen

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """One test for each chosen case of the part that a test is named for."""
        if "case" in metafunc.fixturenames:
            cases = [
                case
                for case in self.chosen
                if metafunc.function.__name__ == f"test_part{case.part}"
            ]
            metafunc.parametrize("case", cases, ids=[case.id for case in cases])

    def pytest_exception_interact(
        self, node: pytest.Item, call: pytest.CallInfo[None]
    ) -> None:
        """A case that ends without a verdict was stopped in the grader's own code, by
        pytest-timeout for one.
        """
        if (case := case_of(node)) and call.excinfo:
            self.session.give_up(case, str(call.excinfo.value))

    @pytest.fixture
    def grade(self) -> Callable[[Case], None]:
        """Fails the test, without a traceback, when the verdict on a case is not a
        pass.
        """
        return self.grade_case

    def grade_case(self, case: Case) -> None:
        """Fail the test of a case whose verdict is not a pass; skip advice."""
        verdict = self.session.verdict(case) if self.session.is_due(case) else None
        if verdict is None or (case.advice and not verdict.passed):
            pytest.skip(f"advice, without points: {case.says}")
        if not verdict.passed:
            pytest.fail(self.explanation(case), pytrace=False)

    def explanation(self, case: Case) -> str:
        """What the test of a case that does not pass shows."""
        return ""


class Explainer(GradingPlugin):
    """pytest by itself.  Its tests show the blocks that `make test` shows, whichever
    tests are run.
    """

    def __init__(self, session: Session, chosen: Collection[Case]) -> None:
        super().__init__(session, chosen)
        self._run: list[Case] = []  # the cases whose tests are run
        self._sheets: dict[
            str, ScoreSheet
        ] = {}  # of the functions with a case that does not pass, by their names
        self._named: set[str] = (
            set()
        )  # the functions whose known mistake has been shown
        self._told_at = ""  # the case whose test says why lab.py cannot be imported

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Once it is known which tests are run, choose their cases, so that those of a
        function run together.
        """
        self._run = [case for item in session.items if (case := case_of(item))]
        if not session.config.option.collectonly:
            self.session.begin(self._run)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Have the summary of the run name a status: pytest would repeat there how an
        explanation begins.
        """
        test_report = yield
        case, crash = case_of(item), getattr(test_report.longrepr, "reprcrash", None)
        if case and crash and case.function in self._sheets:
            crash.message = self._sheets[case.function].verdict(case).status.value
        return test_report

    @pytest.fixture
    def grade(self, request: pytest.FixtureRequest) -> Callable[[Case], None]:
        """The same; the points of the case become properties of its test, which
        `--junitxml` writes.
        """

        def grade_and_note(case: Case) -> None:
            request.node.user_properties += self._properties(case)
            self.grade_case(case)

        return grade_and_note

    def _properties(self, case: Case) -> list[tuple[str, object]]:
        """What a platform reads of a case.  An ungraded one has no points, not even
        0.
        """
        sheet = self._sheet_with(case)
        points = sheet.points(case)
        earned = [] if case in sheet.ungraded else [("points", as_points(points.score))]
        return [
            ("function", case.function),
            *earned,
            ("max_points", as_points(points.out_of)),
        ]

    def explanation(self, case: Case) -> str:
        """The block of a case.  The known mistake stands in the first one of its
        function.
        """
        sheet, style = self._sheet_with(case), Style.of_terminal()
        if sheet.import_failure:
            return style.finish("\n".join(self._why_not_imported(sheet, case)))
        is_first = (
            case.function not in self._named and sheet.verdict(case).status not in IDLE
        )
        if is_first:
            self._named.add(case.function)
        [shown] = [
            each for each in sheet.bank.cases if each.id == case.id
        ]  # of which the course may show less
        return style.finish(
            "\n".join(
                explain(
                    sheet, shown, style, whole=len(self._run) <= FEW, named=is_first
                )
            )
        )

    def _why_not_imported(self, sheet: ScoreSheet, case: Case) -> list[str]:
        """The reason for the first test, with the code that Python cannot read; and for
        all others where it stands.
        """
        if not self._told_at:
            self._told_at = case.id
            return import_failed(sheet)
        return wrapped(
            f"lab.py cannot be imported: the test of {self._told_at} says why.", WIDTH
        )

    def _sheet_with(self, case: Case) -> ScoreSheet:
        """The verdicts on those cases of a case's function that are run, as much of
        them as the course shows.
        """
        if case.function not in self._sheets:
            alike = [
                each
                for each in self._run
                if each.function == case.function and not each.advice
            ]
            sheet = self.session.sheet_of(alike)
            self._sheets[case.function] = with_feedback(sheet, sheet.kit.feedback)
        return self._sheets[case.function]


class Carrier(GradingPlugin):
    """pytest below `make test`.  `cases` are those that it has run."""

    def __init__(
        self, session: Session, chosen: Collection[Case], words: Sequence[str]
    ) -> None:
        super().__init__(session, chosen)
        self.cases: list[Case] = []
        self._words = words

    def run(self) -> None:
        """Run pytest with these words.  Raises Refusal and KeyboardInterrupt."""
        os.environ |= WITHOUT_STEERING
        left_out = [f"-pno:{name}" for name in LEFT_OUT.split()]
        words = ["-c", str(SETTINGS), "--rootdir", str(KIT), *left_out, *self._words]
        with (
            contextlib.redirect_stderr(io.StringIO()) as printed,
            contextlib.redirect_stdout(printed),
        ):
            status = pytest.main(words, plugins=[self, pytest_timeout])
        if status in (pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.INTERNAL_ERROR):
            raise Refusal(f"pytest says: {_first_complaint(printed.getvalue())}")
        if status == pytest.ExitCode.NO_TESTS_COLLECTED:
            raise Refusal("no case fits; make test V=1 lists the cases")
        if (
            not self.cases
        ):  # the words ask for something else than a run, such as --help
            print(printed.getvalue(), end="")

    @pytest.hookimpl(tryfirst=True)
    def pytest_keyboard_interrupt(self) -> None:
        """End the run here: pytest would draw where the signal met it, and fails where
        Python knows no line.
        """
        raise KeyboardInterrupt

    def pytest_configure(self, config: pytest.Config) -> None:
        """Look into the kit's own tests when nothing else is named."""
        if config.args_source is not config.ArgsSource.ARGS:
            kit_tests = [
                name for name in release_here().names if name.startswith("tests/test_")
            ]
            config.args[:] = kit_tests or [
                "tests"
            ]  # from the kit on: pytest cuts a path where it holds a bracket
            config.invocation_params = dataclasses.replace(
                config.invocation_params, dir=KIT
            )

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """The tests of the chosen cases, in their order, and no others.  Each part with
        cases must have a test.
        """
        cases = {item: case for item in items if (case := case_of(item))}
        turns = {case.id: number for number, case in enumerate(self.chosen)}
        items[:] = sorted(cases, key=lambda item: turns[cases[item].id])
        untested = {case.part for case in self.chosen} - {
            case.part for case in cases.values()
        }
        if untested and not self._words:
            test = f"test_part{min(untested)}(case, grade)"
            raise pytest.UsageError(
                f"no {test} could be read from tests/, and there are cases for it: {BRINGS_BACK}"
            )

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Note that a case is run."""
        if case := case_of(item):
            self.cases.append(case)
            show_progress(case.id)


def case_of(item: object) -> Case | None:
    """The case of a test; None for one that has none."""
    case = getattr(getattr(item, "callspec", None), "params", {}).get("case")
    return case if isinstance(case, Case) else None


def _first_complaint(printed: str) -> str:
    """What pytest says of words that it does not take, in a line.

    >>> _first_complaint("ERROR: usage: x [options]\\nx: error: unrecognized arguments: --y\\n  rootdir: /z\\n")
    'unrecognized arguments: --y'
    """
    plain = re.sub(r"\x1b\[[\d;]*m", "", printed).strip()
    match = re.search(r"(?i:error): (?!usage:)(.*)", plain)
    return harmless(match[1] if match else plain.rpartition("\n")[2], 200)
