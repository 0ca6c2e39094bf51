"""`make run`: the table to the last character, and a line if there is none."""

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


def all_of_tic_tac_toe() -> dict[str, int]:
    """What every position is worth to the player to move, 1, 0 or -1, by plain
    recursion.
    """
    rows = ["012", "345", "678", "036", "147", "258", "048", "246"]
    known: dict[str, int] = {}

    def look(position: str) -> int:
        if position not in known:
            mover = "XO"[position.count("X") - position.count("O")]
            if any(
                "".join(position[int(square)] for square in row) in ("XXX", "OOO")
                for row in rows
            ):
                known[position] = -1
            elif "." not in position:
                known[position] = 0
            else:
                squares = [square for square in range(9) if position[square] == "."]
                known[position] = max(
                    -look(position[:square] + mover + position[square + 1 :])
                    for square in squares
                )
        return known[position]

    look("." * 9)
    return known


def totals(values: Iterable[int]) -> str:
    counts = Counter(NAMES[value] for value in values)
    return (
        "".join(f"{name}: {counts[name]}\n" for name in ("WIN", "TIE", "LOSE"))
        + f"TOTAL: {counts.total()}\n"
    )


def test_tic_tac_toe() -> None:
    table = all_of_tic_tac_toe()
    expected = totals(table.values())
    items = "".join(
        f"{position}: {NAMES[table[position]]}\n" for position in sorted(table)
    )
    assert len(table) == 5478
    assert run('make run ARGS="tic_tac_toe"').stdout == expected
    assert (
        run('make run ARGS="tic_tac_toe"', ITEMIZED="1").stdout
        == f"{items}\n{expected}"
    )


def test_zero_by(tmp_path: Path) -> None:
    expected = totals([1, -1, 1, 1, -1, 1, 1, -1, 1, 1, -1])
    assert run('make run ARGS="zero_by 10 1 2"').stdout == TEN_BY_ONE_OR_TWO
    assert run('make run ARGS="zero_by 10 1 2" ITEMIZED=0').stdout == expected
    assert (
        run('make run ARGS="zero_by 10 1 2" ITEMIZED=1').stdout
        == f"{TEN_BY_ONE_OR_TWO}\n{expected}"
    )
    assert (
        run(f'make run ARGS="zero_by {10**26} {10**26}"').stdout
        == f"{10**26}: WIN\n0: LOSE\n"
    )
    (tmp_path / "outer.mk").write_text("all:\n\t@$(MAKE) run ARGS='zero_by 10 1 2'\n")
    assert (
        run(f'make --no-print-directory -f "{tmp_path}/outer.mk"').stdout
        == TEN_BY_ONE_OR_TWO
    )


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
    lab, loop = tmp_path / "lab.py", "print('begun', flush=True)\nwhile True: pass"
    lab.write_text(
        f"{model}\n{loop}\n" if at_import else with_body("solve", loop, model),
        encoding="utf-8",
    )
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
