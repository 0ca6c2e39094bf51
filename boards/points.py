"""The graded functions: what each is worth, and of what kind it is, out of points.yaml.

A course may rescale all points (`rescaled_to`), and may leave a share of a function's points to
hidden cases (`hidden`), which are run at the deadline.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from boards.reading import read_yaml, sound

POINTS = Path(__file__).with_name("points.yaml")


@dataclass(frozen=True)
class Function:
    """A graded function, or what else lab.py is asked for, by its name.

    `kind` names the folder of grader/kinds/ that knows all about it; `arguments` and `returns` tell
    it from others of its kind.  Its cases run on the functions it `needs`, which are the student's
    own; it `may_call` others, which are stood in for where they are wrong; it finds what another one finds
    that it `prunes`, with fewer evaluations.
    """

    name: str
    kind: str
    arguments: tuple[str, ...] = ()
    returns: str = ""
    needs: tuple[str, ...] = ()
    may_call: tuple[str, ...] = ()
    prunes: str = ""


@dataclass(frozen=True)
class Part:
    """A part of the lab: its number, its title, and the points of each of its functions.

    `graded` says of what kind each function is; `hidden` has the share of a function's points, 0 to
    1, that hidden cases carry.
    """

    number: int
    title: str
    functions: dict[str, Fraction]
    hidden: dict[str, Fraction] = field(default_factory=dict)
    graded: dict[str, Function] = field(default_factory=dict)

    @property
    def points(self) -> Fraction:
        """The points of the part, 0 or more."""
        return sum(self.functions.values(), Fraction(0))


def read_points(file: Path = POINTS) -> tuple[Part, ...]:
    """The parts, in order.  Raises BadFile.

    >>> read_points()[0].title
    'Strong solutions'
    """
    data = read_yaml(file)
    with sound(file):
        scale = _fraction(data["rescaled_to"]) / data["total"] if "rescaled_to" in data else Fraction(1)
        hidden = {name: _fraction(share) for name, share in data.get("hidden", {}).items()}
        return tuple(_read_part(part, scale, hidden) for part in data["parts"])


def _read_part(data: Mapping[str, Any], scale: Fraction, hidden: Mapping[str, Fraction]) -> Part:
    functions: dict[str, dict[str, Any]] = data["functions"]
    points = {name: _fraction(facts["points"]) * scale for name, facts in functions.items()}
    shares = {name: share for name, share in hidden.items() if name in functions}
    graded = {name: _function(name, facts) for name, facts in functions.items()}
    return Part(data["part"], data["title"], points, shares, graded)


def _function(name: str, facts: Mapping[str, Any]) -> Function:
    told: dict[str, Any] = {
        key: tuple(fact) if isinstance(fact, list) else fact for key, fact in facts.items() if key != "points"
    }
    return Function(name, **told)


def _fraction(number: float) -> Fraction:
    return Fraction(str(number))
