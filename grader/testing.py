"""`make test`: grades lab.py through pytest, prints the report, writes build/results.json.

A run of some cases only (a part, a word) never writes the score sheet.
"""

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

from boards.cases import Case, load_bank
from boards.reading import BadFile
from grader.console import Style, report
from grader.plugin import KIT, GradingPlugin

RESULTS = KIT / "build" / "results.json"
_NEEDLESS = (
    "debugging doctest faulthandler junitxml legacypath logging monkeypatch pastebin recwarn setuponly setupplan "
    "stepwise threadexception tmpdir unittest unraisableexception warnings"
)


class _Quiet:
    """Takes pytest's own reporter away; shows on a terminal how far the run has come."""

    def __init__(self) -> None:
        self._done = 0

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        """Unregister the reporter."""
        config.pluginmanager.unregister(name="terminalreporter")

    def pytest_runtest_logfinish(self) -> None:
        """One case more."""
        self._done += 1
        if sys.stderr.isatty():
            print(f"\r{self._done} cases graded\r", end="", file=sys.stderr, flush=True)


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        print(f"{message}; {self.format_usage().strip()}", file=sys.stderr)
        sys.exit(2)


class _Choice:
    """Leaves only the tests of the chosen cases."""

    def __init__(self, chosen: list[Case]) -> None:
        self._ids = {case.id for case in chosen}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Drop the other tests."""
        items[:] = [item for item in items if getattr(_case_of(item), "id", None) in self._ids]


def _case_of(item: pytest.Item) -> object:
    call = getattr(item, "callspec", None)
    return call.params.get("case") if call else None


def main(words: list[str], lab: Path) -> int:
    """Grade lab.py as the words say; 0 at full marks, 1 below, 2 where there is nothing to grade."""
    options = _parse(words)

    def is_chosen(case: Case) -> bool:
        in_part = options.part is None or case.part == options.part
        return in_part and options.k.lower() in f"{case.id} {case.function}".lower()

    return run(lab, is_chosen, options.v)


def run(lab: Path, is_chosen: Callable[[Case], bool], verbose: bool = False) -> int:
    """Grade the chosen cases of lab.py and print the report; the exit status."""
    try:
        bank = load_bank()
        plugin = GradingPlugin(bank, lab)
    except (BadFile, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    chosen = [case for case in bank.cases if is_chosen(case)]
    if not chosen:
        numbers = ", ".join(str(part.number) for part in bank.parts)
        print(f"no case fits; the parts are {numbers}, and V=1 lists the cases", file=sys.stderr)
        return 2
    try:
        _run_pytest(plugin, chosen)
        sheet = plugin.session.sheet_of(chosen)
        if len(chosen) == len(bank.cases):
            sheet.write(RESULTS)
        print(report(sheet, chosen, verbose, Style.of_terminal()))
    finally:
        plugin.session.close()
    return 0 if all(sheet.verdict(case).passed for case in chosen if not case.advice) else 1


def _run_pytest(plugin: GradingPlugin, chosen: list[Case]) -> None:
    """Let pytest go through the tests; what it does not reach, the session grades afterwards."""
    os.chdir(KIT)
    disabled = [word for name in _NEEDLESS.split() for word in ("-p", f"no:{name}")]
    pytest.main(
        ["tests", "-q", "--capture=no", "--assert=plain", *disabled], plugins=[plugin, _Quiet(), _Choice(chosen)]
    )


def _parse(words: list[str]) -> argparse.Namespace:
    parser = _Parser(prog="python -m grader test", description="Grade lab.py.")
    parser.add_argument("--part", type=int, help="only this part, by its number")
    parser.add_argument("--k", default="", metavar="WORD", help="only cases or functions with this word in the name")
    parser.add_argument("--v", action="store_true", help="show every case")
    return parser.parse_args(words)
