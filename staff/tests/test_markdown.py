"""The summary of a workflow run: a table, and a case of each wrong function.

No word of a student's stands outside a fence.
"""

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from grader.bank.cases import Bank
from grader.grading.sheet import ScoreSheet
from grader.release import Release
from grader.showing.markdown import fenced, inert, summary
from grader.verdicts.verdict import Status
from staff.tests.conftest import TOTAL
from staff.tests.support.labs import KINDS, sheet_of

MOST_BYTES = 1 << 20  # that GitHub takes of a summary


def tokens(page: str) -> list[Token]:
    return MarkdownIt("gfm-like", {"linkify": False}).parse(page)


def outside_of_fences(page: str) -> str:
    """The text of a page that a reader sees outside of its fenced blocks."""
    inline = [token for token in tokens(page) if token.type == "inline"]
    return "\n".join(
        child.content
        for token in inline
        for child in token.children or []
        if child.content
    )


PLAIN_TEXT = {"text", "text_special", "code_inline"}


@pytest.mark.parametrize("kind", KINDS)
def test_a_summary_has_one_heading_and_one_table(kind: str) -> None:
    sheet = sheet_of(kind)
    kinds = [token.type for token in tokens(summary(sheet))]
    assert kinds.count("heading_open") == 1
    assert kinds.count("table_open") == 1
    assert kinds.count("tr_open") == len(sheet.bank.parts) + 1


@pytest.mark.parametrize("kind", KINDS)
def test_text_of_a_student_stands_in_fences_only(kind: str) -> None:
    page = summary(sheet_of(kind))
    inline = {child.type for token in tokens(page) for child in token.children or []}
    assert inline <= PLAIN_TEXT
    assert "html_block" not in [token.type for token in tokens(page)]
    assert "orged" not in outside_of_fences(page)


@pytest.mark.parametrize("kind", KINDS)
def test_a_summary_is_not_too_large_for_github(kind: str) -> None:
    assert len(summary(sheet_of(kind)).encode()) < MOST_BYTES


def test_full_marks_are_a_few_lines() -> None:
    page = summary(sheet_of("full"))
    assert page.startswith(f"## {TOTAL} of {TOTAL} points: everything passes\n")
    assert "| 2 Searches | 40 of 40 | all pass |" in page
    assert "```" not in page


def test_the_first_failing_case_of_each_function_is_shown() -> None:
    sheet = sheet_of("partial")
    page = summary(sheet)
    cases = sheet.bank.cases
    wrong = [case for case in cases if sheet.verdict(case).status is Status.PARTIAL]
    shown = [case for case in wrong if f"PARTLY RIGHT  {case.id}   (" in page]
    assert len(wrong) > len(shown)
    functions = list(dict.fromkeys(case.function for case in wrong))
    assert [case.function for case in shown] == functions
    for case in shown:
        assert f"    Run only this case: make test K={case.id}\n" in page


def test_what_is_not_started_is_counted_and_not_shown() -> None:
    page = summary(sheet_of("partial"))
    assert "8 not started" in page
    assert "NOT STARTED" not in page


def test_a_lab_that_does_not_import_says_why_once() -> None:
    page = summary(sheet_of("no-import"))
    assert page.startswith(f"## 0 of {TOTAL} points\n")
    assert page.count("numpy") == 1


def test_no_lab_at_all_is_a_table_of_0(bank: Bank) -> None:
    page = summary(ScoreSheet(bank, {}, b"", import_failure="There is no lab.py."))
    assert page.count(" 0 of ") == 1 + len(bank.parts)
    assert "There is no lab.py." in page


def test_what_stands_beside_the_points(bank: Bank) -> None:
    kit = Release(version="1.2.0", due="Friday")
    note = "You have kit 1.1.0 | # <b>, grades use 1.2.0"
    page = summary(ScoreSheet(bank, {}, b"", kit=kit), [note])
    text = outside_of_fences(page)
    assert "These points are provisional (kit 1.2.0). The deadline is Friday." in text
    assert note in text


def test_signs_of_markdown_are_plain_text() -> None:
    assert inert("a\n# b | <c> `d`") == "a\\\\n\\# b \\| \\<c\\> \\`d\\`"


def test_a_fence_is_longer_than_any_in_its_text() -> None:
    assert fenced(["````", "x"]) == "`````text\n````\nx\n`````"
