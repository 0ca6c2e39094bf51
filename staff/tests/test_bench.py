"""`make bench` on a busy machine: a stand-in for its clocks tells what other processes
use, and nothing is measured.
"""

import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import pytest

from staff.bench import __main__ as command
from staff.bench.figures import Figure, Side, WrongResult
from staff.bench.quiet import Moment, QuietBench

QUIET, BUSY = 0.0, 1.5  # cores that others use


@dataclass
class Clocks:
    """The clocks of a machine on which others use so many cores between one look and
    the next; the last load stays.
    """

    loads: list[float]
    moment: Moment = field(default=Moment(0, 0, 0))
    ticks: int = 0

    def now(self) -> Moment:
        before, number = self.moment, min(self.ticks // 2, len(self.loads) - 1)
        own = 1.0
        self.moment = Moment(
            before.clock + 1,
            before.machine + own + self.loads[number],
            before.own + own,
        )
        self.ticks += 1
        return self.moment


def wrong() -> float:
    raise WrongResult("gave 3 instead of 4")


FIGURES = {
    "within": Figure(
        "within",
        Side("kit", lambda: 1.0),
        Side("floor", lambda: 1.0),
        at_most=2,
        repeats=1,
    ),
    "over": Figure(
        "over",
        Side("kit", lambda: 3.0),
        Side("floor", lambda: 1.0),
        at_most=2,
        repeats=1,
    ),
    "wrong": Figure(
        "wrong", Side("kit", wrong), Side("floor", lambda: 1.0), at_most=2, repeats=1
    ),
}
# Each load is that between two looks: before a row is measured, while it is, and so on.
ROWS = [
    ("within", [QUIET], 0, "ok", "All limits hold."),
    ("over", [QUIET], 1, "OVER", "1 of 1 figures are over the limit or wrong."),
    ("within", [BUSY, BUSY, QUIET, QUIET], 0, "ok", "All limits hold."),
    ("over", [BUSY], 2, "CANNOT TELL", "1 of 1 figures have no verdict"),
    ("within", [BUSY], 2, "CANNOT TELL", "1 of 1 figures have no verdict"),
    (
        "over",
        [QUIET, BUSY, QUIET, BUSY],
        2,
        "CANNOT TELL",
        "1 of 1 figures have no verdict",
    ),
    (
        "within",
        [QUIET, BUSY, QUIET, BUSY],
        2,
        "CANNOT TELL",
        "1 of 1 figures have no verdict",
    ),
    (
        "over",
        [QUIET, BUSY, QUIET, QUIET],
        1,
        "OVER",
        "1 of 1 figures are over the limit or wrong.",
    ),
    ("within", [QUIET, BUSY, QUIET, QUIET], 0, "ok", "All limits hold."),
    (
        "wrong",
        [QUIET, BUSY, QUIET, BUSY],
        1,
        "WRONG",
        "1 of 1 figures are over the limit or wrong.",
    ),
]


@pytest.fixture(autouse=True)
def _stand_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    topic = SimpleNamespace(figures=lambda: list(FIGURES.values()))
    monkeypatch.setattr(command, "TOPICS", (topic,))


@pytest.mark.parametrize(("name", "loads", "status", "verdict", "footer"), ROWS)
def test_a_row_has_a_verdict_only_if_the_machine_was_quiet(
    name: str,
    loads: list[float],
    status: int,
    verdict: str,
    footer: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    bench = QuietBench(Clocks(loads).now, sleep=lambda seconds: None)
    assert command.main([name], bench) == status
    said = capsys.readouterr().out
    (row,) = [line for line in said.splitlines() if line.startswith(name)]
    assert row.endswith(verdict) and footer in said


def test_a_run_waits_only_for_so_long(capsys: pytest.CaptureFixture[str]) -> None:
    slept: list[float] = []
    bench = QuietBench(Clocks([BUSY]).now, slept.append)
    assert command.main(["within", "over"], bench) == 2
    assert "2 of 2 figures have no verdict" in capsys.readouterr().out
    assert 100 < sum(slept) < 140


# Prints how much CPU time this process counts as its own: a process that has lost its
# parent uses 0.3 seconds.
LOOKS_AT_AN_ORPHAN = """
import subprocess, sys
from staff.bench.quiet import adopt_orphans, now

adopt_orphans()
before = now()
work = "import time; any(time.process_time() > 0.3 for _ in iter(int, 1))"
parent = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', sys.argv[1]])"
subprocess.run([sys.executable, "-c", parent, work], check=True)
print(now().own - before.own)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="prctl is Linux's")
def test_a_process_without_a_parent_is_no_other_work() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOOKS_AT_AN_ORPHAN],
        cwd=Path(command.__file__).parent.parent.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert float(done.stdout) >= 0.3
