"""Encoding, in the child: what an answer is sent as, and where it stops."""

import copy
from enum import StrEnum
from typing import Any

import pytest

from api import DRAW, Definitely, Guess
from grader.child.encode import TOO_MUCH, encode


def test_an_estimate_is_what_it_holds() -> None:
    """An object that holds no outcome is no estimate."""
    assert encode((Guess(3), Definitely(DRAW))) == [
        {"$estimate": {"guess": 3}},
        {"$estimate": {"sure": "DRAW"}},
    ]
    broken = Definitely(DRAW)
    object.__setattr__(broken, "outcome", "MAXIE")
    assert encode(broken) == {"$other": "a Definitely"}
    for kind in (Guess, Definitely):
        assert encode(object.__new__(kind)) == {"$other": f"a {kind.__name__}"}


@pytest.mark.parametrize(
    "kind",
    [
        type("Choice", (str,), {"strip": None, "__str__": None, "__len__": None}),
        StrEnum("Choice", {"SUM": "1"}),
    ],
)
def test_a_text_of_any_class_is_a_text(kind: Any) -> None:
    """The lab asks for a string; its content counts, as that of a list does."""
    assert [type(encode(kind("1"))), encode([kind("1")])] == [str, ["1"]]


@pytest.mark.parametrize(
    "value",
    [[0] * 100_000, {number: [number] * 30 for number in range(2_000)}],
    ids=["list", "dict"],
)
def test_encoding_stops_at_what_no_answer_needs(value: Any) -> None:
    assert encode(value) == {"$other": TOO_MUCH}


def test_estimates_in_estimates_come_to_an_end() -> None:
    deep = Guess(0)
    for _ in range(5_000):
        object.__setattr__(deep, "score", copy.copy(deep))
    wide: Any = Guess(0)
    object.__setattr__(wide, "score", [wide] * 40)
    assert "something nested without end" in str(encode(deep))
    assert encode(wide) == {"$other": TOO_MUCH}
