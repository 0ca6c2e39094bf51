"""make debug: the call of a case, in a debugger, from its first line on; and every call as Python to paste."""

import contextlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from boards.cases import Bank
from grader.kinds.kind import kind_of
from grader.refusal import Refusal
from grader.showing.style import WIDTH, code
from grader.tools.debug import PASTED_AFTER, main
from staff.tests.conftest import KIT
from staff.tests.support.waiting import LONG
from staff.wrong_labs import with_body

# --- the call to paste -----------------------------------------------------------------------------


def test_every_call_can_be_pasted(bank: Bank) -> None:
    """It runs on the model, with the names that stand above it, and no line is wider than a screen."""
    names: dict[str, Any] = {}
    exec(PASTED_AFTER, names)
    for case in bank.cases:
        pasted = [kind_of(case.graded).pasted(case.graded, call) for call in case.calls]
        assert any(pasted) == (case.graded.kind not in ("command", "question")), case.id
        for text in filter(None, pasted if case.seconds <= 2 else ()):
            lines = code(text)
            assert max(map(len, lines)) <= WIDTH
            with contextlib.suppress(ValueError):  # which is what a case may be about
                exec("\n".join(lines), dict(names))


# --- the debugger ----------------------------------------------------------------------------------

EQUAL_BOUNDS = "alphabeta/equal-bounds"
SEARCH = "minimax_search_alphabeta"


def debug(name: str, *typed: str, lab: Path = KIT / "lab.py", call: int = 1, **environment: str) -> str:
    """What somebody sees who types these lines into the debugger of a case."""
    done = subprocess.run(
        [sys.executable, "-m", "grader", "debug", f"--case={name}", f"--call={call}"],
        cwd=KIT, input="".join(f"{line}\n" for line in typed), env=os.environ | {"LAB": str(lab)} | environment,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=LONG,
    )  # fmt: skip
    return done.stdout


def lab_with(folder: Path, text: str) -> Path:
    file = folder / "lab.py"
    file.write_text(text, encoding="utf-8")
    return file


def test_it_stops_at_the_first_line_of_the_function() -> None:
    shown = debug(EQUAL_BOUNDS, "p state.snapshot.name, alpha, maximize", "c", call=2)
    before, _, after = shown.partition("\n> ")
    assert before.startswith(f"{EQUAL_BOUNDS}, call 2 of 2\n")
    assert " MIN root" in before
    assert f"\n{SEARCH}(tree_state(EQUAL_BOUNDS), maximize=False)\n" in before
    assert after.startswith(f"{KIT / 'lab.py'}(")
    assert f"){SEARCH}()\n" in after
    assert "(Pdb) ('root', -inf, False)\n(Pdb) The call has come to its end." in after
    assert max(map(len, shown.replace(str(KIT), "").splitlines())) <= 79


def test_it_stops_in_a_method_and_under_another_name(tmp_path: Path) -> None:
    shown = debug("player/horizon-for-minnie", "p depth, state.player", "q", call=2)
    assert ")search()\n" in shown and "(Pdb) (2, Player.MINNIE)" in shown
    other = "from functools import partial\ndef own(state):\n    return 3\ndfs_maximizing = partial(own)\n"
    assert ")own()\n" in debug("dfs/two-by-two", "q", lab=lab_with(tmp_path, other))


def test_its_steps_stay_in_lab_py() -> None:
    lines = debug(EQUAL_BOUNDS, *["s"] * 80, "q").replace("(Pdb) ", "").splitlines()
    stops = [line for line in lines if line.startswith("> ")]
    assert len(stops) > 50 and all("lab.py(" in stop for stop in stops)


def test_breakpoints_and_input_of_a_lab_work(model: str, tmp_path: Path) -> None:
    body = "word = input('word? ')\nbreakpoint()\nreturn word"
    lab = lab_with(tmp_path, with_body("dfs_maximizing", body, model))
    shown = debug("dfs/two-by-two", "c", "castle", "p word * 2", "c", lab=lab)
    assert "word? " in shown
    assert "(Pdb) 'castlecastle'\n" in shown


def test_what_an_earlier_call_leaves_behind_is_there(model: str, tmp_path: Path) -> None:
    """And none of them stops."""
    body = "seen.append(state)\nreturn [state], len(seen), 1"
    lab = lab_with(tmp_path, with_body("dfs_maximizing", body, f"seen = []\n{model}"))
    shown = debug("dfs/no-choice", "n", "p len(seen)", "q", lab=lab, call=3)
    assert "(Pdb) 3\n" in shown and shown.count(")dfs_maximizing()") == 2


def test_an_exception_leads_back_to_its_line(model: str, tmp_path: Path) -> None:
    body = "depth = 7\ndef twice():\n    return depth * 2\nreturn depth / 0"
    text = with_body("dfs_maximizing", body, model)
    inside = text.partition("return depth * 2")[0].count("\n") + 1
    shown = debug("dfs/two-by-two", f"b {inside}", "c", "p twice()", "q", lab=lab_with(tmp_path, text))
    assert "ZeroDivisionError: division by zero (lab.py:" in shown
    assert shown.endswith("(Pdb) 14\n(Pdb) ")


def test_a_lab_that_cannot_be_imported(tmp_path: Path) -> None:
    shown = debug(EQUAL_BOUNDS, lab=lab_with(tmp_path, "def f(:\n"))
    assert shown.splitlines()[-2:] == [
        "lab.py cannot be imported. SyntaxError: invalid syntax: `def f(:`",
        "(lab.py:1)",
    ]
    assert "A merge conflict stands in line 1" in debug(EQUAL_BOUNDS, lab=lab_with(tmp_path, "<<<<<<< HEAD\n"))


def test_nothing_of_what_is_expected_comes_by() -> None:
    look = "p any('exp' 'ect=' in repr(value) for frame in stack() for value in frame.frame.f_locals.values())"
    shown = debug(EQUAL_BOUNDS, "!from inspect import stack", look, "c")
    assert "(Pdb) (Pdb) False\n" in shown


# --- what cannot be debugged -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--case", "equal-bounds"], "no case 'equal-bounds'; do you mean alphabeta/equal-bounds?"),
        (["--case", "alphabta/equal-bound"], "do you mean alphabeta/equal-bounds"),
        (["--case", EQUAL_BOUNDS, "--call", "3"], "has 2 calls, and CALL=3 is none of them"),
        (["--call=x", f"--case={EQUAL_BOUNDS}"], "has 2 calls, and CALL=x is none of them"),
        ([], "make debug takes a CASE="),
        (["--case", "questions/question-1"], "is about ANSWER_1, and that is no call in Python"),
        (["--case", "make-run/ten-by-one-or-two"], "and that is no call in Python to stop in"),
    ],
)
def test_a_line_says_what_cannot_be_debugged(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(Refusal) as refused:
        main(words, KIT / "lab.py")
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)
    assert not capsys.readouterr().out
