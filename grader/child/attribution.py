"""In the child: at which place of a tree a snapshot stands.

A place is the tuple of the indices of children on the way down from the root.  A
snapshot is found by identity.  A copy is found by equality, if only one place fits.
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
        # The place of each snapshot, by id; None for an object that has two places.
        self._places: dict[int, Place | None] = {}
        # Every snapshot that was entered.  The list keeps the snapshots alive:
        # otherwise another object could get the id of a snapshot.
        self._entered: list[Any] = []
        # The places by equality, of as many snapshots as `_indexed` says.
        self._by_equality: dict[Any, Place | None] = {}
        self._indexed = 0
        self.enter(root, ())

    def enter(self, snapshot: Any, place: Place) -> None:
        """Note where a snapshot stands.  An object at two places has no certain one."""
        if self._places.setdefault(id(snapshot), place) != place:
            self._places[id(snapshot)] = None
        self._entered.append(snapshot)

    def entered(self) -> Iterator[tuple[Any, Place | None]]:
        """Yield every snapshot with its place, or None if the place is not certain."""
        return ((snapshot, self._places[id(snapshot)]) for snapshot in self._entered)

    def of(self, snapshot: Any) -> Place | None:
        """Return where a snapshot stands; None if that is not certain."""
        if id(snapshot) in self._places:
            return self._places[id(snapshot)]
        try:
            self._index()
            return self._by_equality.get(snapshot)
        except Exception:  # The object has no hash, or its own methods fail.
            return None

    def _index(self) -> None:
        """Enter by equality the snapshots that were entered since the last call."""
        for snapshot in self._entered[self._indexed :]:
            place = self._places[id(snapshot)]
            if self._by_equality.setdefault(snapshot, place) != place:
                self._by_equality[snapshot] = None
        self._indexed = len(self._entered)
