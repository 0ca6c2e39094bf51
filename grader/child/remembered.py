"""In the child: computes how many more evaluations a search with a transposition table
may report.

The same position may occur at several places of a tree.  A search with a table makes
the evaluations below only one of these places.  At the other places it takes the result
from the table.  For each place, the search may report the evaluations that it would
make there without a table.
"""

from collections import defaultdict
from typing import Any

from grader.child.attribution import Place, Places


def saved_by_a_table(places: Places, evaluated: set[Place]) -> int:
    """Return how many evaluations this search may have saved with a transposition
    table.

    These are the evaluations at and below the places whose positions the search saw,
    but did not look at there.  A search without a table would make them.  Raises
    TypeError if a snapshot has no hash.
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
            # The 0 ends the recursion if a position leads back to itself.  In no game
            # does it, but in a faulty lab.py it might.
            known[place] = 0
            if place in looked_at:
                known[place] = sum(map(below, children.get(place, [])))
            else:
                known[place] = max(map(below, twins[snapshots[place]]), default=0)
            if place in evaluated:
                known[place] += 1
        return known[place]

    return sum(below(place) for place in snapshots if place not in looked_at)
