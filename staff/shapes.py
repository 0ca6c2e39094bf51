"""Where a case is a list of yes and no, its shape must not tell the answers.

A lab can see how many calls a case has, and which of them it is at.  If no two cases of a function
differ in their number of calls, and no two have the same answers in the same order, then whoever
goes by that alone is right in one case at most.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boards.reading import BadFile
from staff.strict.cases import case_blocks
from staff.strict.reading import read_yaml

_KEYS = ("value", "refused")


@dataclass(frozen=True)
class Shape:
    """The answers to the calls of a case that is nothing but yes and no."""

    file: Path
    line: int
    case: str
    function: str
    answers: tuple[bool, ...]


def shapes_of(file: Path, document: Any) -> list[Shape]:
    """The shapes of a case file, with the expectations of `document`, the file as it will be."""
    shapes = []
    for (function, block, _), entry in zip(case_blocks(read_yaml(file)), document["cases"], strict=True):
        answers = [call["expect"].get(key) for call in entry.get("calls", [entry]) for key in _KEYS]
        given = tuple(answer for answer in answers if isinstance(answer, bool))
        if len(given) == len(entry.get("calls", [entry])) and not block.get("advice"):
            shapes.append(Shape(file, block.line, block["id"], function, given))
    return shapes


def check_shapes(shapes: Iterable[Shape]) -> None:
    """Raise BadFile for the first case that helps those who do not look at what they are asked."""
    earlier: dict[str, list[Shape]] = {}
    for shape in shapes:
        others = earlier.setdefault(shape.function, [])
        if problem := _problem(shape, others):
            raise BadFile(shape.file, shape.line, f"{shape.case}: {problem}")
        others.append(shape)


def _problem(shape: Shape, others: list[Shape]) -> str:
    number = len(shape.answers)
    if len(set(shape.answers)) == 1:
        word = "yes" if shape.answers[0] else "no"
        return f"every answer is {word}, which is right without looking; add a call with the other answer"
    for other in others:
        if len(other.answers) != number:
            return (
                f"{number} calls, where {other.case} has {len(other.answers)}: the number tells the cases of "
                f"{shape.function} apart, and so the answers; give each the same number"
            )
        if other.answers == shape.answers:
            return (
                f"yes and no come in the same order as in {other.case}, so that a lab may go by the order alone; "
                "put the calls in another one"
            )
    return ""
