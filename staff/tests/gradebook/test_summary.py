"""At whom the staff look first, and who answers alike: summary.html, without a
class.
"""

from fractions import Fraction
from typing import Any

import pytest

from grader.bank.cases import Bank
from staff.course.standing import Standing, Timing
from staff.gradebook.summary import Gleaned, Summary, Wrong, look_at, summary_of


def student(
    id: str,
    *wrong: Wrong,
    state: str = "graded",
    score: str = "50",
    timing: Timing = Timing.KNOWN,
    **more: Any,
) -> Gleaned:
    """What is gleaned of a student; `more` may be has_no_import, public and hidden."""
    points = Fraction(score) if state == "graded" else None
    now = Standing(id, state, score=points, timing=timing)
    facts = {"has_no_import": False, "public": None, "hidden": None, **more}
    return Gleaned(now, f"lab of {id}", wrong, {}, **facts)


def wrong(case: str, answer: str, known: str = "", hidden: bool = False) -> Wrong:
    """A case that a student does not pass; its id begins with its function."""
    function, _, _ = case.partition("/")
    return Wrong(case, function, hidden, 100, answer, known)


NO_IMPORT = {"has_no_import": True, "score": "0"}
NINE_TENTHS = Fraction(9, 10)


@pytest.mark.parametrize(
    ("facts", "reasons"),
    [
        ({}, []),
        ({"state": "refused"}, ["refused"]),
        ({"state": "ungraded"}, ["ungraded"]),
        ({"state": "missing"}, ["missing"]),
        ({"state": "left"}, ["left"]),
        ({"state": "excused"}, []),
        ({"score": "0"}, ["0 points"]),
        (NO_IMPORT, ["the file cannot be imported", "0 points"]),
        ({"timing": Timing.UNKNOWN}, ["no time known"]),
        ({"timing": Timing.LATE_WITHOUT_TIME}, ["marked LATE, time unknown"]),
        ({"timing": Timing.BY_THE_SYSTEM}, []),
    ],
)
def test_at_whom_to_look(facts: dict[str, Any], reasons: list[str]) -> None:
    assert list(look_at([student("ann", **facts)])) == reasons


@pytest.mark.parametrize(
    ("public", "hidden", "is_far"),
    [
        (NINE_TENTHS, Fraction(60, 100), True),
        (NINE_TENTHS, Fraction(61, 100), False),
        (Fraction(1, 10), NINE_TENTHS, False),
        (Fraction(1), None, False),  # there are no hidden cases
    ],
)
def test_far_more_public_points_than_hidden_ones_are_a_reason_to_look(
    public: Fraction, hidden: Fraction | None, is_far: bool
) -> None:
    reasons = look_at([student("ann", public=public, hidden=hidden)])
    assert list(reasons) == ["far more public points than hidden ones"] * is_far


@pytest.fixture(scope="module")
def summary(bank: Bank) -> Summary:
    """The summary of five students, of whom each has 50 points."""
    return summary_of(
        [
            student("ann", wrong("dfs/one", "x"), wrong("dfs/two", "y")),
            student("bob", wrong("dfs/two", "y"), wrong("dfs/one", "x")),
            student("cat", wrong("dfs/one", "x")),
            student(
                "dan",
                wrong("solve/one", "z", known="adds 2"),
                wrong("solve/two", "z", known="adds 2"),
            ),
            student(
                "eve",
                wrong("solve/one", "z", known="adds 2"),
                wrong("dfs/h", "", hidden=True),
            ),
        ],
        bank,
    )


def test_who_answers_alike_is_listed(summary: Summary) -> None:
    """Ann and Bob alone give the same answers to all cases of a function."""
    (alike,) = summary.alike
    assert alike.function == "dfs"
    assert alike.what == "dfs/one"
    assert alike.students == ("ann", "bob")


def test_who_makes_the_same_known_mistake_is_listed(summary: Summary) -> None:
    (mistake,) = summary.mistakes
    assert mistake.what == "adds 2"
    assert mistake.students == ("dan", "eve")


def test_who_is_wrong_in_hidden_cases_alone_is_listed(summary: Summary) -> None:
    (hidden_only,) = summary.hidden_only
    assert hidden_only.function == "dfs"
    assert hidden_only.students == ("eve",)


def test_the_scores_of_a_class_are_summed_up(summary: Summary) -> None:
    assert summary.mean == summary.median == 50
    assert summary.scored == 5
    assert summary.states == {"graded": 5}
    (bar,) = (bar for bar in summary.bars if bar.students)
    assert bar.low == 50
    assert bar.students == 5
