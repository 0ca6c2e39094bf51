"""A search played back: the nodes that it came by, and what happened at them, step by step, in words.

The reference stands beside it if its trace is stored.
"""

import contextlib
from typing import Any

from api import INF, AbstractGameState, ConnectFourBoard, TreeNode
from boards.built import state_of
from boards.cases import Case, Function
from boards.excerpts import rows_of
from grader.kinds.kind import Divergence
from grader.kinds.playback import CALLED, EXPANDED, NOWHERE, RETURNED, SCORED, Node, Playback, Step
from grader.kinds.search.answer import Called, Evaluated, Expanded, Place, Returned, SearchAnswer, Trace
from grader.kinds.search.judge import HISTORY
from grader.kinds.search.nodes import States, number, reference_of
from grader.protocol.words import harmless, show

WIDEST = {"alpha": -INF, "beta": INF, "depth_limit": INF, "maximize": None}  # what need not be told


def play_back(case: Case, at: int, answer: SearchAnswer, divergence: Divergence | None) -> Playback | None:
    """A traced call of a case, marked where it leaves the reference; None if nothing was seen of it."""
    if answer.trace is None:
        return None
    inputs = case.calls[at].inputs
    plays = "maximize" in case.graded.arguments
    tree = Tree(state_of(inputs["state"]), inputs.get("arguments", {}).get("maximize", True) if plays else None)
    sides = {"yours": steps_of(answer.trace, tree, case.graded)}
    if reference := reference_of(case, at):
        sides["expected"] = steps_of(Trace(reference.events), tree, case.graded)
    mark = None
    if divergence and divergence.node is not None:
        sentence = f"{divergence.where}: {divergence.yours}; expected: {divergence.expected}."
        mark = (tree.number(divergence.node), sentence)
    layout = {42: ("columns", 7), 9: ("squares", 3)}.get(len(tree.nodes[0].cells), ("", 0))
    return Playback(tree.nodes, sides, *layout, mark)


class Tree(States):
    """The nodes that somebody came by, with their siblings; of a drawn tree all of them.

    `maximizes` says who moves at the root; None where nobody does.
    """

    def __init__(self, root: AbstractGameState, maximizes: bool | None) -> None:
        super().__init__(root)
        self._maximizes = maximizes
        self._numbers: dict[Place, int] = {}
        self._children: dict[int, list[int]] = {}
        self.nodes: list[Node] = []
        self._places: list[Place] = []
        self._enter((), NOWHERE)
        if isinstance(root.snapshot, TreeNode):
            for number, _ in enumerate(self.nodes):
                self.children(number)

    def number(self, place: Place | None) -> int:
        """The number of the node at a place; NOWHERE where there is none."""
        if place and place not in self._numbers:
            for end in range(len(place)):  # not by calls of its own: a forged place is of any length
                self.children(self._numbers.get(place[:end], NOWHERE))
        return NOWHERE if place is None else self._numbers.get(place, NOWHERE)

    def children(self, number: int) -> list[int]:
        """The numbers of a node's children."""
        if number not in self._children and number != NOWHERE:
            place = self._places[number]
            with contextlib.suppress(KeyError, ValueError):  # what is known ends somewhere
                after = () if self.state(place).is_game_over() else self.below(place)
                self._children[number] = [self._enter((*place, n), number) for n, _ in enumerate(after)]
        return self._children.get(number, [])

    def words(self, number: int) -> str:
        """A node in words, with who moves there."""
        if number == NOWHERE:
            return "a state that cannot be told"
        mover = self.nodes[number].mover
        return f"{self.name(self._places[number])}{f', {mover} to move' if mover else ''}"

    def _enter(self, place: Place, parent: int) -> int:
        """Add a node; its number."""
        snapshot: Any = self.state(place).snapshot
        has_mover = self._maximizes is not None and (not isinstance(snapshot, TreeNode) or snapshot.children)
        mover = ("MAX" if self._maximizes is (len(place) % 2 == 0) else "MIN") if has_mover else ""
        board = isinstance(snapshot, ConnectFourBoard)
        cells = "".join(rows_of(snapshot)) if board else getattr(snapshot, "position", "")
        self.nodes.append(Node(parent, self.label(place), mover, cells if isinstance(cells, str) else ""))
        self._places.append(place)
        return self._numbers.setdefault(place, len(self.nodes) - 1)


def steps_of(trace: Trace, tree: Tree, function: Function) -> list[Step]:
    """What a search did by this function, step by step."""
    steps: list[Step] = []
    calls: list[tuple[int, str]] = [(NOWHERE, function.name)]
    for event in trace.events:
        here = calls[-1][0] if isinstance(event, Returned) else tree.number(event.place)
        match event:
            case Called():
                by = "" if event.function == calls[-1][1] else f"{event.function} is "
                calls.append((here, event.function))
                step = (CALLED, f"{by}called{_arguments(event)}.", _window(event))
            case Returned():
                _, name = calls.pop()
                is_history = function.returns == HISTORY and name == function.name and not event.raised
                step = (RETURNED, "it returns." if is_history else f"{_result(event, tree, here)}.", _shown(event))
            case Expanded():
                if len(calls) > 1 and calls[-1][0] == here:  # which its call has said already
                    continue
                step = (EXPANDED, "its branches are asked for.", "…")
            case Evaluated(_, flag, value, estimated):
                by = "the heuristic" if estimated else "get_endgame_score"
                step = (SCORED, f"{by} says {show(value)}{'' if flag is None else f', flag {flag}'}.", brief(value))
        what, words, shown = step
        steps.append(Step(what, here, f"At {tree.words(here)}: {words}", shown))
    if not trace.complete:
        steps.append(Step(EXPANDED, NOWHERE, f"So it goes on, for more than {len(trace.events):,} events."))
    return steps


def _arguments(call: Called) -> str:
    given = {name: getattr(call, name) for name in WIDEST}
    words = [f"{name} = {number(value)}" for name, value in given.items() if value not in (None, WIDEST[name])]
    return f" with {', '.join(words)}" if words else ""


def _window(call: Called) -> str:
    if call.alpha is None or call.beta is None or (call.alpha, call.beta) == (-INF, INF):
        return "…"
    return f"{brief(call.alpha)} … {brief(call.beta)}"


def brief(value: float) -> str:
    """A number with as many digits as fit into a node.

    >>> brief(-INF), brief(3), brief(2 / 3)
    ('-INF', '3', '0.6667')
    """
    return f"{value:.4g}" if isinstance(value, float) and abs(value) != INF else number(value)


def _result(result: Returned, tree: Tree, here: int) -> str:
    """How a call at a node ended, in words."""
    if result.raised:
        return f"it raises {harmless(result.raised, 80)}"
    if result.path is None or result.score is None:
        return "it returns no path, score and count"
    way = " with a path that does not lead down" if result.path.problem else ""
    for child in [one for at in result.path.indices[:1] for one in tree.children(here)[at : at + 1]]:
        way = f" by way of {tree.nodes[child].label}"
    count = "" if result.evaluations is None else f", evaluations {result.evaluations}"
    return f"it returns the score {number(result.score)}{way}{count}"


def _shown(result: Returned) -> str:
    return result.raised or ("?" if result.score is None else brief(result.score))
