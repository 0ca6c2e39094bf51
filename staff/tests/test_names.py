"""Names: which known mistakes fit the answers of a submission, and when none is said.

No process is started here.
"""

import dataclasses
import json
from pathlib import Path

import pytest

from grader.bank.cases import Bank, Case
from grader.grading.diagnosis import Misconception, fitting, named
from grader.verdicts.verdict import SLOW, Status, Verdict

STORED = {
    "adds one": {"one": {"a": "1", "b": "2"}},
    "adds one at the end": {"two": {"a": "1"}, "three": {"b": "2"}},
    "adds two": {"four": {"a": "1", "b": "3"}},
    "adds three": {"five": {"a": "1", "b": "3", "c": "4"}},
    "adds four": {"six": {"a": "1", "b": "3", "c": "4"}},
    "passes its time at the end": {"seven": {"a": "1", "c": SLOW}},
}


@pytest.fixture
def cases(bank: Bank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Case]:
    """Three cases of a function, of which all misconceptions are known."""
    graded = dataclasses.replace(bank.cases[0].graded, name="f")
    monkeypatch.setattr("grader.grading.diagnosis.MISCONCEPTIONS", tmp_path)
    blocks = [
        {
            "name": name,
            "hint": "",
            "question": "",
            "wrong": {key: {"cases": answers} for key, answers in wrong.items()},
        }
        for name, wrong in STORED.items()
    ]
    (tmp_path / "f.json").write_text(json.dumps({"misconceptions": blocks}))
    return [
        dataclasses.replace(bank.cases[0], graded=graded, id=case) for case in "abc"
    ]


def names(cases: list[Case], **outcomes: str | Status) -> list[str]:
    """The names that fit if these cases fail or have these statuses, and others pass."""
    verdicts = {case.id: Verdict(case.id, Status.PASS) for case in cases}
    for case, outcome in outcomes.items():
        if isinstance(outcome, Status):
            verdicts[case] = Verdict(case, outcome)
        else:
            verdicts[case] = Verdict(case, Status.FAIL, fingerprint=outcome)
    return [mistake.name for mistake in named("f", fitting(cases, verdicts))]


def test_all_cases_decide(cases: list[Case]) -> None:
    assert names(cases, a="1", b="2") == ["adds one"]
    assert names(cases, a="1") == names(cases, b="2") == ["adds one at the end"]
    assert names(cases, a="1", b="3", c="4") == ["adds three", "adds four"]
    assert (
        names(cases, a="1", b="2", c="4") == names(cases, a="2") == names(cases) == []
    )


def test_a_case_that_waits_says_nothing(cases: list[Case]) -> None:
    assert names(cases, a=Status.WAITS, b="2") == ["adds one", "adds one at the end"]
    assert names(cases, a=Status.UNGRADED, b="3", c="4") == ["adds three", "adds four"]
    assert names(cases, a="1", b=Status.WAITS, c=Status.WAITS) == []  # six fit
    assert names(cases, a=Status.WAITS, b=Status.WAITS, c=Status.WAITS) == []


def test_a_time_out_that_is_stored_may_be_any_wrong_answer(cases: list[Case]) -> None:
    """A faster machine gets further."""
    assert (
        names(cases, a="1", c="5")
        == names(cases, a="1", c=SLOW)
        == ["passes its time at the end"]
    )
    assert names(cases, a="1", b=SLOW) == names(cases, a=SLOW) == []


def test_nothing_is_said_of_what_is_not_begun_or_not_run(cases: list[Case]) -> None:
    assert names(cases, a="1", b="2", c=Status.NOT_STARTED) == []
    some = {
        "a": Verdict("a", Status.FAIL, fingerprint="1"),
        "b": Verdict("b", Status.FAIL, fingerprint="2"),
    }
    assert fitting(cases, some) == ()
    assert fitting(cases, some | {"c": Verdict("c", Status.TIME_OUT, ran=False)}) == ()


def test_nothing_is_said_where_a_case_fails_that_is_new(cases: list[Case]) -> None:
    new = dataclasses.replace(cases[0], id="new")
    assert names([*cases, new], a="1", b="2") == ["adds one"]
    assert names([*cases, new], a="1", b="2", new="7") == []


def test_a_misconception_has_its_words(cases: list[Case]) -> None:
    verdicts = {
        case.id: Verdict(case.id, Status.FAIL, fingerprint=answer)
        for case, answer in zip(cases, "123", strict=True)
    }
    assert fitting(cases, verdicts) == ()
    two = {"b": verdicts["b"], "c": Verdict("c", Status.PASS)}
    assert Misconception("adds one", "", "") in named(
        "f", fitting(cases, verdicts | two)
    )
