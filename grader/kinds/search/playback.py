"""A search played back: the nodes that it came by, and what happened at them, step by step, in words.

The asked one stands beside it, where the case has failed and its walk is there.
"""

import contextlib
from collections.abc import Mapping
from typing import Any

from api import INF, AbstractGameState, ConnectFourBoard, TreeNode
from boards.built import board_of, state_of
from boards.cases import Case
from boards.excerpts import name_of_excerpt, rows_of
from grader.kinds.kind import Located
from grader.kinds.playback import CALLED, EXPANDED, NOWHERE, RETURNED, SCORED, Node, Playback, Step
from grader.kinds.search.answer import SearchAnswer
from grader.kinds.search.path import Place
from grader.kinds.search.trace import Called, Evaluated, Expanded, Returned, Trace
from grader.kinds.search.walk import walk_of
from grader.pipe.words import harmless, plural, show

MOST_NAMED = 3


def play_back(case: Case, at: int, answer: SearchAnswer, located: Located | None) -> Playback | None:
    """A traced call of a case, marked where it went wrong; None where nothing was seen of it."""
    if answer.trace is None:
        return None
    inputs = case.calls[at].inputs
    root = state_of(inputs["state"]) if answer.moves is None else _own_state(inputs["state"], answer.moves)
    has_movers = "maximize" in case.graded.arguments
    tree = Tree(root, inputs.get("arguments", {}).get("maximize", True) if has_movers else None)
    sides = {"yours": steps_of(answer.trace, tree, case.function)}
    if walk := walk_of(case, at):
        sides["asked"] = steps_of(Trace(walk.events), tree, case.function)
    place = tree.number(located.node) if located else NOWHERE
    mark = (place, located.sentence) if located and place != NOWHERE else None
    return Playback(tree.nodes, sides, *layout_of(root), mark)


def _own_state(data: Mapping[str, Any], moves: Mapping[str, str]) -> AbstractGameState:
    """A Connect Four board, with those below it that the lab's rules are known to have given."""

    def next_boards(board: ConnectFourBoard) -> list[ConnectFourBoard]:
        return [board.add_piece(int(column)) for column in moves[name_of_excerpt(rows_of(board))]]

    return AbstractGameState(board_of(data), lambda board: False, next_boards, lambda board, flag: 0)


class Tree:
    """The nodes that somebody came by, with their siblings; of a drawn tree all of them.

    `maximizes` says who moves at the root; None where nobody does.
    """

    def __init__(self, root: AbstractGameState, maximizes: bool | None) -> None:
        self._maximizes = maximizes
        self._numbers: dict[Place, int] = {(): 0}
        self._states = [root]
        self._places: list[Place] = [()]
        self.nodes = [Node(NOWHERE, *self._look(root.snapshot, ()))]
        self.children: dict[int, list[int]] = {}
        if isinstance(root.snapshot, TreeNode):
            for number, _ in enumerate(self.nodes):
                self.below(number)

    def number(self, place: Place | None) -> int:
        """The number of the node at a place; NOWHERE where there is none."""
        if place is None:
            return NOWHERE
        for length in range(len(place)):
            if place[: length + 1] not in self._numbers:
                self.below(self._numbers.get(place[:length], NOWHERE))
        return self._numbers.get(place, NOWHERE)

    def below(self, number: int) -> list[int]:
        """The numbers of a node's children."""
        if number not in self.children and number != NOWHERE:
            place, states = self._places[number], []
            with contextlib.suppress(KeyError, ValueError):  # what is known ends somewhere
                states = self._states[number].generate_next_states()
            self.children[number] = list(range(len(self.nodes), len(self.nodes) + len(states)))
            for index, state in enumerate(states):
                here = (*place, index)
                self._numbers[here] = len(self.nodes)
                self._states.append(state)
                self._places.append(here)
                self.nodes.append(Node(number, *self._look(state.snapshot, here, self._states[number].snapshot)))
        return self.children.get(number, [])

    def name(self, number: int) -> str:
        """A node in words."""
        if number == NOWHERE:
            return "a state that cannot be told"
        if isinstance(self._states[number].snapshot, TreeNode):
            label, parent = self.nodes[number].label, self.nodes[number].parent
            return label if self._states[number].snapshot.label else f"{label}, below {self.nodes[parent].label}"
        moves = []
        while number:
            word, _, move = self.nodes[number].label.partition(" ")
            moves.append(move)
            number = self.nodes[number].parent
        return (
            f"the state after {plural(len(moves), word).partition(' ')[2]} {', '.join(moves[::-1])}"
            if moves
            else "the given state"
        )

    def _look(self, snapshot: Any, place: Place, before: Any = None) -> tuple[str, str, str]:
        """What a node is called, who moves there, and its picture."""
        mover = "" if self._maximizes is None else "MAX" if self._maximizes is (len(place) % 2 == 0) else "MIN"
        if isinstance(snapshot, TreeNode):
            return snapshot.name, mover if snapshot.children else "", ""
        if isinstance(snapshot, ConnectFourBoard):
            columns = range(snapshot.num_cols)
            new = [n for n in columns if before and before.get_column_height(n) < snapshot.get_column_height(n)]
            cells = "".join(".12"[piece] for row in snapshot.board_array for piece in row)
            return f"column {new[0]}" if new else "start", mover, cells
        cells = snapshot.position if isinstance(getattr(snapshot, "position", None), str) else ""
        return "start" if snapshot.move is None else f"move {snapshot.move}", mover, cells


def layout_of(root: AbstractGameState) -> tuple[str, int]:
    """The layout of the pictures below a state, and how many columns they have."""
    if isinstance(root.snapshot, ConnectFourBoard):
        return "columns", root.snapshot.num_cols
    return ("squares", 3) if isinstance(getattr(root.snapshot, "position", None), str) else ("", 0)


def steps_of(trace: Trace, tree: Tree, function: str) -> list[Step]:
    """What a search did by this function, step by step."""
    steps: list[Step] = []
    calls: list[tuple[int, int]] = []  # each with the number of its step
    latest: dict[int, int] = {}
    for event in trace.events:
        here = calls[-1][0] if isinstance(event, Returned) else tree.number(event.place)
        match event:
            case Called():
                calls.append((here, len(steps)))
                by = "" if event.function == function else f"{event.function} is "
                step = (CALLED, f"{by}called{_arguments(event)}.", _window(event))
            case Returned():
                _, begun = calls.pop()
                left = [number for number in tree.below(here) if latest.get(number, NOWHERE) < begun]
                is_known = latest.get(NOWHERE, NOWHERE) < begun
                step = (RETURNED, *_returned(event, [tree.nodes[number].label for number in left if is_known]))
            case Expanded():
                if calls and calls[-1][0] == here:  # which its call has said already
                    continue
                step = (EXPANDED, "its branches are asked for.", "…")
            case Evaluated(_, flag, value, estimated):
                by = "the heuristic" if estimated else "get_endgame_score"
                step = (SCORED, f"{by} says {show(value)}{'' if flag is None else f', flag {flag}'}.", _brief(value))
        latest[here] = len(steps)
        what, words, shown = step
        steps.append(Step(what, here, f"At {tree.name(here)}{_mover(tree, here)}: {words}", shown))
    if not trace.complete:
        steps.append(Step(EXPANDED, NOWHERE, f"So it goes on, for more than {len(trace.events):,} events."))
    return steps


def _mover(tree: Tree, number: int) -> str:
    mover = tree.nodes[number].mover if number != NOWHERE else ""
    return f", {mover} to move" if mover else ""


def _arguments(call: Called) -> str:
    given = {name: getattr(call, name) for name in ("alpha", "beta", "depth_limit", "maximize")}
    words = [f"{name} = {bound(value)}" for name, value in given.items() if value not in (None, _DEFAULTS.get(name))]
    return f" with {', '.join(words)}" if words else ""


_DEFAULTS = {"depth_limit": INF, "alpha": -INF, "beta": INF}


def _window(call: Called) -> str:
    known = call.alpha is not None and call.beta is not None and (call.alpha, call.beta) != (-INF, INF)
    return f"{_brief(call.alpha)} … {_brief(call.beta)}" if known else "…"


def _brief(value: float | None) -> str:
    """A number with as many digits as fit into a node."""
    return bound(value if value in (INF, -INF, None) or value == int(value) else float(f"{value:.4g}"))


def bound(value: float | bool | None) -> str:
    """A number of a call as a student writes it.

    >>> bound(-INF), bound(3), bound(True)
    ('-INF', '3', 'True')
    """
    return f"{'-' if value < 0 else ''}INF" if value in (INF, -INF) else show(value)


def _returned(result: Returned, left: list[str]) -> tuple[str, str]:
    """How a call ended, which left these branches out, in words; and what then stands at its node."""
    if result.raised:
        return f"it raises {harmless(result.raised, 80)}.", result.raised
    more = ", …" if len(left) > MOST_NAMED else ""
    were = plural(len(left), "branch was not searched", "branches were not searched")
    out = f" {were}: {', '.join(left[:MOST_NAMED])}{more}." if left else ""
    if result.score is None:
        return f"it returns no path, score and count.{out}", "?"
    count = "" if result.evaluations is None else f", evaluations {result.evaluations}"
    return f"it returns the score {show(result.score)}{count}.{out}", _brief(result.score)
