"""The parts of the lab, their graded functions and their points: points.yaml.

A course may rescale all points (`rescaled_to`), and it may leave a share of a
function's points to hidden cases (`hidden`), which run at the deadline.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

from boards.reading import POINTS, Facts, read_yaml, sound

Name = TypeVar("Name", int, str)


@dataclass(frozen=True)
class Function:
    """A graded function, class or answer of lab.py."""

    name: str
    kind: str  # the folder of grader/kinds/ that knows how to grade the function
    arguments: tuple[str, ...] = ()  # those arguments of the kind that it takes
    returns: str = ""  # which result of the kind it returns
    needs: tuple[str, ...] = ()  # the student's functions on which the cases run
    # Functions that this one may call.  Reference answers take the place of such a
    # function if it is wrong.
    may_call: tuple[str, ...] = ()
    # A function with the same results, which needs more evaluations than this one.
    prunes: str = ""


@dataclass(frozen=True)
class Part:
    """A part of the lab.  The keys of each dict are names of its functions."""

    number: int
    title: str
    functions: dict[str, int]  # the hundredths of a point of each function
    # The share of the function's points, 0 to 1, that its hidden cases carry.
    hidden: dict[str, Fraction] = field(default_factory=dict)
    graded: dict[str, Function] = field(default_factory=dict)

    @property
    def points(self) -> int:
        """The hundredths of a point of the whole part."""
        return sum(self.functions.values())

    def later(self, function: str) -> int:
        """The hundredths of a function that hidden cases decide at the deadline."""
        points = self.functions[function]
        return points - int(points * (1 - self.hidden.get(function, 0)))


def read_points(file: Path = POINTS) -> tuple[Part, ...]:
    """The parts, in order.  Raises BadFile.

    >>> read_points()[0].title
    'Strong solutions'
    """
    data = read_yaml(file)
    with sound(file):
        hidden = {
            name: Fraction(str(share)) for name, share in data.get("hidden", {}).items()
        }
        parts = tuple(_read_part(part, hidden) for part in data["parts"])
        if "rescaled_to" in data:
            return rescaled(parts, round(data["rescaled_to"] * 100))
        return parts


def _read_part(data: Facts, hidden: Mapping[str, Fraction]) -> Part:
    points = {}
    graded = {}
    for name, facts in data["functions"].items():
        points[name] = round(facts["points"] * 100)
        graded[name] = Function(name, **fields_of(facts, facts.keys() - {"points"}))
    shares = {name: hidden[name] for name in points if name in hidden}
    return Part(data["part"], data["title"], points, shares, graded)


def fields_of(facts: Facts, names: Iterable[str]) -> dict[str, Any]:
    """The facts with these names, as far as there are any, with tuples for lists."""
    fields = {}
    for name in names:
        if name in facts:
            fact = facts[name]
            fields[name] = tuple(fact) if isinstance(fact, list) else fact
    return fields


def rescaled(parts: Sequence[Part], total: int) -> tuple[Part, ...]:
    """The parts, with points that add up to a total of hundredths."""
    of_parts = shared(total, {part.number: part.points for part in parts})
    return tuple(
        replace(part, functions=shared(of_parts[part.number], part.functions))
        for part in parts
    )


def shared(hundredths: int, weights: Mapping[Name, int]) -> dict[Name, int]:
    """A share of these hundredths of a point for each weight.

    The shares add up to the hundredths.  Each share is rounded down; the shares that
    lost most by that get the hundredths that are left, one each.

    >>> shared(100, {"a": 1, "b": 1, "c": 1})
    {'a': 34, 'b': 33, 'c': 33}
    """
    total_weight = sum(weights.values())
    if not total_weight:
        return dict.fromkeys(weights, 0)
    shares = {
        name: hundredths * weight // total_weight for name, weight in weights.items()
    }
    lost_most_first = sorted(
        weights, key=lambda name: -(hundredths * weights[name] % total_weight)
    )
    for name in lost_most_first[: hundredths - sum(shares.values())]:
        shares[name] += 1
    return shares
