"""Diagnoses: what is known of the mistake behind failing cases, and that it decides nothing."""

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest

from boards.cases import Bank, Case
from grader.diagnosing.diagnosis import diagnoses, smallest_first
from grader.grading.feedback import with_feedback
from grader.grading.session import Session
from grader.grading.sheet import ScoreSheet
from grader.judging.verdict import Status, Verdict
from grader.kinds.kind import Located
from grader.kinds.search.kind import KIND as SEARCH
from grader.showing.console import report
from grader.showing.markdown import summary
from grader.showing.style import Style

PLAIN = Style(colour=False, ascii_only=True)
FUNCTION = "minimax_search_alphabeta"
SMALLEST = "alphabeta/equal-bounds"
LEVELS = {"full": True, "place": False, "verdict": False}

Locate = Callable[[Case, int, object], Located | None]


@pytest.fixture
def wrong_sheet(model: str, bank: Bank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., ScoreSheet]:
    """The sheet of a lab that cuts off too late, where `locate` says what its kind finds in a trace."""

    def wrong_sheet(locate: Locate, cases: list[Case] | None = None) -> ScoreSheet:
        monkeypatch.setattr(type(SEARCH), "most_traced", 2000)
        monkeypatch.setattr(type(SEARCH), "locate", lambda self, *what: locate(*what))
        lab = tmp_path / "lab.py"
        lab.write_text(model.replace("alpha >= beta", "alpha > beta"), encoding="utf-8")
        with Session(lab, bank) as session:
            return session.sheet_of(bank.of(FUNCTION) if cases is None else cases)

    return wrong_sheet


def where_of(sheet: ScoreSheet) -> dict[str, str]:
    """What was located, by function."""
    return {function: each.sentence for function, each in sheet.diagnoses.items() if each.sentence}


def found(case: Case, at: int, answer: object) -> Located:
    return Located("At B, alpha is 3 and beta is 3: you went on.", "At B you went on.", ("MAX root   here",))


def test_the_smallest_failing_case_is_located_and_shown(wrong_sheet: Callable[..., ScoreSheet]) -> None:
    sheet = wrong_sheet(found)
    assert sheet.diagnoses[FUNCTION].case == SMALLEST
    for page in (report(sheet, False, PLAIN), summary(sheet)):
        head = page.index(SMALLEST)
        assert head < page.index("MAX root   here") < page.index("At B, alpha is 3 and beta is 3: you went on.")
        assert "(call 1 of 2)\n      MAX root   here\n" in page or "(call 1 of 2)\n    MAX root   here\n" in page


def test_less_feedback_tells_less_of_the_place(wrong_sheet: Callable[..., ScoreSheet]) -> None:
    sheet = wrong_sheet(found)
    screens = {level: report(with_feedback(sheet, level), False, PLAIN) for level in LEVELS}
    assert {level: "alpha is 3" in screen for level, screen in screens.items()} == LEVELS
    assert "At B you went on." in screens["place"] and "MAX root   here" not in screens["place"]
    assert "At B" not in screens["verdict"]


def test_a_fault_in_a_diagnosis_says_nothing(wrong_sheet: Callable[..., ScoreSheet], bank: Bank) -> None:
    asked: list[str] = []

    def broken(case: Case, at: int, answer: object) -> Located:
        asked.append(case.id)
        raise ZeroDivisionError

    sheet = wrong_sheet(broken)
    assert asked == [SMALLEST] and where_of(sheet) == {}
    assert {sheet.verdict(case).status for case in bank.of(FUNCTION)} == {Status.PASS, Status.PARTIAL}


def test_at_most_three_cases_are_traced_and_no_hidden_one(wrong_sheet: Callable[..., ScoreSheet], bank: Bank) -> None:
    asked: list[str] = []
    assert where_of(wrong_sheet(lambda case, *_: asked.append(case.id))) == {}
    assert len(asked) == 3
    asked.clear()
    hidden = [dataclasses.replace(case, hidden=True) for case in bank.of(FUNCTION)]
    assert wrong_sheet(lambda case, *_: asked.append(case.id), hidden).diagnoses == {}
    assert asked == []


def test_the_smallest_tree_comes_first_and_no_hidden_case_at_all(bank: Bank) -> None:
    cases = bank.of(FUNCTION)
    verdicts = {case.id: Verdict(case.id, Status.FAIL) for case in cases}
    found = smallest_first(cases, verdicts)
    trees = [case.calls[0].inputs["state"].get("tree", "") for case in found]
    assert found[0].id == "alphabeta/two-by-two" and found[1].id == "alphabeta/equal-bounds"
    assert all(trees[: len(list(filter(None, trees)))])  # and the games come behind the trees
    asked: list[str] = []
    diagnoses(bank, verdicts, lambda case: asked.append(case.id))
    assert len(asked) == 3
    hidden = Bank(bank.parts, tuple(dataclasses.replace(case, hidden=True) for case in cases))
    assert diagnoses(hidden, verdicts, lambda case: asked.append(case.id)) == {}
    assert len(asked) == 3


def test_long_numbers_and_estimates_that_nobody_sees_make_a_small_tree_a_large_one(bank: Bank) -> None:
    calls = {case.id: case.calls for case in bank.of("minimax_search")}
    with_notes = SEARCH.size(calls["minimax/two-by-two"][0])
    assert (
        with_notes < SEARCH.size(calls["minimax/unusual-scores"][0]) < SEARCH.size(calls["minimax/unusual-scores"][3])
    )
    unseen = SEARCH.size(calls["minimax/default-arguments"][1])
    assert all(SEARCH.size(call) < unseen for call in calls["minimax/unusual-scores"])


def test_a_right_lab_is_not_looked_at(bank: Bank, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, model: str) -> None:
    monkeypatch.setattr(type(SEARCH), "most_traced", 2000)
    monkeypatch.setattr(type(SEARCH), "locate", None)
    (tmp_path / "lab.py").write_text(model, encoding="utf-8")
    with Session(tmp_path / "lab.py", bank) as session:
        assert session.sheet_of(bank.of(FUNCTION)).diagnoses == {}
