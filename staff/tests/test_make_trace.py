"""make trace: a search played back, as a page and in the terminal; and what nobody can
play back.
"""

import dataclasses
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from grader import cli
from grader.bank.cases import Bank
from grader.refusal import Refusal
from grader.release import Release
from grader.tools.trace import main
from staff.tests.conftest import KIT
from staff.tests.support.waiting import LONG

EQUAL_BOUNDS = "alphabeta/equal-bounds"


def trace(options: str, lab: Path, **environment: str) -> tuple[int, str, str]:
    """`python -m grader trace OPTIONS`: exit status, standard output and error.  No
    line is wider than a screen.
    """
    done = subprocess.run(
        [sys.executable, "-m", "grader", "trace", *options.split()],
        cwd=KIT, env={**os.environ, "LAB": str(lab), **environment}, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=LONG,
    )  # fmt: skip
    assert max(map(len, ["", *done.stdout.splitlines()])) < 80
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def lab(tmp_path: Path, model: str) -> Path:
    """A lab.py whose alpha-beta does not cut off where alpha and beta are equal."""
    file = tmp_path / "lab.py"
    file.write_text(
        model.replace("if alpha >= beta:", "if alpha > beta:"), encoding="utf-8"
    )
    return file


def test_the_place_stands_below_the_call_and_the_page_has_all(lab: Path) -> None:
    status, out, err = trace(f"--case {EQUAL_BOUNDS}", lab)
    assert (status, err) == (0, "")
    assert out.startswith(
        f"{EQUAL_BOUNDS}, call 1 of 2\n    Alpha becomes equal to beta"
    )
    assert "\nAt B, MIN to move" in out
    assert out.endswith(
        "Open in a browser: build/trace/alphabeta-equal-bounds-call-1-2.html\n"
    )
    text = (KIT / "build" / "trace" / "alphabeta-equal-bounds-call-1-2.html").read_text(
        "utf-8"
    )
    data = json.loads(
        re.findall(r'<script type="application/json">(.*?)</script>', text)[0]
    )
    assert len(data["sides"]) == 2 and len(data["rows"]) == 27 and data["marked"] == 14


def test_in_words_every_step_has_a_line(lab: Path) -> None:
    """Once while both searches do the same, and then the steps of each search alone."""
    status, out, _ = trace(f"--case={EQUAL_BOUNDS} --plain=1", lab)
    assert status == 0
    assert [
        int(number) for number in re.findall(r"^ +(\d+)  \w", out, re.MULTILINE)
    ] == [*range(1, 27), *range(14, 21)]
    assert (
        "\n  13  At the 3 below B: it returns the score 3 and a count of 1.\nYours, from here on:\n"
        in out
    )
    assert (
        "\nExpected, from here on:\n  14  At B, MIN to move: it returns the score 3 and a count of 1.\n"
        in out
    )


COUNTS_TWO = """

right = dfs_maximizing
def dfs_maximizing(state):
    path, score, evaluations = right(state)
    return path, score, evaluations + (state.get_snapshot().name == "over")
"""


def test_a_course_that_tells_little_does_not_tell_which_call_is_wrong(
    model: str,
    lab: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    lab.write_text(f"{model}{COUNTS_TWO}", encoding="utf-8")
    monkeypatch.setattr(
        "grader.tools.trace.read_release", lambda: Release(feedback="verdict")
    )
    assert main(["--case", "dfs/no-choice"], lab) == 0
    assert capsys.readouterr().out.startswith("dfs/no-choice, call 1 of 3\n")


def test_without_reference_traces_ones_own_search_stands_alone(
    lab: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """As in a release that tells less than everything."""
    monkeypatch.setattr("grader.kinds.kind.REFERENCE_TRACES", tmp_path)
    assert main(["--case", EQUAL_BOUNDS, "--plain", "1"], lab) == 0
    out = capsys.readouterr().out
    assert (
        "  26  At root, MAX to move: it returns the score 3" in out
        and "At B, MIN to move, " not in out
    )


def test_the_master_copy_plays_hidden_cases_back_and_debugs_them(
    bank: Bank,
    lab: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    case = next(case for case in bank.cases if case.id == EQUAL_BOUNDS)
    later = Bank(
        bank.parts, (dataclasses.replace(case, id="later/equal-bounds", hidden=True),)
    )
    monkeypatch.setattr("staff.release.shares.course_bank", lambda course: later)
    words = ["--case", "later/equal-bounds"]
    monkeypatch.setenv("LAB", str(lab))
    for verb in ("trace", "debug"):
        monkeypatch.setenv("COURSE", "0")
        with pytest.raises(Refusal, match="there is no case 'later/equal-bounds'"):
            cli.main([verb, *words])
        monkeypatch.setenv("COURSE", "1")
        with pytest.raises(Refusal, match="has 2 calls; there is no CALL=9"):
            cli.main([verb, *words, "--call", "9"])
    assert cli.main(["trace", *words]) == 0
    assert "\n\nlater/equal-bounds, call 1 of 2\n" in capsys.readouterr().out
