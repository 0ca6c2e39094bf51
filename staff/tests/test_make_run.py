"""`make run`: the table to the last character, and a line if there is none."""

import contextlib
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

from staff.tests.conftest import KIT
from staff.tests.support.typed import run
from staff.tests.support.waiting import LONG
from staff.wrong_labs import with_body

TEN_BY_ONE_OR_TWO = "".join(
    f"{n}: {'LOSE' if n % 3 == 0 else 'WIN'}\n" for n in range(10, -1, -1)
)
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


def totals(values: Iterable[int]) -> str:
    counts = Counter(NAMES[value] for value in values)
    lines = [f"{name}: {counts[name]}\n" for name in ("WIN", "TIE", "LOSE")]
    return "".join([*lines, f"TOTAL: {counts.total()}\n"])


def test_tic_tac_toe() -> None:
    table = all_of_tic_tac_toe()
    assert len(table) == 5478
    expected = totals(table.values())
    lines = [f"{position}: {NAMES[table[position]]}\n" for position in sorted(table)]
    every_position = "".join(lines)
    command = 'make run ARGS="tic_tac_toe"'
    assert run(command).stdout == expected
    assert run(command, ITEMIZED="1").stdout == f"{every_position}\n{expected}"


def test_zero_by() -> None:
    expected = totals([1, -1, 1, 1, -1, 1, 1, -1, 1, 1, -1])
    command = 'make run ARGS="zero_by 10 1 2"'
    assert run(command).stdout == TEN_BY_ONE_OR_TWO
    assert run(f"{command} ITEMIZED=0").stdout == expected
    both = f"{TEN_BY_ONE_OR_TWO}\n{expected}"
    assert run(f"{command} ITEMIZED=1").stdout == both


def test_zero_by_with_a_huge_number() -> None:
    n = 10**26
    assert run(f'make run ARGS="zero_by {n} {n}"').stdout == f"{n}: WIN\n0: LOSE\n"


def test_make_in_make_prints_nothing_but_the_table(tmp_path: Path) -> None:
    (tmp_path / "outer.mk").write_text("all:\n\t@$(MAKE) run ARGS='zero_by 10 1 2'\n")
    done = run(f'make --no-print-directory -f "{tmp_path}/outer.mk"')
    assert done.stdout == TEN_BY_ONE_OR_TWO


def test_what_lab_py_prints_is_not_in_the_table(model: str, tmp_path: Path) -> None:
    noise = "import os\nprint('noise')\nos.write(1, b'more noise')\n"
    text = noise + model.replace(
        "values = {}\n", "values = {}\n    print('solving')\n    os.write(1, b'x')\n", 1
    )
    (tmp_path / "lab.py").write_text(text, encoding="utf-8")
    done = run('make run ARGS="zero_by 10 1 2"', LAB=str(tmp_path / "lab.py"))
    assert done.stdout == TEN_BY_ONE_OR_TWO and "solving" in done.stderr


@pytest.mark.parametrize("at_import", [False, True])
def test_ctrl_c_ends_it(at_import: bool, model: str, tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    loop = "print('begun', flush=True)\nwhile True: pass"
    if at_import:
        lab.write_text(f"{model}\n{loop}\n", "utf-8")
    else:
        lab.write_text(with_body("solve", loop, model), "utf-8")
    process = subprocess.Popen(
        [sys.executable, "-m", "grader", "run", "zero_by", "3", "1"], cwd=KIT, env={**os.environ, "LAB": str(lab)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stderr
    try:
        assert process.stderr.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=LONG)
    finally:
        process.kill()
    assert (process.returncode, out) == (1, "")
    assert re.fullmatch(r"Stopped at lab\.py:\d+\.\n", err)


@pytest.mark.skipif(not Path("/proc").exists(), reason="only Linux lists them there")
def test_a_run_that_ends_early_leaves_no_make_run_behind(
    model: str, tmp_path: Path
) -> None:
    """`make test` types `make run` before the turn of its case."""
    lab = tmp_path / "lab.py"
    hangs = "ZeroBy = None\nimport sys\nwhile 'run' in sys.argv: pass\n"
    lab.write_text(f"{model}\n{hangs}", encoding="utf-8")

    done = subprocess.run(
        [sys.executable, "grader", "test", "-x"],
        cwd=KIT,
        env={**os.environ, "LAB": str(lab)},
        capture_output=True,
        text=True,
    )

    assert done.returncode == 1
    assert "1 chosen case;" in done.stdout
    assert _processes_with(f"LAB={lab}") == []


def _processes_with(variable: str) -> list[Path]:
    """The folders in /proc of the processes with such an entry in their environment."""
    processes = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # The process has ended, or is another's.
            if variable.encode() in (folder / "environ").read_bytes().split(b"\0"):
                processes.append(folder)
    return processes
