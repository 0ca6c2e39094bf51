"""In the child: how many more evaluations a search with a transposition table may
count.

A position may occur at several places of a tree.  A search with a table evaluates what
is below one of these places.  At the other places it takes the result from the table.
It may then count the evaluations below each of these places, as a search without a
table would make them.
"""

from collections import defaultdict
from typing import Any

from grader.child.attribution import Place, Places


def saved_by_a_table(places: Places, evaluated: set[Place]) -> int:
    """Count the evaluations that a table may have saved this search.

    The search came to some places without looking at the positions there.  A search
    without a table would make evaluations at these places and below them.  Raises
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
    # The places at which the search has looked at a position.  The key is the position.
    twins = defaultdict[Any, list[Place]](list)
    for place, snapshot in snapshots.items():
        if place in looked_at:
            twins[snapshot].append(place)
    known: dict[Place, int] = {}

    def below(place: Place) -> int:
        """Count the evaluations at a place and below it."""
        if place not in known:
            # In no game does a position lead back to itself, but in lab.py one might.
            known[place] = 0
            if place in looked_at:
                known[place] = sum(map(below, children.get(place, [])))
            else:
                known[place] = max(map(below, twins[snapshots[place]]), default=0)
            if place in evaluated:
                known[place] += 1
        return known[place]

    return sum(below(place) for place in snapshots if place not in looked_at)
