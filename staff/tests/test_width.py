"""Every line of every screen fits into 79 columns: pictures, tables, long names, crashes, every case in a line."""

import dataclasses
import itertools
import os
import subprocess
import sys
import textwrap
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from boards.cases import Bank, Case
from grader.grading.judge import draw_call, judge
from grader.grading.session import Session
from grader.grading.sheet import ScoreSheet
from grader.judging.verdict import Status, Verdict
from grader.kinds.search.answer import Evidence, SearchAnswer
from grader.protocol.reading import answered
from grader.release import Checkout, Release
from grader.showing.console import report
from grader.showing.failing import explain
from grader.showing.style import Style, within
from staff.tests.conftest import KIT
from staff.wrong_labs import with_body

COLUMNS = 79
STYLES = [Style(False, ascii_only=False, make=True), Style(False, ascii_only=True)]
LONG = "a_very_long_name_" * 40
WIDE = [LONG, "é" * 300, "… " * 90, "word " * 90, "w" * 74, "w" * 73 + " w"]


def too_long(text: str) -> list[str]:
    return [line for line in text.splitlines() if len(line) > COLUMNS]


def test_a_line_of_a_picture_that_is_too_wide_stays_in_its_place() -> None:
    first, second = within(f"      |   `- {'9' * 40}   1st evaluated  <-- your path")
    assert first.startswith("      |   `- 999") and second == f"{'':10}your path"


def test_a_line_of_a_picture_that_begins_far_right_fits() -> None:
    for margin in range(40, 100):
        assert max(map(len, within(f"{'':{margin}}|- {'name ' * 9}  <-- your path"))) <= COLUMNS - 5


def test_pictures_fit(bank: Bank) -> None:
    for case in bank.cases:
        for index, call in enumerate(case.calls):
            order = tuple((0,) * depth for depth in range(12))
            record = Evidence(False, 0, 0, 0, 0, order)
            seen = SearchAnswer((), False, record) if case.graded.kind == "search" else None
            picture = draw_call(case, index, seen)
            tree = "\n".join(line for line in picture.splitlines() if line.lstrip()[:1] in ("|", "`"))
            assert not too_long(textwrap.indent(tree, "    ")), (case.id, call)  # or it is wrapped
            lines = explain(ScoreSheet(bank, {}, b""), case, Verdict(case.id, Status.FAIL, picture=picture), STYLES[1])
            assert not too_long("\n".join(lines)), (case.id, call)


def answers(text: str) -> list[dict[str, Any]]:
    """Outcomes that hold a long text wherever one can."""
    number = 10**70
    return [
        {"value": text},
        {"value": [text] * 9},
        {"value": number},
        {"value": {"$dict": [[text, text]]}},
        {"start": text, "leads_to": {"$dict": [[1, [number] * 9]]}, "ends": {"$dict": []}},
        {"start": 10, "leads_to": {"$dict": [[10, [number] * 9]]}, "ends": {"$dict": []}},
        {"totals": {"WIN": number, "TIE": number, "LOSE": number}, "digest": ""},
        {"stdout": text, "status": 0, "complaint": ""},
        {"stdout": "", "status": 1, "complaint": text},
        {"raised": {"type": text, "bases": [], "text": text, "frames": [[number, text]]}},
        {"raised": {"type": text, "bases": ["NotImplementedError"], "text": text, "frames": [[1, text]]}},
        {"result": {"other": {"$other": text}}},
        {"result": {"path": {"indices": [number] * 30}, "score": number, "evaluations": number}},
        {"result": {"path": {"problem": "type", "type": text}, "score": text, "evaluations": text}},
        {"history": [{"path": {"indices": [7] * 90}, "score": number, "evaluations": number}] * 40},
    ]


@pytest.mark.parametrize("text", WIDE, ids=["one-word", "accents", "dots", "words", "exactly", "nearly"])
def test_whatever_comes_back_fits(text: str, bank: Bank) -> None:
    firsts = [bank.of(function)[0] for part in bank.parts for function in part.functions]
    for outcome in answers(text):
        verdicts = {case.id: wrong(case, outcome, text) for case in firsts}
        checkout = Checkout(text[:60], (f"api/{text}.py",) * 20, ("random.py",))
        sheet = ScoreSheet(bank, verdicts, b"", kit=Release(version="1.2.0"), checkout=checkout)
        for style in STYLES:
            screens = [report(sheet, cases, True, style) for cases in (firsts, bank.cases)]
            screens += ["\n".join(explain(sheet, case, verdicts[case.id], style)) for case in firsts]
            for screen in screens:
                assert not too_long(screen), too_long(screen)
    failed = ScoreSheet(bank, {}, b"", import_failure=f"It failed: {text}")
    assert not too_long(report(failed, bank.cases, True, STYLES[0]))


def wrong(case: Case, outcome: dict[str, Any], text: str) -> Verdict:
    answer = answered([{"record": {}, **outcome}] * len(case.calls))
    return judge(case, dataclasses.replace(answer, printed=f"{text}\n" * 9))


def test_the_table_of_parts_fits(bank: Bank) -> None:
    """With cases of every status in every part, points that are no whole numbers, and some at the deadline."""
    states = itertools.cycle(Status)
    verdicts = {
        case.id: Verdict(case.id, status, Fraction(status is Status.PASS))
        for case, status in zip(bank.cases, states, strict=False)
    }
    parts = tuple(
        dataclasses.replace(
            part,
            functions={name: points * Fraction(97, 7) for name, points in part.functions.items()},
            hidden=dict.fromkeys(part.functions, Fraction(1, 3)),
        )
        for part in bank.parts
    )
    screen = report(ScoreSheet(Bank(parts, bank.cases), verdicts, b""), bank.cases, False, STYLES[1])
    assert not too_long(screen), too_long(screen)
    for status in Status:
        assert status.value[:4] in screen


WRONG_LABS = {
    "dfs_maximizing": f"raise ValueError({LONG!r})",
    "solve": f"return {{{LONG!r}: {LONG!r}, **dict.fromkeys(range(50), Value.WIN)}}",
    "minimax_search": f"print({LONG!r}); return ([state], {10**70}, {10**60})",
    "heuristic_connectfour": "return 1e300 / 7",
    "next_boards_connectfour": f"return [{LONG!r}] * 9",
    "MinimaxPlayer": "",
}


def test_screens_of_wrong_labs_fit(model: str, bank: Bank, tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    for function, body in WRONG_LABS.items():
        text = with_body(function, body, model) if body else model.replace("class MinimaxPlayer", "class _" + LONG[:60])
        lab.write_text(text, encoding="utf-8")
        cases = bank.of(function)[:2]
        with Session(lab, bank) as session:
            sheet = session.sheet_of(cases)
        for style in STYLES:
            screen = report(sheet, cases, True, style)
            assert not too_long(screen), too_long(screen)
            assert any(not sheet.verdict(case).passed for case in cases)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such terminal there")
def test_what_make_run_complains_of_fits_on_a_terminal_and_is_one_line_elsewhere(model: str, tmp_path: Path) -> None:
    import pty

    lab = tmp_path / "lab.py"
    lab.write_text(with_body("solve", "return game.get_moves()", model), encoding="utf-8")
    words, told = [sys.executable, "grader", "run", "zero_by", "5", "1"], {**os.environ, "LAB": str(lab)}
    screen, terminal = pty.openpty()
    subprocess.run(words, cwd=KIT, env=told, stderr=terminal)
    os.close(terminal)
    shown = os.read(screen, 10_000).decode()
    os.close(screen)
    assert "TypeError" in shown and too_long(shown) == []
    assert subprocess.run(words, cwd=KIT, env=told, capture_output=True, text=True).stderr.count("\n") == 1
