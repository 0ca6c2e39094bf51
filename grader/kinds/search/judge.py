"""Judges the results of searches: the path, the score, and the count of static evaluations.

Partial credit (the lab's contract): path and score right but the count wrong earns half; for
alpha-beta a quarter, and nothing where there was something to cut off and the search cut off
nothing, whatever it reports.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from boards.cases import Call, Function
from grader.judging.verdict import FULL, NOTHING, RIGHT, Finding, Row
from grader.kinds.search.answer import Evidence, Odd, Path, Result, SearchAnswer
from grader.kinds.search.nodes import Nodes
from grader.protocol.plain import is_number
from grader.protocol.words import plural, returned, show

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
HISTORY = "history"


def judge_search(function: Function, call: Call, answer: SearchAnswer) -> Finding:
    """One result (path, score, evaluations), or a history of them."""
    if function.returns == HISTORY:
        return _judge_history(function, call, answer)
    if answer.is_history:
        return Finding(NOTHING, "It returned an AnytimeValue; this search returns a tuple (path, score, evaluations).")
    record = answer.record
    may_remember = call.again and record.total < call.expect["evaluations"]  # scores of an earlier call
    seen = record if record.watched and not may_remember else None
    return _judge_result(partial(Nodes, function, call), call.expect, answer.results[0], seen)


def _judge_history(function: Function, call: Call, answer: SearchAnswer) -> Finding:
    history = answer.results
    if not answer.is_history:
        result = history[0]
        what = (
            returned(result.other) if isinstance(result, Odd) and result.length is None else "returned a tuple or list"
        )
        return Finding(NOTHING, f"It {what}; {function.name} returns an AnytimeValue.")
    if "last" in call.expect:  # it decides by itself when to end; the count is not judged
        last = history[-1] if history else Odd()
        if isinstance(last, Result) and judge_path_and_score(call.expect["last"], last) is None:
            return RIGHT
        return Finding(NOTHING, "The last result in the history is not that of a search to the end of the game.")
    expected = call.expect["history"]
    if len(history) != len(expected):
        rows = (("results in the history", str(len(expected)), str(len(history))),)
        depths = "depth 1 only" if len(expected) == 1 else f"depth 1 to depth {len(expected)}"
        return Finding(NOTHING, f"The history should hold one result for each depth, {depths}.", rows)
    findings = [_judge_result(partial(Nodes, function, call), *each) for each in zip(expected, history, strict=True)]
    worst = min(findings, key=lambda finding: finding.credit)
    if worst.credit == FULL:
        return RIGHT
    return replace(worst, message=f"At depth {findings.index(worst) + 1}: {worst.message}")


def _judge_result(
    nodes: Callable[[], Nodes], expect: dict[str, Any], result: Result | Odd, seen: Evidence | None = None
) -> Finding:
    """One result; `nodes` are looked at only if it is wrong."""
    if isinstance(result, Odd):
        return Finding(NOTHING, _wrong_shape(result))
    finding = judge_path_and_score(expect, result) or _judge_count(expect, result.evaluations, seen)
    if finding.credit == FULL:
        return RIGHT
    message = finding.message or _what_is_wrong(expect, result)
    return Finding(finding.credit, message, (*_rows_of(expect, result, nodes()), *finding.rows))


def judge_path_and_score(expect: dict[str, Any], result: Result) -> Finding | None:
    """What to say of a path and a score that are not right, if it is said in a few words; None if they are right."""
    path, score = result.path, result.score
    if not is_number(score):
        return Finding(NOTHING, f"The score is {show(score)}; it should be a plain number.")
    if "path" in expect:
        is_path = not path.problem and list(path.indices) == expect["path"]
        return None if is_path and score == expect["score"] else Finding(NOTHING)
    if score <= expect["at_most"] if "at_most" in expect else score >= expect["at_least"]:
        return None
    return Finding(NOTHING, f"The value lies outside the given window, so the score should be {_side(expect)}.")


def _judge_count(expect: dict[str, Any], count: Any, seen: Evidence | None) -> Finding:
    expected, unpruned = expect["evaluations"], expect.get("unpruned")
    really = _really_evaluated(count, seen)
    if unpruned not in (None, expected) and _cuts_nothing_off(count, expected, unpruned, seen):
        return Finding(NOTHING, _nothing_cut_off(count, unpruned, seen))
    if is_number(count) and count == expected and really in (None, expected):
        return RIGHT
    rows: tuple[Row, ...] = ()
    if not is_number(count):
        text = f"The count of evaluations is {show(count)}; it should be a plain number."
    elif really is not None:
        rows = (("positions evaluated", str(expected), str(really)),)
        text = f"You report {show(count)}, but your search evaluated {plural(really, 'position')}."
    else:
        what = "Path and score are" if "path" in expect else "The score is"
        off, excess = abs(count - expected), "many" if count > expected else "few"
        evaluations = "is 1 evaluation" if off == 1 else f"are {show(off)} evaluations"
        text = f"{what} right, but there {evaluations} too {excess}."
    return Finding(HALF if unpruned is None else QUARTER, text, rows)


def _nothing_cut_off(count: Any, unpruned: int, seen: Evidence | None) -> str:
    """What to say of a search that is not believed to cut off."""
    if seen and seen.evaluated >= unpruned:
        return f"Nothing was pruned: plain minimax also makes {plural(unpruned, 'evaluation')}."
    evaluations = f", and {plural(seen.total, 'evaluation was', 'evaluations were')} seen" if seen else ""
    return f"You report {show(count)}{evaluations}; plain minimax makes {unpruned}."


def _really_evaluated(count: Any, seen: Evidence | None) -> int | None:
    """How many positions were evaluated, where that is known for sure and is not what was reported."""
    if seen is None or seen.unattributed or count == seen.evaluated + seen.repeated:
        return None
    if is_number(count) and seen.evaluated <= count <= seen.evaluated + seen.alike:
        return None
    return seen.evaluated


def _cuts_nothing_off(count: Any, expected: int, unpruned: int, seen: Evidence | None) -> bool:
    """Whether a search that could leave something out is not believed to.

    What was evaluated for sure outweighs any report.  If the count is wrong too, evaluations that belong to no place
    weigh as much, and a search of which fewer were seen than it needs and reports is not the one that was watched.
    """
    reported = count if is_number(count) else None
    if reported == unpruned and _really_evaluated(count, seen) is None:
        return True
    if seen is None or seen.evaluated >= unpruned:
        return seen is not None
    if reported == expected and seen.total:
        return False
    least = max(1, min(expected, expected if reported is None else reported))
    return seen.total < least or (seen.unattributed > 0 and seen.total >= unpruned)


def _wrong_shape(result: Odd) -> str:
    if result.length is None:
        return f"It {returned(result.other)}; a search returns a tuple (path, score, evaluations)."
    return f"It returned {plural(result.length, 'thing')}; a search returns three: (path, score, evaluations)."


# --- what is said of a wrong path or score, by the names of the nodes -------------------------------------


def _rows_of(expect: dict[str, Any], result: Result, nodes: Nodes) -> tuple[Row, ...]:
    """What is expected beside what came back."""
    expected = nodes.path(Path(tuple(expect["path"]))) if "path" in expect else "not judged"
    other = {"none": "None", "type": show({"$other": result.path.type})}.get(result.path.problem, "no states")
    yours = nodes.path(result.path) or other
    return (
        ("path", expected, yours),
        ("score", show(expect["score"]) if "score" in expect else _side(expect), show(result.score)),
        ("evaluations", show(expect["evaluations"]), show(result.evaluations)),
    )


def _side(expect: dict[str, Any]) -> str:
    """On which side of a window the score should be."""
    return f"at most {expect['at_most']}" if "at_most" in expect else f"at least {expect['at_least']}"


def _what_is_wrong(expect: dict[str, Any], result: Result) -> str:
    """What to say of a wrong path or score."""
    if result.path.problem:
        return "The path should be a list of states that leads down from the given one, child by child."
    if list(result.path.indices) == expect["path"]:
        return "The path is right, but the score is not."
    score_is_right = result.score == expect["score"]
    return "The score is right, but the path is not." if score_is_right else "Path and score are wrong."
