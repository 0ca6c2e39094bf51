"""Any function may hang, crash, exit or flood: only its own cases lose points, each with its sentence."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import pytest

from boards.cases import Bank
from grader.grading.session import grade
from grader.judging.verdict import Status
from staff.tests.conftest import FUNCTIONS, Grade, affected_by, functions_with, score_of, sheet_of
from staff.wrong_labs import WrongLab, build, with_body

BREAKAGES = {
    "not-started": ("raise NotImplementedError", Status.NOT_STARTED, "Not started"),
    "returns-none": ("return None", Status.FAIL, ""),
    "hangs": ("while True:\n    pass", Status.TIME_OUT, "of computing"),
    "swallows-everything": (
        "while True:\n    try:\n        while True:\n            pass\n    except BaseException:\n        pass",
        Status.TIME_OUT,
        "of computing",
    ),
    "sys-exit": ("import sys\nsys.exit(0)", Status.CRASH, "sys.exit"),
    "os-exit": ("import os\nos._exit(0)", Status.CRASH, "ended the whole process (exit status 0)"),
    "recursion": ("def again():\n    return again()\nreturn again()", Status.CRASH, "Endless recursion"),
    "flood": ('print("x" * (17 << 20))', Status.CRASH, "printed more than 16 MiB"),
    "out-of-memory": ("return [0] * 10**10", Status.CRASH, "out of memory"),
    "segfault": ("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)", Status.CRASH, "SIGSEGV"),
}
HANGING = {"hangs", "swallows-everything"}
EVERYWHERE = "returns-none"
TELLING = ("ZeroBy", "solve", "is_game_over_connectfour", "minimax_search_alphabeta", "MinimaxPlayer")  # one a kind
OF_THE_PROCESS = {"swallows-everything", "flood", "out-of-memory", "segfault"}  # whatever the kind


def broken_by(breakage: str) -> Sequence[str]:
    """The functions in which a breakage is tried."""
    return FUNCTIONS if breakage == EVERYWHERE else TELLING[2:4] if breakage in OF_THE_PROCESS else TELLING


@pytest.mark.parametrize(
    ("breakage", "function"),
    [(breakage, function) for breakage in BREAKAGES for function in broken_by(breakage)],
)
def test_only_the_broken_function_loses(function: str, breakage: str, model: str, tmp_path: Path, few: Bank) -> None:
    concerned = affected_by({function}, model, few)
    some = Bank(few.parts, tuple(case for case in few.cases if case.function in concerned))
    check_breakage(function, breakage, model, tmp_path, some, fork=True)


@pytest.mark.parametrize("breakage", [EVERYWHERE, "swallows-everything", "segfault"])
def test_no_other_case_feels_it(breakage: str, model: str, tmp_path: Path, hasty_bank: Bank) -> None:
    """All cases, with a function that others call, which answers, hangs, or takes its process with it."""
    check_breakage("is_game_over_connectfour", breakage, model, tmp_path, hasty_bank, fork=True)


WITHOUT_FORK = ("solve", "next_boards_connectfour", "minimax_search_alphabeta")


@pytest.mark.parametrize(
    ("function", "breakage"),
    [
        *((WITHOUT_FORK[0], breakage) for breakage in sorted(BREAKAGES.keys() - HANGING)),
        *((function, "os-exit") for function in WITHOUT_FORK[1:]),
    ],
)
def test_the_same_without_fork(function: str, breakage: str, model: str, tmp_path: Path, few: Bank) -> None:
    """Where each function has a process to itself; so a few functions are enough."""
    graded = (*WITHOUT_FORK, "progressive_deepening")
    some = Bank(few.parts, tuple(case for case in few.cases if case.function in graded))
    check_breakage(function, breakage, model, tmp_path, some, fork=False)


def test_nothing_is_swallowed_without_fork(model: str, tmp_path: Path, few: Bank) -> None:
    check_breakage("solve", "swallows-everything", model, tmp_path, few, fork=False)


@pytest.mark.parametrize("fork", [True, False], ids=["fork", "no-fork"])
def test_a_hanging_function_is_cut_short(
    fork: bool, model: str, tmp_path: Path, bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two cases have all their time, the others little, and in the end none at all; what needs the
    function waits without being run.  All of it at a quarter of the times, which are whole
    seconds without fork."""
    monkeypatch.setattr("grader.grading.patience.IMPATIENT_SECONDS", 0.125)
    monkeypatch.setattr("grader.grading.patience.MOST_SECONDS_OF_TIME_OUTS", 1.5 if fork else 2.5)
    cases = [case for case in bank.cases if case.function in ("solve", "make_run") and not case.advice]
    quarter = Bank(bank.parts, tuple(dataclasses.replace(case, seconds=0.5) for case in cases))
    sheet = sheet_of(with_body("solve", "while True: pass", model), ("solve", "make_run"), fork, tmp_path, quarter)
    first, second, *others = [sheet.verdict(case) for case in quarter.of("solve")]
    assert {verdict.status for verdict in (first, second, *others)} == {Status.TIME_OUT}
    assert first.ran and second.ran and others[0].ran and not others[-1].ran
    for verdict in others if fork else ():
        assert ("stopped after 0.125 seconds" in verdict.message) is verdict.ran
    assert {sheet.verdict(case).seconds for case in quarter.of("make_run")} == {0}


def check_breakage(function: str, breakage: str, model: str, tmp_path: Path, bank: Bank, fork: bool) -> None:
    body, status, words = BREAKAGES[breakage]
    lab = tmp_path / "lab.py"
    lab.write_text(build(WrongLab(breakage, function, "It breaks.", 0, body=body), model), encoding="utf-8")
    sheet = grade(lab, bank, fork=fork)
    broken = functions_with(sheet, *(each for each in Status if each not in (Status.PASS, Status.WAITS)))
    assert broken == {function}
    verdicts = [sheet.verdict(case) for case in sheet.bank.of(function) if not case.advice]
    assert {verdict.status for verdict in verdicts} == {status}
    assert score_of(sheet, function) == 0
    if fork or status is not Status.TIME_OUT:
        assert words in verdicts[0].message


def constant_lab(model: str, value: str) -> str:
    """A lab whose functions all return one thing, `argument` being their first argument."""
    text = model
    for function in FUNCTIONS:
        body = f"return {value}"
        if value in ("argument", "([argument], 0, 1)"):
            body = f"argument = next(iter(locals().values()))\nreturn {value}"
        text = with_body(function, body, text)
    return f"{text}\nANSWER_1 = ANSWER_2 = ANSWER_3 = ANSWER_4 = None\n"


@pytest.mark.parametrize("value", ["None", "0", "True", "False", "[]", "argument", "([argument], 0, 1)"])
def test_constants_earn_nothing(value: str, model: str, grade_forked: Grade) -> None:
    assert grade_forked(constant_lab(model, value)).score <= 2


def test_the_stub_scores_nothing(model: str, grade_text: Grade) -> None:
    text = model
    for function in FUNCTIONS:
        text = with_body(function, "raise NotImplementedError", text)
    sheet = grade_text(f"{text}\nANSWER_1 = ANSWER_2 = ANSWER_3 = ANSWER_4 = None\n")
    assert sheet.score == 0
    assert {sheet.verdict(case).status for case in sheet.bank.cases if not case.advice} == {
        Status.NOT_STARTED,
        Status.WAITS,
    }
