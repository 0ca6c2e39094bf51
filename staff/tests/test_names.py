"""Names: which known mistakes fit the answers of a submission, and when none is said.

No process is started here.  tables/names.yaml has the answers and the names.
"""

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from grader.bank.cases import Bank, Case
from grader.grading.diagnosis import Misconception, fitting, named
from grader.verdicts.verdict import Status, Verdict
from staff.tests.support.tables import TABLES

TABLE = yaml.safe_load((TABLES / "names.yaml").read_text("utf-8"))
FUNCTION = "f"
HINT = "Count again."
QUESTION = "Why?"
STATUSES = {status.value: status for status in Status}


def known_mistake(name: str, answers: dict[str, dict[str, str]]) -> dict[str, Any]:
    """A known mistake as `make expectations` writes it."""
    wrong = {lab: {"cases": cases} for lab, cases in answers.items()}
    return {"name": name, "hint": HINT, "question": QUESTION, "wrong": wrong}


@pytest.fixture
def cases(bank: Bank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Case]:
    """The cases a, b and c of a function, all of whose known mistakes are stored."""
    known = [
        known_mistake(name, answers) for name, answers in TABLE["mistakes"].items()
    ]
    stored = tmp_path / f"{FUNCTION}.json"
    stored.write_text(json.dumps({"misconceptions": known}))
    monkeypatch.setattr("grader.grading.diagnosis.MISCONCEPTIONS", tmp_path)

    some_case = bank.cases[0]
    function = dataclasses.replace(some_case.graded, name=FUNCTION)
    return [dataclasses.replace(some_case, graded=function, id=id) for id in "abc"]


def verdict_on(case: Case, answer: str) -> Verdict:
    """The verdict on a case with this wrong answer, or with this status."""
    if answer == "not run":
        return Verdict(case.id, Status.TIME_OUT, ran=False)
    if answer in STATUSES:
        return Verdict(case.id, STATUSES[answer])
    return Verdict(case.id, Status.FAIL, fingerprint=answer)


def named_for(cases: list[Case], answers: dict[str, str]) -> list[Misconception]:
    """The mistakes that are named for these answers; the other cases pass."""
    verdicts = {}
    for case in cases:
        answer = answers.get(case.id, "pass")
        if answer != "no verdict":
            verdicts[case.id] = verdict_on(case, answer)
    return list(named(FUNCTION, fitting(cases, verdicts)))


@pytest.mark.parametrize("row", TABLE["rows"], ids=lambda row: row["id"])
def test_the_mistakes_that_fit_every_answer_are_named(
    row: dict[str, Any], cases: list[Case]
) -> None:
    mistakes = named_for(cases, row["answers"])
    assert [mistake.name for mistake in mistakes] == row["names"]


def test_nothing_is_named_if_a_case_fails_that_is_new(cases: list[Case]) -> None:
    """No answer to a new case is stored yet: a known mistake may pass it."""
    with_new = [*cases, dataclasses.replace(cases[0], id="new")]
    answers = {"a": "1", "b": "2"}
    if_it_passes = named_for(with_new, answers)
    if_it_fails = named_for(with_new, {**answers, "new": "7"})
    assert len(if_it_passes) == 1
    assert if_it_fails == []


def test_a_name_comes_with_its_hint_and_its_question(cases: list[Case]) -> None:
    mistakes = named_for(cases, {"a": "1", "b": "2"})
    assert mistakes == [Misconception("adds one", HINT, QUESTION)]
