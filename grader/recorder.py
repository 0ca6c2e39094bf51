"""In the child: watches a search, and knows which places of the tree it expanded and evaluated.

A place is the tuple of child indices on the way down from the root.  The recorder wraps the rules
of the state that a search is given, so the search sees an ordinary state.  It tells snapshots
apart by identity first; a snapshot that was copied is found by equality where that leaves no doubt.
What it cannot attribute it counts as such, and then nothing is held against anyone.
"""

from collections.abc import Callable, Sequence
from typing import Any

from api import AbstractGameState

Place = tuple[int, ...]


class Recorder:
    """Watches one search over one tree.

    >>> from api import parse_tree, tree_state
    >>> recorder = Recorder()
    >>> state = recorder.watch(tree_state(parse_tree("root\\n  3\\n  5")))
    >>> [child.get_endgame_score() for child in state.generate_next_states()]
    [3, 5]
    >>> recorder.evaluated
    [(0,), (1,)]
    """

    def __init__(self) -> None:
        self.expanded: list[Place] = []
        self.evaluated: list[Place] = []
        self.unattributed = 0
        self._next_snapshots: Callable[[Any], Sequence[Any]] = lambda snapshot: []
        self._places: dict[int, Place] = {}
        self._children: dict[Place, Sequence[Any]] = {}
        self._seen: list[Any] = []
        self._by_equality: dict[Any, Place | None] = {}
        self._indexed = 0

    def watch(self, state: AbstractGameState) -> AbstractGameState:
        """The same state, watched from now on."""
        rules = state._rules
        self._next_snapshots = rules.next_snapshots
        self._enter(state.snapshot, ())

        def generate_next_states(snapshot: Any) -> Sequence[Any]:
            successors = rules.next_snapshots(snapshot)
            place = self._place(snapshot)
            if place is not None:
                self.expanded.append(place)
                self._enter_children(place, successors)
            return successors

        def endgame_score(snapshot: Any, is_current_player_maximizer: bool) -> float:
            self._evaluate(snapshot)
            return rules.endgame_score(snapshot, is_current_player_maximizer)

        return AbstractGameState(state.snapshot, rules.is_game_over, generate_next_states, endgame_score)

    def watch_heuristic(self, heuristic: Callable[..., float]) -> Callable[..., float]:
        """The same heuristic, watched."""

        def heuristic_fn(snapshot: Any, *flags: Any, **named_flags: Any) -> float:
            score = heuristic(snapshot, *flags, **named_flags)
            self._evaluate(snapshot)
            return score

        return heuristic_fn

    def child_index(self, place: Place, snapshot: Any) -> int | None:
        """Which child of a place a snapshot is; None where it is none of them."""
        if place not in self._children:
            parent = next(seen for seen in self._seen if self._places[id(seen)] == place)
            self._enter_children(place, self._next_snapshots(parent))
        for index, child in enumerate(self._children[place]):
            if child is snapshot or (type(child) is type(snapshot) and child == snapshot):
                return index
        return None

    def report(self) -> dict[str, Any]:
        """What was seen, as plain data; the order of evaluations is cut after the first 300."""
        distinct = list(dict.fromkeys(self.evaluated))
        return {
            "evaluated": len(distinct),
            "repeated": len(self.evaluated) - len(distinct),
            "expanded_again": len(self.expanded) - len(set(self.expanded)),
            "unattributed": self.unattributed,
            "order": [list(place) for place in distinct[:300]],
        }

    def _enter(self, snapshot: Any, place: Place) -> None:
        self._places[id(snapshot)] = place
        self._seen.append(snapshot)

    def _enter_children(self, place: Place, successors: Sequence[Any]) -> None:
        self._children[place] = successors
        for index, successor in enumerate(successors):
            self._enter(successor, (*place, index))

    def _evaluate(self, snapshot: Any) -> None:
        place = self._place(snapshot)
        if place is None:
            self.unattributed += 1
        else:
            self.evaluated.append(place)

    def _place(self, snapshot: Any) -> Place | None:
        """Where a snapshot stands: by identity, else by equality where just one place has it."""
        place = self._places.get(id(snapshot))
        if place is not None:
            return place
        try:
            for seen in self._seen[self._indexed :]:
                known = self._by_equality.setdefault(seen, self._places[id(seen)])
                if known != self._places[id(seen)]:
                    self._by_equality[seen] = None
            self._indexed = len(self._seen)
            return self._by_equality.get(snapshot)
        except TypeError:
            return None
