"""`make run`: the table to the last character, and a line if there is none."""

import contextlib
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from staff.tests.conftest import KIT, Submit
from staff.tests.support.typed import run
from staff.tests.support.waiting import LONG
from staff.wrong_labs import with_body

TEN_BY_ONE_OR_TWO = """\
10: WIN
9: LOSE
8: WIN
7: WIN
6: LOSE
5: WIN
4: WIN
3: LOSE
2: WIN
1: WIN
0: LOSE
"""
TOTALS_OF_TEN = """\
WIN: 7
TIE: 0
LOSE: 4
TOTAL: 11
"""
NAMES = {1: "WIN", 0: "TIE", -1: "LOSE"}
LINES = (
    (0, 1, 2), (3, 4, 5), (6, 7, 8),
    (0, 3, 6), (1, 4, 7), (2, 5, 8),
    (0, 4, 8), (2, 4, 6),
)  # fmt: skip


def all_of_tic_tac_toe() -> dict[str, int]:
    """The value of every position for the player to move: 1, 0 or -1.

    It is found by plain recursion.
    """
    values: dict[str, int] = {}

    def value_of(position: str) -> int:
        if position not in values:
            values[position] = value_of_new(position)
        return values[position]

    def value_of_new(position: str) -> int:
        lines = ("".join(position[square] for square in line) for line in LINES)
        if any(line in ("XXX", "OOO") for line in lines):
            return -1
        mover = "XO"[position.count("X") - position.count("O")]
        after = [
            position[:square] + mover + position[square + 1 :]
            for square in range(9)
            if position[square] == "."
        ]
        return max((-value_of(below) for below in after), default=0)

    value_of("." * 9)
    return values


TABLE = all_of_tic_tac_toe()


def totals_of_tic_tac_toe() -> str:
    """How many positions are won, tied and lost, as `make run` prints it."""
    counts = Counter(NAMES[value] for value in TABLE.values())
    lines = [f"{name}: {counts[name]}\n" for name in ("WIN", "TIE", "LOSE")]
    return "".join([*lines, "TOTAL: 5478\n"])


def test_the_table_that_is_expected_has_every_position() -> None:
    assert len(TABLE) == 5478


def test_a_large_game_is_printed_in_totals() -> None:
    done = run('make run ARGS="tic_tac_toe"')
    assert done.stdout == totals_of_tic_tac_toe()


def test_a_large_game_is_printed_position_by_position_if_somebody_asks() -> None:
    done = run('make run ARGS="tic_tac_toe"', ITEMIZED="1")
    lines = [f"{position}: {NAMES[TABLE[position]]}\n" for position in sorted(TABLE)]
    every_position = "".join(lines)
    assert done.stdout == f"{every_position}\n{totals_of_tic_tac_toe()}"


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ("", TEN_BY_ONE_OR_TWO),
        ("ITEMIZED=0", TOTALS_OF_TEN),
        ("ITEMIZED=1", f"{TEN_BY_ONE_OR_TWO}\n{TOTALS_OF_TEN}"),
    ],
)
def test_a_small_game_is_printed_as_its_setting_says(
    setting: str, expected: str
) -> None:
    done = run(f'make run ARGS="zero_by 10 1 2" {setting}')
    assert done.stdout == expected


def test_zero_by_with_a_huge_number() -> None:
    n = 10**26
    done = run(f'make run ARGS="zero_by {n} {n}"')
    assert done.stdout == f"{n}: WIN\n0: LOSE\n"


def test_make_in_make_prints_nothing_but_the_table(tmp_path: Path) -> None:
    (tmp_path / "outer.mk").write_text("all:\n\t@$(MAKE) run ARGS='zero_by 10 1 2'\n")
    done = run(f'make --no-print-directory -f "{tmp_path}/outer.mk"')
    assert done.stdout == TEN_BY_ONE_OR_TWO


NOISE = "import os\nprint('noise')\nos.write(1, b'more noise')\n"
NOISY = "values = {}\n    print('solving')\n    os.write(1, b'x')\n"


def test_what_lab_py_prints_is_not_in_the_table(model: str, submit: Submit) -> None:
    lab = submit(NOISE + model.replace("values = {}\n", NOISY, 1))
    done = run('make run ARGS="zero_by 10 1 2"', LAB=str(lab))
    assert done.stdout == TEN_BY_ONE_OR_TWO
    assert "solving" in done.stderr


LOOP = "print('begun', flush=True)\nwhile True: pass"


def hanging_import(model: str) -> str:
    return f"{model}\n{LOOP}\n"


def hanging_solver(model: str) -> str:
    return with_body("solve", LOOP, model)


@pytest.mark.parametrize("hanging", [hanging_import, hanging_solver])
def test_ctrl_c_ends_it(
    hanging: Callable[[str], str], model: str, submit: Submit
) -> None:
    lab = submit(hanging(model))
    process = subprocess.Popen(
        [sys.executable, "-m", "grader", "run", "zero_by", "3", "1"], cwd=KIT, env={**os.environ, "LAB": str(lab)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert process.stderr
        assert process.stderr.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        printed, errors = process.communicate(timeout=LONG)
    finally:
        process.kill()

    assert (process.returncode, printed) == (1, "")
    assert re.fullmatch(r"Stopped at lab\.py:\d+\.\n", errors)


HANGS_IN_MAKE_RUN = "ZeroBy = None\nimport sys\nwhile 'run' in sys.argv: pass\n"


@pytest.mark.skipif(not Path("/proc").exists(), reason="only Linux lists them there")
def test_a_run_that_ends_early_leaves_no_make_run_behind(
    model: str, submit: Submit
) -> None:
    """`make test` types `make run` before the turn of its case."""
    lab = submit(f"{model}\n{HANGS_IN_MAKE_RUN}")
    done = run(f'"{sys.executable}" grader test -x', LAB=str(lab))
    assert done.returncode == 1
    assert "1 chosen case;" in done.stdout
    assert processes_with(f"LAB={lab}") == []


def processes_with(variable: str) -> list[Path]:
    """The folders in /proc of the processes with such an entry in their environment."""
    processes = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # The process has ended, or is another's.
            if variable.encode() in (folder / "environ").read_bytes().split(b"\0"):
                processes.append(folder)
    return processes
