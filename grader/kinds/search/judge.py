"""Judges the results of searches: the path, the score, and the count of static evaluations.

Partial credit (the lab's contract): path and score right but the count wrong earns half; for
alpha-beta a quarter, and nothing where there was something to cut off and the search cut off
nothing, whatever it reports.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from boards.cases import Call
from boards.points import Function
from grader.judging.verdict import NOTHING, RIGHT, Finding
from grader.kinds.search.answer import Evidence, Odd, Result, SearchAnswer
from grader.kinds.search.path import Path
from grader.pipe.plain import is_number
from grader.pipe.words import ordinal, plural, returned, show

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
HISTORY = "history"
_Rows = tuple[tuple[str, str, str], ...]


def judge_search(function: Function, call: Call, answer: SearchAnswer) -> Finding:
    """One result (path, score, evaluations), or a history of them."""
    if function.returns == HISTORY:
        return _judge_history(function, call, answer)
    if answer.is_history:
        return Finding(NOTHING, "It returned an AnytimeValue; this search returns a tuple (path, score, evaluations).")
    seen = answer.seen
    if call.again and seen and seen.total < call.expect["evaluations"]:
        seen = None  # it may remember scores of the earlier call
    return _judge_result(call.expect, answer.results[0], seen, answer.estimated_when_over)


def _judge_history(function: Function, call: Call, answer: SearchAnswer) -> Finding:
    if not answer.is_history:
        (result,) = answer.results
        other = isinstance(result, Odd) and result.length is None
        what = returned(result.other) if isinstance(result, Odd) and other else "returned a tuple or list"
        return Finding(NOTHING, f"It {what}; {function.name} returns an AnytimeValue.")
    history = answer.results
    if "last" in call.expect:
        return _judge_last(call.expect["last"], history)
    wanted = call.expect["history"]
    if len(history) != len(wanted):
        rows = (("results in the history", str(len(wanted)), str(len(history))),)
        return Finding(NOTHING, f"The history should hold one result for each depth, {_depths(len(wanted))}.", rows)
    worst = RIGHT
    for depth, (expect, result) in enumerate(zip(wanted, history, strict=True), start=1):
        finding = _judge_result(expect, result)
        if finding.credit < worst.credit:
            message = f"At depth {depth}: {finding.message[:1].lower()}{finding.message[1:]}"
            worst = Finding(finding.credit, message, finding.rows)
    return worst


def _judge_last(expect: dict[str, Any], history: tuple[Result | Odd, ...]) -> Finding:
    """Of a search that decides by itself when to end: its last result, without the count."""
    last = history[-1] if history else Odd()
    if isinstance(last, Result) and _is_path(last.path, expect) and last.score == expect["score"]:
        return RIGHT
    return Finding(NOTHING, "The last result in the history is not that of a search to the end of the game.")


def _is_path(path: Path, expect: dict[str, Any]) -> bool:
    return not path.problem and list(path.indices) == expect["path"]


def _depths(most: int) -> str:
    return "depth 1 only" if most == 1 else f"depth 1 to depth {most}"


def _judge_result(
    expect: dict[str, Any], result: Result | Odd, seen: Evidence | None = None, estimated_when_over: bool = False
) -> Finding:
    if isinstance(result, Odd):
        return Finding(NOTHING, _wrong_shape(result))
    path, score, count = result.path, result.score, result.evaluations
    rows = _rows(expect, path, score, count)
    if not is_number(score):
        return Finding(NOTHING, f"The score is {show(score)}; it should be a number.", rows)
    if "path" in expect:
        if path.problem:
            return Finding(NOTHING, _path_problem(path), rows)
        if score != expect["score"] or not _is_path(path, expect):
            hint = " The heuristic was called on a finished game, which has an endgame score."
            over = hint if estimated_when_over else ""
            return Finding(NOTHING, f"{_where_wrong(expect, path, score)}{over}", rows)
    elif not (score <= expect["at_most"] if "at_most" in expect else score >= expect["at_least"]):
        message = f"The value lies outside the given window, so the score should be {_side(expect)}."
        return Finding(NOTHING, message, rows)
    return _judge_count(expect, count, seen, rows)


def _judge_count(expect: dict[str, Any], count: Any, seen: Evidence | None, rows: _Rows) -> Finding:
    wanted, unpruned = expect["evaluations"], expect.get("unpruned")
    really = _really_evaluated(count, seen)
    if unpruned not in (None, wanted) and (why := _why_no_cut_off(count, wanted, unpruned, seen)):
        return Finding(NOTHING, why, rows)
    if is_number(count) and count == wanted and really in (None, wanted):
        return RIGHT
    share = HALF if unpruned is None else QUARTER
    if not is_number(count):
        return Finding(share, f"The count of evaluations is {show(count)}; it should be a number.", rows)
    if really is not None:
        rows = (*rows, ("positions really evaluated", str(wanted), str(really)))
        positions = plural(really, "position was", "positions were")
        return Finding(share, f"You report {show(count)}, but {positions} evaluated.", rows)
    difference = abs(count - wanted)
    verb, noun = ("is", "evaluation") if difference == 1 else ("are", "evaluations")
    excess = "many" if count > wanted else "few"
    careless = " A branch was left out that could have mattered." if unpruned and count < wanted else ""
    message = f"Path and score are right, but there {verb} {show(difference)} {noun} too {excess}.{careless}"
    return Finding(share, message, rows)


def _really_evaluated(count: Any, seen: Evidence | None) -> int | None:
    """How many positions were evaluated, where that is known for sure and is not what was reported."""
    if seen is None or seen.stray or count == seen.places + seen.again:
        return None
    if is_number(count) and seen.places <= count <= seen.places + seen.alike:
        return None
    return seen.places


def _why_no_cut_off(count: Any, wanted: int, unpruned: int, seen: Evidence | None) -> str:
    """Why a search that could leave something out is not believed to; empty where it is.

    What was evaluated for sure outweighs any report.  Where the count is wrong too, evaluations that
    belong to no place weigh as much, and a search of which fewer were seen than it needs and reports
    is not the one that was watched.
    """
    if is_number(count) and count == unpruned and _really_evaluated(count, seen) is None:
        return f"Nothing was cut off: {count} evaluations are what plain minimax makes."
    minimax = f"plain minimax makes no more than {unpruned}."
    if seen is not None and seen.places >= unpruned:
        return f"You report {show(count)}, but {seen.places} positions were evaluated, and {minimax}"
    if seen is None or (is_number(count) and count == wanted and seen.total):
        return ""
    if seen.stray and seen.total >= unpruned:
        return f"You report {show(count)}, but {seen.total} evaluations were made, and {minimax}"
    if seen.total < max(1, min(wanted, count if is_number(count) else wanted)):
        made = plural(seen.total, "evaluation was", "evaluations were")
        return f"You report {show(count)}, but {made} made, by the heuristic or get_endgame_score."
    return ""


def _wrong_shape(result: Odd) -> str:
    if result.length is None:
        return f"It {returned(result.other)}; a search returns a tuple (path, score, evaluations)."
    return f"It returned {plural(result.length, 'thing')}; a search returns three: (path, score, evaluations)."


def _path_problem(path: Path) -> str:
    """What is wrong with the form of a path that is no way down the tree."""
    place, thing = ordinal(path.step + 1), show({"$other": path.type})
    return {
        "none": "The path is None; it should be a list of states that begins with the given one.",
        "type": f"The path is {thing}; it should be a list of states.",
        "empty": "The path is empty; it begins with the given state, even where nothing follows.",
        "another root": "The path begins with another state than the given one.",
        "not a state": f"The {place} thing in the path is {thing}, not a state.",
        "not a child": f"The {place} state in the path is no child of the one before it.",
    }[path.problem]


def _where_wrong(expect: dict[str, Any], path: Path, score: Any) -> str:
    if score == expect["score"]:
        if list(path.indices) == expect["path"][: len(path.indices)]:
            return "The score is right, but the path stops before the leaf that was scored."
        return "The score is right, but the path leads elsewhere; of equally good branches the earlier one wins."
    if _is_path(path, expect):
        if score == -expect["score"]:
            return "The path is right, and so is the score but for its sign; a score is in the maximizer's view."
        return "The path is right, but the score is not: was the leaf scored with the flag of the player to move there?"
    return "Path and score are both wrong."


def _rows(expect: dict[str, Any], path: Path, score: Any, count: Any) -> _Rows:
    wanted_path = _show_path(expect["path"]) if "path" in expect else "not judged"
    yours = "not a way down from the given state" if path.problem else _show_path(path.indices)
    wanted_score = show(expect["score"]) if "score" in expect else _side(expect)
    return (
        ("path", wanted_path, yours),
        ("score", wanted_score, show(score)),
        ("evaluations", show(expect["evaluations"]), show(count)),
    )


def _show_path(indices: Sequence[int]) -> str:
    """Child indices as a person counts branches: the first is 1."""
    return f"branch {', '.join(str(index + 1) for index in indices)}" if indices else "the given state alone"


def _side(expect: dict[str, Any]) -> str:
    return f"at most {expect['at_most']}" if "at_most" in expect else f"at least {expect['at_least']}"
