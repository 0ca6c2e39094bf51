"""pytest as `make test` has it: it finds and runs the tests of the cases, and shows nothing of its own.

Which cases are run is up to pytest, by whatever options it was given; that, and how the run ended,
is all that is taken from it.
"""

import contextlib
import io
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType

import pytest

from boards.cases import Bank, Case
from grader.commands.plugin import GradingPlugin, case_of
from grader.commands.strays import TESTS, is_the_kits
from grader.damage import way_back
from grader.grading.session import Session
from grader.kit import KIT
from grader.protocol.words import harmless
from grader.refusal import Refusal
from grader.release import MASTER, look_at
from grader.showing.style import Style
from grader.signals import Ended

SETTINGS = Path(__file__).parent / "make_test.ini"
# Plugins of pytest's that take time, and do nothing for our tests where no option asks for it.
NO_CASES = "doctest"
NOT_UNASKED = (
    "doctest junitxml legacypath logging monkeypatch pastebin recwarn setuponly setupplan stepwise subtests "
    "tmpdir unittest"
)


class Carrier(GradingPlugin):
    """One run of pytest.  `cases` are those that it has run; `is_verbose` says whether it was asked to be."""

    def __init__(self, bank: Bank, session: Session, is_chosen: Callable[[Case], bool], before: Callable[[Case], None]):
        super().__init__(bank, session, is_chosen)
        self.cases: list[Case] = []
        self.is_verbose = False
        self._before = before
        self._stopped_by: BaseException | None = None
        self._refusal, self._has_words, self._has_run = "", False, False

    def run(self, words: Sequence[str]) -> int | None:
        """Run pytest with these words; an exit status where pytest was asked for something else than a run,
        or would not begin.  Raises Refusal, KeyboardInterrupt, Ended, and any fault of the grader's own."""
        said, self._has_words = io.StringIO(), bool(words)
        package = sys.modules[TESTS.name] = ModuleType(TESTS.name)  # whatever __init__.py stands there
        package.__path__ = [str(TESTS)]
        with contextlib.redirect_stderr(said):
            off = [f"-pno:{name}" for name in (NO_CASES if words else NOT_UNASKED).split()]
            status = pytest.main(["-c", str(SETTINGS), "--rootdir", str(KIT), *off, *words], plugins=[self])
        error = self._stopped_by
        is_of_words = self._has_words and not self._has_run  # or of what a plugin finds in build/pytest
        if isinstance(error, pytest.fail.Exception) or (is_of_words and isinstance(error, Exception)):
            raise Refusal(f"pytest was stopped ({type(error).__name__}: {harmless(error, 200)})")
        if error is not None:
            raise error
        if status and not self._has_run and not self._refusal and said.getvalue():
            command = Style.of_terminal().command()
            more = f"{command} {'ARGS=' if command.startswith('make') else ''}--help"
            self._refusal = f"{_first_complaint(said.getvalue())}; these are options of pytest, which {more} lists"
        if self._refusal:
            raise Refusal(self._refusal)
        return None if self._has_run else 2 * bool(status)

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        """Look into tests/ where no other place is named; hush pytest's own screen where there is one of ours."""
        option = config.option
        self.is_verbose = option.verbose > 0
        if config.args_source is not config.ArgsSource.ARGS:
            config.args[:] = [str(TESTS)]
        if not (option.help or option.collectonly):
            reporter = config.pluginmanager.unregister(name="terminalreporter")
            config.pluginmanager.register(_Hushed(reporter), "terminalreporter")

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Leave out the files that are no tests of the kit's."""
        is_stray = collection_path.suffix == ".py" and not is_the_kits(collection_path, self.release)
        return is_stray or None

    def pytest_collect_directory(self, path: Path, parent: pytest.Collector) -> pytest.Collector:
        """A folder is a folder, whatever __init__.py stands there."""
        return pytest.Dir.from_parent(parent, path=path)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """The cases, in order, and nothing else."""
        items[:] = [item for item in items if case_of(item)]
        found = {case.id for item in items if (case := case_of(item))}
        missing = [case for case in self.bank.cases if self.is_chosen(case) and case.id not in found]
        if missing and not self._has_words:
            self._refusal = self._refusal or self._untested(missing[0].function)
            items[:] = []
        super().pytest_collection_modifyitems(items)

    def pytest_runtestloop(self, session: pytest.Session) -> None:
        """Here a run begins."""
        self._has_run = not session.config.option.collectonly

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Note that a case is run."""
        if case := case_of(item):
            self.cases.append(case)
            self._before(case)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, call: pytest.CallInfo[None]) -> None:
        """Leave pytest one frame of a case that fails: to go through all of them takes long, and none is shown."""
        if call.excinfo and isinstance(call.excinfo.value, pytest.fail.Exception):
            call.excinfo.traceback = call.excinfo.traceback[-1:]

    def pytest_exception_interact(self, node: pytest.Item | pytest.Collector, call: pytest.CallInfo[None]) -> None:
        """A signal ends the run; a test of the kit that cannot be read refuses it."""
        error = call.excinfo and call.excinfo.value
        if isinstance(error, Ended):
            self._stop(error)
            node.session.shouldstop = "ended"
        elif isinstance(node, pytest.Collector):
            self._refusal = self._broken(node.path, error)
        else:
            super().pytest_exception_interact(node, call)

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Ctrl-C, or pytest has stopped by itself."""
        if not isinstance(excinfo.value, pytest.Session.Interrupted):
            self._stop(KeyboardInterrupt())

    def pytest_internalerror(self, excinfo: pytest.ExceptionInfo[BaseException]) -> bool:
        """An error outside of all tests: a fault of the grader's own."""
        self._stop(excinfo.value)
        return True

    def _untested(self, function: str) -> str:
        """What to say of a function that has cases, and no test in tests/."""
        changed = [name for name in look_at(KIT, self.release).edited if name.startswith("tests/")]
        cure = (
            way_back(changed, True) if changed else f"; write test_{function}(case, grade) there, like its neighbours"
        )
        return f"boards/cases/ has cases of {function}, and tests/ no test_{function}{cure}"

    def _broken(self, file: Path, error: BaseException | None) -> str:
        """What to say of a test file that Python cannot read."""
        error = (error and error.__cause__) or error
        name = file.relative_to(KIT).as_posix() if file.is_relative_to(KIT) else str(file)
        reason = harmless(" ".join(f"{type(error).__name__}: {error}".split()), 120)
        return f"{name} cannot be read ({reason}){way_back([name], self.release != MASTER)}"

    def _stop(self, error: BaseException) -> None:
        self._stopped_by = self._stopped_by or error


class _Hushed:
    """Stands where others look for pytest's screen when they have to say something, and shows no run itself."""

    def __init__(self, reporter: object) -> None:
        self._reporter = reporter

    def __getattr__(self, name: str) -> object:
        return getattr(self._reporter, name)


def _first_complaint(said: str) -> str:
    """What pytest says of words that it does not take, in a line.

    >>> _first_complaint("ERROR: usage: x [options]\\nx: error: unrecognized arguments: --y\\n  rootdir: /z\\n")
    'unrecognized arguments: --y'
    """
    plain = re.sub(r"\x1b\[[\d;]*m", "", said)
    what = re.search(r"(?i:error): (?!usage:)(.*)", plain)
    return harmless(what[1] if what else plain, 200)
