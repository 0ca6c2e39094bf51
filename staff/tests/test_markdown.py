"""The summary of a workflow run: a table, and a case of each wrong function.

No word of a student's stands outside a fence.
"""

from fractions import Fraction

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from grader.bank.cases import Bank
from grader.grading.sheet import ScoreSheet
from grader.release import Release
from grader.showing.markdown import fenced, inert, summary
from grader.verdicts.verdict import Status, Verdict
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


@pytest.mark.parametrize("kind", KINDS)
def test_one_table_and_student_text_in_fences_only(kind: str) -> None:
    sheet = sheet_of(kind)
    page = summary(sheet)
    kinds = [token.type for token in tokens(page)]
    assert (kinds.count("table_open"), kinds.count("heading_open")) == (1, 1)
    assert kinds.count("tr_open") == len(sheet.bank.parts) + 1
    inside = {child.type for token in tokens(page) for child in token.children or []}
    assert inside <= {"text", "text_special", "code_inline"} and not {
        "html_block"
    } & set(kinds)
    assert "orged" not in outside_of_fences(page) and len(page.encode()) < MOST_BYTES


def test_full_marks_are_a_few_lines() -> None:
    page = summary(sheet_of("full"))
    assert page.startswith(f"## {TOTAL} of {TOTAL} points: everything passes\n")
    assert "| 2 Searches | 40 of 40 | all pass |" in page and "```" not in page


def test_a_failing_case_of_each_function_as_make_test_shows_it() -> None:
    sheet = sheet_of("partial")
    page = summary(sheet)
    wrong = [
        case
        for case in sheet.bank.cases
        if sheet.verdict(case).status is Status.PARTIAL
    ]
    shown = [case for case in wrong if f"PARTLY RIGHT  {case.id}   (" in page]
    assert len(wrong) > len(shown)
    assert [case.function for case in shown] == list(
        dict.fromkeys(case.function for case in wrong)
    )
    assert all(
        f"    Run only this case: make test K={case.id}\n" in page for case in shown
    )
    assert "8 not started" in page and "NOT STARTED" not in page


def test_a_lab_that_does_not_import_says_why_once() -> None:
    page = summary(sheet_of("no-import"))
    assert page.count("numpy") == 1 and page.startswith(f"## 0 of {TOTAL} points\n")


def test_no_lab_at_all_is_a_table_of_0(bank: Bank) -> None:
    page = summary(ScoreSheet(bank, {}, b"", import_failure="There is no lab.py."))
    assert page.count(" 0 of ") == 1 + len(bank.parts) and "There is no lab.py." in page


def test_what_stands_beside_the_points(bank: Bank) -> None:
    verdicts = {
        case.id: Verdict(case.id, Status.PASS, Fraction(1)) for case in bank.cases[1:]
    }
    kit = Release(version="1.2.0", due="Friday")
    page = summary(
        ScoreSheet(bank, verdicts, b"", kit=kit),
        ["You have kit 1.1.0 | # <b>, grades use 1.2.0"],
    )
    read = outside_of_fences(page)
    assert "These points are provisional (kit 1.2.0). The deadline is Friday." in read
    assert "You have kit 1.1.0 | # <b>, grades use 1.2.0" in read


def test_text_cannot_leave_its_place() -> None:
    assert inert("a\n# b | <c> `d`") == "a\\\\n\\# b \\| \\<c\\> \\`d\\`"
    assert fenced(["````", "x"]) == "`````text\n````\nx\n`````"
