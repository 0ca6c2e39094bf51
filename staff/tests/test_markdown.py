"""The summary of a workflow run: one table, every failing case, and nothing of a student's outside a fence."""

import dataclasses
from fractions import Fraction

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from boards.cases import Bank
from grader.grading.feedback import with_feedback
from grader.grading.sheet import ScoreSheet
from grader.judging.verdict import Status, Verdict
from grader.protocol.survey import ASKED
from grader.release import Checkout, Release
from grader.showing.markdown import fenced, inert, summary
from staff.tests.conftest import TOTAL
from staff.tests.support.labs import KINDS, sheet_of

MOST_BYTES = 1 << 20  # that GitHub takes of a summary
KIT = Release(version="1.2.0", course="AI", due="Friday", feedback="full")


def tokens(page: str) -> list[Token]:
    return MarkdownIt("gfm-like", {"linkify": False}).parse(page)


def outside_of_fences(page: str) -> str:
    """The text of a page that a reader sees outside of its fenced blocks."""
    inline = [token for token in tokens(page) if token.type == "inline"]
    return "\n".join(child.content for token in inline for child in token.children or [] if child.content)


@pytest.mark.parametrize("kind", KINDS)
def test_one_table_and_student_text_in_fences_only(kind: str) -> None:
    sheet = sheet_of(kind)
    page = summary(sheet)
    kinds = [token.type for token in tokens(page)]
    assert kinds.count("table_open") == 1
    assert kinds.count("tr_open") == len(sheet.bank.parts) + 1
    assert kinds.count("heading_open") == 1
    assert not {"html_block", "html_inline", "link_open", "image"} & set(kinds)
    inside = {child.type for token in tokens(page) for child in token.children or []}
    assert inside <= {"text", "text_special", "code_inline"}
    assert "orged" not in outside_of_fences(page)
    assert len(page.encode()) < MOST_BYTES


def test_full_marks_are_a_few_lines() -> None:
    page = summary(sheet_of("full"))
    assert page.startswith(f"## {TOTAL} of {TOTAL} points: everything passes\n")
    assert "| 2 Searches | 40 of 40 | all pass |" in page
    assert "```" not in page


def test_a_failing_case_of_each_function_as_make_test_shows_it() -> None:
    sheet = sheet_of("partial")
    page = summary(sheet)
    wrong = [case for case in sheet.bank.cases if sheet.verdict(case).status is Status.PARTIAL]
    shown = [case for case in wrong if f"IN PART  {case.id}   (" in page]
    assert len(wrong) >= 3
    assert sorted(case.function for case in shown) == sorted({case.function for case in wrong})
    for case in shown:
        assert f"    This case alone: make test K={case.id}\n" in page
    assert r"Not started\: dfs\_maximizing" in page
    assert "NOT STARTED" not in page


def test_a_hostile_lab_keeps_its_words_in_the_fence() -> None:
    page = summary(sheet_of("hostile"))
    fences = [token for token in tokens(page) if token.type == "fence"]
    assert any("::notice title=Autograding complete" in token.content for token in fences)
    for token in fences:
        assert token.content.count("\n    This case alone: make test K=") == 1


def test_a_lab_that_does_not_import_says_why_once() -> None:
    page = summary(sheet_of("no-import"))
    assert page.count("numpy") == 1
    assert page.startswith(f"## 0 of {TOTAL} points\n")


def test_the_other_failing_cases_are_counted(bank: Bank) -> None:
    page = summary(ScoreSheet(bank, {}, b""))
    graded = [case for case in bank.cases if not case.advice]
    functions = {case.function for case in graded}
    assert page.count("```text\n") == len(functions)
    assert f"{len(graded) - len(functions)} more failing cases: `make test V=1`" in page
    shown = {case.function for case in graded if f"FAIL  {case.id} " in page}
    assert shown == functions


def test_it_stays_small(bank: Bank) -> None:
    long = {case.id: Verdict(case.id, Status.FAIL, picture="\n".join(["`" * 900] * 20)) for case in bank.cases}
    page = summary(ScoreSheet(bank, long, b""))
    assert len(page.encode()) < MOST_BYTES
    assert "more failing cases" in page


def test_what_stands_beside_the_points(bank: Bank) -> None:
    case = bank.cases[0]
    verdicts = {case.id: Verdict(case.id, Status.UNGRADED, message="A fault.")}
    survey = dict.fromkeys(ASKED[1:], "so")
    edited = ("tests/<b>|x|.py", *(f"api/{number}.py" for number in range(20)))
    sheet = ScoreSheet(bank, verdicts, b"", survey, None, KIT, Checkout("1.1.0 | # <b>", edited))
    page = summary(sheet, fallback="version v1.2.0 could not be fetched")
    read = outside_of_fences(page)
    assert "This is provisional, by kit 1.2.0. The deadline is Friday." in read
    assert "Graded with the files of this repository: version v1.2.0 could not be fetched." in read
    assert "You have kit 1.1.0 | # <b>, grades use 1.2.0: make update" in read
    assert "tests/<b>|x|.py, api/0.py" in read
    assert "api/8.py and 11 more." in read
    assert "survey" not in read
    assert f"UNGRADED, needs a human: {case.id}" in read
    assert "<b>" not in page.replace(r"\<b\>", "")


def test_points_that_are_decided_at_the_deadline(bank: Bank) -> None:
    first, *others = bank.parts
    halved = (dataclasses.replace(first, hidden={"solve": Fraction(1, 2)}), *others)
    page = summary(ScoreSheet(Bank(halved, bank.cases), {}, b""))
    assert "| 0 Strong solutions | 0 of 12 | +4 | " in page
    assert "| 3 Questions | 0 of 8 |  | 4 fail |" in page
    assert r"4 more points are decided at the deadline\." in page


def test_less_feedback_shows_less() -> None:
    sheet = sheet_of("partial")
    assert "wanted" not in summary(with_feedback(sheet, "place"))
    assert "MAX root" in summary(with_feedback(sheet, "place"))
    assert "MAX root" not in summary(with_feedback(sheet, "verdict"))


def test_inert_and_fenced() -> None:
    nasty = "# <i> | a_b_ [x](y) ~~z~~ `c` & &amp; *e* ![p](q) www.x.org https://x.org\n- l"
    read = [child.content for token in tokens(inert(nasty)) for child in token.children or []]
    assert "".join(read) == nasty.replace("\n", "\\n")
    for text in ("```", "~~~", "`" * 40, "a\n```\nb", ""):
        only = tokens(fenced([text]))
        assert [token.type for token in only] == ["fence"]
    assert fenced(["a\rb\x1b[31m\u202e"]) == "```text\na\\rb\\x1b[31m\\u202e\n```"
