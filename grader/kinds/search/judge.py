"""Judges the results of searches: the path, the score, and the count of static
evaluations.

Partial credit (the lab's contract): path and score right but the count wrong earns
half; for alpha-beta a quarter, and nothing where there was something to cut off and the
search cut off nothing, whatever it reports.

A search that scores states to order its moves has cut off if it left out leaves, or if
it came back to some of what it had scored, and not to all of it.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from grader.bank.cases import Call
from grader.judging.verdict import FULL, NOTHING, RIGHT, Finding, Row, wrong
from grader.kinds.search.answer import Evidence, Odd, Path, Result, SearchAnswer
from grader.kinds.search.nodes import Nodes
from grader.protocol.plain import is_number
from grader.protocol.words import plural, returned, show

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
HISTORY = "history"
EVALUATED_NOTHING = (
    "It evaluated no state: does it return what it has kept from an earlier call?"
)
STATE = {"$other": "an AbstractGameState"}  # as the worker encodes one


def judge_search(call: Call, answer: SearchAnswer) -> Finding:
    """One result (path, score, evaluations), or a history of them."""
    if call.function.returns == HISTORY:
        return _judge_history(call, answer)
    if answer.is_history:
        return wrong(
            "It returned an AnytimeValue; this search returns a tuple (path, score, evaluations)."
        )
    record = answer.record
    may_remember = (
        call.again and record.total < call.expect["evaluations"]
    )  # scores of an earlier call
    seen = record if record.watched and not may_remember else None
    finding = _judge_result(partial(Nodes, call), call.expect, answer.results[0], seen)
    evaluated_nothing = record.watched and not record.total and call.again
    if (
        finding.credit == FULL
        or not evaluated_nothing
        or isinstance(answer.results[0], Odd)
    ):
        return finding
    return replace(finding, message=f"{finding.message} {EVALUATED_NOTHING}")


def _judge_history(call: Call, answer: SearchAnswer) -> Finding:
    history = answer.results
    if not answer.is_history:
        result = history[0]
        what = (
            returned(result.other)
            if isinstance(result, Odd) and result.length is None
            else "returned a tuple or list"
        )
        return wrong(f"It {what}; {call.function.name} returns an AnytimeValue.")
    if (
        "last" in call.expect
    ):  # it decides by itself when to end; the count is not judged
        last = history[-1] if history else Odd()
        if (
            isinstance(last, Result)
            and judge_path_and_score(call.expect["last"], last) is None
        ):
            return RIGHT
        return wrong(
            "The last result in the history is not that of a search to the end of the game."
        )
    expected = call.expect["history"]
    if len(history) != len(expected):
        rows = (("results in the history", str(len(expected)), str(len(history))),)
        depths = (
            "depth 1 only"
            if len(expected) == 1
            else f"depth 1 to depth {len(expected)}"
        )
        return wrong(
            f"The history should hold one result for each depth, {depths}.", rows
        )
    findings = [
        _judge_result(partial(Nodes, call), *each)
        for each in zip(expected, history, strict=True)
    ]
    worst = min(findings, key=lambda finding: finding.credit)
    if worst.credit == FULL:
        return RIGHT
    at = findings.index(worst)
    return replace(
        worst,
        message=_of_another_depth(expected, history, at)
        or _of_result(at, worst.message),
    )


def _of_result(at: int, message: str) -> str:
    """What is wrong with a result of a history."""
    return f"Result {at + 1} of the history, for depth {at + 1}: {message}"


def _of_another_depth(
    expected: Sequence[dict[str, Any]], history: Sequence[Result | Odd], at: int
) -> str:
    """What to say of a result that a search to another depth finds; empty if that is
    not so.
    """
    result = history[at]
    if isinstance(result, Odd):
        return ""
    depths = [
        depth
        for depth, expect in enumerate(expected, start=1)
        if _is_as_expected(expect, result)
    ]
    if not result.path.problem and not result.path.indices and result.evaluations == 1:
        depths = [0]  # nothing but the given state was scored
    return (
        _of_result(at, f"it is what a search to depth {depths[0]} finds.")
        if len(depths) == 1
        else ""
    )


def _is_as_expected(expect: dict[str, Any], result: Result) -> bool:
    return judge_path_and_score(expect, result) is None and bool(
        result.evaluations == expect["evaluations"]
    )


def _judge_result(
    nodes: Callable[[], Nodes],
    expect: dict[str, Any],
    result: Result | Odd,
    seen: Evidence | None = None,
) -> Finding:
    """One result; `nodes` are looked at only if it is wrong."""
    if isinstance(result, Odd):
        return wrong(_wrong_shape(result))
    finding = judge_path_and_score(expect, result) or _judge_count(
        expect, result.evaluations, seen, nodes
    )
    if finding.credit == FULL:
        return RIGHT
    message = (
        _in_another_order(expect, result)
        or finding.message
        or _what_is_wrong(expect, result, nodes())
    )
    return Finding(
        finding.credit, message, (*_rows_of(expect, result, nodes()), *finding.rows)
    )


def judge_path_and_score(expect: dict[str, Any], result: Result) -> Finding | None:
    """What to say of a path and a score that are not right, if it is said in a few
    words; None if they are right.
    """
    path, score = result.path, result.score
    if not is_number(score):
        is_function = isinstance(score, dict) and str(score.get("$other")).startswith(
            "the function "
        )
        brackets = (
            " To call a function or a method, write parentheses behind its name."
            if is_function
            else ""
        )
        return wrong(
            f"The score is {_shown(score)}; it should be a plain number.{brackets}"
        )
    if "path" in expect:
        is_path = not path.problem and list(path.indices) == expect["path"]
        return None if is_path and score == expect["score"] else Finding(NOTHING)
    if (
        score <= expect["at_most"]
        if "at_most" in expect
        else score >= expect["at_least"]
    ):
        return None
    return wrong(
        f"The value lies outside the given window, so the score should be {_side(expect)}."
    )


def _judge_count(
    expect: dict[str, Any],
    count: Any,
    seen: Evidence | None,
    nodes: Callable[[], Nodes],
) -> Finding:
    expected, unpruned = expect["evaluations"], expect.get("unpruned")
    really = _really_evaluated(count, seen)
    if unpruned not in (None, expected) and _cuts_nothing_off(
        count, expected, unpruned, seen, nodes
    ):
        return wrong(_nothing_cut_off(count, unpruned, seen))
    if is_number(count) and count == expected and really in (None, expected):
        return RIGHT
    rows: tuple[Row, ...] = ()
    if not is_number(count):
        text = (
            f"The count of evaluations is {_shown(count)}; it should be a plain number."
        )
    elif really is not None:
        rows = (("states evaluated", str(expected), str(really)),)
        text = f"You report {show(count)}, but your search evaluated {plural(really, 'state')}."
        if really > max(expected, count):
            text += " Are some not counted, or made only to sort the children? Search the children in their given order."
    elif seen and seen.repeated and count == seen.evaluated + seen.repeated:
        what = "Path and score are" if "path" in expect else "The score is"
        text = f"{what} right. Your search makes {show(count)} evaluations of {plural(seen.evaluated, 'state')}: "
        text += "does it search some of them more than once?"
    else:
        what = "Path and score are" if "path" in expect else "The score is"
        off, excess = abs(count - expected), "many" if count > expected else "few"
        evaluations = "is 1 evaluation" if off == 1 else f"are {show(off)} evaluations"
        text = f"{what} right, but there {evaluations} too {excess}."
    return Finding(HALF if unpruned is None else QUARTER, text, rows)


def _nothing_cut_off(count: Any, unpruned: int, seen: Evidence | None) -> str:
    """What to say of a search that is not believed to cut off."""
    plain = f"plain minimax makes {plural(unpruned, 'evaluation')} too"
    if seen and seen.evaluated >= unpruned:
        if _really_evaluated(count, seen) is None and not seen.unattributed:
            return f"Nothing was pruned: {plain}."
        if seen.evaluated > unpruned:
            plain = f"plain minimax makes {unpruned}"
        return f"You report {_shown(count)}, but your search evaluated {plural(seen.evaluated, 'state')}; {plain}."
    evaluations = (
        f", and {plural(seen.total, 'evaluation was', 'evaluations were')} seen"
        if seen
        else ""
    )
    return f"You report {_shown(count)}{evaluations}; plain minimax makes {unpruned}."


def _really_evaluated(count: Any, seen: Evidence | None) -> int | None:
    """How many positions were evaluated, where that is known for sure and is not what
    was reported.
    """
    if seen is None or seen.unattributed or count == seen.evaluated + seen.repeated:
        return None
    if is_number(count) and seen.evaluated <= count <= seen.evaluated + seen.alike:
        return None
    return seen.evaluated


def _cuts_nothing_off(
    count: Any,
    expected: int,
    unpruned: int,
    seen: Evidence | None,
    nodes: Callable[[], Nodes],
) -> bool:
    """Whether a search that could leave something out is not believed to.

    What was evaluated for sure outweighs any report.  If the count is wrong too,
    evaluations that belong to no place weigh as much, and a search of which fewer were
    seen than it needs and reports is not the one that was watched.
    """
    reported = count if is_number(count) else None
    if reported == unpruned and _really_evaluated(count, seen) is None:
        return True
    if seen is None:
        return False
    if seen.evaluated >= unpruned:
        return not _leaves_out(count, unpruned, seen, nodes)
    if reported == expected and seen.total:
        return False
    least = max(1, min(expected, expected if reported is None else reported))
    return seen.total < least or (seen.unattributed > 0 and seen.total >= unpruned)


def _leaves_out(
    count: Any, unpruned: int, seen: Evidence, nodes: Callable[[], Nodes]
) -> bool:
    """Whether a search that evaluated as many states as plain minimax, or more, has cut
    something off all the same.

    It may have scored inner nodes to order its moves.  If it scored leaves for that
    too, it comes back to those that it searches: they are at least as many as it
    reports, and fewer than all.
    """
    if is_number(count) and 0 < count <= seen.repeated < unpruned:
        return True
    if len(seen.order) != seen.evaluated or seen.unattributed:
        return False
    tree = nodes()
    try:
        leaves = sum(tree.is_leaf(place) for place in seen.order)
    except LookupError:  # lab.py has forged a place
        return False
    return 0 < leaves < unpruned


def _wrong_shape(result: Odd) -> str:
    if result.length is None:
        return f"It {returned(result.other)}; a search returns a tuple (path, score, evaluations)."
    return f"It returned {plural(result.length, 'thing')}; a search returns three: (path, score, evaluations)."


# --- what is said of a wrong path or score, by the names of the nodes -------------------------------------


def _rows_of(expect: dict[str, Any], result: Result, nodes: Nodes) -> tuple[Row, ...]:
    """What is expected beside what came back."""
    expected = (
        nodes.path(Path(tuple(expect["path"]))) if "path" in expect else "not judged"
    )
    other = {
        "none": "None",
        "type": show({"$other": result.path.type}),
        "empty": "an empty list",
    }
    yours = nodes.path(result.path) or other.get(result.path.problem, "no states")
    return (
        ("path", expected, yours),
        (
            "score",
            show(expect["score"]) if "score" in expect else _side(expect),
            _shown(result.score),
        ),
        ("evaluations", show(expect["evaluations"]), _shown(result.evaluations)),
    )


def _shown(value: Any) -> str:
    """What stands in the place of a score or of a count."""
    return (
        f"a list of {plural(len(value), 'state')}" if _is_path(value) else show(value)
    )


def _is_path(value: Any) -> bool:
    """Whether a value that should be a number is a list of states."""
    return (
        isinstance(value, list) and bool(value) and all(item == STATE for item in value)
    )


def _side(expect: dict[str, Any]) -> str:
    """On which side of a window the score should be."""
    return (
        f"at most {expect['at_most']}"
        if "at_most" in expect
        else f"at least {expect['at_least']}"
    )


def _in_another_order(expect: dict[str, Any], result: Result) -> str:
    """What to say of a result whose three parts are in another order; empty if that is
    not certain.
    """
    parts = {"score": result.score, "evaluations": result.evaluations}
    expected = {name: expect.get(name) for name in parts}
    if expected["score"] == expected["evaluations"]:
        expected = {}  # which of them a number is, nobody can tell
    others = {
        name: [each for each in expected if parts[name] == expected[each]]
        for name in parts
    }
    if not result.path.problem and others == {
        "score": ["evaluations"],
        "evaluations": ["score"],
    }:
        return _order("path", "evaluations", "score")
    if result.path.problem != "type" or not (
        _is_path(result.score) or _is_path(result.evaluations)
    ):
        return ""
    place = "score" if _is_path(result.score) else "evaluations"
    (number,) = parts.keys() - {place}
    known = "".join(others[number])
    order = {place: "path", number: known or "a number"}
    first = {"score": "evaluations", "evaluations": "score"}.get(known, "a number")
    return _order(first, order["score"], order["evaluations"])


def _order(*names: str) -> str:
    return f"It returned ({', '.join(names)}), and the order should be (path, score, evaluations)."


def _what_is_wrong(expect: dict[str, Any], result: Result, nodes: Nodes) -> str:
    """What to say of a wrong path or score."""
    if result.path.problem:
        return f"The path {nodes.flaw(result.path)}.{nodes.advice(result.path)}"
    if list(result.path.indices) == expect["path"]:
        return "The path is right, but the score is not."
    score_is_right = result.score == expect["score"]
    steps = len(result.path.indices)
    if list(result.path.indices) == expect["path"][:steps]:
        end = nodes.label(result.path.indices)
        score = "is right" if score_is_right else "is wrong"
        return f"The path stops at {end}, from where the expected path goes on; the score {score}."
    return (
        "The score is right, but the path is not."
        if score_is_right
        else "Path and score are wrong."
    )
