"""The nodes of the tree that a call searches: their names, what they are worth, and
what the reference does there.
"""

import functools
import re
from collections.abc import Mapping
from typing import Any

from api import INF, AbstractGameState, TreeNode, always_zero
from boards.built import state_of
from boards.heuristics import HEURISTICS, Heuristic
from grader.bank.cases import Call
from grader.bank.points import read_points
from grader.kinds.kind import Divergence, stored_trace
from grader.kinds.search.answer import (
    Called,
    Evaluated,
    Path,
    Place,
    evaluated,
    read_events,
)
from grader.protocol.plain import Garbled
from grader.protocol.words import show

MOST_NAMED = 12
ROOT, STRANGER = "given state", "another state"
_MOVE = re.compile(r"^(?:Put .*? in |\w+ moved )")


class Nodes:
    """The nodes below the state of a call, by their places; a search goes down to
    `limit`, or to that of the call.

    If there is no such place, LookupError is raised.
    """

    def __init__(self, call: Call) -> None:
        arguments = call.inputs.get("arguments", {})
        self._states: dict[Place, AbstractGameState] = {
            (): state_of(call.inputs["state"])
        }
        self._children: dict[Place, list[Place]] = {}
        self.limit: float = arguments.get("depth_limit", INF)
        self.heuristic: Heuristic = HEURISTICS.get(
            arguments.get("heuristic"), always_zero
        )
        self.plays = "maximize" in call.function.arguments
        self._maximize = arguments.get("maximize", True)

    def state(self, place: Place) -> AbstractGameState:
        """The state at a place."""
        if place not in self._states:
            for end in range(
                len(place)
            ):  # not by calls of its own: a forged place is of any length
                self.children(place[:end])
        return self._states[place]

    def children(self, place: Place) -> list[Place]:
        """The places below one; none if the game is over there."""
        if place not in self._children:
            states = self.state(place).generate_next_states()
            self._children[place] = [(*place, at) for at in range(len(states))]
            self._states.update(zip(self._children[place], states, strict=True))
        return self._children[place]

    def label(self, place: Place) -> str:
        """A node by its label, a leaf without one by its score; a state of a game by
        the move that leads there.
        """
        state = self.state(place)
        if isinstance(state.snapshot, TreeNode):
            return state.snapshot.name
        return (
            _MOVE.sub("", state.describe_previous_move()).rstrip(".") if place else ROOT
        )

    def name(self, place: Place) -> str:
        """The same in a sentence, so that no other node is meant, and a small word is
        told from its own.
        """
        node: Any = self.state(place).snapshot
        if not isinstance(node, TreeNode):
            return (
                f"the state after {self.path(Path(place)).partition(', ')[2]}"
                if place
                else f"the {ROOT}"
            )
        if not node.label and place:
            return f"the {node.name} below {self.name(place[:-1])}"
        return (
            f"`{node.label}`"
            if node.label[:1].islower() and node.label != "root"
            else node.name
        )

    def path(self, path: Path) -> str:
        """A path by the labels of its nodes, as far as they are known; empty if it
        holds no states.
        """
        down = (
            path.indices[:ply] for ply in range(len(path.indices) + 1)
        )  # which may be forged, of any length
        labels: list[str] = []
        for place in path.places if path.problem else down:
            try:
                labels.append(STRANGER if place is None else self.label(place))
            except LookupError:
                labels.append(STRANGER)
                break
        if path.problem == "not a state":
            labels = [*labels[: path.step], show({"$other": path.type}), "…"]
        return ", ".join(labels[:MOST_NAMED]) + (
            ", …" if len(labels) > MOST_NAMED else ""
        )

    def flaw(self, path: Path) -> str:
        """What keeps a path from being a way down, as what is said of it."""
        element = f"element {path.step + 1}"
        match path.problem:
            case "none" | "type":
                return f"is {show({'$other': path.type})}, not a list of states"
            case "empty":
                return "is an empty list"
            case "not a state":
                return f"has {show({'$other': path.type})} as {element}, where a state should be"
            case "another root":
                first = self._named(path, 0)
                return (
                    f"does not begin with the {ROOT}{first and f', but with {first}'}"
                )
        this, before = self._named(path, path.step), self._named(path, path.step - 1)
        if this and this == before:
            return f"has {this} twice, as element {path.step} and as {element}"
        if this and before:
            return f"goes on from {before} to {this} ({element}), which is not one of its children"
        return f"goes on with a state ({element}) that is not a child of the state before it"

    def advice(self, path: Path) -> str:
        """A question, or a word of help, about the flaw of a path; empty if none
        fits.
        """
        if path.problem == "empty":
            return " If one list is filled and emptied again as the search goes on, keep a copy of it, path[:]."
        if (
            path.problem == "not a state"
            and path.type.split(" ")[-1] == type(self.state(()).snapshot).__name__
        ):
            return " That is a snapshot, and not the state that it belongs to."
        if path.problem == "not a state" and path.type in ("a list", "a tuple"):
            return " Joining two lists is [state] + path or [state, *path]."
        if path.problem == "not a child" and _takes_in_branches(path):
            return " Do several branches append to one list?"
        return ""

    def _named(self, path: Path, step: int) -> str:
        """The name of the state at a step of a path that is no way down; empty if that
        is not known for sure.
        """
        place = path.places[step] if 0 <= step < len(path.places) else None
        try:
            return "" if place is None else self.name(place)
        except LookupError:  # lab.py has forged it
            return ""

    def is_over(self, place: Place) -> bool:
        """Whether the game is over there."""
        return self.state(place).is_game_over()

    def is_leaf(self, place: Place) -> bool:
        """Whether a search looks no further: the game is over there, or the place is at
        the limit.
        """
        return self.is_over(place) or len(place) >= self.limit

    def maximizes(self, place: Place) -> bool:
        """Whether the maximizer is to move there; in a search in which nobody plays
        against anybody, always.
        """
        return not self.plays or self._maximize is (len(place) % 2 == 0)

    def evaluation(self, place: Place, flag: bool) -> float:
        """What the static evaluation gives there."""
        state = self.state(place)
        return (
            state.get_endgame_score(flag)
            if state.is_game_over()
            else self.heuristic(state.snapshot, flag)
        )

    def mover(self, place: Place) -> str:
        """Who is to move there; empty if nobody is."""
        return (
            ("MAX" if self.maximizes(place) else "MIN")
            if self.plays and not self.is_over(place)
            else ""
        )

    def where(self, place: Place) -> str:
        """A place in words, with who is to move there."""
        mover = self.mover(place)
        return f"At {self.name(place)}{mover and f', {mover} to move'}"

    def in_words(self, event: Evaluated) -> str:
        """A static evaluation, with its flag if two play against each other."""
        rule = "the heuristic" if event.estimated else "get_endgame_score"
        flag = f" with flag {event.flag}" if self.plays or not event.flag else ""
        return f"{number(event.value)} by {rule}{' without a flag' if event.flag is None else flag}"


def _takes_in_branches(path: Path) -> bool:
    """Whether a path that is no way down goes on, at its step, with another child of a
    state further up.
    """
    if path.step >= len(path.places):
        return False
    place, before = path.places[path.step], path.places[: path.step]
    return place not in (None, ()) and place not in before and place[:-1] in before[:-1]


class Reference(Nodes):
    """The nodes below the state of a call whose reference trace is stored, and what
    that does with each of them.

    `values` are what plain minimax finds within the depth limit (a history has none),
    `calls` are the reference's own, and `scored` the places that it scores.
    """

    def __init__(self, call: Call, stored: Mapping[str, Any]) -> None:
        super().__init__(call)
        self.arguments = call.function.arguments
        self.events = read_events(stored["events"])
        self.values: dict[Place, float] = {
            tuple(place): score for place, score in stored["values"]
        }
        self.calls = {
            event.place: event
            for event in reversed(self.events)
            if isinstance(event, Called)
        }
        self.scored = evaluated(self.events)
        self.prunes, self.again = self.calls[()].alpha is not None, call.again

    def best(self, place: Place) -> Place:
        """The child to choose: the first of those with the best score."""
        best = (max if self.maximizes(place) else min)(
            self.values[child] for child in self.children(place)
        )
        return next(
            child for child in self.children(place) if self.values[child] == best
        )

    def window(self, child: Place) -> tuple[float, float]:
        """Alpha and beta of the reference above a child, when it comes to that or would
        come to it.
        """
        place = child[:-1]
        alpha, beta = window_of(self.calls[place])
        scores = [
            self.values[other]
            for other in self.children(place)
            if other in self.calls and other < child
        ]
        return (
            (max([alpha, *scores]), beta)
            if self.maximizes(place)
            else (alpha, min([beta, *scores]))
        )

    def at(self, place: Place, yours: str, expected: str) -> Divergence:
        """A divergence at a place."""
        return Divergence(self.where(place), yours, expected, place)

    def arguments_at(self, place: Place) -> dict[str, Any]:
        """The arguments that say how to search from a place, as the reference has them
        there.
        """
        expected = {
            "depth_limit": self.limit - len(place),
            "maximize": self.maximizes(place),
        }
        return {
            name: value for name, value in expected.items() if name in self.arguments
        }

    def matters(self, name: str, place: Place) -> bool:
        """Whether a search from a place goes wrong without this argument: below it the
        limit stops the reference before the game is over, or the minimizer moves.
        """
        below = [other for other in self.values if other[: len(place)] == place]
        if name == "depth_limit":
            return any(
                len(other) == self.limit and not self.is_over(other) for other in below
            )
        return any(
            not self.is_leaf(other) and not self.maximizes(other) for other in below
        )

    def leaf_in_words(self, place: Place) -> str:
        """How the reference scores a leaf."""
        flag = self.maximizes(place)
        event = Evaluated(
            place, flag, self.evaluation(place, flag), not self.is_over(place)
        )
        return f"scores it {self.in_words(event)}"


def reference_of(call: Call) -> Reference | None:
    """The reference of a call; None if there is none: it is too long, or nothing
    ships.
    """
    try:
        return Reference(call, stored_trace(call))
    except (OSError, ValueError, LookupError, TypeError, Garbled):
        return None


@functools.cache
def arguments_of(function: str) -> tuple[str, ...]:
    """The arguments that a graded function takes besides the state."""
    return next(
        part.graded[function].arguments
        for part in read_points()
        if function in part.graded
    )


def window_of(called: Called) -> tuple[float, float]:
    """The window that a call was given."""
    return (
        -INF if called.alpha is None else called.alpha,
        INF if called.beta is None else called.beta,
    )


def bounds(alpha: float, beta: float) -> str:
    """A window in words."""
    return f"alpha = {number(alpha)}, beta = {number(beta)}"


def number(value: float) -> str:
    """A number as one writes it in lab.py."""
    return {INF: "INF", -INF: "-INF"}.get(value) or show(value)
