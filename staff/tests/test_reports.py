"""What Gradescope reads: its rules, faults of the grader, hostile texts and files."""

import dataclasses
import json
import os
import re
import unicodedata
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from grader.bank.cases import Bank
from grader.commands import workflow
from grader.grading.sheet import ScoreSheet
from grader.release import Release
from grader.showing.markdown import summary
from grader.verdicts.verdict import Status, Verdict
from staff.reports import gradescope, submission
from staff.reports.gradescope import explanation, plain
from staff.tests.conftest import KIT, TOTAL, Submit
from staff.tests.support.labs import sheet_of

LABS = ("full", "partial", "no-import", "hostile")
SCHEMA = json.loads(
    (KIT / "staff" / "reports" / "gradescope.schema.json").read_text("utf-8")
)


MOST_CHARACTERS = 700_000
CONTROLS = "C"  # the categories of Unicode that begin so


def as_read(report: dict[str, Any]) -> dict[str, Any]:
    """The report as the service reads it, if it keeps the service's rules."""
    text = submission.as_json(report)
    assert len(text) < MOST_CHARACTERS
    read: dict[str, Any] = json.loads(text)
    jsonschema.validate(read, SCHEMA)
    for string in strings(read):
        signs = {sign for sign in string if unicodedata.category(sign)[0] == CONTROLS}
        assert signs <= {"\n"}, string
    return read


def strings(data: Any) -> Iterator[str]:
    """Every text in plain data."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict | list):
        parts = [*data, *data.values()] if isinstance(data, dict) else data
        for part in parts:
            yield from strings(part)


def is_bare(line: str, mark: str) -> bool:
    """Whether a line holds nothing but the mark with which it begins."""
    return not line.strip().strip(mark[0])


def outside_fences(markdown: str) -> str:
    """The text of a page of CommonMark without its blocks of code."""
    lines = []
    fence = ""  # with which the block begins in which a line stands
    for line in markdown.splitlines():
        mark = re.match(r" {0,3}(`{3,}|~{3,})", line)
        if not fence and mark:
            fence = mark[1]
        elif not fence:
            lines.append(line)
        elif mark and mark[1].startswith(fence) and is_bare(line, mark[1]):
            fence = ""
    assert not fence, "a block of code is left open"
    return "\n".join(lines)


def with_verdict(sheet: ScoreSheet, **facts: Any) -> ScoreSheet:
    """The sheet with another verdict on the first case of dfs_maximizing."""
    case = sheet.bank.of("dfs_maximizing")[0].id
    return dataclasses.replace(
        sheet, verdicts={**sheet.verdicts, case: Verdict(case, **facts)}
    )


# --- a report ------------------------------------------------------------------------


@pytest.mark.parametrize("kind", LABS)
def test_a_report_has_the_points_of_the_sheet(kind: str) -> None:
    sheet = sheet_of(kind)
    report = as_read(gradescope.result(sheet, 3.9))
    assert report["execution_time"] == 3
    assert report["score"] == sheet.total.score / 100
    hundredths = [round(test["score"] * 100) for test in report["tests"]]
    assert sum(hundredths) == sheet.total.score


@pytest.mark.parametrize("kind", LABS)
def test_a_test_of_a_report_passes_only_with_all_its_points(kind: str) -> None:
    report = as_read(gradescope.result(sheet_of(kind), 0))
    for test in report["tests"]:
        has_all = test["score"] == test["max_score"]
        assert (test["status"] == "passed") == has_all, test


@pytest.mark.parametrize("kind", LABS)
def test_text_of_a_student_stands_in_code_only(kind: str) -> None:
    report = as_read(gradescope.result(sheet_of(kind), 0))
    for part in (report, *report["tests"]):
        assert "orged" not in outside_fences(part["output"])


def test_an_almost_full_score_is_not_full() -> None:
    sheet = with_verdict(
        sheet_of("full"), status=Status.PARTIAL, credit=Fraction(99_999, 100_000)
    )
    assert gradescope.result(sheet, 0)["score"] == float(TOTAL) - 0.01


def ungraded() -> dict[str, Any]:
    """The report on a sheet with a case that could not be judged."""
    fault = "A fault of the grader"
    sheet = with_verdict(sheet_of("full"), status=Status.UNGRADED, message=fault)
    return gradescope.result(sheet, 0)


@pytest.mark.parametrize("report", [ungraded, gradescope.needs_human])
def test_a_case_for_a_human_means_no_score_anywhere(
    report: Callable[[], dict[str, Any]],
) -> None:
    read = as_read(report())
    assert "needs a human" in read["output"]
    assert not [part for part in (read, *read["tests"]) if "score" in part]


LONG = ('"\\' * 80 + "\n") * 300


def test_however_much_a_student_writes_a_result_stays_small() -> None:
    sheet = sheet_of("full")
    long = {
        case.id: Verdict(case.id, Status.FAIL, message=LONG, picture=LONG, printed=LONG)
        for case in sheet.bank.cases
    }
    report = gradescope.result(dataclasses.replace(sheet, verdicts=long), 0)
    assert len(submission.as_json(as_read(report))) < MOST_CHARACTERS


def test_a_long_text_is_cut_at_the_end_of_a_line() -> None:
    assert plain("one\ntwo\nthree", 8) == "one\n…"


# --- hidden cases --------------------------------------------------------------------


@pytest.fixture
def half_hidden() -> ScoreSheet:
    """A full score with one hidden case, which has half of a function's points."""
    sheet = sheet_of("full")
    chosen = sheet.bank.of("dfs_maximizing")[0]
    cases = tuple(
        dataclasses.replace(case, hidden=case is chosen) for case in sheet.bank.cases
    )
    half = {"dfs_maximizing": Fraction(1, 2)}
    parts = tuple(
        dataclasses.replace(part, hidden=half) if part.number == 2 else part
        for part in sheet.bank.parts
    )
    return dataclasses.replace(sheet, bank=Bank(parts, cases))


@pytest.fixture
def right(half_hidden: ScoreSheet) -> dict[str, Any]:
    """The report if the hidden case passes."""
    return as_read(gradescope.result(half_hidden, 0))


@pytest.fixture
def wrong(half_hidden: ScoreSheet) -> dict[str, Any]:
    """The report if the hidden case fails."""
    fails = with_verdict(
        half_hidden, status=Status.FAIL, message="It is wrong.", picture="secret"
    )
    return as_read(gradescope.result(fails, 0))


def visible(report: dict[str, Any]) -> list[dict[str, Any]]:
    """What a student sees of a report before the grades are published."""
    return [test for test in report["tests"] if test["visibility"] == "visible"]


def test_a_hidden_case_decides_points(
    right: dict[str, Any], wrong: dict[str, Any]
) -> None:
    assert right["score"] == wrong["score"] + 3


def test_before_the_grades_a_student_cannot_tell_whether_a_hidden_case_passes(
    right: dict[str, Any], wrong: dict[str, Any]
) -> None:
    assert "3 more are decided" in wrong["output"]
    assert right["output"] == wrong["output"]
    assert visible(right) == visible(wrong)


def test_with_the_grades_a_hidden_case_says_only_what_kind_of_failure_it_is(
    wrong: dict[str, Any],
) -> None:
    (failed,) = (test for test in wrong["tests"] if test["status"] == "failed")
    assert failed["visibility"] == "after_published"
    assert "fail: It is wrong." in failed["output"]
    assert "make test" not in failed["output"]
    assert "secret" not in failed["output"]


# --- feedback ------------------------------------------------------------------------


def page_of_the_workflow(folder: Path) -> str:
    """What the workflow shows of a checkout."""
    return summary(workflow.grade_checkout(folder))


def page_of_a_bundle(folder: Path) -> str:
    """What a bundle shows of the only function in what was handed in."""
    sheet = submission.grade_submission(folder)
    return explanation(sheet, sheet.bank.of("is_game_over_connectfour")[0])


@pytest.mark.parametrize("page", [page_of_the_workflow, page_of_a_bundle])
@pytest.mark.parametrize(("level", "shows"), [("full", True), ("verdict", False)])
def test_feedback_is_as_much_as_the_course_gives(
    level: str,
    shows: bool,
    page: Callable[[Path], str],
    submit: Submit,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lab = submit("def is_game_over_connectfour(board): return 5\n")
    release = Release(feedback=level)
    monkeypatch.setattr("grader.grading.session.read_release", lambda: release)
    monkeypatch.setattr(submission, "read_release", lambda: release)
    text = page(lab.parent)
    assert ("returned 5" in text) == shows
    assert ("is_game_over_connectfour(" in text) == shows


# --- what was handed in --------------------------------------------------------------


def hand_in(folder: Path, *names: str) -> None:
    """Put files into a folder, each of which holds its own name."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name, encoding="utf-8")


@pytest.mark.parametrize(
    ("names", "lab"),
    [
        (["lab.py", "old/lab.py"], "lab.py"),
        (
            ["upload/games/lab.py", "__MACOSX/lab.py", ".git/lab.py"],
            "upload/games/lab.py",
        ),
    ],
)
def test_lab_is_found(names: list[str], lab: str, tmp_path: Path) -> None:
    hand_in(tmp_path, *names)
    assert submission.read_submitted(tmp_path).decode() == lab


NONE = "There is no lab.py in what you handed in"
SEVERAL = "There is more than one lab.py in what you handed in"


@pytest.mark.parametrize(
    ("names", "says"),
    [
        ([], f"{NONE}. "),
        (["lab (1).py", "x.py"], f"{NONE} (but lab (1).py, x.py). "),
        (["b/lab.py", "a/lab.py"], f"{SEVERAL}: a/lab.py, b/lab.py. "),
        (["lab.py/lab.py"], "Your lab.py is not there, or is not an ordinary file"),
        (["d/" * 30 + "lab.py"], f"{NONE}. "),
    ],
)
def test_lab_is_not_found(names: list[str], says: str, tmp_path: Path) -> None:
    hand_in(tmp_path, *names)
    with pytest.raises(submission.NoLab) as raised:
        submission.read_submitted(tmp_path)
    assert str(raised.value).startswith(says)


def make_a_link(lab: Path) -> None:
    secret = lab.with_name("secret.py")
    secret.write_text("secret", "utf-8")
    lab.symlink_to(secret)


def make_too_large(lab: Path) -> None:
    lab.write_bytes(b"#" * ((1 << 20) + 1))


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (make_a_link, "is a link"),
        (os.mkfifo, "is not an ordinary file"),
        (make_too_large, "larger than 1 MiB"),
    ],
)
def test_only_an_ordinary_file_is_read(
    make: Callable[[Path], None], complaint: str, tmp_path: Path
) -> None:
    (tmp_path / "folder").symlink_to(tmp_path)
    make(tmp_path / "lab.py")
    with pytest.raises(submission.NoLab, match=complaint):
        submission.read_submitted(tmp_path)


def test_no_lab_is_0_and_says_so(tmp_path: Path) -> None:
    report = as_read(gradescope.result(submission.grade_submission(tmp_path), 0))
    assert report["score"] == 0
    assert NONE in report["output"]


def fail(folder: Path) -> ScoreSheet:
    raise RuntimeError("::error::a fault")


def test_a_grader_that_fails_is_no_zero(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(gradescope, "grade_submission", fail)
    assert gradescope.main([str(tmp_path)]) == 0
    results = (tmp_path / "results" / "results.json").read_text("utf-8")
    assert json.loads(results) == gradescope.needs_human()
    says = "the grader failed: RuntimeError: ::error::a fault (test_reports.py:"
    assert capsys.readouterr().err.startswith(says)
