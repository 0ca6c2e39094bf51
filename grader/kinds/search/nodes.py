"""The nodes of the tree that a call searches: their names, moves and values.

A place is a tuple: for each step on the way down from the root, the index of the child.
lab.py can forge the places in an answer.  So `Nodes.state`, and every method that uses
it, raises Garbled if the tree has no node at a place.
"""

import functools
import re
from collections import ChainMap
from collections.abc import Iterator, Mapping
from typing import Any

from api import INF, AbstractGameState, TreeNode
from boards.built import state_of
from boards.heuristics import HEURISTICS
from grader.bank.cases import Call
from grader.bank.points import read_points
from grader.kinds.kind import Place, stored_trace
from grader.kinds.search.answer import (
    Called,
    Evaluated,
    Path,
    evaluated,
    number,
    read_events,
)
from grader.protocol.plain import Data, Garbled
from grader.protocol.text import show
from grader.verdicts.sentences import hint_for

MOST_NAMED = 12  # nodes of a path that are named
ROOT = "given state"
STRANGER = "another state"
_MOVE = re.compile(r"^(?:Put .*? in |\w+ moved )")


class Nodes:
    """The nodes of the tree that begins at the state of a call."""

    def __init__(self, call: Call) -> None:
        arguments = call.inputs.get("arguments", {})
        self.call = call
        # The number of each node.  The nodes are numbered in the order in which this
        # object makes them.  It makes all children of a node together.
        self.numbers: dict[Place, int] = {(): 0}
        self._states: dict[Place, AbstractGameState] = {
            (): state_of(call.inputs["state"])
        }
        self._children: dict[Place, list[Place]] = {}
        # The depth limit of the call, in plies.
        self.limit: float = arguments.get("depth_limit", INF)
        self.heuristic = HEURISTICS[arguments.get("heuristic", "always_zero")]
        # Whether two players take turns.  Otherwise the maximizer makes all moves.
        self.plays = "maximize" in call.function.arguments
        self._maximize = arguments.get("maximize", True)

    def state(self, place: Place) -> AbstractGameState:
        """Return the state of the node at `place`.  Raises Garbled if the tree has no
        such node.
        """
        if place not in self._states:
            # This is a loop, because lab.py may have forged a place that is too long
            # for a recursion.
            for end in range(len(place)):
                self.children(place[:end])
        if place not in self._states:
            raise Garbled
        return self._states[place]

    def children(self, place: Place) -> list[Place]:
        """Return the places of the children of a node.  There are none if the game is
        over at the node.
        """
        if place not in self._children:
            states = self.state(place).generate_next_states()
            self._children[place] = [(*place, index) for index in range(len(states))]
            for child, state in zip(self._children[place], states, strict=True):
                self._states[child] = state
                self.numbers[child] = len(self.numbers)
        return self._children[place]

    def number(self, place: Place) -> int:
        """Return the number that this object has given to a node."""
        self.state(place)
        return self.numbers[place]

    def is_over(self, place: Place) -> bool:
        """Whether the game is over at a node."""
        return self.state(place).is_game_over()

    def is_leaf(self, place: Place) -> bool:
        """Whether a search must stop at a node.

        That is so if the game is over there, or if the node is at the depth limit or
        below it.
        """
        return self.is_over(place) or len(place) >= self.limit

    def maximizes(self, place: Place) -> bool:
        """Whether the maximizer is to move at a node.  If she has no opponent, she
        always is.
        """
        return not self.plays or self._maximize is (len(place) % 2 == 0)

    # --- in words -------------------------------------------------------------------

    def label(self, place: Place) -> str:
        """Return the label of a node.

        In a drawn tree, this is the label in the drawing, or the score of a leaf that
        has no label there.  In a game, it is the move that leads to the node, or ROOT
        for the given state.
        """
        state = self.state(place)
        if isinstance(state.snapshot, TreeNode):
            return state.snapshot.name
        if not place:
            return ROOT
        return _MOVE.sub("", state.describe_previous_move()).rstrip(".")

    def name(self, place: Place) -> str:
        """Name a node, in words that can be a part of a sentence.

        In a game, these words list the moves to the node.  In a drawn tree, they have
        the label of the node.  If it has no label, they have its score, and the name of
        its parent.
        """
        node: Any = self.state(place).snapshot
        if not isinstance(node, TreeNode):
            if not place:
                return f"the {ROOT}"
            moves = [self.label(below) for below in way_to(place)][1:]
            return f"the state after {_listed(moves, MOST_NAMED - 1)}"
        if not node.label and place:
            return f"the {node.name} below {self.name(place[:-1])}"
        if node.label[:1].islower() and node.label != "root":
            # The label is quoted, because without quotes it might look like a word of
            # the sentence.
            return f"`{node.label}`"
        return node.name

    def mover(self, place: Place) -> str:
        """Return who is to move at a node, MAX or MIN.

        The text is empty if the game is over there, or if the maximizer makes all
        moves.
        """
        if not self.plays or self.is_over(place):
            return ""
        return "MAX" if self.maximizes(place) else "MIN"

    def where(self, place: Place) -> str:
        """Name a node, and say who is to move there."""
        mover = self.mover(place)
        return f"At {self.name(place)}{mover and f', {mover} to move'}"

    def in_words(self, event: Evaluated) -> str:
        """Describe a static evaluation in words: the value, the function that gave the
        value, and the flag.

        The flag is left out if it is True and the maximizer makes all moves.
        """
        rule = "the heuristic" if event.estimated else "get_endgame_score"
        words = f"{number(event.value)} using {rule}"
        if event.flag is None:
            return f"{words} without a flag"
        if self.plays or not event.flag:
            return f"{words} (flag: {event.flag})"
        return words

    # --- paths ----------------------------------------------------------------------

    def path(self, path: Path) -> str:
        """Return the labels of the nodes of a path.  If something else came in place of
        the path, say what it is.
        """
        other = show({"$other": path.type})
        if path.problem == "type":
            return other
        if path.problem == "empty":
            return "an empty list"
        labels = [
            STRANGER if place is None else self.label(place)
            for place in path.places or way_to(path.indices)
        ]
        if path.problem == "not a state":
            labels = [*labels[: path.step], other, "…"]
        return _listed(labels, MOST_NAMED)

    def flaw(self, path: Path, root: str = ROOT) -> str:
        """Say what is wrong with a path that has a problem.  The words continue a
        sentence that begins with "the path".

        `root` is what the sentence calls the state with which the path should begin.
        """
        stranger = show({"$other": path.type})
        element = f"path[{path.step}]"
        match path.problem:
            case "type":
                return f"is {stranger}, not a list of states"
            case "empty":
                return "is an empty list"
            case "not a state":
                return f"has {stranger} as {element}, where a state should be"
            case "another root":
                first = self._name_of_step(path, 0)
                return (
                    f"does not begin with the {root}{first and f', but with {first}'}"
                )
        this = self._name_of_step(path, path.step)
        before = self._name_of_step(path, path.step - 1)
        if this and this == before:
            return f"has {this} twice, as path[{path.step - 1}] and as {element}"
        if this and before:
            return (
                f"goes on from {before} to {this} ({element}), "
                "but no move leads from one to the other"
            )
        return (
            f"goes on with a state ({element}) "
            "that is not a child of the state before it"
        )

    def advice(self, path: Path) -> str:
        """Return a sentence that helps with the problem of a path; empty if there is no
        such sentence.
        """
        reason = f"{path.problem}: {path.type}"
        if path.problem == "not a child" and _takes_in_branches(path):
            reason = "a child of an earlier state"
        return hint_for("paths", reason)

    def _name_of_step(self, path: Path, step: int) -> str:
        """Return the name of the state with the index `step` in a path; empty if the
        state is not known.
        """
        place = path.place_of(step)
        return "" if place is None else self.name(place)


def way_to(place: Place) -> Iterator[Place]:
    """Yield the places on the way down to a node, from the root to the node itself.

    >>> list(way_to((1, 0)))
    [(), (1,), (1, 0)]
    """
    return (place[:ply] for ply in range(len(place) + 1))


def _listed(labels: list[str], most: int) -> str:
    """Join labels with commas.  If there are more than `most` labels, an ellipsis takes
    the place of the rest.
    """
    shown = labels[:most]
    if len(labels) > most:
        shown.append("…")
    return ", ".join(shown)


def _takes_in_branches(path: Path) -> bool:
    """Whether a path goes back to an earlier state, and on to another child of it.

    The problem of the path is the state at the index `path.step`.  It must be a child
    of an earlier state, but not of the state just before it, and it must be new in the
    path.
    """
    place = path.place_of(path.step)
    before = path.places[: path.step]
    if not place or place in before:
        return False
    return place[:-1] in before[:-1]


class Reference(Nodes):
    """The nodes of the tree that begins at the state of a call, and what the reference
    does at each node.
    """

    def __init__(self, call: Call, stored: Mapping[str, Any]) -> None:
        super().__init__(call)
        self.events = read_events(stored["events"])
        # The minimax value of each node that is not below the depth limit.  The key is
        # the place of the node.  Empty if the function returns a history.
        self.values: dict[Place, float] = {
            tuple(place): score for place, score in stored["values"]
        }
        # The first call in which the reference searches from a node.  The key is the
        # place of the node.
        self.calls = {
            event.place: event
            for event in reversed(self.events)
            if isinstance(event, Called)
        }
        self.scored = evaluated(self.events)  # the places that the reference evaluates
        self.prunes = self.calls[()].alpha is not None

    def best(self, place: Place) -> Place:
        """Return the child that should be chosen at a node: the first of the children
        with the best score.
        """
        best = max if self.maximizes(place) else min
        return best(self.children(place), key=self.values.__getitem__)

    def window(self, child: Place) -> tuple[float, float]:
        """Return alpha and beta at the parent of `child`, at the moment when the
        reference comes to `child`.

        If the reference cuts off before `child`, return alpha and beta at the moment of
        the cut-off.
        """
        place = child[:-1]
        alpha, beta = window_of(self.calls[place])
        scores = [
            self.values[sibling]
            for sibling in self.children(place)[: child[-1]]
            if sibling in self.calls
        ]
        if self.maximizes(place):
            return max([alpha, *scores]), beta
        return alpha, min([beta, *scores])

    def arguments_at(self, place: Place) -> Data:
        """Return `depth_limit` and `maximize` as a search from this place should get
        them.  An argument that the graded function does not take is left out.
        """
        expected = {
            "depth_limit": self.limit - len(place),
            "maximize": self.maximizes(place),
        }
        taken = self.call.function.arguments
        return {name: expected[name] for name in expected if name in taken}

    def matters(self, name: str, place: Place) -> bool:
        """Whether a search from `place` needs the argument `name` in order to be right.

        A search needs `depth_limit` if the limit, and not the end of the game, makes
        the reference stop at `place` or somewhere below it.  A search needs `maximize`
        if the minimizer is to move at `place` or somewhere below it.
        """
        below = [node for node in self.values if node[: len(place)] == place]
        if name == "depth_limit":
            return any(
                len(node) == self.limit and not self.is_over(node) for node in below
            )
        return any(
            not self.is_leaf(node) and not self.maximizes(node) for node in below
        )

    def evaluation(self, leaf: Place) -> Evaluated:
        """Return the event that the reference makes when it evaluates this leaf."""
        state = self.state(leaf)
        flag = self.maximizes(leaf)
        if state.is_game_over():
            return Evaluated(leaf, flag, state.get_endgame_score(flag), estimated=False)
        value = self.heuristic(state.snapshot, flag)
        return Evaluated(leaf, flag, value, estimated=True)


def reference_of(call: Call) -> Reference | None:
    """Return the reference for a call.

    Return None if no reference trace of the call is stored, for example because the
    trace would be too long.  Return None also if the stored trace cannot be read.
    """
    try:
        return Reference(call, stored_trace(call))
    except (OSError, ValueError, LookupError, TypeError, Garbled):
        return None


@functools.cache
def arguments_of(function: str) -> tuple[str, ...]:
    """Return the arguments that a graded function takes besides the state."""
    graded = ChainMap(*(part.graded for part in read_points()))
    return graded[function].arguments


def window_of(called: Called) -> tuple[float, float]:
    """Return alpha and beta of a call.  If the call was not given one of them, that
    bound is infinite.
    """
    alpha, beta = called.alpha, called.beta
    if alpha is None:
        alpha = -INF
    if beta is None:
        beta = INF
    return alpha, beta


def bounds(alpha: float, beta: float) -> str:
    """Return alpha and beta in words."""
    return f"alpha = {number(alpha)}, beta = {number(beta)}"
