"""Plays a search back: the nodes that it came to, and what happened at them, in steps.

If the trace of the reference is stored, its steps stand beside those of the student.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from api import INF, ConnectFourBoard
from boards.excerpts import rows_of
from grader.bank.cases import Call
from grader.bank.points import Function
from grader.kinds.kind import Divergence, Place
from grader.kinds.playback import (
    CALLED,
    EXPANDED,
    NOWHERE,
    RETURNED,
    SCORED,
    Node,
    Playback,
    Step,
)
from grader.kinds.search.answer import (
    Called,
    Evaluated,
    Event,
    Expanded,
    Returned,
    SearchAnswer,
)
from grader.kinds.search.judge import HISTORY
from grader.kinds.search.nodes import Nodes, number, reference_of, window_of
from grader.protocol.text import harmless

# The arguments that a step names, each with the value that need not be said.
WIDEST = {"alpha": -INF, "beta": INF, "depth_limit": INF, "maximize": None}
LAYOUTS = {42: ("columns", 7), 9: ("squares", 3)}  # by the number of cells
OPEN_WINDOW = "…"  # what stands at a node without bounds


def play_back(
    call: Call, answer: SearchAnswer, divergence: Divergence | None
) -> Playback | None:
    """A traced call, marked where it leaves the reference; None without a trace."""
    if answer.events is None:
        return None
    tree = Nodes(call)
    waiting: list[Place] = [()]
    if "tree" in call.inputs["state"]:
        for place in waiting:  # which grows
            waiting += tree.children(place)
    yours = StepWriter(tree, call.function, answer.events).steps()
    if not answer.is_complete:
        words = f"It goes on like this for more than {len(answer.events):,} events."
        yours.append(Step(EXPANDED, NOWHERE, words))
    sides = {"yours": yours}
    if reference := reference_of(call):
        writer = StepWriter(tree, call.function, reference.events, is_reference=True)
        sides["expected"] = writer.steps()
    mark = shown_by = None
    if divergence:
        where = f"{divergence.where}: {divergence.yours}"
        mark = (
            tree.number(divergence.place),
            f"{where}; expected: {divergence.expected}.",
        )
        shown_by = _shown_by(sides, mark[0], divergence.event)
    nodes = [_node(tree, place) for place in tree.numbers]
    layout, columns = LAYOUTS.get(len(nodes[0].cells), ("", 0))
    return Playback(nodes, sides, layout, columns, answer.is_complete, mark, shown_by)


def _node(tree: Nodes, place: Place) -> Node:
    parent = tree.numbers[place[:-1]] if place else NOWHERE
    cells = _cells(tree.state(place).snapshot)
    return Node(parent, tree.label(place), tree.mover(place), cells)


def _cells(snapshot: Any) -> str:
    """The squares of a board or of a position, row by row; empty if it has none."""
    if isinstance(snapshot, ConnectFourBoard):
        return "".join(rows_of(snapshot))
    position = getattr(snapshot, "position", "")
    return position if isinstance(position, str) else ""


def _shown_by(
    sides: Mapping[str, Sequence[Step]], node: int, event: int | None
) -> tuple[str, int] | None:
    """The search whose step shows a divergence, and how many of its steps that takes.

    `event` is the number of the student's event that shows the divergence.  If that
    event is not at the node, the student's search does something that the reference
    does not do: then the reference is at the node, or comes back to it.  Without an
    event the student's search leaves something out, and the last step at the node shows
    this.  None if neither search comes to the node.
    """
    yours = sides["yours"]
    began = 0
    if event is not None:
        later = (index for index, step in enumerate(yours) if step.event >= event)
        began = next(later, 0)
        if yours[began].node == node:
            return "yours", began + 1
    at_node = {
        side: [done for done, step in enumerate(steps, start=1) if step.node == node]
        for side, steps in sides.items()
    }
    if event is None and at_node["yours"]:
        return "yours", at_node["yours"][-1]
    for done in at_node.get("expected", []):
        if done > began:
            return "expected", done
    for side, done_at_node in at_node.items():
        if done_at_node:
            return side, done_at_node[-1]
    return None


@dataclass
class StepWriter:
    """Writes the steps of one search out of its events."""

    tree: Nodes
    function: Function  # that the grader calls
    events: Sequence[Event]
    is_reference: bool = False
    # The open calls, innermost last; below them one that stands for the grader.
    calls: list[Called] = field(default_factory=list)

    def steps(self) -> list[Step]:
        """The steps, in the order of the events."""
        self.calls = [Called(self.function.name, None)]
        steps = [self._step(index, event) for index, event in enumerate(self.events)]
        return [step for step in steps if step]

    def _step(self, index: int, event: Event) -> Step | None:
        match event:
            case Called():
                return self._call(index, event)
            case Returned() if len(self.calls) > 1:
                return self._return(index, event)
            case Expanded(place=place):
                if len(self.calls) > 1 and self.calls[-1].place == place:
                    return None  # the step of the call says as much
                words = "it looks at the next states"
                return self._at(place, EXPANDED, words, OPEN_WINDOW, index)
            case Evaluated(place=place):
                words = f"scored {self.tree.in_words(event)}"
                return self._at(place, SCORED, words, brief(event.value), index)
        return None

    def _at(
        self, place: Place | None, what: str, words: str, shown: str, index: int
    ) -> Step:
        where = "At an unknown state"
        node = NOWHERE
        if place is not None:
            where = self.tree.where(place)
            node = self.tree.number(place)
        return Step(what, node, f"{where}: {words}.", shown, event=index)

    def _call(self, index: int, called: Called) -> Step:
        words = f"called{_arguments(called)}"
        if called.function != self.calls[-1].function:
            words = f"{called.function} is {words}"
        self.calls.append(called)
        return self._at(called.place, CALLED, words, _window(called), index)

    def _return(self, index: int, returned: Returned) -> Step:
        called = self.calls.pop()
        words = _result(returned)
        is_whole = called.function == self.function.name and not returned.raised
        if is_whole and self.function.returns == HISTORY:
            words = "it returns"
        shown = "?" if returned.score is None else brief(returned.score)
        step = self._at(called.place, RETURNED, words, returned.raised or shown, index)
        parent = self.calls[-1]
        self.calls[-1] = self._after_child(parent, called, returned, index)
        if self.calls[-1] == parent:
            return step
        return replace(step, above=_window(self.calls[-1]))

    def _after_child(
        self, call: Called, inner: Called, returned: Returned, index: int
    ) -> Called:
        """An open call with the bounds that it has after an inner call has returned.

        The score that came back moves the bounds of the reference.  The student's
        bounds are those with which the search calls the next child, if there is one.
        The call comes back as it was if nobody can tell.
        """
        if call.alpha is None or call.beta is None:
            return call
        if not inner.place or call.place != inner.place[:-1]:
            return call  # which is not on a child
        better, bound, kept = min, "beta", "alpha"
        if self.tree.maximizes(call.place):
            better, bound, kept = max, "alpha", "beta"
        if self.is_reference:
            score = better(getattr(call, bound), returned.score or 0)
            return replace(call, **{bound: score})
        match self.events[index + 1 : index + 2]:
            case [Called(place=place) as following] if (
                place and place[:-1] == call.place
            ):
                if getattr(following, kept) == getattr(call, kept):
                    return replace(call, **{bound: getattr(following, bound)})
        return call


def _arguments(call: Called) -> str:
    words = [
        f"{name} = {number(getattr(call, name))}"
        for name, widest in WIDEST.items()
        if getattr(call, name) not in (None, widest)
    ]
    return f" with {', '.join(words)}" if words else ""


def _window(call: Called) -> str:
    alpha, beta = window_of(call)
    if (alpha, beta) == (-INF, INF):
        return OPEN_WINDOW
    return f"{brief(alpha)} … {brief(beta)}"


def brief(value: float) -> str:
    """A number with as many digits as fit into a node.

    >>> brief(-INF), brief(3), brief(2 / 3)
    ('-INF', '3', '0.6667')
    """
    if isinstance(value, float) and abs(value) != INF:
        return f"{value:.4g}"
    return number(value)


def _result(returned: Returned) -> str:
    """How a call ended, in words."""
    if returned.raised:
        return f"it raises {harmless(returned.raised, 80)}"
    if returned.path is None or returned.score is None:
        return "it returns something other than path, score and count"
    words = f"it returns the score {number(returned.score)}"
    if returned.path.problem:
        words += " with a path that does not lead down"
    if returned.evaluations is not None:
        words += f", evaluations {returned.evaluations}"
    return words
