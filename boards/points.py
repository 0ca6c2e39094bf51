"""What each part and each function is worth, out of points.yaml.

A course may rescale all points (`rescaled_to`), and may leave a share of a function's points to
hidden cases (`hidden`), which are run at the deadline.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from boards.reading import Block, read_yaml

POINTS = Path(__file__).with_name("points.yaml")


@dataclass(frozen=True)
class Part:
    """A part of the lab: its number, its title, and the points of each of its functions.

    `hidden` has the share of a function's points, 0 to 1, that hidden cases carry.
    """

    number: int
    title: str
    functions: dict[str, Fraction]
    hidden: dict[str, Fraction] = field(default_factory=dict)

    @property
    def points(self) -> Fraction:
        """The points of the part, 0 or more."""
        return sum(self.functions.values(), Fraction(0))


def read_points(file: Path = POINTS) -> tuple[Part, ...]:
    """The parts, in order.  BadFile where the points do not add up.

    >>> [part.number for part in read_points()]
    [0, 1, 2, 3, 4]
    """
    root = read_yaml(file)
    root.allow({"total", "rescaled_to", "hidden", "parts"})
    blocks = root.take("parts", list)
    if not all(isinstance(block, Block) for block in blocks):
        root.fail("`parts` is a list of mappings: `- part: 0` and so on", "parts")
    parts = tuple(_read_part(block) for block in blocks)
    total = sum(part.points for part in parts)
    if total != root.take("total", int):
        root.fail(f"the parts add up to {total}, but `total` says {root['total']}; correct one of them", "total")
    scale = _points(root, "rescaled_to") / total if "rescaled_to" in root else Fraction(1)
    hidden = _read_hidden(root, {name for part in parts for name in part.functions})
    return tuple(
        Part(
            part.number,
            part.title,
            {name: points * scale for name, points in part.functions.items()},
            {name: share for name, share in hidden.items() if name in part.functions},
        )
        for part in parts
    )


def _read_part(block: Block) -> Part:
    block.allow({"part", "title", "points", "functions"})
    functions: Block = block.take("functions", Block)
    points = {name: _points(functions, name) for name in functions}
    if sum(points.values()) != block.take("points", int):
        block.fail(
            f"the functions add up to {sum(points.values())}, but `points` says {block['points']}; correct one of them",
            "points",
        )
    return Part(block.take("part", int), block.take("title", str), points)


def _points(block: Block, key: str) -> Fraction:
    if not 0 < block.take(key, (int, float)) < 1_000:
        block.fail(f"{key} is {block[key]}; points are above 0", key)
    return Fraction(str(block[key]))


def _read_hidden(root: Block, functions: set[str]) -> dict[str, Fraction]:
    shares: Block = root.take("hidden", Block, Block(root.file, root.line))
    shares.allow(functions)
    for name in shares:
        if not 0 < shares.take(name, (int, float)) <= 1:
            shares.fail(f"the hidden share of {name} is {shares[name]}; a share is above 0 and at most 1", name)
    return {name: Fraction(str(share)) for name, share in shares.items()}
