"""make debug: the call of a case, in a debugger, from its first line on; and every call
as Python to paste.
"""

import contextlib
import sys
from typing import Any

from grader.bank.cases import Bank
from grader.kinds.kind import kind_of
from grader.showing.style import WIDTH, code
from grader.tools.debug import PASTED_AFTER
from staff.tests.support.typed import run


def test_every_call_can_be_pasted(bank: Bank) -> None:
    """It runs on the model, with the names that stand above it, and no line is wider
    than a screen.
    """
    names: dict[str, Any] = {}
    exec(PASTED_AFTER, names)
    for case in bank.cases:
        pasted = [kind_of(case.graded).pasted(call) for call in case.calls]
        assert any(pasted) == (case.graded.kind not in ("command", "question")), case.id
        for text in filter(None, pasted if case.seconds <= 2 else ()):
            lines = code(text)
            assert max(map(len, lines)) <= WIDTH
            with contextlib.suppress(ValueError):  # which is what a case may be about
                exec("\n".join(lines), dict(names))


def test_its_steps_stay_in_lab_py() -> None:
    command = f'"{sys.executable}" -m grader debug --case=alphabeta/equal-bounds'
    lines = (
        run(command, typed="s\n" * 80 + "q\n").stdout.replace("(Pdb) ", "").splitlines()
    )
    stops = [line for line in lines if line.startswith("> ")]
    assert len(stops) > 50 and all("lab.py(" in stop for stop in stops)
