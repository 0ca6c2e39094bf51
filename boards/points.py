"""What each part and each function is worth, out of points.yaml."""

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from boards.reading import Block, read_yaml

POINTS = Path(__file__).with_name("points.yaml")


@dataclass(frozen=True)
class Part:
    """A part of the lab: its number, its title, and the points of each of its functions."""

    number: int
    title: str
    functions: dict[str, Fraction]

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
    root.allow({"total", "parts"})
    blocks = root.take("parts", list)
    if not all(isinstance(block, Block) for block in blocks):
        root.fail("`parts` is a list of mappings: `- part: 0` and so on", "parts")
    parts = tuple(_read_part(block) for block in blocks)
    total = sum(part.points for part in parts)
    if total != root.take("total", int):
        root.fail(f"the parts add up to {total}, but `total` says {root['total']}; correct one of them", "total")
    return parts


def _read_part(block: Block) -> Part:
    block.allow({"part", "title", "points", "functions"})
    functions: Block = block.take("functions", Block)
    for name in functions:
        if not 0 < functions.take(name, (int, float)) < 1_000:
            functions.fail(f"{name} is worth {functions[name]}; points are above 0", name)
    points = {name: Fraction(str(functions[name])) for name in functions}
    if sum(points.values()) != block.take("points", int):
        block.fail(
            f"the functions add up to {sum(points.values())}, but `points` says {block['points']}; correct one of them",
            "points",
        )
    return Part(block.take("part", int), block.take("title", str), points)
