"""In the child: finds the place in a tree to which a snapshot belongs.

A snapshot is what a state holds, such as a board.  A place is a tuple that tells the
way down from the root: for each step, the index of the child to which the step goes.  A
snapshot is recognized by its identity.  A copy of a snapshot is recognized by equality,
provided that it equals the snapshot of only one place.
"""

from collections.abc import Iterator
from typing import Any

Place = tuple[int, ...]


class Places:
    """Remembers to which place each snapshot of one search belongs.

    `enter` notes the place of a snapshot.  `of` finds the place of such a snapshot, or
    of a copy of it.

    >>> places = Places("root")
    >>> places.enter("left", (0,))
    >>> places.of("left"), places.of("right")
    ((0,), None)
    """

    def __init__(self, root: Any) -> None:
        # The place of each snapshot that was entered.  The key is id(snapshot).  The
        # value is None if the snapshot was entered at two different places.
        self._places: dict[int, Place | None] = {}
        # Every snapshot that was entered.  The list keeps the snapshots alive, because
        # otherwise another object could get the id of a snapshot.
        self._entered: list[Any] = []
        # The same places, with the snapshot itself as the key, so that a copy of a
        # snapshot can be found too.  This dict has only the first `_indexed` snapshots
        # of `_entered`.
        self._by_equality: dict[Any, Place | None] = {}
        self._indexed = 0
        self.enter(root, ())

    def enter(self, snapshot: Any, place: Place) -> None:
        """Note that this snapshot belongs to this place.

        If the same object is entered at two different places, its place is not certain.
        """
        if self._places.setdefault(id(snapshot), place) != place:
            self._places[id(snapshot)] = None
        self._entered.append(snapshot)

    def entered(self) -> Iterator[tuple[Any, Place | None]]:
        """Yield each snapshot that was entered, together with its place.  If the place
        is not certain, None is yielded instead of a place.
        """
        return ((snapshot, self._places[id(snapshot)]) for snapshot in self._entered)

    def of(self, snapshot: Any) -> Place | None:
        """Return the place of a snapshot; None if no certain place is known."""
        if id(snapshot) in self._places:
            return self._places[id(snapshot)]
        try:
            self._index()
            return self._by_equality.get(snapshot)
        except Exception:  # The snapshot has no hash, or its own methods fail.
            return None

    def _index(self) -> None:
        """Add the snapshots that were entered since the last call of this method to
        `_by_equality`.
        """
        for snapshot in self._entered[self._indexed :]:
            place = self._places[id(snapshot)]
            if self._by_equality.setdefault(snapshot, place) != place:
                self._by_equality[snapshot] = None
        self._indexed = len(self._entered)
