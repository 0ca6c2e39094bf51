"""What a student's process sends is data.

The grader judges it whatever it holds, and shows it harmless.
"""

import copy
import dataclasses
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.bank.cases import Bank, Case
from grader.grading.judge import judge
from grader.grading.runs import Runs
from grader.grading.session import Session
from grader.grading.sheet import ScoreSheet
from grader.protocol.answer import Answer, Ending
from grader.protocol.replies import answered
from grader.showing.console import report
from grader.showing.markdown import summary
from grader.showing.style import Style
from grader.verdicts.verdict import Status, Verdict
from staff.reports import gradescope
from staff.tests.conftest import FUNCTIONS, KIT

EVIL = "\x07\x1b[31m\r\x00\x85\u2028\u202e\u2066\ud800\ufeff\t"
TIMES = 600
ODD: tuple[Any, ...] = (
    *(
        None,
        True,
        -1,
        10**301,
        0.5,
        float("inf"),
        float("nan"),
        "",
        EVIL,
        "x" * 3_000,
        [],
        {},
        [[]],
        [None] * 200,
    ),
    *(
        {"$other": []},
        {"$dict": [[EVIL, 2]]},
        {"$dict": [3]},
        {"$value": EVIL},
        {"$board": 3},
        {"$estimate": EVIL},
    ),
    *(
        {"raised": {}},
        {"missing": []},
        {"problem": []},
        {"indices": [[]]},
        {"indices": [EVIL]},
        {"result": {}},
    ),
)


@pytest.fixture(scope="module")
def answers(bank: Bank) -> list[tuple[Case, Answer]]:
    """The model's answers to two cases of each function."""
    answered_cases: list[tuple[Case, Answer]] = []
    runs = Runs(KIT / "lab.py")
    try:
        for function in FUNCTIONS:
            cases = [case for case in bank.of(function) if not case.advice][1:3]
            answered_cases += runs.together(cases)
    finally:
        runs.close()
    return answered_cases


def tampered(outcomes: list[Any], chance: random.Random) -> list[Any]:
    """The outcomes with one value replaced by an odd one, or left out."""
    outcomes = copy.deepcopy(outcomes)
    place: Any = chance.choice(outcomes)
    while True:
        key = (
            chance.choice(list(place))
            if isinstance(place, dict)
            else chance.randrange(len(place))
        )
        inner = place[key]
        if not (isinstance(inner, dict | list) and inner) or chance.random() < 0.2:
            break
        place = inner
    if chance.random() < 0.2:
        del place[key]
    else:
        place[key] = copy.deepcopy(chance.choice(ODD))
    return outcomes


def strings_in(data: Any) -> Iterator[str]:
    if isinstance(data, dict):
        data = [*data, *data.values()]
    if isinstance(data, list):
        for value in data:
            yield from strings_in(value)
    elif isinstance(data, str):
        yield data


def check_harmless(sheet: ScoreSheet, folder: Path) -> None:
    """Check that all texts of a sheet are printable, except for line ends."""
    sheet.write(folder / "results.json")
    texts = [
        report(sheet, True, Style(False, ascii_only)) for ascii_only in (False, True)
    ]
    texts.append(summary(sheet, [EVIL]))
    for data in (
        json.loads((folder / "results.json").read_text("utf-8")),
        gradescope.result(sheet, 1),
    ):
        texts += strings_in(data)
    for text in texts:
        assert text.replace("\n", "").isprintable(), ascii(text)


def test_tampering_is_judged_and_earns_nothing(
    answers: list[tuple[Case, Answer]], bank: Bank, tmp_path: Path
) -> None:
    chance = random.Random(8)
    verdicts = dict[str, Verdict]()
    for number in range(TIMES):
        case, answer = chance.choice(answers)
        sent = answered(tampered(answer.outcomes, chance), len(case.calls))
        verdict = judge(case, dataclasses.replace(sent, printed=EVIL))
        assert verdict.status is not Status.UNGRADED
        verdicts[case.id] = verdict
        if number % 200 == 0:
            check_harmless(
                ScoreSheet(bank, verdicts, b"", import_failure=None), tmp_path
            )


def test_the_facts_of_an_ending_are_shown_harmless(bank: Bank, tmp_path: Path) -> None:
    cases = [case for case in bank.of("dfs_maximizing") if not case.advice]
    endings = [ending for ending in Ending if ending is not Ending.ANSWERED]
    verdicts = {
        case.id: judge(
            case, Answer(ending, [], detail=3, printed=EVIL, frames=((1, EVIL),))
        )
        for case, ending in zip(cases, endings, strict=False)
    }
    check_harmless(ScoreSheet(bank, verdicts, b""), tmp_path)


HOSTILE = r"""
from api import *
EVIL = "\x07\x1b[31m\r\x00\x85\u2028\u202e\ud800\t"
def dfs_maximizing(state):
    print(EVIL)
    def inner(): raise type(EVIL.replace("\0", "").replace("\ud800", ""), (Exception,), {})(EVIL)
    inner.__code__ = inner.__code__.replace(co_name="in\x1b[31mner")
    inner()
def minimax_search(state, *words, **more): return type("A\x1b[31m", (), {})()
def solve(game): return {EVIL: EVIL}
ANSWER_1 = NAME = EVIL
class ZeroBy:
    def __init__(self, *words): pass
    def start(self): return type("B\x1b[31m", (int,), {})(5)
"""


@pytest.mark.parametrize("fork", [True, False])
def test_a_hostile_lab_is_shown_harmless(
    fork: bool, bank: Bank, tmp_path: Path
) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(HOSTILE, encoding="utf-8")
    functions = ("dfs_maximizing", "minimax_search", "solve", "ANSWER_1", "ZeroBy")
    with Session(lab, bank, fork) as session:
        sheet = session.sheet_of([bank.of(function)[0] for function in functions])
    assert not any(verdict.passed for verdict in sheet.verdicts.values())
    check_harmless(sheet, tmp_path)


def test_positions_that_paint_are_spelled_out(model: str, tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(
        f"{model}\nsolve = lambda game: {{'a\\x1b[31m\\nb': Value.WIN}}\n",
        encoding="utf-8",
    )
    words = [sys.executable, "grader", "run", "zero_by", "3", "1"]
    done = subprocess.run(
        words, cwd=KIT, capture_output=True, text=True, env={"LAB": str(lab)}
    )
    assert done.stdout == "a\\x1b[31m\\nb: WIN\n"
