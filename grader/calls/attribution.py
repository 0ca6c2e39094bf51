"""In the worker: at which place of a tree a snapshot stands.

A place is the tuple of child indices on the way down from the root.  A snapshot is
found by identity; a copy is found by equality, if only one place fits.
"""

from collections.abc import Iterator
from typing import Any

Place = tuple[int, ...]


class Places:
    """Where the snapshots of one search stand, as far as they have been entered.

    >>> places = Places("root")
    >>> places.enter("left", (0,))
    >>> places.of("left"), places.of("right")
    ((0,), None)
    """

    def __init__(self, root: Any) -> None:
        self._places: dict[int, Place | None] = {}
        self._seen: list[Any] = []
        self._by_equality: dict[Any, Place | None] = {}
        self._indexed = 0
        self.enter(root, ())

    def enter(self, snapshot: Any, place: Place) -> None:
        """Note where a snapshot stands.  An object that stands in two places has no
        place for sure.
        """
        if self._places.setdefault(id(snapshot), place) != place:
            self._places[id(snapshot)] = None
        self._seen.append(snapshot)

    def entered(self) -> Iterator[tuple[Any, Place | None]]:
        """Every snapshot that was entered, with its place, or None if that is not
        sure.
        """
        return ((snapshot, self._places[id(snapshot)]) for snapshot in self._seen)

    def of(self, snapshot: Any) -> Place | None:
        """Where a snapshot stands: by identity, else by equality if only one place
        fits; else None.
        """
        if id(snapshot) in self._places:
            return self._places[id(snapshot)]
        try:
            for seen in self._seen[self._indexed :]:
                place = self._by_equality.setdefault(seen, self._places[id(seen)])
                if place != self._places[id(seen)]:
                    self._by_equality[seen] = None
            self._indexed = len(self._seen)
            return self._by_equality.get(snapshot)
        except Exception:  # an object that has no hash, or an odd one
            return None
