"""Playback: what a kind that can be played back gives of one call: the nodes of a tree, and steps at them.

Plain data and words, for a page and for a terminal, which know nothing of kinds.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

CALLED, RETURNED, EXPANDED, SCORED = "called", "returned", "expanded", "scored"
NOWHERE = -1


@dataclass(frozen=True)
class Node:
    """A node: the number of its parent, who moves there (MAX, MIN or nobody), and its picture, cell by cell."""

    parent: int
    label: str
    mover: str = ""
    cells: str = ""


@dataclass(frozen=True)
class Step:
    """What happened at a node (NOWHERE if that is not known), in words.

    `shown` is what then stands at the node, and `above` what then stands at its parent, if that has changed.
    """

    what: str
    node: int
    words: str
    shown: str = ""
    above: str = ""


@dataclass(frozen=True)
class Playback:
    """Nodes, a parent before its children, and the steps of one or more searches, by their names.

    `layout` and `columns` are those of the pictures (grader/tools/board/view.py); `mark` is a node with what is
    said of it.  `rows` says of each moment how many steps of each search are done.
    """

    nodes: Sequence[Node]
    sides: Mapping[str, Sequence[Step]]
    layout: str = ""
    columns: int = 0
    mark: tuple[int, str] | None = None

    @cached_property
    def rows(self) -> list[tuple[int, ...]]:
        """The moments, in their order."""
        steps = list(self.sides.values())
        return list(in_step(*steps)) if len(steps) == 2 else [(n,) for n in range(len(steps[0]) + 1)]

    def marked_row(self) -> int:
        """The moment that shows what the mark is about: where the searches part, or else the last one."""
        for row in range(1, len(self.rows)):
            sides = zip(self.sides.values(), self.rows[row], self.rows[row - 1], strict=True)
            if len({steps[done - 1].words if done > before else "" for steps, done, before in sides}) > 1:
                return row
        return len(self.rows) - 1

    def as_data(self) -> dict[str, Any]:
        """The same for a page, as lists."""
        return vars(self) | {
            "nodes": [list(vars(node).values()) for node in self.nodes],
            "sides": [[name, [list(vars(step).values()) for step in steps]] for name, steps in self.sides.items()],
            "marked": self.marked_row() if self.mark else None,
            "rows": self.rows,
        }


def in_step(yours: Sequence[Step], asked: Sequence[Step]) -> Iterator[tuple[int, int]]:
    """Moments of two searches side by side: what both do is one moment, and one waits while the other does more.

    >>> one, other = ([Step(SCORED, node, "") for node in nodes] for nodes in ((1, 2, 3), (1, 3, 4)))
    >>> list(in_step(one, other))
    [(0, 0), (1, 1), (2, 1), (3, 2), (3, 3)]
    """
    ours, others = ([(step.what, step.node) for step in steps] for steps in (yours, asked))
    to_come = Counter(ours)
    mine = theirs = 0
    yield mine, theirs
    while mine < len(yours) or theirs < len(asked):
        one, other = ours[mine : mine + 1], others[theirs : theirs + 1]
        waits = bool(other) and one != other and (not one or not to_come[other[0]])
        if one and not waits:
            to_come[one[0]] -= 1
            mine += 1
        if other and (waits or one == other):
            theirs += 1
        yield mine, theirs
