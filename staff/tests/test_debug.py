"""make debug: the call of a case, in a debugger, from its first line on; and every call
as Python to paste.
"""

import contextlib
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from grader.bank.cases import Bank, Case
from grader.kinds.kind import kind_of
from grader.showing.style import WIDTH, code
from grader.tools.debug import PASTED_AFTER
from staff.tests.support.typed import run

WITHOUT_CALLS = ("command", "question")
SLOW_SECONDS = 2  # the limit of a case above which its calls are not made here


def pasted(case: Case) -> Iterator[list[str]]:
    """The lines to paste for each call of a case that has such lines."""
    for call in case.calls:
        if text := kind_of(case.graded).pasted(call):
            yield code(text)


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    """The names that are known where a call is pasted, with the model as lab.py."""
    names: dict[str, Any] = {}
    exec(PASTED_AFTER, names)
    return names


def test_every_case_with_calls_can_be_pasted(bank: Bank) -> None:
    for case in bank.cases:
        has_calls = case.graded.kind not in WITHOUT_CALLS
        assert any(pasted(case)) == has_calls, case.id


def test_what_is_pasted_runs_and_fits_on_a_screen(
    bank: Bank, names: dict[str, Any]
) -> None:
    for case in bank.cases:
        if case.seconds > SLOW_SECONDS:
            continue
        for lines in pasted(case):
            assert max(map(len, lines)) <= WIDTH, case.id
            # A case may be about a call that raises ValueError.
            with contextlib.suppress(ValueError):
                exec("\n".join(lines), dict(names))


def test_its_steps_stay_in_lab_py() -> None:
    command = f'"{sys.executable}" -m grader debug --case=alphabeta/equal-bounds'
    screen = run(command, typed="s\n" * 80 + "q\n").stdout
    lines = screen.replace("(Pdb) ", "").splitlines()
    stops = [line for line in lines if line.startswith("> ")]
    assert len(stops) > 50
    assert [stop for stop in stops if "lab.py(" not in stop] == []
