"""In the child: how many more evaluations a search with a table may count.

A position may stand at several places of a tree.  A search with a table evaluates what
is below one of these places, and takes the result from the table at the others.  It is
right to count the evaluations below each place.
"""

from collections import defaultdict
from typing import Any

from grader.child.attribution import Place, Places


class Remembered:
    """The evaluations that a table may have saved one search."""

    def __init__(self, places: Places, evaluated: set[Place]) -> None:
        self._evaluated = evaluated
        self._snapshots: dict[Place, Any] = {}
        self._children = defaultdict[Place, list[Place]](list)
        for snapshot, place in places.entered():
            if place is not None and place not in self._snapshots:
                self._snapshots[place] = snapshot
                if place:
                    self._children[place[:-1]].append(place)
        # The places of each position at which the search has looked at it.
        self._twins = defaultdict[Any, list[Place]](list)
        for place, snapshot in self._snapshots.items():
            if self._was_looked_at(place):
                self._twins[snapshot].append(place)
        self._known: dict[Place, int] = {}

    def saved(self) -> int:
        """Count what a search without a table evaluates more.

        Those are the evaluations at and below the places that the search has met, but
        has not looked at.
        """
        return sum(
            self._below(place)
            for place in self._snapshots
            if not self._was_looked_at(place)
        )

    def _below(self, place: Place) -> int:
        """Count the evaluations at a place and below it."""
        if place not in self._known:
            # No game has a position that leads back to itself, but a lab.py might.
            self._known[place] = 0
            self._known[place] = self._counted(place)
        return self._known[place]

    def _counted(self, place: Place) -> int:
        if not self._was_looked_at(place):
            twins = self._twins.get(self._snapshots[place], [])
            return max(map(self._below, twins), default=0)
        below = sum(map(self._below, self._children.get(place, [])))
        if place in self._evaluated:
            below += 1
        return below

    def _was_looked_at(self, place: Place) -> bool:
        return place in self._evaluated or place in self._children
