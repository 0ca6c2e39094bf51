"""What Gradescope reads: its rules, faults of the grader, hostile texts and files."""

import dataclasses
import json
import os
import re
import unicodedata
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from grader.bank.cases import Bank
from grader.grading.sheet import ScoreSheet
from grader.release import Release
from grader.verdicts.verdict import Status, Verdict
from staff.reports import gradescope, submission
from staff.reports.gradescope import explanation, plain
from staff.tests.conftest import KIT, TOTAL
from staff.tests.support.labs import sheet_of

LABS = ("full", "partial", "no-import", "hostile")
SCHEMA = json.loads(
    (KIT / "staff" / "reports" / "gradescope.schema.json").read_text("utf-8")
)


def check(report: dict[str, Any]) -> dict[str, Any]:
    """The report as the service reads it, if it keeps the service's rules."""
    text = submission.as_json(report)
    assert len(text) < 700_000
    jsonschema.validate(read := json.loads(text), SCHEMA)
    for string in strings(read):
        odd = {sign for sign in string if unicodedata.category(sign)[0] == "C"} - {"\n"}
        assert not odd, f"{odd!r} in {string!r}"
    return dict(read)


def strings(data: Any) -> Iterator[str]:
    """Every text in plain data."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict | list):
        parts = [*data, *data.values()] if isinstance(data, dict) else data
        for part in parts:
            yield from strings(part)


def outside_fences(markdown: str) -> str:
    """The text of a page of CommonMark without its code."""
    kept, fence = [], ""
    for line in markdown.splitlines():
        mark = re.match(r" {0,3}(`{3,}|~{3,})", line)
        if fence:
            closes = (
                mark
                and mark[1].startswith(fence)
                and not line.strip().strip(mark[1][0])
            )
            fence = "" if closes else fence
        elif mark:
            fence = mark[1]
        else:
            kept.append(line)
    assert not fence, "a block of code is left open"
    return "\n".join(kept)


def with_verdict(sheet: ScoreSheet, **facts: Any) -> ScoreSheet:
    """The sheet with another verdict on the first case of dfs_maximizing."""
    case = sheet.bank.of("dfs_maximizing")[0].id
    return dataclasses.replace(
        sheet, verdicts={**sheet.verdicts, case: Verdict(case, **facts)}
    )


@pytest.mark.parametrize("kind", LABS)
def test_gradescope(kind: str) -> None:
    sheet = sheet_of(kind)
    report = check(gradescope.result(sheet, 3.9))
    assert (report["score"], report["execution_time"]) == (sheet.total.score / 100, 3)
    for test in report["tests"]:
        assert (test["status"] == "passed") == (test["score"] == test["max_score"])
    assert (
        sum(round(test["score"] * 100) for test in report["tests"]) == sheet.total.score
    )
    for markdown in (report["output"], *(test["output"] for test in report["tests"])):
        assert "orged" not in outside_fences(markdown)


def test_an_almost_full_score_is_not_full() -> None:
    sheet = with_verdict(
        sheet_of("full"), status=Status.PARTIAL, credit=Fraction(99_999, 100_000)
    )
    assert gradescope.result(sheet, 0)["score"] == float(TOTAL) - 0.01


def test_a_case_for_a_human_means_no_score_anywhere() -> None:
    ungraded = with_verdict(
        sheet_of("full"), status=Status.UNGRADED, message="A fault of the grader"
    )
    for report in (gradescope.result(ungraded, 0), gradescope.needs_human()):
        assert "needs a human" in check(report)["output"]
        assert not any("score" in data for data in (report, *report["tests"]))


def test_however_much_a_student_writes_a_result_stays_small() -> None:
    sheet, text = sheet_of("full"), ('"\\' * 80 + "\n") * 300
    long = {
        case.id: Verdict(case.id, Status.FAIL, message=text, picture=text, printed=text)
        for case in sheet.bank.cases
    }
    sheet = dataclasses.replace(sheet, verdicts=long)
    check(gradescope.result(sheet, 0))
    assert plain("one\ntwo\nthree", 8) == "one\n…"


def with_hidden(passes: bool) -> ScoreSheet:
    """A full score with one hidden case, which passes or fails."""
    sheet = sheet_of("full")
    chosen = sheet.bank.of("dfs_maximizing")[0]
    cases = tuple(
        dataclasses.replace(case, hidden=case is chosen) for case in sheet.bank.cases
    )
    share = {"dfs_maximizing": Fraction(1, 2)}
    parts = tuple(
        dataclasses.replace(part, hidden=share if part.number == 2 else {})
        for part in sheet.bank.parts
    )
    sheet = dataclasses.replace(sheet, bank=Bank(parts, cases))
    return (
        sheet
        if passes
        else with_verdict(
            sheet, status=Status.FAIL, message="It is wrong.", picture="secret"
        )
    )


def test_hidden_cases_wait_for_the_grades() -> None:
    right, wrong = (
        check(gradescope.result(with_hidden(passes), 0)) for passes in (True, False)
    )
    assert right["score"] == wrong["score"] + 3
    assert (
        right["output"] == wrong["output"] and "3 more are decided" in wrong["output"]
    )
    visible = [
        [test for test in report["tests"] if test["visibility"] == "visible"]
        for report in (right, wrong)
    ]
    assert visible[0] == visible[1]
    (failed,) = (test for test in wrong["tests"] if test["status"] == "failed")
    assert (
        failed["visibility"] == "after_published"
        and "fail: It is wrong." in failed["output"]
    )
    assert "make test" not in failed["output"] and "secret" not in failed["output"]


@pytest.mark.parametrize("level", ["full", "place", "verdict"])
def test_feedback_is_as_much_as_the_course_gives(
    level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lab.py").write_text(
        "def is_game_over_connectfour(board): return 5\n", encoding="utf-8"
    )
    monkeypatch.setattr(submission, "read_release", lambda: Release(feedback=level))
    sheet = submission.grade_submission(tmp_path)
    text = explanation(sheet, sheet.bank.of("is_game_over_connectfour")[0])
    assert ("returned 5" in text) == (level == "full")
    assert ("is_game_over_connectfour(" in text) == (level != "verdict")


# --- what was handed in -----------------------------------------------------------------------------


def files(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name, encoding="utf-8")
    return folder


HANDED_IN = [
    (["lab.py", "old/lab.py"], "lab.py"),
    (["upload/games/lab.py", "__MACOSX/lab.py", ".git/lab.py"], "upload/games/lab.py"),
    ([], "There is no lab.py in what you handed in. "),
    (
        ["lab (1).py", "x.py"],
        "There is no lab.py in what you handed in (but lab (1).py, x.py). ",
    ),
    (
        ["b/lab.py", "a/lab.py"],
        "There is more than one lab.py in what you handed in: a/lab.py, b/lab.py. ",
    ),
    (["lab.py/lab.py"], "Your lab.py is not there, or is not an ordinary file"),
    (["d/" * 30 + "lab.py"], "There is no lab.py in what you handed in. "),
]


@pytest.mark.parametrize(("names", "expected"), HANDED_IN)
def test_lab_is_found_or_not(names: list[str], expected: str, tmp_path: Path) -> None:
    files(tmp_path, *names)
    if expected.endswith((". ", "file")):
        with pytest.raises(submission.NoLab) as raised:
            submission.read_submitted(tmp_path)
        assert str(raised.value).startswith(expected)
    else:
        assert submission.read_submitted(tmp_path).decode() == expected


def test_only_an_ordinary_file_is_read(tmp_path: Path) -> None:
    lab = files(tmp_path, "secret.py", "in/other") / "in" / "lab.py"
    (tmp_path / "in" / "folder").symlink_to(tmp_path)
    for make, complaint in (
        (lambda: lab.symlink_to(tmp_path / "secret.py"), "is a link"),
        (lambda: os.mkfifo(lab), "is not an ordinary file"),
        (lambda: lab.write_bytes(b"#" * ((1 << 20) + 1)), "larger than 1 MiB"),
    ):
        make()
        with pytest.raises(submission.NoLab, match=complaint):
            submission.read_submitted(lab.parent)
        lab.unlink()


def test_no_lab_is_0_and_says_so(tmp_path: Path) -> None:
    sheet = submission.grade_submission(tmp_path)
    report = check(gradescope.result(sheet, 0))
    assert (
        report["score"] == 0
        and "There is no lab.py in what you handed in" in report["output"]
    )


def fail(folder: Path) -> ScoreSheet:
    raise RuntimeError("::error::a fault")


def test_a_grader_that_fails_is_no_zero(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(gradescope, "grade_submission", fail)
    assert gradescope.main([str(tmp_path)]) == 0
    assert (
        json.loads((tmp_path / "results" / "results.json").read_text("utf-8"))
        == gradescope.needs_human()
    )
    assert capsys.readouterr().err.startswith(
        "the grader failed: RuntimeError: ::error::a fault (test_reports.py:"
    )
