"""In the child: finds the place in a tree to which a snapshot belongs.

A place is a tuple: the index of the child at each step down from the root.  A snapshot
is recognized by its identity.  A copy of a snapshot is recognized by equality, if it
equals the snapshot of only one place.
"""

from collections.abc import Iterator
from typing import Any

Place = tuple[int, ...]


class Places:
    """Remembers the place of each snapshot of one search that was entered.

    >>> places = Places("root")
    >>> places.enter("left", (0,))
    >>> places.of("left"), places.of("right")
    ((0,), None)
    """

    def __init__(self, root: Any) -> None:
        # The place of each snapshot.  The key is its id.  The value is None for an
        # object that was entered at two places.
        self._places: dict[int, Place | None] = {}
        # Every snapshot that was entered.  The list keeps the snapshots alive, because
        # otherwise another object could get the id of a snapshot.
        self._entered: list[Any] = []
        # The same places, with the snapshot itself as the key, so that equal snapshots
        # are found.  The first `_indexed` snapshots of `_entered` are in this dict.
        self._by_equality: dict[Any, Place | None] = {}
        self._indexed = 0
        self.enter(root, ())

    def enter(self, snapshot: Any, place: Place) -> None:
        """Enter a snapshot at a place.  An object that is entered at two places has no
        certain place.
        """
        if self._places.setdefault(id(snapshot), place) != place:
            self._places[id(snapshot)] = None
        self._entered.append(snapshot)

    def entered(self) -> Iterator[tuple[Any, Place | None]]:
        """Yield every snapshot with its place, or None if the place is not certain."""
        return ((snapshot, self._places[id(snapshot)]) for snapshot in self._entered)

    def of(self, snapshot: Any) -> Place | None:
        """Return the place of a snapshot; None if the place is not certain."""
        if id(snapshot) in self._places:
            return self._places[id(snapshot)]
        try:
            self._index()
            return self._by_equality.get(snapshot)
        except Exception:  # The snapshot has no hash, or its own methods fail.
            return None

    def _index(self) -> None:
        """Add to `_by_equality` the snapshots that were entered since the last call."""
        for snapshot in self._entered[self._indexed :]:
            place = self._places[id(snapshot)]
            if self._by_equality.setdefault(snapshot, place) != place:
                self._by_equality[snapshot] = None
        self._indexed = len(self._entered)
