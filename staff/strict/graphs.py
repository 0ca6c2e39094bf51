"""Checks the drawing of a game (boards/games.yaml): a finite graph, without cycles."""

import graphlib
import re

_LINE = re.compile(r"(?P<position>\w+)\s*(?:->\s*(?P<next>\w+(?:\s+\w+)*)|=\s*(?P<value>WIN|TIE|LOSE))")


def check_graph(drawing: str) -> None:
    """ValueError, with the line, where the drawing is not a finite game without cycles.

    >>> check_graph("top -> top")
    Traceback (most recent call last):
    ValueError: line 1: 'top' stands on a cycle; games must end
    """
    lines, after = dict[str, int](), dict[str, list[str]]()
    for number, line in enumerate(drawing.splitlines(), start=1):
        found = _LINE.fullmatch(line.strip())
        if not found:
            raise ValueError(f"line {number}: {line.strip()!r} is neither `a -> b c` nor `a = LOSE`")
        position = found["position"]
        if lines.setdefault(position, number) != number:
            raise ValueError(f"line {number}: {position!r} stands in line {lines[position]} already")
        after[position] = (found["next"] or "").split()
    for position, successors in after.items():
        for successor in successors:
            if successor not in lines:
                raise ValueError(f"line {lines[position]}: {position!r} leads to {successor!r}, which has no line")
    start = next(iter(lines), None)
    if start is None or (any(after.values()) and not after[start]):
        raise ValueError("line 1: the game starts in the first line, and is over there; draw its start first")
    try:
        graphlib.TopologicalSorter(after).prepare()
    except graphlib.CycleError as error:
        position = error.args[1][0]
        raise ValueError(f"line {lines[position]}: {position!r} stands on a cycle; games must end") from None
