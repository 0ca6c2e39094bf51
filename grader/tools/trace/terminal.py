"""A playback in the terminal: step by step where somebody sits there, else all steps in a line each."""

import sys
from collections.abc import Iterator

from api.players import Quit
from grader.kinds.playback import EXPANDED, Playback
from grader.tools.screen import WIDTH, Screen

MOST_UNFOLDED = 40
COLUMN = 17


def play(playback: Playback, screen: Screen, in_words: bool) -> None:
    """Play it back, in words only or with the tree drawn."""
    row, last = 0, len(playback.rows) - 1
    if playback.mark:
        screen.say(playback.mark[1])
    if not (sys.stdin and sys.stdin.isatty()):
        for row in range(1, last + 1):
            screen.say(f"{row:4}  {said(playback, row)}")
        screen.show([] if in_words else ["", *drawn(playback, last)])
        return
    to_the_mark = "m: to the mistake, " if playback.mark else ""
    while True:
        screen.show([""] if in_words else ["", *drawn(playback, row), ""])
        screen.say(f"Step {row} of {last}. {said(playback, row)}")
        try:
            word = screen.ask(f"Enter: on, b: back, {to_the_mark}a number: to that step, q: quit > ").lower()
        except Quit:
            return
        if word == "q":
            return
        known = {"b": row - 1, **({"m": playback.marked_row()} if playback.mark else {})}
        row = max(0, min(int(word[:9]) if word.isdecimal() else known.get(word, row + 1), last))


def said(playback: Playback, row: int) -> str:
    """What happens at a moment, in words: once where both searches do the same."""
    now, before = playback.rows[row], playback.rows[max(row - 1, 0)]
    sides = zip(playback.sides.items(), now, before, strict=True)
    words = {name: steps[done - 1].words for (name, steps), done, last in sides if done > last}
    if len(words) == len(playback.sides) and len(set(words.values())) == 1:
        return next(iter(words.values()))
    return " ".join(f"{name.capitalize()}: {text}" for name, text in words.items())


def drawn(playback: Playback, row: int) -> list[str]:
    """The tree as an outline with a column for each search, and the boards where they are."""
    shown: list[dict[int, str]] = []
    now: list[int] = []
    for steps, done in zip(playback.sides.values(), playback.rows[row], strict=True):
        shown.append({})
        for step in steps[:done]:
            if step.what != EXPANDED or step.node not in shown[-1]:
                shown[-1][step.node] = step.shown
        now.append(steps[done - 1].node if done else 0)
    mark = playback.mark[0] if playback.mark else 0
    width = WIDTH - COLUMN * len(shown)
    lines = [" " * width + "".join(f"{name:{COLUMN}}" for name in playback.sides).rstrip()]
    for number, depth in unfolded(playback, [*now, mark]):
        node = playback.nodes[number]
        sign = ">" if number in now else "!" if playback.mark and number == mark else " "
        name = f"{sign} {'   ' * depth}{f'{node.mover} {node.label}'.strip()}"
        texts = "".join(f"{texts.get(number, '.')[: COLUMN - 1]:{COLUMN}}" for texts in shown)
        lines.append(f"{name[: width - 1]:{width}}{texts}".rstrip())
    for cells in dict.fromkeys(playback.nodes[number].cells for number in now if number >= 0):
        rows = range(0, len(cells), playback.columns or 1)
        lines += ["", *(f"    {' '.join(cells[start : start + playback.columns])}" for start in rows)] if rows else []
    return lines


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

    def outline(number: int, depth: int) -> Iterator[tuple[int, int]]:
        yield number, depth
        for child in below.get(number, []) if number in ways else []:
            yield from outline(child, depth + 1)

    return list(outline(0, 0))
