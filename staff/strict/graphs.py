"""Checks the drawing of a game (boards/games.yaml): a finite graph, without cycles."""

import re

_LINE = re.compile(r"(?P<position>\w+)\s*(?:->\s*(?P<next>\w+(?:\s+\w+)*)|=\s*(?P<value>WIN|TIE|LOSE))")


def check_graph(drawing: str) -> None:
    """ValueError, with the line, where the drawing is not a finite game without cycles.

    >>> check_graph("top -> top")
    Traceback (most recent call last):
    ValueError: line 1: 'top' stands on or above a cycle; games must end
    """
    lines, arrows = dict[str, int](), dict[str, list[str]]()
    for number, line in enumerate(drawing.splitlines(), start=1):
        found = _LINE.fullmatch(line.strip())
        if not found:
            raise ValueError(f"line {number}: {line.strip()!r} is neither `a -> b c` nor `a = LOSE`")
        position = found["position"]
        if lines.setdefault(position, number) != number:
            raise ValueError(f"line {number}: {position!r} stands in line {lines[position]} already")
        if found["next"]:
            arrows[position] = found["next"].split()
    if not lines:
        raise ValueError("line 1: a game has at least one position")
    for position, successors in arrows.items():
        for successor in successors:
            if successor not in lines:
                raise ValueError(f"line {lines[position]}: {position!r} leads to {successor!r}, which has no line")
    _check_ends(arrows, lines)
    start = next(iter(lines))
    if arrows and start not in arrows:
        raise ValueError(
            f"line 1: the game starts at {start!r}, in the first line, and is over there; draw its start first"
        )


def _check_ends(arrows: dict[str, list[str]], lines: dict[str, int]) -> None:
    """No arrow leads back to where it came from."""
    remaining = dict(arrows)
    while remaining:
        settled = [position for position, after in remaining.items() if not remaining.keys() & set(after)]
        if not settled:
            position = next(iter(remaining))
            raise ValueError(f"line {lines[position]}: {position!r} stands on or above a cycle; games must end")
        for position in settled:
            del remaining[position]
