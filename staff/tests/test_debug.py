"""make debug: the call of a case, in a debugger, from its first line on; and every call as Python to paste."""

import ast
import contextlib
import os
import subprocess
import sys
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest

import api
import boards
from api import AbstractGameState, ConnectFourBoard, Game, TwoPlayerGame
from api.state import rules_of
from boards.cases import Bank
from grader.calls.calling import make_call
from grader.kinds.kind import kind_of
from grader.refusal import Refusal
from grader.showing.style import WIDTH, code
from grader.tools.debug import main
from staff.tests.conftest import KIT
from staff.tests.support.waiting import LONG
from staff.wrong_labs import with_body

# --- the call to paste -----------------------------------------------------------------------------


class Heard(Exception):
    """Raised where a function of lab.py was called, as far as that needs to go."""


def silent_lab(heard: list[Any]) -> ModuleType:
    """A lab.py whose functions and classes only note what they are given."""

    def noted(name: str) -> Any:
        def function(*words: Any, **named: Any) -> None:
            heard.append((name, [plain(word) for word in words], {key: plain(word) for key, word in named.items()}))
            if name not in ("another", "search", "evaluate", "next_move", "make"):
                raise Heard

        return function

    class Made:
        def __init__(self, first: Any, second: Any, estimate: Any = None) -> None:
            noted("make")(first, second, estimate)

        search, evaluate, next_move = (staticmethod(noted(name)) for name in ("search", "evaluate", "next_move"))
        start = staticmethod(noted("start"))

    lab = ModuleType("lab")
    lab.__getattr__ = lambda name: Made if name in ("ZeroBy", "MinimaxPlayer") else noted(name)  # type: ignore[method-assign]
    return lab


def plain(value: Any) -> Any:
    """Whatever a function is given, as data that can be compared."""
    if isinstance(value, AbstractGameState):
        over, _, score = rules_of(value)
        children = [] if over(value.snapshot) else [plain(child) for child in value.generate_next_states()]
        return plain(value.snapshot), children or [score(value.snapshot, flag) for flag in (True, False)]
    if isinstance(value, ConnectFourBoard):
        return value.board_array, tuple(value.players)
    if isinstance(value, (Game, TwoPlayerGame)):
        facts = {key: plain(fact) for key, fact in vars(value).items() if key != "estimate"}
        return type(value), facts
    return value.__name__ if isinstance(value, FunctionType) else value


def test_every_call_can_be_pasted(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.calls.requests.Requests.watch_estimator", lambda requests, name, estimator: estimator)
    for case in bank.cases:
        for number, call in enumerate(case.calls):
            pasted = kind_of(case.graded).pasted(case.graded, call)
            assert bool(pasted) == (case.graded.kind not in ("command", "question")), case.id
            if pasted:
                given: list[Any] = []
                heard: list[Any] = []
                with contextlib.suppress(Heard):
                    make_call(silent_lab(given), case.graded.kind, case.function, call.inputs | {"watched": False})
                with contextlib.suppress(Heard):
                    run_pasted(pasted, silent_lab(heard))
                assert given, (case.id, number)
                assert heard == given, (case.id, number)


def run_pasted(text: str, lab: ModuleType) -> None:
    names = {name: getattr(boards, name) for name in boards.__all__} | {
        name: getattr(api, name) for name in api.__all__
    }
    called = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    own = {name: getattr(lab, name) for name in called - names.keys() if not hasattr(__builtins__, name)}
    exec("\n".join(code(text)), own | names)


def test_a_pasted_call_fits_a_screen(bank: Bank) -> None:
    for case in bank.cases:
        for call in case.calls:
            assert all(len(line) <= WIDTH for line in code(kind_of(case.graded).pasted(case.graded, call)))


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


def test_its_steps_stay_in_lab_py(model: str) -> None:
    lines = debug(EQUAL_BOUNDS, *["s"] * 80, "q").replace("(Pdb) ", "").splitlines()
    stops = [number for number, line in enumerate(lines) if line.startswith("> ")]
    assert len(stops) > 50
    assert all("lab.py(" in lines[number] for number in stops)
    begins = model.partition(f"\ndef {SEARCH}(")[0].count("\n") + 2
    entered = [number for number in stops if f"({begins}){SEARCH}" in lines[number]]
    assert len(entered) > 3
    assert all(
        lines[number - 1] == "--Call--" for number in entered if number != stops[0]
    )  # and once, however it was made to stop


def test_a_player_is_stopped_where_it_is_asked() -> None:
    shown = debug("player/horizon-for-minnie", "p depth, state.player", "q", call=2)
    assert ")search()\n" in shown
    assert "(Pdb) (2, Player.MINNIE)" in shown


def test_a_function_under_another_name_is_stopped_in(tmp_path: Path) -> None:
    lab = lab_with(
        tmp_path, "from functools import partial\ndef own(state):\n    return 3\ndfs_maximizing = partial(own)\n"
    )
    assert ")own()\n" in debug("dfs/two-by-two", "q", lab=lab)


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


def test_another_debugger_can_be_named() -> None:
    done = debug(EQUAL_BOUNDS, PYTHONBREAKPOINT="traceback.print_stack")
    assert "(Pdb)" not in done
    assert done.count(f", in {SEARCH}\n") == 1


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
