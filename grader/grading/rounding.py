"""Points as people read them.  What a case is worth is settled when the cases are loaded (boards/cases.py)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from boards.cases import Bank, Case, Part

HUNDREDTH = Fraction(1, 100)


def total(amounts: Iterable[Fraction]) -> Fraction:
    """The sum of amounts, exactly."""
    return sum(amounts, Fraction(0))


def rounded_parts(parts: Sequence[Part]) -> dict[int, dict[str, Fraction]]:
    """For each part, by its number, the points of its functions."""
    return {part.number: part.functions for part in parts}


def rounded_now(parts: Sequence[Part], hidden: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """The points of each function that public cases carry, if hidden ones have these shares of it."""
    with_shares = [replace(part, hidden=dict(hidden)) for part in parts]
    return {name: points - part.later(name) for part in with_shares for name, points in part.functions.items()}


def as_shown(bank: Bank, credit: dict[str, Fraction]) -> dict[str, tuple[Fraction, Fraction]]:
    """What each graded case earned for its credit, and what it is worth."""
    return {case.id: (_earned(bank.worth(case), credit[case.id]), bank.worth(case)) for case in _graded(bank)}


def _graded(bank: Bank) -> list[Case]:
    return [case for case in bank.cases if not case.advice]


def _earned(worth: Fraction, credit: Fraction) -> Fraction:
    """What a case earned, rounded down; one that does not pass stays at least 0.01 below its worth."""
    if credit == 1:
        return worth
    return max(Fraction(0), min(Fraction(int(worth * credit * 100), 100), worth - HUNDREDTH))


def two_decimals(points: Fraction) -> float:
    """Points with two decimals, rounded down, so that almost full is not full.

    >>> two_decimals(Fraction(2, 3)), two_decimals(Fraction(3))
    (0.66, 3.0)
    """
    return int(points * 100) / 100


def shown(points: Fraction) -> str:
    """Points as a person reads them.

    >>> shown(Fraction(2, 3)), shown(Fraction(3))
    ('0.66', '3')
    """
    return f"{two_decimals(points):g}"
