"""Playback: what a kind that can be played back gives of one call: the nodes of a tree,
and steps at them.

Plain data and words, for a page and for a terminal, which know nothing of kinds.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile, zip_longest
from typing import Any

CALLED, RETURNED, EXPANDED, SCORED = "called", "returned", "expanded", "scored"
NOWHERE = -1
INFINITY = float("inf")
Done = tuple[str, int]  # what is done, and at which node


@dataclass(frozen=True)
class Node:
    """A node: the number of its parent, who moves there (MAX, MIN or nobody), and its
    picture, cell by cell.
    """

    parent: int
    label: str
    mover: str = ""
    cells: str = ""


@dataclass(frozen=True)
class Step:
    """What happened at a node (NOWHERE if that is not known), in words.

    `shown` is what then stands at the node, and `above` what then stands at its parent,
    if that has changed.  `event` is the number of the event in the trace.
    """

    what: str
    node: int
    words: str
    shown: str = ""
    above: str = ""
    event: int = 0

    def as_list(self) -> list[Any]:
        """What a page is given of it."""
        return [self.what, self.node, self.words, self.shown, self.above]


@dataclass(frozen=True)
class Playback:
    """Nodes, a parent before its children, and the steps of one or more searches, by
    their names.

    `layout` and `columns` are those of the pictures (grader/tools/pages/look.js);
    `mark` is a node with what is said of it, and `shown_by` the search whose step shows
    that, with how many of its steps are done then.  `rows` says of each moment how many
    steps of each search are done.
    """

    nodes: Sequence[Node]
    sides: Mapping[str, Sequence[Step]]
    layout: str = ""
    columns: int = 0
    mark: tuple[int, str] | None = None
    is_complete: bool = True  # False if a search was stopped, since it went on too long
    shown_by: tuple[str, int] | None = None

    @property
    def rows(self) -> list[tuple[int, ...]]:
        """The moments, in their order.

        All searches go on at once while they do the same, and one step further, where
        they differ.  From there on two searches go on at once where both come to the
        same node; until then one of them waits.
        """
        lengths = [len(steps) for steps in self.sides.values()]
        at_once = (
            min(self.in_common + 1, *lengths) if len(lengths) == 2 else max(lengths)
        )
        return [
            (moment,) * len(lengths) for moment in range(at_once + 1)
        ] + self._rows_after(at_once)

    def _rows_after(self, at_once: int) -> list[tuple[int, ...]]:
        """The moments of two searches after so many steps of each."""
        if len(self.sides) != 2:
            return []
        first, second = (
            [(step.what, step.node) for step in steps] for steps in self.sides.values()
        )
        places = [_places(first), _places(second)]
        done, rows = (at_once, at_once), list[tuple[int, ...]]()
        while done != (len(first), len(second)):
            one, other = done
            # How far each search is from what the other one does next; a search that
            # has ended does nothing more.
            one_away = (
                _distance(places[0], second[other], one)
                if other < len(second)
                else INFINITY
            )
            other_away = (
                _distance(places[1], first[one], other)
                if one < len(first)
                else INFINITY
            )
            if one_away == other_away == 0:
                done = (one + 1, other + 1)
            elif one < len(first) and (one_away <= other_away or other == len(second)):
                done = (one + 1, other)
            else:
                done = (one, other + 1)
            rows.append(done)
        return rows

    @property
    def in_common(self) -> int:
        """How many steps all searches have in common before they part."""
        at_once = zip_longest(
            *([step.words for step in steps] for steps in self.sides.values())
        )
        return len(list(takewhile(lambda words: len(set(words)) == 1, at_once)))

    @property
    def marked(self) -> int | None:
        """The moment that shows what is said of the mark; without a step that does, the
        first that is not common to all searches.  None if nothing is marked.
        """
        if self.mark is None:
            return None
        if self.shown_by is None:
            return min(self.in_common + 1, len(self.rows) - 1)
        name, done = self.shown_by
        side = list(self.sides).index(name)
        return next(moment for moment, row in enumerate(self.rows) if row[side] >= done)

    def as_data(self) -> dict[str, Any]:
        """The same for a page, as lists."""
        return {
            "layout": self.layout,
            "columns": self.columns,
            "mark": self.mark,
            "nodes": [list(vars(node).values()) for node in self.nodes],
            "sides": [
                [name, [step.as_list() for step in steps]]
                for name, steps in self.sides.items()
            ],
            "marked": self.marked,
            "rows": self.rows,
        }


def _places(steps: Sequence[Done]) -> dict[Done, list[int]]:
    """Where each thing is done in a search, as indices of its steps."""
    places: dict[Done, list[int]] = {}
    for index, done in enumerate(steps):
        places.setdefault(done, []).append(index)
    return places


def _distance(places: Mapping[Done, list[int]], done: Done, start: int) -> float:
    """How many steps after `start` something is done; INFINITY if that never happens.

    >>> _distance({("called", 3): [2, 7]}, ("called", 3), 4)
    3
    """
    indices = places.get(done, [])
    at = bisect_left(indices, start)
    return indices[at] - start if at < len(indices) else INFINITY
