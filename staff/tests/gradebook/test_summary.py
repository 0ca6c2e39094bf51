"""At whom the staff look first, and who answers alike: summary.html, without a
class.
"""

from fractions import Fraction
from typing import Any

import pytest

from grader.bank.cases import Bank
from staff.course.standing import Standing, Timing
from staff.gradebook.summary import Gleaned, Wrong, look_at, summary_of


def student(
    id: str,
    state: str = "graded",
    score: str = "50",
    wrong: tuple[Wrong, ...] = (),
    **more: Any,
) -> Gleaned:
    """What is gleaned of a student; `timing`, `has_no_import`, `public` and `hidden`
    may be others.
    """
    points = Fraction(score) if state == "graded" else None
    now = Standing(id, state, score=points, timing=more.pop("timing", Timing.KNOWN))
    facts = {"has_no_import": False, "public": None, "hidden": None, **more}
    return Gleaned(now, f"lab of {id}", wrong, {}, **facts)


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
        (
            {"score": "0", "has_no_import": True},
            ["the file cannot be imported", "0 points"],
        ),
        ({"timing": Timing.UNKNOWN}, ["no time known"]),
        ({"timing": Timing.LATE_WITHOUT_TIME}, ["marked LATE, time unknown"]),
        ({"timing": Timing.BY_THE_SYSTEM}, []),
        (
            {"public": Fraction(9, 10), "hidden": Fraction(6, 10)},
            ["far more public points than hidden ones"],
        ),
        ({"public": Fraction(9, 10), "hidden": Fraction(61, 100)}, []),
        ({"public": Fraction(1, 10), "hidden": Fraction(9, 10)}, []),
        ({"public": Fraction(1), "hidden": None}, []),
    ],
)
def test_at_whom_to_look(facts: dict[str, Any], reasons: list[str]) -> None:
    assert list(look_at([student("ann", **facts)])) == reasons


def wrong(case: str, answer: str, known: str = "", hidden: bool = False) -> Wrong:
    return Wrong(case, case.partition("/")[0], hidden, 100, answer, known)


def test_who_answers_alike_and_who_is_wrong_where(bank: Bank) -> None:
    class_ = [
        student("ann", wrong=(wrong("dfs/one", "x"), wrong("dfs/two", "y"))),
        student("bob", wrong=(wrong("dfs/two", "y"), wrong("dfs/one", "x"))),
        student("cat", wrong=(wrong("dfs/one", "x"),)),
        student(
            "dan",
            wrong=(
                wrong("solve/one", "z", known="adds 2"),
                wrong("solve/two", "z", known="adds 2"),
            ),
        ),
        student(
            "eve",
            wrong=(
                wrong("solve/one", "z", known="adds 2"),
                wrong("dfs/h", "", hidden=True),
            ),
        ),
    ]
    found = summary_of(class_, bank)
    assert [(group.function, group.what, group.students) for group in found.alike] == [
        ("dfs", "dfs/one", ("ann", "bob"))
    ]
    assert [(group.what, group.students) for group in found.mistakes] == [
        ("adds 2", ("dan", "eve"))
    ]
    assert [(group.function, group.students) for group in found.hidden_only] == [
        ("dfs", ("eve",))
    ]
    assert found.mean == found.median == Fraction(50)
    assert (found.scored, found.states) == (5, {"graded": 5})
    assert [(bar.low, bar.students) for bar in found.bars if bar.students] == [
        (Fraction(50), 5)
    ]
