"""Searches of a tree: dfs, minimax, alpha-beta, and those that deepen step by step.

`arguments` of the function are those that it takes besides the state; one that `returns: history`
gives an AnytimeValue with a result for each depth.
"""

import dataclasses
from typing import Any

from boards.cases import Call, Case, Function
from grader.judging.verdict import RIGHT
from grader.kinds.kind import Kind, Located
from grader.kinds.playback import Playback
from grader.kinds.search.answer import Event, SearchAnswer, evaluated, read_answer
from grader.kinds.search.deepening import wrong_step
from grader.kinds.search.drawing import draw_state, drawn_tree, pasted, signature
from grader.kinds.search.faults import Fault
from grader.kinds.search.judge import HISTORY, judge_search
from grader.kinds.search.nodes import Ground, walk_of
from grader.kinds.search.outcome import wrong_search
from grader.kinds.search.playback import play_back
from grader.protocol.plain import alike
from grader.protocol.words import ordinal

MOST_EVENTS = 10_000  # that are gone through, whatever a child sends


def locate(case: Case, at: int, answer: SearchAnswer) -> Located | None:
    """Where a call of a case went wrong, out of its traced run; None where that cannot be said for sure."""
    walk = walk_of(case, at)
    if walk is None or answer.trace is None or not answer.trace.complete or len(answer.trace.events) > MOST_EVENTS:
        return None
    ground, events = Ground(case, at, walk), answer.trace.events
    if case.graded.returns == HISTORY:
        fault = wrong_step(ground, case, at, answer, events)
    else:
        before = [call.expect["evaluations"] for call in case.calls[:at]]
        fault = wrong_search(ground, case.calls[at].expect, next(iter(answer.results), None), events, before)
    if fault is None:
        return None
    mover = f", {ground.aim(fault.place)}" if ground.plays and not ground.is_over(fault.place) else ""
    place = f"Look at {ground.name(fault.place)}{mover}."
    return Located(fault.sentence, place, _picture(case, at, fault, events), fault.place)


def _picture(case: Case, at: int, fault: Fault, events: tuple[Event, ...]) -> tuple[str, ...]:
    """The drawn tree with the order of visits and the remarks; nothing for a game that is not drawn."""
    if "tree" not in case.calls[at].inputs["state"]:
        return ()
    order = enumerate(evaluated(events), start=1)
    notes = {place: f"{ordinal(number)} evaluated" for number, place in order} if case.graded.returns != HISTORY else {}
    marks = fault.marks or ({fault.place: "here"} if fault.place else {})
    marked = {place: f"{notes.get(place, '')}  <-- {words}".strip() for place, words in marks.items()}
    return tuple(drawn_tree(case.graded, case.calls[at], notes | marked, marks))


LARGE = 1000  # of a game, which has no drawn tree


class Search(Kind[SearchAnswer]):
    """A function from a state, and perhaps more, to (path, score, evaluations)."""

    calls = ("search",)
    most_traced = 2_000

    read = staticmethod(read_answer)
    judge = staticmethod(judge_search)
    signature = staticmethod(signature)
    pasted = staticmethod(pasted)
    picture = staticmethod(draw_state)
    locate = staticmethod(locate)

    def gist(self, function: Function, call: Call, answer: SearchAnswer) -> str:
        """The results, whether a state was scored again, and whether a count is that of what was scored; of results of
        which any path will do, and any score on the right side of a bound, the count alone."""
        counts = [getattr(result, "evaluations", None) for result in answer.results]
        seen = [answer.record.repeated > 0, counts == [answer.record.total]]
        if call.expect.keys() & {"path", "history", "last"}:
            return alike([*seen, *map(dataclasses.astuple, answer.results)])
        return alike([*seen, judge_search(function, call, answer).credit > 0, counts])

    def plays_back(self, call: Call) -> bool:
        return bool(call.inputs.get("watched", True))

    def playback(self, case: Case, at: int, answer: SearchAnswer) -> Playback | None:
        call = case.calls[at]
        failed = call.expect and self.judge(case.graded, call, answer) != RIGHT
        return play_back(case, at, answer, self.locate(case, at, answer) if failed else None)

    def size(self, call: Call) -> int:
        """More where states are estimated by the search's own heuristic, which nobody sees."""
        tree, arguments = call.inputs["state"].get("tree", ""), call.inputs.get("arguments", {})
        drawn = len(tree.splitlines()) + len("".join(tree.split()))  # long numbers are hard to read, too
        return (drawn or LARGE) * (1 if "heuristic" in arguments or "depth_limit" not in arguments else 4)

    def stand_in(self, function: Function, call: Call) -> dict[str, Any]:
        """What the search should have found at each depth, out of what a deepening one is expected to find."""
        arguments = call.inputs.get("arguments", {})
        return {
            "state": call.inputs["state"],
            "heuristic": arguments.get("heuristic", "always_zero"),
            "maximize": arguments.get("maximize", True),
            "results": [[entry["path"], entry["score"], entry["evaluations"]] for entry in call.expect["history"]],
        }


KIND = Search()
