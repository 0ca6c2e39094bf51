"""A playback in the terminal: step by step where somebody sits there, else all steps in a line each."""

import sys

from api.players import Quit
from grader.kinds.playback import EXPANDED, Playback
from grader.tools.screen import WIDTH, Screen

ASK = "Enter: on, b: back, m: to the mistake, a number: to that step, q: quit > "
MOST_UNFOLDED = 40
COLUMN = 17


def play(playback: Playback, screen: Screen, in_words: bool) -> None:
    """Play it back, in words only or with the tree drawn."""
    rows = playback.rows
    if playback.mark:
        screen.say(playback.mark[1])
    if not (sys.stdin and sys.stdin.isatty()):
        for row in range(1, len(rows)):
            screen.say(f"{row:4}  {said(playback, row)}")
        if not in_words:
            screen.show(["", *drawn(playback, len(rows) - 1)])
        return
    row = 0
    while True:
        screen.show(["", *([] if in_words else [*drawn(playback, row), ""])])
        screen.say(f"Step {row} of {len(rows) - 1}. {said(playback, row)}")
        try:
            word = screen.ask(ASK if playback.mark else ASK.replace("m: to the mistake, ", "")).lower()
        except Quit:
            return
        match word:
            case "q":
                return
            case "b":
                row -= 1
            case "m" if playback.mark:
                row = playback.marked_row()
            case _:
                row = int(word) if word.isdecimal() else row + 1
        row = max(0, min(row, len(rows) - 1))


def said(playback: Playback, row: int) -> str:
    """What happens at a moment, in words: once where both searches do the same."""
    before = playback.rows[max(row - 1, 0)]
    words = {}
    for (name, steps), done, last in zip(playback.sides.items(), playback.rows[row], before, strict=True):
        if done > last:
            words[name] = steps[done - 1].words
    if len(words) == len(playback.sides) and len(set(words.values())) == 1:
        return next(iter(words.values()))
    return " ".join(f"{name.capitalize()}: {text}" for name, text in words.items())


def drawn(playback: Playback, row: int) -> list[str]:
    """The tree as an outline, with a column for each search, and the boards where they are."""
    columns, now = [], []
    for steps, done in zip(playback.sides.values(), playback.rows[row], strict=True):
        shown: dict[int, str] = {}
        for step in steps[:done]:
            if step.what != EXPANDED or step.node not in shown:
                shown[step.node] = step.shown
        columns.append(shown)
        now.append(steps[done - 1].node if done else 0)
    width = WIDTH - COLUMN * len(columns)
    lines = [" " * width + "".join(f"{name:{COLUMN}}" for name in playback.sides)]
    mark = playback.mark[0] if playback.mark else None
    for number, depth in unfolded(playback, [*now, mark or 0]):
        node = playback.nodes[number]
        sign = ">" if number in now else "!" if number == mark else " "
        name = f"{sign} {'   ' * depth}{node.mover} {node.label}".replace("  " + node.label, " " + node.label)
        texts = "".join(f"{shown.get(number, '.'):{COLUMN}}" for shown in columns)
        lines.append(f"{name[: width - 1]:{width}}{texts}".rstrip())
    return lines + boards(playback, now)


def unfolded(playback: Playback, ends: list[int]) -> list[tuple[int, int]]:
    """The nodes that are shown, each with its depth: of a large tree the ways to these, and what branches off."""
    below: dict[int, list[int]] = {}
    for number, node in enumerate(playback.nodes):
        below.setdefault(node.parent, []).append(number)
    ways = set(range(len(playback.nodes))) if len(playback.nodes) <= MOST_UNFOLDED else set()
    for end in ends:
        while end >= 0:
            ways.add(end)
            end = playback.nodes[end].parent
    found, waiting = [], [(0, 0)]
    while waiting:
        number, depth = waiting.pop()
        found.append((number, depth))
        if number in ways:
            waiting += [(child, depth + 1) for child in reversed(below.get(number, []))]
    return found


def boards(playback: Playback, now: list[int]) -> list[str]:
    """The boards at these nodes, each once."""
    lines = []
    for number in dict.fromkeys(number for number in now if number >= 0 and playback.nodes[number].cells):
        cells, columns = playback.nodes[number].cells, playback.columns
        lines.append("")
        lines += [f"    {' '.join(cells[start : start + columns])}" for start in range(0, len(cells), columns)]
    return lines
