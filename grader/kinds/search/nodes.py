"""The nodes of the tree that a call searches: their names, what they are worth, and what is asked of each of them."""

import contextlib
import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any

from api import INF, AbstractGameState, TreeNode, always_zero
from boards.built import state_of
from boards.cases import Call, Case
from boards.heuristics import HEURISTICS
from boards.points import Function
from grader.kinds.search.path import Path, Place
from grader.kinds.search.trace import Called
from grader.kinds.search.walk import Value, Walk
from grader.pipe.words import show

MOST_NODES, MOST_NAMED, MOST_MOVES = 2_000, 12, 3
ROOT, STRANGER = "given state", "another state"
_MOVE = re.compile(r"^(?:Put .*? in |\w+ moved )")


class Nodes:
    """The nodes below the state of a call, which is searched to the depth `limit`, or to that of the call.

    `state` and `below` give the state at a place, and those after it; IndexError where there is none.
    """

    def __init__(self, function: Function, call: Call, limit: int | None = None) -> None:
        arguments = call.inputs.get("arguments", {})
        self.limit: float = arguments.get("depth_limit", INF) if limit is None else limit
        self.heuristic = HEURISTICS.get(arguments.get("heuristic"))
        self.plays, self._maximize = "maximize" in function.arguments, arguments.get("maximize", True)
        root = state_of(call.inputs["state"])

        @cache
        def below(place: Place) -> list[AbstractGameState]:
            return self.state(place).generate_next_states()

        @cache
        def state(place: Place) -> AbstractGameState:
            return below(place[:-1])[place[-1]] if place else root

        self.state, self.below = state, below

    def is_over(self, place: Place) -> bool:
        """Whether the game is over there."""
        return self.state(place).is_game_over()

    def is_leaf(self, place: Place) -> bool:
        """Whether a search looks no further: the game is over there, or the place is at the limit."""
        return self.is_over(place) or len(place) >= self.limit

    def maximizes(self, place: Place) -> bool:
        """Whether the maximizer is to move there; in a search in which nobody plays against anybody, always."""
        return not self.plays or self._maximize is (len(place) % 2 == 0)

    def name(self, place: Place) -> str:
        """A node by its label, a leaf without one by its score; a state of a game by the move that leads there."""
        return name_of(self.state(place), place)

    def full_name(self, place: Place) -> str:
        """The same, so that no other node is meant."""
        snapshot: Any = self.state(place).snapshot
        if isinstance(snapshot, TreeNode):
            return full_name_of(snapshot, place, self.name(place[:-1]))
        return f"the state after {self.path(place).partition(', ')[2]}" if place else f"the {ROOT}"

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
        if not self.is_leaf(place) or len(place) > self.limit:
            return None
        flag = self.maximizes(place) is not other_flag
        return self.state(place).get_endgame_score(flag) if self.is_over(place) else self.estimate(place, flag)

    def estimate(self, place: Place, flag: bool) -> float:
        """What the heuristic says there."""
        return (self.heuristic or always_zero)(self.state(place).snapshot, flag)

    def worth_as_much(self, score: float) -> list[Place] | None:
        """Where a search to this limit should find just this score; None in a tree with too many nodes to say."""
        nodes = list(islice(self.all_places(), MOST_NODES + 1))
        return None if len(nodes) > MOST_NODES else [place for place in nodes if self.worth(place) == score]

    def all_places(self, place: Place = ()) -> Iterator[Place]:
        """Every place from this one down to the limit."""
        yield place
        if len(place) < self.limit:
            for index in range(len(self.below(place))):
                yield from self.all_places((*place, index))


class Ground(Nodes):
    """The nodes below the state of a call whose asked walk is known, and what its arguments ask of each of them.

    `asked` is the call itself.  It `estimates` with a heuristic that says something.  It `is_watched` where
    every static evaluation is, and nothing may be remembered of the same tree, searched `again`.
    """

    def __init__(self, case: Case, at: int, walk: Walk) -> None:
        call = case.calls[at]
        super().__init__(case.graded, call)
        self.names, self.prunes = case.graded.arguments, bool(case.graded.prunes)
        self.asked = next(event for event in walk.events if isinstance(event, Called))
        self.walk, self.again = walk, call.again
        self.estimates = call.inputs.get("arguments", {}).get("heuristic", "always_zero") != "always_zero"
        ends = [place for place in walk.values if len(place) >= self.limit]
        self.is_watched = bool(self.heuristic or all(map(self.is_over, ends))) and not self.again

    def height(self, place: Place) -> int:
        """How many plies there are below a place, as far down as one beyond the limit."""
        if self.is_over(place) or len(place) > self.limit:
            return 0
        if len(place) == self.limit:
            return 1
        return 1 + max(self.height((*place, at)) for at in range(len(self.below(place))))

    def value(self, place: Place) -> Value | None:
        """What plain minimax finds there."""
        return self.walk.values.get(place)

    def evaluation(self, place: Place, flag: bool, estimated: bool) -> float | None:
        """What a static evaluation gives there; None where it gives nothing, or is not known."""
        if not estimated:
            return self.state(place).get_endgame_score(flag) if self.is_over(place) else None
        return self.estimate(place, flag) if self.heuristic else None

    def name(self, place: Place) -> str:
        """A node by its name in the drawing, as a quote where it is a small word; other states by their moves."""
        node: Any = self.state(place).snapshot
        if isinstance(node, TreeNode):
            return f"`{node.label}`" if node.label[:1].islower() and node.label != "root" else node.name
        if not place:
            return f"the {ROOT}"
        moves = [self.state(place[: ply + 1]).describe_previous_move().rstrip(".") for ply in range(len(place))]
        if len(moves) > MOST_MOVES or not all(moves):
            return f"branch {', '.join(str(at + 1) for at in place)}"
        return f"`{', '.join(moves)}`"

    def full_name(self, place: Place) -> str:
        """The same, so that no other node is meant."""
        node: Any = self.state(place).snapshot
        return self.name(place) if not isinstance(node, TreeNode) or node.label else super().full_name(place)

    def aim(self, place: Place) -> str:
        """Who chooses there, or what."""
        return f"{self.mover(place)} to move" if self.plays else "where the highest counts"

    def player(self, place: Place = ()) -> str:
        """Who moves there, in a sentence."""
        return "maximizer" if self.maximizes(place) else "minimizer"

    def mover(self, place: Place) -> str:
        """Who moves there."""
        return "MAX" if self.maximizes(place) else "MIN"


def number(value: float) -> str:
    """A number as one writes it in lab.py."""
    return {INF: "INF", -INF: "-INF"}.get(value) or show(value)


def name_of(state: AbstractGameState, place: Place) -> str:
    """The name of a node that stands at a place."""
    snapshot: Any = state.snapshot
    if isinstance(snapshot, TreeNode):
        return snapshot.name
    return _MOVE.sub("", state.describe_previous_move()).rstrip(".") if place else ROOT


def full_name_of(node: TreeNode, place: Place, above: str) -> str:
    """The name of a node that stands at a place below the node `above`, so that no other is meant.

    >>> from api import parse_tree
    >>> [full_name_of(node, (0, at), "B") for at, node in enumerate(parse_tree("B\\n  C = 3\\n  5").children)]
    ['C', 'the 5 below B']
    """
    return node.name if node.label or not place else f"the {node.name} below {above}"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:MOST_NAMED]) + (", …" if len(names) > MOST_NAMED else "")
