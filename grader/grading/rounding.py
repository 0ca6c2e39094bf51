"""Points of parts and functions, for the handout."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from boards.cases import Part
from grader.grading.sheet import shown as shown
from grader.grading.sheet import total as total
from grader.grading.sheet import two_decimals as two_decimals


def rounded_parts(parts: Sequence[Part]) -> dict[int, dict[str, Fraction]]:
    """For each part, by its number, the points of its functions."""
    return {part.number: part.functions for part in parts}


def rounded_now(parts: Sequence[Part], hidden: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """The points of each function that public cases carry, if hidden ones have these shares of it."""
    with_shares = [replace(part, hidden=dict(hidden)) for part in parts]
    return {name: points - part.later(name) for part in with_shares for name, points in part.functions.items()}
