"""Nothing of a student's reaches a screen, a page or a file raw: a hostile text in every field there is."""

import dataclasses
import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from boards.cases import Bank, Case
from grader.grading.judge import judge
from grader.grading.session import Session
from grader.grading.sheet import ScoreSheet
from grader.judging.verdict import Status, Verdict
from grader.protocol.answer import Answer, Ending
from grader.protocol.reading import answered
from grader.release import Release
from grader.showing.console import report
from grader.showing.markdown import summary
from grader.showing.style import Style
from staff.reports import classroom50, gradescope
from staff.tests.conftest import KIT

EVIL = "\x07\x1b[31m\r\x00\x85\u2028\u202e\u2066\ud800\ufeff\t"
FACTS = dict.fromkeys(classroom50.FACTS, "submit/1")
ADDED = "\u200b"  # which classroom50 puts into what a log of GitHub Actions would take for a command

OUTCOMES: list[dict[str, Any]] = [
    {"value": EVIL},
    {"value": [EVIL, {"$other": EVIL}]},
    {"value": {"$dict": [[EVIL, EVIL], [1, {"$value": EVIL}]]}},
    {"value": {"$dict": [[EVIL, {"$value": "WIN"}]]}},
    {"value": {"$estimate": {"sure": EVIL}}},
    {"value": {"$board": [EVIL]}},
    {"value": [EVIL, {"$estimate": {"guess": EVIL}}], "estimates": EVIL},
    {"start": EVIL, "leads_to": {"$dict": [[EVIL, EVIL]]}, "ends": {"$dict": [[EVIL, EVIL]]}},
    {"problem": ["do_move", EVIL]},
    {"totals": {"WIN": EVIL}, "digest": EVIL},
    {"stdout": EVIL, "status": 0, "complaint": ""},
    {"stdout": "", "status": 1, "complaint": EVIL},
    {"missing": EVIL},
    {"raised": {"type": EVIL, "bases": [], "text": EVIL, "frames": [[1, EVIL]]}},
    {"raised": {"type": EVIL, "bases": ["NotImplementedError"], "text": EVIL, "frames": [[1, EVIL]]}},
    {"raised": {"type": EVIL, "bases": ["RecursionError", EVIL], "text": EVIL, "frames": [[1, EVIL]]}},
    {"result": {"other": {"$other": EVIL}}},
    {"result": {"length": EVIL}},
    {"result": {"path": {"problem": "type", "type": EVIL}, "score": 1, "evaluations": 1}, "record": {}},
    {"result": {"path": {"problem": "not a state", "step": 1, "type": EVIL}, "score": EVIL, "evaluations": EVIL}},
    {"result": {"path": {"indices": [EVIL]}, "score": 1, "evaluations": EVIL}, "record": {"order": [[EVIL]]}},
    {"history": [{"path": {"indices": [EVIL]}, "score": EVIL, "evaluations": EVIL}] * 3, "record": {}},
    {"refused": EVIL},
]


def hostile_verdicts(case: Case) -> Iterator[Verdict]:
    """What the judge makes of a case in which every field that a student controls is hostile."""
    for outcome in OUTCOMES:
        full = {"record": {}, **outcome}
        yield judge(case, dataclasses.replace(answered([full] * len(case.calls)), printed=EVIL))
    for ending in set(Ending) - {Ending.ANSWERED}:
        yield judge(case, Answer(ending, [], detail=3, printed=EVIL, frames=((1, EVIL),)))


def texts_of(sheet: ScoreSheet, folder: Path) -> Iterator[str]:
    """All that is shown of a sheet anywhere, with the ends of lines taken out."""
    sheet.write(folder / "results.json")
    for ascii_only in (False, True):
        yield report(sheet, True, Style(False, ascii_only))
    yield summary(sheet, [EVIL])
    now = datetime(2027, 2, 1, tzinfo=UTC)
    reports = [gradescope.result(sheet, 1), classroom50.result(sheet, FACTS, now)]
    for data in (json.loads((folder / "results.json").read_text("utf-8")), *reports):
        yield from strings(data)


def strings(data: Any) -> Iterator[str]:
    if isinstance(data, dict):
        for key, value in data.items():
            yield from (*strings(key), *strings(value))
    elif isinstance(data, list):
        for value in data:
            yield from strings(value)
    elif isinstance(data, str):
        yield data


def test_a_hostile_text_in_every_field(bank: Bank, tmp_path: Path) -> None:
    firsts = [bank.of(function)[0] for part in bank.parts for function in part.functions]
    several = zip(*map(hostile_verdicts, firsts), strict=True)
    texts: set[str] = set()
    for verdicts in ({verdict.case: verdict for verdict in alike} for alike in several):
        sheet = ScoreSheet(bank, verdicts, b"", {}, None, Release(version="1.2.0"))
        texts.update(texts_of(sheet, tmp_path))
    texts.update(texts_of(ScoreSheet(bank, {}, b"", {}, f"It failed: {EVIL}"), tmp_path))
    for text in texts:
        assert text.replace("\n", "").replace(ADDED, "").isprintable(), ascii(text)


def test_every_text_of_a_verdict_is_visible() -> None:
    evil = f"{EVIL}\n"
    verdict = Verdict(
        "a", Status.FAIL, rows=((EVIL,) * 3,), message=evil, picture=evil, printed=evil, frames=((1, evil),)
    )
    for text in (verdict.message, *verdict.rows[0], verdict.inside):
        assert text.isprintable()
    assert verdict.picture.count("\n") == verdict.printed.count("\n") == 1


LAB = r"""
from api import *
EVIL = "\x07\x1b[31m\r\x00\x85\u2028\u202e\ud800\t"
def dfs_maximizing(state):
    print(EVIL)
    def inner(): raise type(EVIL.replace("\0", "").replace("\ud800", ""), (Exception,), {})(EVIL)
    inner.__code__ = inner.__code__.replace(co_name="in\x1b[31mner")
    inner()
def minimax_search(state, *words, **more): return type("A\x1b[31m", (), {})()
def solve(game): return {EVIL: EVIL}
ANSWER_1 = EVIL
class ZeroBy:
    def __init__(self, *words): pass
    def start(self): return type("B\x1b[31m", (int,), {})(5)
"""


@pytest.mark.parametrize("fork", [True, False])
def test_a_hostile_lab(fork: bool, bank: Bank, tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(LAB, encoding="utf-8")
    wanted = ("dfs_maximizing", "minimax_search", "solve", "ANSWER_1", "ZeroBy")
    with Session(lab, bank, fork) as session:
        sheet = session.sheet_of([bank.of(function)[0] for function in wanted])
    assert not any(verdict.passed for verdict in sheet.verdicts.values())
    for text in texts_of(sheet, tmp_path):
        assert text.replace("\n", "").replace(ADDED, "").isprintable(), ascii(text)


def test_positions_that_paint_are_spelled_out(model: str, tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(f"{model}\nsolve = lambda game: {{'a\\x1b[31m\\nb': Value.WIN}}\n", encoding="utf-8")
    words = [sys.executable, "grader", "run", "zero_by", "3", "1"]
    done = subprocess.run(words, cwd=KIT, capture_output=True, text=True, env={"LAB": str(lab)})
    assert done.stdout == "a\\x1b[31m\\nb: WIN\n"
