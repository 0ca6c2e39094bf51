"""In the worker: how many evaluations a search may count if it remembers the results of
positions.

A position may stand at several places of a tree.  A search with a table evaluates what
is below one of these places, and takes the result from the table at the others.  It is
right to count the evaluations below each place.
"""

from collections import defaultdict
from typing import Any

from grader.calls.attribution import Place, Places


class Remembered:
    """The evaluations that a table may have saved one search."""

    def __init__(self, places: Places, evaluated: set[Place]) -> None:
        self._evaluated = evaluated
        self._snapshots: dict[Place, Any] = {}
        self._children = defaultdict[Place, list[Place]](list)
        self._twins = defaultdict[Any, list[Place]](
            list
        )  # the places of a position that the search has looked at
        for snapshot, place in places.entered():
            if place is not None and place not in self._snapshots:
                self._snapshots[place] = snapshot
                if place:
                    self._children[place[:-1]].append(place)
        for place, snapshot in self._snapshots.items():
            if self._was_looked_at(place):
                self._twins[snapshot].append(place)
        self._known: dict[Place, int] = {}

    def saved(self) -> int:
        """The evaluations at and below the places that the search has only met, if it
        had looked at them too.
        """
        return sum(
            self._below(place)
            for place in self._snapshots
            if not self._was_looked_at(place)
        )

    def _below(self, place: Place) -> int:
        """The evaluations at a place and below it."""
        if place not in self._known:
            self._known[place] = (
                0  # for a position that leads back to itself, which no game has
            )
            self._known[place] = self._counted(place)
        return self._known[place]

    def _counted(self, place: Place) -> int:
        if self._was_looked_at(place):
            here = 1 if place in self._evaluated else 0
            return here + sum(
                self._below(child) for child in self._children.get(place, [])
            )
        return max(
            (self._below(twin) for twin in self._twins.get(self._snapshots[place], [])),
            default=0,
        )

    def _was_looked_at(self, place: Place) -> bool:
        return place in self._evaluated or place in self._children
