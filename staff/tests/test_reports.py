"""The writers for the services: their rules on five labs, faults of the grader, hostile text and files."""

import dataclasses
import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from boards.cases import Bank
from grader.grading.session import grade
from grader.grading.sheet import ScoreSheet
from grader.judging.verdict import Status, Verdict
from grader.release import Release
from staff.reports import classroom50, gradescope, submission
from staff.reports.inert import explanation, plain, without_commands
from staff.reports.markdown import cut
from staff.tests.conftest import KIT
from staff.wrong_labs import with_body

SCHEMAS = KIT / "staff" / "reports" / "schemas"
LABS = ["full", "partial", "no-import", "time-out", "hostile"]
FACTS = classroom50.Submission("ai", "games", "individual", "alice", "submit/1", "https://a", "https://b", "")
NOW = datetime(2027, 2, 1, 12, tzinfo=UTC)
CLASSROOM50 = {
    "CLASSROOM": "ai",
    "ASSIGNMENT": "games",
    "ASSIGNMENT_TYPE": "individual",
    "OWNER": "alice",
    "SUBMISSION_TAG": "submit/2026-11-21T20-00-00Z-a1b2c3d",
    "COMMIT_URL": "https://example.edu/commit",
    "RELEASE_URL": "https://example.edu/release",
    "REVIEW_URL": "",
}

HOSTILE = r'''
_ATTACK = """::notice title=Autograding complete::Points 100/100
 ::error::forged
##[error]forged
| forged | 100 | 100 |
<img src=x onerror=alert("forged")></pre><script>forged()</script>
\x1b[2J\x1b[31mforged\x1b[0m \u202eforged
~~~
``````
# forged
``` forged
"""
class _Shown:
    def __repr__(self): return _ATTACK
    __str__ = __repr__
def _helper():
    print(_ATTACK * 300)
    raise type("::error::forged", (Exception,), {})(_ATTACK)
_helper.__code__ = _helper.__code__.replace(co_name=_ATTACK)
def dfs_maximizing(state): return _helper()
def minimax_search(*words, **named):
    print(_ATTACK)
    return _Shown()
def minimax_endgame_search(state, maximize=True): return [_ATTACK], _ATTACK, _ATTACK
def next_boards_connectfour(board): return [_ATTACK, _Shown()]
def solve(game): return {_ATTACK: _ATTACK}
def heuristic_connectfour(board, flag): raise KeyError(_ATTACK)
ANSWER_1 = _ATTACK
'''


@pytest.fixture(scope="module")
def sheets(model: str, hasty_bank: Bank, short_bank: Bank, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A score sheet for each of the five labs."""
    texts = {
        "full": model,
        "partial": model.replace("if alpha >= beta:", "if alpha > beta:"),
        "no-import": f"{model}\ndef broken(:  # ::error::``` <b> | forged |\n",
        "time-out": with_body("dfs_maximizing", "while True:\n    pass", model),
        "hostile": model + HOSTILE,
    }
    folder = tmp_path_factory.mktemp("labs")
    graded = {}
    for name, text in texts.items():
        lab = folder / f"{name}.py"
        lab.write_text(text, encoding="utf-8")
        graded[name] = grade(lab, hasty_bank if name == "time-out" else short_bank)
    return graded


@pytest.fixture(params=LABS)
def sheet(request: pytest.FixtureRequest, sheets: dict[str, ScoreSheet]) -> ScoreSheet:
    return sheets[request.param]


@pytest.fixture
def ungraded(sheets: dict[str, ScoreSheet]) -> ScoreSheet:
    """A full score, but for one case that the grader could not judge."""
    sheet = sheets["full"]
    case = sheet.bank.of("dfs_maximizing")[0].id
    fault = Verdict(case, Status.UNGRADED, message="A fault of the grader")
    return dataclasses.replace(sheet, verdicts={**sheet.verdicts, case: fault})


def check(service: str, report: dict[str, Any]) -> dict[str, Any]:
    """The report, once it has held against the service's rules, as the service reads it."""
    text = submission.as_json(report)
    assert len(text.encode()) < 700_000
    schema = json.loads((SCHEMAS / f"{service}.json").read_text("utf-8"))
    jsonschema.validate(read := json.loads(text), schema)
    for string in strings(read):
        odd = {sign for sign in string if unicodedata.category(sign)[0] == "C"} - {"\n", "\u200b"}
        assert not odd, f"{odd!r} in {string!r}"
    return dict(read)


def strings(data: Any) -> Iterator[str]:
    """Every text in plain data."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict | list):
        for inner in [*data, *data.values()] if isinstance(data, dict) else data:
            yield from strings(inner)


def outside_fences(markdown: str) -> str:
    """What a reader of CommonMark takes for text, not for code."""
    kept, fence = [], ""
    for line in markdown.splitlines():
        mark = re.match(r" {0,3}(`{3,}|~{3,})", line)
        if fence:
            closes = mark and mark[1].startswith(fence) and not line.strip().strip(mark[1][0])
            fence = "" if closes else fence
        elif mark:
            fence = mark[1]
        else:
            kept.append(line)
    assert not fence, "a block of code is left open"
    return "\n".join(kept)


def test_gradescope(sheet: ScoreSheet) -> None:
    report = check("gradescope", gradescope.result(sheet, 3.9))
    assert report["score"] == pytest.approx(float(sheet.score), abs=0.01)
    assert report["score"] <= sheet.exactly[0]
    assert report["execution_time"] == 3
    for test in report["tests"]:
        assert test["score"] <= test["max_score"]
        assert (test["status"] == "passed") == (test["score"] == test["max_score"])
    numbers = [test["number"] for test in report["tests"] if "number" in test]
    assert len(set(numbers)) == len(numbers)
    for markdown in (report["output"], *(test["output"] for test in report["tests"])):
        assert "forged" not in outside_fences(markdown)


def test_gradescope_numbers_the_cases_of_each_part(sheets: dict[str, ScoreSheet]) -> None:
    numbers = [test["number"] for test in gradescope.result(sheets["full"], 0)["tests"]]
    assert numbers[0] == "0.1"
    assert {"1.1", "2.1", "3.4"} <= set(numbers)


def test_classroom50(sheet: ScoreSheet) -> None:
    report = check("classroom50", classroom50.result(sheet, FACTS, NOW))
    assert report["score"] == int(sheet.score)
    assert report["max-score"] == sheet.exactly[1]
    assert (report["score"] == report["max-score"]) == sheet.is_full
    assert report["datetime"] == "2027-02-01T12:00:00Z"
    for test in report["tests"]:
        assert test["score"] <= test["max-score"]
        assert test["passed"] == (test["score"] == test["max-score"])
        assert "\n" not in test["message"]
        assert "::" not in test["message"]
        assert "##[" not in test["message"]


def test_the_body_of_a_classroom50_release(sheet: ScoreSheet) -> None:
    body = classroom50.body(sheet)
    assert len(body) <= 2_000
    assert "forged" not in outside_fences(body)
    assert "::" not in body
    assert "##[" not in body


def test_an_almost_full_score_is_not_full(sheets: dict[str, ScoreSheet]) -> None:
    sheet = sheets["full"]
    case = sheet.bank.of("dfs_maximizing")[0].id
    almost = Verdict(case, Status.PARTIAL, Fraction(99_999, 100_000), message="almost")
    sheet = dataclasses.replace(sheet, verdicts={**sheet.verdicts, case: almost})
    assert gradescope.result(sheet, 0)["score"] < sheet.out_of
    report = classroom50.result(sheet, FACTS, NOW)
    assert report["score"] == report["max-score"] - 1
    function = next(test for test in report["tests"] if test["test-name"] == "dfs_maximizing")
    assert (function["score"], function["max-score"], function["passed"]) == (5, 6, False)


def test_a_case_for_a_human_means_no_score_anywhere(ungraded: ScoreSheet) -> None:
    report = check("gradescope", gradescope.result(ungraded, 0))
    assert "needs a human" in report["output"]
    assert "score" not in report
    assert not any("score" in test for test in report["tests"])


def test_however_much_a_student_writes_a_result_stays_small(sheets: dict[str, ScoreSheet]) -> None:
    sheet, text = sheets["full"], ('"\\' * 80 + "\n") * 300
    cases = tuple(dataclasses.replace(case, id=f"{case.id}-{n}") for case in sheet.bank.cases for n in range(2))
    long = {case.id: Verdict(case.id, Status.FAIL, message=text, picture=text, printed=text) for case in cases}
    sheet = dataclasses.replace(sheet, bank=Bank(sheet.bank.parts, cases), verdicts=long)
    check("gradescope", gradescope.result(sheet, 0))
    assert len(submission.as_json(check("classroom50", classroom50.result(sheet, FACTS, NOW)))) < 30_000
    assert len(classroom50.body(sheet)) <= 2_000


def test_no_score_sheet_means_no_score_anywhere() -> None:
    report = check("gradescope", gradescope.needs_human())
    assert "score" not in report
    assert report["tests"] == []


@pytest.fixture
def with_hidden(sheets: dict[str, ScoreSheet]) -> Callable[[bool], ScoreSheet]:
    """A full score with one hidden case, which passes or fails."""

    def with_hidden(passes: bool) -> ScoreSheet:
        sheet = sheets["full"]
        chosen = sheet.bank.of("dfs_maximizing")[0]
        cases = tuple(dataclasses.replace(case, hidden=case is chosen) for case in sheet.bank.cases)
        share = {"dfs_maximizing": Fraction(1, 2)}
        parts = tuple(dataclasses.replace(part, hidden=share) for part in sheet.bank.parts)
        verdicts = dict(sheet.verdicts)
        if not passes:
            verdicts[chosen.id] = Verdict(chosen.id, Status.FAIL, message="secret", picture="secret")
        return dataclasses.replace(sheet, bank=Bank(parts, cases), verdicts=verdicts)

    return with_hidden


def test_hidden_cases_wait_for_the_grades(with_hidden: Callable[[bool], ScoreSheet]) -> None:
    right, wrong = (check("gradescope", gradescope.result(with_hidden(passes), 0)) for passes in (True, False))
    assert right["score"] == wrong["score"] + 3
    assert right["output"] == wrong["output"]
    assert "7 more are decided" in wrong["output"]  # 3 by the hidden case, 4 by those that the short bank lacks
    assert "make test K=" not in next(test["output"] for test in wrong["tests"] if test["status"] == "failed")
    visible = [[test for test in report["tests"] if test["visibility"] == "visible"] for report in (right, wrong)]
    assert visible[0] == visible[1]
    assert [test["visibility"] for test in wrong["tests"] if test["status"] == "failed"] == ["after_published"]


@pytest.mark.parametrize("level", ["full", "place", "verdict"])
def test_feedback_is_as_much_as_the_course_gives(level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = "def is_game_over_connectfour(board): return 5\n"
    (tmp_path / "lab.py").write_text(wrong, encoding="utf-8")
    monkeypatch.setattr(submission, "read_release", lambda: Release(feedback=level))
    sheet = submission.grade(tmp_path)
    text = explanation(sheet, sheet.bank.of("is_game_over_connectfour")[0])
    assert ("returned 5" in text) == (level == "full")
    assert ("is_game_over_connectfour(" in text) == (level != "verdict")


def test_text_is_cut_in_bytes() -> None:
    assert len(plain("ä" * 150 + "\n" + "ü" * 150 + "\n" + "€" * 150, 700).encode()) <= 700
    assert plain("one\ntwo", 7) == "one\ntwo"
    assert plain("one\ntwo\nthree", 8) == "one\n…"


def test_commands_of_a_log_are_broken() -> None:
    assert "::" not in without_commands(":::notice::::")
    assert "##[" not in without_commands("###[error]")


def test_cut_markdown_leaves_no_fence_open() -> None:
    text = "# Score\n\n" + "\n".join(f"````\n```\nline {number}\n````\n" for number in range(200))
    for most in range(60, 400):
        short = cut(text, most)
        assert len(short) <= most
        assert "line" not in outside_fences(short)
    assert cut("short", 60) == "short"
