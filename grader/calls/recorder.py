"""In the child: watches a search, and knows which places of the tree it expanded and evaluated.

The recorder wraps the rules of the state that a search is given, so the search sees an ordinary
state.  What it cannot attribute to a place (attribution.py) it counts as such, and then nothing is held
against anyone: so it is with a state that a search has kept from an earlier call.

While the search runs it only notes what happens; the places are worked out afterwards.
"""

import builtins
import contextlib
from collections.abc import Callable, Sequence
from typing import Any

from api import AbstractGameState
from api.state import rules_of
from grader.calls.attribution import Place, Places

# What lab.py makes of `len` or `id` does not reach the functions below, which look their names up here.
globals()["__builtins__"] = dict(vars(builtins))

_NOWHERE = object()


class Recorder:
    """Watches the searches of one process, one after the other.

    >>> from api import parse_tree, tree_state
    >>> recorder = Recorder()
    >>> state = recorder.watch(tree_state(parse_tree("root\\n  3\\n  5")))
    >>> [child.get_endgame_score() for child in state.generate_next_states()]
    [3, 5]
    >>> recorder.report()["order"]
    [[0], [1]]
    """

    def __init__(self) -> None:
        self._latest: list[list[Any]] = [[]]  # the evaluations of the last search; all wrappers look there

    def watch(self, state: AbstractGameState) -> AbstractGameState:
        """The same state, watched from now on.  It begins a new search, and what was seen before is forgotten."""
        self._is_game_over, next_snapshots, endgame_score = rules_of(state)
        self._expansions: list[tuple[Any, Sequence[Any]]] = []
        self._evaluations: list[Any] = []
        self._estimates: list[Any] = []
        self._places = Places(state.snapshot)
        expansions, evaluations, latest = self._expansions, self._evaluations, self._latest
        latest[0] = evaluations

        def generate_next_states(snapshot: Any) -> Sequence[Any]:
            successors = next_snapshots(snapshot)
            if isinstance(successors, (list, tuple)):
                expansions.append((snapshot, tuple(successors)))
            return successors

        def watched_score(snapshot: Any, is_current_player_maximizer: bool) -> float:
            evaluations.append(snapshot)
            if latest[0] is not evaluations:
                latest[0].append(_NOWHERE)
            return endgame_score(snapshot, is_current_player_maximizer)

        return AbstractGameState(state.snapshot, self._is_game_over, generate_next_states, watched_score)

    def watch_heuristic(self, heuristic: Callable[..., float]) -> Callable[..., float]:
        """The same heuristic, watched in the search that began last."""
        evaluations, estimates, latest = self._evaluations, self._estimates, self._latest

        def heuristic_fn(snapshot: Any, *flags: Any, **named_flags: Any) -> float:
            # Handing on no names takes time too, and a search asks thousands of times.
            score = heuristic(snapshot, *flags, **named_flags) if named_flags else heuristic(snapshot, *flags)
            evaluations.append(snapshot)
            estimates.append(snapshot)
            if latest[0] is not evaluations:
                latest[0].append(_NOWHERE)
            return score

        return heuristic_fn

    def report(self) -> dict[str, Any]:
        """What was seen, as plain data; the order of evaluations is cut after the first 300."""
        expanded = self._attribute_expansions()
        places = [self._places.of(snapshot) for snapshot in self._evaluations]
        evaluated = [place for place in places if place is not None]
        distinct = list(dict.fromkeys(evaluated))
        return {
            "evaluated": len(distinct),
            "repeated": len(evaluated) - len(distinct),
            "alike": self._alike(set(distinct)),
            "expanded_again": len(expanded) - len(set(expanded)),
            "unattributed": len(places) - len(evaluated),
            "estimated_when_over": any(
                self._places.of(snapshot) is not None and self._is_game_over(snapshot) for snapshot in self._estimates
            ),
            "order": [list(place) for place in distinct[:300]],
        }

    def place(self, snapshot: Any) -> Place | None:
        """Where a snapshot stands, once there was a report; None where that is not sure, whatever it is."""
        with contextlib.suppress(Exception):
            return self._places.of(snapshot)
        return None

    def _attribute_expansions(self) -> list[Place]:
        """The places that were expanded, in order, with their children entered on the way."""
        expanded = []
        for snapshot, successors in self._expansions:
            place = self._places.of(snapshot)
            if place is not None:
                expanded.append(place)
                for index, successor in enumerate(successors):
                    self._places.enter(successor, (*place, index))
        return expanded

    def _alike(self, evaluated: set[Place]) -> int:
        """How many other places hold a position that was evaluated elsewhere: its score may be remembered."""
        try:
            known = {snapshot for snapshot, place in self._places.entered() if place in evaluated}
        except TypeError:
            return 0
        others = {place for snapshot, place in self._places.entered() if place and snapshot in known}
        return len(others - evaluated)
