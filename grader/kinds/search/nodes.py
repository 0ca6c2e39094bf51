"""The nodes of the tree that a call searches: their names, and what they are worth."""

import contextlib
import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any

from api import INF, AbstractGameState, TreeNode, always_zero
from boards.built import state_of
from boards.cases import Call
from boards.heuristics import HEURISTICS
from boards.points import Function
from grader.kinds.search.path import Path, Place

MOST_NODES, MOST_NAMED = 2_000, 12
ROOT, STRANGER = "given state", "another state"
_MOVE = re.compile(r"^(?:Put .*? in |\w+ moved )")


class Nodes:
    """The nodes below the state of a call, which is searched to the depth `limit`, or to that of the call."""

    def __init__(self, function: Function, call: Call, limit: int | None = None) -> None:
        arguments = call.inputs.get("arguments", {})
        self._limit: float = arguments.get("depth_limit", INF) if limit is None else limit
        self._heuristic = HEURISTICS[arguments["heuristic"]] if "heuristic" in arguments else always_zero
        self.plays, self._maximize = "maximize" in function.arguments, arguments.get("maximize", True)
        root = state_of(call.inputs["state"])

        @cache
        def children(place: Place) -> list[AbstractGameState]:
            return self.state(place).generate_next_states()

        self._root, self._children = root, children

    def state(self, place: Place) -> AbstractGameState:
        """The state at a place.  Raises IndexError where there is none."""
        return self._children(place[:-1])[place[-1]] if place else self._root

    def name(self, place: Place) -> str:
        """A node by its label, a leaf without one by its score; a state of a game by the move that leads there."""
        return name_of(self.state(place), place)

    def full_name(self, place: Place) -> str:
        """The same, so that no other node is meant."""
        snapshot: Any = self.state(place).snapshot
        if not isinstance(snapshot, TreeNode):
            return f"the state after {self.path(place).partition(', ')[2]}" if place else f"the {ROOT}"
        return snapshot.name if snapshot.label or not place else f"the {snapshot.name} below {self.name(place[:-1])}"

    def path(self, place: Place) -> str:
        """A path by the names of its nodes, as far as there are such nodes."""
        names: list[str] = []
        with contextlib.suppress(IndexError):
            names.extend(self.name(place[:ply]) for ply in range(len(place) + 1))
        return _listed(names if len(names) > len(place) else [*names, STRANGER])

    def strange_path(self, path: Path) -> str:
        """What is no path down, by the names of those of its states that are known."""
        return _listed([STRANGER if place is None else self.name(place) for place in path.places])

    def worth(self, place: Place, other_flag: bool = False) -> float | None:
        """What a search to this limit should score here; None where it should go on, or not come so far."""
        state = self.state(place)
        if len(place) > self._limit or not (state.is_game_over() or len(place) == self._limit):
            return None
        flag = not self.plays or self._maximize is (len(place) % 2 == 0)
        if state.is_game_over():
            return state.get_endgame_score(flag is not other_flag)
        return self._heuristic(state.snapshot, flag is not other_flag)

    def estimate_when_over(self, place: Place) -> float | None:
        """What the heuristic says of a finished game; None of one in play."""
        state, flag = self.state(place), self._maximize is (len(place) % 2 == 0)
        return self._heuristic(state.snapshot, flag) if state.is_game_over() else None

    def worth_as_much(self, score: float) -> list[Place] | None:
        """Where a search to this limit should find just this score; None in a tree with too many nodes to say."""
        nodes = list(islice(self.all_places(), MOST_NODES + 1))
        return None if len(nodes) > MOST_NODES else [place for place in nodes if self.worth(place) == score]

    def all_places(self, place: Place = ()) -> Iterator[Place]:
        """Every place from this one down to the limit."""
        yield place
        if len(place) < self._limit:
            for index in range(len(self._children(place))):
                yield from self.all_places((*place, index))


def name_of(state: AbstractGameState, place: Place) -> str:
    """The name of a node that stands at a place."""
    snapshot: Any = state.snapshot
    if isinstance(snapshot, TreeNode):
        return snapshot.name
    return _MOVE.sub("", state.describe_previous_move()).rstrip(".") if place else ROOT


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:MOST_NAMED]) + (", …" if len(names) > MOST_NAMED else "")
