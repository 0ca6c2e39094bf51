"""A search played back: the nodes that it came by, and what happened at them, step by
step, in words.

The reference stands beside it if its trace is stored.
"""

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from api import INF, ConnectFourBoard
from boards.excerpts import rows_of
from grader.bank.cases import Call
from grader.bank.points import Function
from grader.kinds.kind import Divergence
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
    Place,
    Returned,
    SearchAnswer,
)
from grader.kinds.search.judge import HISTORY
from grader.kinds.search.nodes import Nodes, number, reference_of
from grader.protocol.words import harmless

WIDEST = {
    "alpha": -INF,
    "beta": INF,
    "depth_limit": INF,
    "maximize": None,
}  # what need not be said


def play_back(
    call: Call, answer: SearchAnswer, divergence: Divergence | None
) -> Playback | None:
    """A traced call, marked where it leaves the reference; None if nothing was seen of
    it.
    """
    if answer.events is None:
        return None
    tree = Tree(call)
    reference = reference_of(call)
    steps = steps_of(answer.events, tree, call.function)
    if not answer.is_complete:
        words = f"It goes on like this for more than {len(answer.events):,} events."
        steps.append(Step(EXPANDED, NOWHERE, words))
    sides = {"yours": steps}
    if reference:
        sides["expected"] = steps_of(
            reference.events, tree, call.function, is_reference=True
        )
    layout = {42: ("columns", 7), 9: ("squares", 3)}.get(
        len(tree.nodes[0].cells), ("", 0)
    )
    playback = Playback(tree.nodes, sides, *layout)
    if divergence is None:
        return playback
    node = tree.number(divergence.node)
    sentence = (
        f"{divergence.where}: {divergence.yours}; expected: {divergence.expected}."
    )
    return replace(
        playback,
        mark=(node, sentence),
        shown_by=_shown_by(playback, node, divergence.event),
    )


def _shown_by(
    playback: Playback, node: int, event: int | None
) -> tuple[str, int] | None:
    """The search whose step shows what is said of a node, and how many of its steps are
    done then; None if none does.

    Where the student's event is not at that node, it is something that the reference
    would not do, which stands at the node then or comes back to it.  What the student's
    search leaves out is shown by the reference.
    """
    yours = playback.sides["yours"]
    began = (
        0
        if event is None
        else next((at for at, step in enumerate(yours) if step.event >= event), 0)
    )
    if event is not None and yours[began].node == node:
        return "yours", began + 1
    at_node = {
        name: [done for done, step in enumerate(steps, start=1) if step.node == node]
        for name, steps in playback.sides.items()
    }
    if event is None and at_node["yours"]:
        return "yours", at_node["yours"][-1]
    later = [done for done in at_node.get("expected", []) if done > began]
    if later:
        return "expected", later[0]
    return next(((name, done[-1]) for name, done in at_node.items() if done), None)


class Tree(Nodes):
    """The nodes that somebody came by, with their siblings; of a drawn tree all of
    them.
    """

    def __init__(self, call: Call) -> None:
        super().__init__(call)
        self.nodes: list[Node] = []
        self._numbers: dict[Place, int] = {}
        self._enter(())
        if "tree" in call.inputs["state"]:
            waiting: list[Place] = [()]
            for place in waiting:  # which grows
                waiting += self.children(place)

    def number(self, place: Place | None) -> int:
        """The number of the node at a place; NOWHERE if there is none."""
        if place and place not in self._numbers:
            with contextlib.suppress(LookupError):  # lab.py may have forged it
                self.state(place)
        return NOWHERE if place is None else self._numbers.get(place, NOWHERE)

    def children(self, place: Place) -> list[Place]:
        """The places below one, which are numbered then."""
        children = super().children(place)
        if children and children[0] not in self._numbers:
            for child in children:
                self._enter(child)
        return children

    def _enter(self, place: Place) -> None:
        snapshot: Any = self.state(place).snapshot
        is_board = isinstance(snapshot, ConnectFourBoard)
        cells = (
            "".join(rows_of(snapshot))
            if is_board
            else getattr(snapshot, "position", "")
        )
        self._numbers[place] = len(self.nodes)
        parent = self._numbers[place[:-1]] if place else NOWHERE
        self.nodes.append(
            Node(
                parent,
                self.label(place),
                self.mover(place),
                cells if isinstance(cells, str) else "",
            )
        )


def steps_of(
    events: Sequence[Event], tree: Tree, function: Function, is_reference: bool = False
) -> list[Step]:
    """What a search did by this function, step by step."""
    steps: list[Step] = []
    calls = [Called(function.name, None)]
    for nth, event in enumerate(events):
        here, above = (
            calls[-1].place if isinstance(event, Returned) else event.place,
            "",
        )
        match event:
            case Called():
                by = (
                    ""
                    if event.function == calls[-1].function
                    else f"{event.function} is "
                )
                calls.append(event)
                step = (CALLED, f"{by}called{_arguments(event)}", _window(event))
            case Returned():
                name = calls.pop().function
                is_history = (
                    function.returns == HISTORY
                    and name == function.name
                    and not event.raised
                )
                step = (
                    RETURNED,
                    "it returns" if is_history else _result(event),
                    _shown(event),
                )
                after = _after_a_child(
                    calls[-1],
                    here,
                    event if is_reference else events[nth + 1 : nth + 2],
                    tree,
                )
                above = _window(after) if after != calls[-1] else ""
                calls[-1] = after
            case Expanded():
                if (
                    len(calls) > 1 and calls[-1].place == here
                ):  # its call has said so already
                    continue
                step = (EXPANDED, "it looks at the next states", "…")
            case Evaluated():
                step = (SCORED, f"scored {tree.in_words(event)}", brief(event.value))
        what, words, shown = step
        where = (
            "At an unknown state"
            if tree.number(here) == NOWHERE
            else tree.where(here or ())
        )
        steps.append(
            Step(what, tree.number(here), f"{where}: {words}.", shown, above, nth)
        )
    return steps


def _after_a_child(
    call: Called, child: Place | None, evidence: Returned | Sequence[Event], tree: Tree
) -> Called:
    """An open call with the bounds that it has after a call on this child; as it was,
    if nobody can tell.

    The reference moves them by the score that came back.  The next call on a child
    shows yours, if it gets them in the same view.
    """
    if call.alpha is None or call.beta is None or not child or call.place != child[:-1]:
        return call
    maximizes = tree.maximizes(call.place)
    match evidence:
        case Returned():
            bound = (
                max(call.alpha, evidence.score or 0)
                if maximizes
                else min(call.beta, evidence.score or 0)
            )
            return (
                replace(call, alpha=bound) if maximizes else replace(call, beta=bound)
            )
        case [Called(place=place) as other] if place and place[:-1] == call.place:
            is_same_view = (
                other.beta == call.beta if maximizes else other.alpha == call.alpha
            )
            return (
                replace(call, alpha=other.alpha, beta=other.beta)
                if is_same_view
                else call
            )
    return call


def _arguments(call: Called) -> str:
    given = {name: getattr(call, name) for name in WIDEST}
    words = [
        f"{name} = {number(value)}"
        for name, value in given.items()
        if value not in (None, WIDEST[name])
    ]
    return f" with {', '.join(words)}" if words else ""


def _window(call: Called) -> str:
    if (
        call.alpha is None
        or call.beta is None
        or (call.alpha, call.beta) == (-INF, INF)
    ):
        return "…"
    return f"{brief(call.alpha)} … {brief(call.beta)}"


def brief(value: float) -> str:
    """A number with as many digits as fit into a node.

    >>> brief(-INF), brief(3), brief(2 / 3)
    ('-INF', '3', '0.6667')
    """
    return (
        f"{value:.4g}"
        if isinstance(value, float) and abs(value) != INF
        else number(value)
    )


def _result(result: Returned) -> str:
    """How a call ended, in words."""
    if result.raised:
        return f"it raises {harmless(result.raised, 80)}"
    if result.path is None or result.score is None:
        return "it returns something other than path, score and count"
    path = " with a path that does not lead down" if result.path.problem else ""
    count = "" if result.evaluations is None else f", evaluations {result.evaluations}"
    return f"it returns the score {number(result.score)}{path}{count}"


def _shown(result: Returned) -> str:
    return result.raised or ("?" if result.score is None else brief(result.score))
