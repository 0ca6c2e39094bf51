"""Reads points.yaml: the parts of the assignment, their graded functions and the
points.

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
    """A name in lab.py that is graded: a function, a class, or the answer to a
    question.
    """

    name: str
    kind: str  # the folder of grader/kinds/ that knows how to grade the function
    # The arguments that this function takes besides the state, such as `depth_limit`.
    # They are some of the arguments that its kind knows.
    arguments: tuple[str, ...] = ()
    # What sort of result the function returns, such as `over` or `history`, if
    # functions of its kind may return several sorts.  Empty for the usual sort.
    returns: str = ""
    # Other functions of lab.py that take part in the cases of this function.  While one
    # of them is wrong, a failing case of this function waits.
    needs: tuple[str, ...] = ()
    # The functions of lab.py that this function is allowed to call.  If one of them is
    # wrong, the failing cases of this function run again.  In that run, reference
    # answers replace the answers of the wrong function.
    may_call: tuple[str, ...] = ()
    # If this function prunes, the name of the function that it improves on.  That
    # function returns the same results, but may evaluate more states because it does
    # not prune.
    prunes: str = ""


@dataclass(frozen=True)
class Part:
    """A part of the assignment.  `functions`, `hidden` and `graded` have the names of
    the part's functions as keys.
    """

    number: int
    title: str
    functions: dict[str, int]  # how many hundredths of a point each function is worth
    # For each function that has hidden cases, the share of its points that these cases
    # decide: a number from 0 to 1.
    hidden: dict[str, Fraction] = field(default_factory=dict)
    graded: dict[str, Function] = field(default_factory=dict)

    @property
    def points(self) -> int:
        """How many hundredths of a point the whole part is worth."""
        return sum(self.functions.values())

    def later(self, function: str) -> int:
        """Return how many hundredths of a point the hidden cases of a function decide.

        These points are decided later than the others, because hidden cases run at the
        deadline.
        """
        points = self.functions[function]
        return points - int(points * (1 - self.hidden.get(function, 0)))


def read_points(file: Path = POINTS) -> tuple[Part, ...]:
    """Read the parts of the assignment, in the order of points.yaml.

    Raises BadFile if the file cannot be read or is not as it should be.

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
    """Return those entries of `facts` whose keys are in `names`.  A list becomes a
    tuple.
    """
    fields = {}
    for name in names:
        if name in facts:
            fact = facts[name]
            fields[name] = tuple(fact) if isinstance(fact, list) else fact
    return fields


def rescaled(parts: Sequence[Part], total: int) -> tuple[Part, ...]:
    """Return the parts with other points, which add up to `total` hundredths.

    The parts, and the functions of each part, keep their proportions as far as whole
    hundredths allow.
    """
    of_parts = shared(total, {part.number: part.points for part in parts})
    return tuple(
        replace(part, functions=shared(of_parts[part.number], part.functions))
        for part in parts
    )


def shared(hundredths: int, weights: Mapping[Name, int]) -> dict[Name, int]:
    """Divide hundredths of a point in proportion to the weights.

    The shares add up exactly, unless all weights are 0: then all shares are 0.  Each
    share is first rounded down.  The hundredths that are left go, one each, to the
    shares that rounding has cut most.

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
