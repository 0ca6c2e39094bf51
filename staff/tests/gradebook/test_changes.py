"""What differs from a publication: who has less, why, and how many cases are behind
it.
"""

import pytest

from staff.course.changes import Entry, changed, difference, lowered, pairs


def entry(student: str, score: str, state: str = "graded", **made_of: str) -> Entry:
    """What a student has, with the texts that the score is made of; `_` stands for a
    blank or a slash.
    """
    texts = {
        name.replace("__", "/").replace("_", " "): text
        for name, text in made_of.items()
    }
    return Entry(
        student,
        state if score or state != "graded" else "missing",
        {"score": score},
        texts,
    )


@pytest.mark.parametrize(
    ("before", "now", "is_lowered"),
    [
        ("80.00", "79.99", True),
        ("80.00", "80.00", False),
        ("80.00", "80.01", False),
        ("80.00", "", True),  # who loses the whole score
        ("0.00", "", True),
        ("", "80.00", False),
        ("", "", False),
        ("9.00", "10.00", False),  # numbers, not texts
    ],
)
def test_who_has_less(before: str, now: str, is_lowered: bool) -> None:
    both = pairs([entry("ann", before)], [entry("ann", now)])
    assert lowered(both) == (["ann"] if is_lowered else [])


def test_who_is_gone_has_less_and_is_listed() -> None:
    both = pairs([entry("ann", "80.00"), entry("bob", "", "missing")], [])
    assert lowered(both) == ["ann"]
    assert [(each.now.student, each.cause) for each in changed(both)] == [
        ("ann", "not in this class any more"),
        ("bob", "not in this class any more"),
    ]
    assert (
        difference(both, 1)
        == "since publication 1: 0 up, 0 down, 1 same, 1 with a score only before or now"
    )


CASES = {f"case_dfs__{number}": "pass, 1 points" for number in range(16)}
WRONG = dict.fromkeys(CASES, "fail, 0 points")


@pytest.mark.parametrize(
    ("before", "now", "cause", "cases"),
    [
        ({}, {}, "the rules in course.yaml", 0),
        ({"time": "on time"}, {"time": "late"}, "time: on time -> late", 0),
        (CASES, WRONG, "other verdicts, or other points for cases", 16),
        ({"file": "a"} | CASES, {"file": "b"} | WRONG, "file: a -> b", 16),
        (
            {"case_dfs__1": "pass"},
            {"case_dfs__1": "fail"},
            "case dfs/1: pass -> fail",
            1,
        ),
        (
            CASES,
            {"void,_dfs__1": "full: two readings"} | WRONG,
            "void, dfs/1: full: two readings",
            16,
        ),
        ({"by_hand,_total": "60 points"}, {}, "by hand, total: 60 points -> none", 0),
    ],
)
def test_the_cause_and_then_a_number(
    before: dict[str, str], now: dict[str, str], cause: str, cases: int
) -> None:
    (change,) = changed(
        pairs([entry("ann", "8.00", **before)], [entry("ann", "9.00", **now)])
    )
    assert (change.cause, change.cases) == (cause, cases)


def test_how_many_and_by_how_much() -> None:
    before = [entry(id, "10.00") for id in ("a", "b", "c", "d")]
    now = [
        entry("a", "10.50"),
        entry("b", "12.00"),
        entry("c", "7.00"),
        entry("d", "10.00"),
        entry("e", "1.00"),
    ]
    said = "since publication 3: 2 up (+0.50 to +2.00), 1 down (-3.00 to -3.00), 1 same, 1 with a score only before or now"
    assert difference(pairs(before, now), 3) == said
    assert difference(pairs([], now), 0) == "nothing was published before"
