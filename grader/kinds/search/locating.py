"""Where a search went wrong first, with the place marked in its drawn tree.

following.py goes by its calls and its static evaluations, outcome.py by its result, and deepening.py by the searches
that are made one after the other.
"""

from boards.cases import Case
from grader.kinds.kind import Located
from grader.kinds.search.answer import Event, Result, SearchAnswer, evaluated
from grader.kinds.search.deepening import wrong_step
from grader.kinds.search.drawing import draw_tree_of
from grader.kinds.search.faults import Fault
from grader.kinds.search.following import first_wrong
from grader.kinds.search.judge import HISTORY, judge_path_and_score
from grader.kinds.search.nodes import Ground, walk_of
from grader.kinds.search.outcome import other_player, wrong_result
from grader.pipe.words import ordinal

MOST_EVENTS = 10_000  # that are gone through, whatever a child sends


def locate(case: Case, at: int, answer: SearchAnswer) -> Located | None:
    """Where a call of a case went wrong, out of its traced run; None where that cannot be said for sure."""
    walk = walk_of(case, at)
    if walk is None or answer.trace is None or not answer.trace.complete or len(answer.trace.events) > MOST_EVENTS:
        return None
    ground, events = Ground(case, at, walk), answer.trace.events
    look = wrong_step if case.graded.returns == HISTORY else _wrong_search
    fault = look(ground, case, at, answer, events)
    if fault is None:
        return None
    mover = f", {ground.aim(fault.place)}" if ground.plays and not ground.is_over(fault.place) else ""
    place = f"Look at {ground.name(fault.place)}{mover}."
    return Located(fault.sentence, place, _picture(case, at, fault, events), fault.place)


def _wrong_search(ground: Ground, case: Case, at: int, answer: SearchAnswer, events: tuple[Event, ...]) -> Fault | None:
    """What one search did wrong first: by its own calls, else by its evaluations and its result."""
    result = next(iter(answer.results), None)
    if not isinstance(result, Result):
        return first_wrong(ground, events, compares=True, right=())
    expect, other = case.calls[at].expect, other_player(ground, events, result)
    right = [] if judge_path_and_score(expect, result) else ["score"]
    right += ["evaluations"] if result.evaluations == expect["evaluations"] else []
    before = [call.expect["evaluations"] for call in case.calls[:at]]
    fault = first_wrong(ground, events, not (other and ground.prunes), right)
    return fault or other or wrong_result(ground, events, result, before)


def _picture(case: Case, at: int, fault: Fault, events: tuple[Event, ...]) -> tuple[str, ...]:
    """The drawn tree with the order of visits and the remarks; nothing for a game that is not drawn."""
    if "tree" not in case.calls[at].inputs["state"]:
        return ()
    order = enumerate(evaluated(events), start=1)
    notes = {place: f"{ordinal(number)} evaluated" for number, place in order} if case.graded.returns != HISTORY else {}
    marks = fault.marks or ({fault.place: "here"} if fault.place else {})
    marked = {place: f"{notes.get(place, '')}  <-- {words}".strip() for place, words in marks.items()}
    return tuple(draw_tree_of(case.graded, case.calls[at], notes | marked, marks))
