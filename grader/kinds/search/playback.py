"""Plays a search back: at which nodes it was, and what it did there, step by step.

If a reference trace is stored, the playback also has the steps of the reference, to be
shown beside those of the student's search.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from api import INF, ConnectFourBoard
from boards.excerpts import rows_of
from grader.bank.cases import Call
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
    Event,
    Expanded,
    Frame,
    Returned,
    SearchAnswer,
    number,
    walk,
)
from grader.kinds.search.judge import HISTORY
from grader.kinds.search.nodes import Nodes, reference_of, window_of
from grader.protocol.text import harmless

# The arguments of a call that a step mentions.  If an argument has the value that is
# given here, the step leaves it out.
WIDEST = {"alpha": -INF, "beta": INF, "depth_limit": INF, "maximize": None}
# The layout of a board, and how many columns it has.  The key is the number of its
# cells.
LAYOUTS = {42: ("columns", 7), 9: ("squares", 3)}
OPEN_WINDOW = "…"  # shown at a node that has no bounds


def play_back(
    call: Call, answer: SearchAnswer, divergence: Divergence | None
) -> Playback | None:
    """Play a traced call back, with a mark where the call leaves the reference.

    Return None if the answer has no trace.
    """
    if not answer.events:
        return None
    tree = Nodes(call)
    waiting: list[Place] = [()]
    if "tree" in call.inputs["state"]:
        for place in waiting:  # this list grows in the loop
            waiting += tree.children(place)
    yours = StepWriter(tree, answer.events).steps()
    if not answer.is_complete:
        words = f"It goes on like this for more than {len(answer.events):,} events."
        yours.append(Step(EXPANDED, NOWHERE, words))
    sides = {"yours": yours}
    if reference := reference_of(call):
        writer = StepWriter(tree, reference.events, is_reference=True)
        sides["expected"] = writer.steps()
    mark = shown_by = None
    if divergence:
        yours_there = f"{divergence.where}: your search {divergence.yours}"
        mark = (
            tree.number(divergence.place),
            f"{yours_there}; the reference {divergence.expected}.",
        )
        shown_by = _shown_by(sides, mark[0], divergence.event)
    nodes = [_node(tree, place) for place in tree.numbers]
    layout, columns = LAYOUTS.get(len(nodes[0].cells), ("", 0))
    return Playback(nodes, sides, layout, columns, answer.is_complete, mark, shown_by)


def _node(tree: Nodes, place: Place) -> Node:
    """Return a node.  If its state is a board or a position of a game, the node has the
    cells, row by row.
    """
    parent = tree.numbers[place[:-1]] if place else NOWHERE
    snapshot: Any = tree.state(place).snapshot
    cells = getattr(snapshot, "position", "")
    if isinstance(snapshot, ConnectFourBoard):
        cells = "".join(rows_of(snapshot))
    return Node(parent, tree.label(place), tree.mover(place), cells)


def _shown_by(
    sides: Mapping[str, Sequence[Step]], node: int, event: int | None
) -> tuple[str, int] | None:
    """Return the step that shows the divergence: the name of a search, and the number
    of the step in this search, counted from 1.

    `node` is the number of the node where the divergence is.  `event` is the number of
    the student's event that shows the divergence; None if no event shows it.

    With an event, return the student's step for this event if the step is at the node.
    Without an event, return the student's last step at the node.  If the student's
    search has no such step, return the first step of the reference at the node.  With
    an event, only those steps of the reference count whose number is at least that of
    the student's step for the event.  Return None if there is no such step either.
    """
    yours = sides["yours"]
    began = 0
    if event is None:
        at_node = [done for done, step in enumerate(yours, 1) if step.node == node]
        if at_node:
            return "yours", at_node[-1]
    else:
        later = (index for index, step in enumerate(yours) if step.event >= event)
        began = next(later, 0)
        if yours[began].node == node:
            return "yours", began + 1
    for done, step in enumerate(sides["expected"], start=1):
        if done > began and step.node == node:
            return "expected", done
    return None


@dataclass
class StepWriter:
    """Makes the steps of one search from its events."""

    tree: Nodes
    events: Sequence[Event]
    is_reference: bool = False
    now: int = 0  # the number of the event that is looked at
    open: Sequence[Frame] = ()  # the open calls, innermost last

    def steps(self) -> list[Step]:
        """Return the steps, in the order of the events.  Some events have no step."""
        steps = []
        for now, event, frames in walk(self.events):
            self.now = now
            self.open = frames
            if step := self._step(event):
                steps.append(step)
        return steps

    def _step(self, event: Event) -> Step | None:
        match event:
            case Called():
                return self._call(event)
            case Returned():
                return self._return(event)
            case Expanded(place=place):
                if self.open and self.open[-1].called.place == place:
                    return None  # the step of the call says as much
                return self._at(
                    place, EXPANDED, "it looks at the next states", OPEN_WINDOW
                )
        words = f"scored {self.tree.in_words(event)}"
        return self._at(event.place, SCORED, words, brief(event.value))

    def _at(self, place: Place | None, what: str, words: str, shown: str) -> Step:
        where = "At an unknown state"
        node = NOWHERE
        if place is not None:
            where = self.tree.where(place)
            node = self.tree.number(place)
        return Step(what, node, f"{where}: {words}.", shown, event=self.now)

    def _call(self, called: Called) -> Step:
        graded = self.tree.call.function.name
        names = [graded, *(frame.called.function for frame in self.open)]
        words = f"called{_arguments(called)}"
        if called.function != names[-2]:
            words = f"{called.function} is {words}"
        return self._at(called.place, CALLED, words, _window(called))

    def _return(self, returned: Returned) -> Step:
        called = self.open[-1].called
        words = _result(returned)
        graded = self.tree.call.function
        is_whole = called.function == graded.name and not returned.raised
        if is_whole and graded.returns == HISTORY:
            words = "it returns"
        shown = "?" if returned.score is None else brief(returned.score)
        step = self._at(called.place, RETURNED, words, returned.raised or shown)
        for parent in self.open[-2:-1]:
            moved = self._after_child(parent.called, called, returned)
            if moved != parent.called:
                parent.called = moved
                return step._replace(above=_window(moved))
        return step

    def _after_child(self, call: Called, inner: Called, returned: Returned) -> Called:
        """Return the open call `call`, with alpha and beta as they are after the call
        `inner` has returned.

        In the reference, the score that `inner` returned may move a bound.  In the
        student's search, the new bounds are known only if the next event is a call on a
        child of the same node.  If the bounds are not known, `call` is returned
        unchanged.
        """
        if None in (call.alpha, call.beta) or not _is_child(inner, call):
            return call
        better, bound, kept = max, "alpha", "beta"
        if not self.tree.maximizes(call.place or ()):
            better, bound, kept = min, "beta", "alpha"
        if self.is_reference:
            score = better(getattr(call, bound), returned.score or 0)
            return replace(call, **{bound: score})
        for following in self.events[self.now + 1 : self.now + 2]:
            is_next = isinstance(following, Called) and _is_child(following, call)
            if is_next and getattr(following, kept) == getattr(call, kept):
                return replace(call, **{bound: getattr(following, bound)})
        return call


def _is_child(inner: Called, call: Called) -> bool:
    """Whether the call `inner` searches from a child of the node from which `call`
    searches.
    """
    return bool(inner.place) and (inner.place or ())[:-1] == call.place


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
    """Return a number as text for the picture of a node.

    A float is rounded to four significant digits.

    >>> brief(-INF), brief(3), brief(2 / 3)
    ('-INF', '3', '0.6667')
    """
    if isinstance(value, float) and abs(value) != INF:
        return f"{value:.4g}"
    return number(value)


def _result(returned: Returned) -> str:
    """Say in words how a call ended."""
    if returned.raised:
        return f"it raises {harmless(returned.raised, 80)}"
    if returned.path is None or returned.score is None:
        return "it returns something other than path, score and count"
    words = f"it returns the score {number(returned.score)}"
    if returned.path.problem:
        words += " with a path that does not lead down"
    if returned.evaluations is not None:
        words += f" and a count of {returned.evaluations}"
    return words
