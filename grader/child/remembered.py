"""In the child: computes how many evaluations a transposition table may have saved a
search.

The same position may occur at several places of a tree.  A search with a table makes
the evaluations below only one of these places.  At the other places it takes the result
from the table.  So at each place, the search may count the evaluations that it would
make there without a table.
"""

from collections import defaultdict
from typing import Any

from grader.child.attribution import Place, Places


def saved_by_a_table(places: Places, evaluated: set[Place]) -> int:
    """Return how many evaluations a transposition table may have saved this search.

    These are evaluations at and below places that the search has reached and not looked
    at further.  They count only if the search has looked at the same position
    elsewhere, because a table may then have given it the result.  Raises TypeError if a
    snapshot has no hash.
    """
    snapshots: dict[Place, Any] = {}
    children = defaultdict[Place, list[Place]](list)
    for snapshot, place in places.entered():
        if place is not None and place not in snapshots:
            snapshots[place] = snapshot
            if place:
                children[place[:-1]].append(place)
    looked_at = evaluated | children.keys()
    # For each position, the places at which the search has looked at this position.
    twins = defaultdict[Any, list[Place]](list)
    for place, snapshot in snapshots.items():
        if place in looked_at:
            twins[snapshot].append(place)
    known: dict[Place, int] = {}

    def below(place: Place) -> int:
        """Return how many evaluations a search without a table makes at this place and
        below it.
        """
        if place not in known:
            # The 0 ends the recursion if a position leads back to itself.  That happens
            # in no game, but it may happen in a faulty lab.py.
            known[place] = 0
            if place in looked_at:
                known[place] = sum(map(below, children.get(place, [])))
            else:
                known[place] = max(map(below, twins[snapshots[place]]), default=0)
            if place in evaluated:
                known[place] += 1
        return known[place]

    return sum(below(place) for place in snapshots if place not in looked_at)
