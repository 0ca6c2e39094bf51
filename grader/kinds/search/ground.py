"""Ground: what is known of the tree of a call before anybody searches it, and its nodes by name."""

from functools import cache
from typing import Any

from api import INF, AbstractGameState, TreeNode
from boards.built import state_of
from boards.cases import Case
from boards.heuristics import HEURISTICS
from grader.kinds.search.path import Place
from grader.kinds.search.trace import Called
from grader.kinds.search.walk import Value, Walk
from grader.pipe.words import show

MOST_MOVES = 3


class Ground:
    """The tree below the state that a call was given, by places, and what its arguments ask of each of them.

    `asked` is the call itself.  It `estimates` with a heuristic that says something.  It `is_watched` where
    every static evaluation is, and nothing may be remembered of the same tree, searched `again`.
    """

    def __init__(self, case: Case, at: int, walk: Walk) -> None:
        arguments = case.calls[at].inputs.get("arguments", {})
        self.names = case.graded.arguments
        self.prunes = bool(case.graded.prunes)
        self.plays = "maximize" in self.names
        self.asked = next(event for event in walk.events if isinstance(event, Called))
        self.walk, self.again = walk, case.calls[at].again
        self.heuristic = HEURISTICS.get(arguments.get("heuristic"))
        self.estimates = arguments.get("heuristic", "always_zero") != "always_zero"
        self._maximize: bool = arguments.get("maximize", True)
        self.limit: float = arguments.get("depth_limit", INF)
        root = state_of(case.calls[at].inputs["state"])

        @cache
        def below(place: Place) -> list[AbstractGameState]:
            return self.state(place).generate_next_states()

        @cache
        def state(place: Place) -> AbstractGameState:
            return below(place[:-1])[place[-1]] if place else root

        self.state, self.below = state, below
        ends = [place for place in walk.values if len(place) >= self.limit]
        self.is_watched = bool(self.heuristic or all(map(self.is_over, ends))) and not self.again

    def height(self, place: Place) -> int:
        """How many plies there are below a place, as far down as one beyond the limit."""
        if self.is_over(place) or len(place) > self.limit:
            return 0
        if len(place) == self.limit:
            return 1
        return 1 + max(self.height((*place, at)) for at in range(len(self.below(place))))

    def is_over(self, place: Place) -> bool:
        """Whether the game is over there."""
        return self.state(place).is_game_over()

    def is_leaf(self, place: Place) -> bool:
        """Whether a search looks no further: the game is over there, or the place is at the limit."""
        return self.is_over(place) or len(place) >= self.limit

    def maximizes(self, place: Place) -> bool:
        """Whether the maximizer is to move there; in a search in which nobody plays against anybody, always."""
        return not self.plays or self._maximize is (len(place) % 2 == 0)

    def value(self, place: Place) -> Value | None:
        """What plain minimax finds there."""
        return self.walk.values.get(place)

    def evaluation(self, place: Place, flag: bool, estimated: bool) -> float | None:
        """What a static evaluation gives there; None where it gives nothing, or is not known."""
        if not estimated:
            return self.state(place).get_endgame_score(flag) if self.is_over(place) else None
        return self.heuristic(self.state(place).snapshot, flag) if self.heuristic else None

    def name(self, place: Place) -> str:
        """A node by its name in the drawing; any other state by the moves that lead there."""
        node: Any = self.state(place).snapshot
        if isinstance(node, TreeNode):
            return f"`{node.label}`" if node.label[:1].islower() and node.label != "root" else node.name
        if not place:
            return "the given state"
        moves = [self.state(place[: ply + 1]).describe_previous_move().rstrip(".") for ply in range(len(place))]
        if len(moves) > MOST_MOVES or not all(moves):
            return f"branch {', '.join(str(at + 1) for at in place)}"
        return f"`{', '.join(moves)}`"

    def leaf(self, place: Place) -> str:
        """A node by its name, a leaf without a label by its score and the node above it."""
        node: Any = self.state(place).snapshot
        unnamed = place and isinstance(node, TreeNode) and not node.label
        return f"{node.name} (below {self.name(place[:-1])})" if unnamed else self.name(place)

    def player(self, place: Place) -> str:
        """Who moves there, in a sentence."""
        return "maximizer" if self.maximizes(place) else "minimizer"

    def mover(self, place: Place) -> str:
        """Who moves there."""
        return "MAX" if self.maximizes(place) else "MIN"


def number(value: float) -> str:
    """A number as one writes it in lab.py."""
    return {INF: "INF", -INF: "-INF"}.get(value) or show(value)
