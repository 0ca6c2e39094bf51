"""Any function may hang, crash, exit or flood: only its own cases lose points, each with its sentence."""

import pytest

from grader.verdict import Status
from staff.chaffs import Chaff, build, with_body
from staff.tests.conftest import FUNCTIONS, Grade, functions_with

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
    "flood": ('print("x" * 10**8)', Status.CRASH, "printed more than 16 MiB"),
    "out-of-memory": ("return [0] * 10**10", Status.CRASH, "out of memory"),
    "segfault": ("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)", Status.CRASH, "SIGSEGV"),
}


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("breakage", BREAKAGES)
def test_only_the_broken_function_loses(function: str, breakage: str, model: str, grade_text: Grade) -> None:
    body, status, words = BREAKAGES[breakage]
    sheet = grade_text(build(Chaff(breakage, function, "It breaks.", 0, body=body), model))
    broken = functions_with(sheet, *(each for each in Status if each not in (Status.PASS, Status.WAITS)))
    assert broken == {function}
    verdicts = [sheet.verdict(case) for case in sheet.bank.of(function) if not case.advice]
    assert {verdict.status for verdict in verdicts} == {status}
    without_fork = "waited" in verdicts[0].message
    if not without_fork:
        assert words in verdicts[0].message
    assert sum("after 2 seconds" in verdict.message for verdict in verdicts) <= 2
    assert sheet.score_of_function(function) == 0


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
def test_constants_earn_nothing(value: str, model: str, grade_text: Grade) -> None:
    assert grade_text(constant_lab(model, value)).score <= 2


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
