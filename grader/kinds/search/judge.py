"""Judges the results of searches: path, score, and the count of static evaluations.

Path and score have to be right for any points; count.py judges the count.
"""

from dataclasses import replace
from typing import Any

from grader.bank.cases import Call
from grader.kinds.search.answer import (
    NOTHING_SEEN,
    Evidence,
    Expected,
    ExpectedResult,
    NotAResult,
    Path,
    Result,
    SearchAnswer,
    is_list_of_states,
    read_expected,
    show_part,
)
from grader.kinds.search.count import judge_count
from grader.kinds.search.nodes import Nodes
from grader.protocol.plain import is_number
from grader.protocol.text import plural, returned, show
from grader.verdicts.verdict import FULL, RIGHT, Finding, Row, wrong

HISTORY = "history"
EVALUATED_NOTHING = (
    "It evaluated no state: does it return what it has kept from an earlier call?"
)
A_NUMBER = "a number"  # which may be the score or the count
OTHERS = {"score": "evaluations", "evaluations": "score"}


def judge_search(call: Call, answer: SearchAnswer) -> Finding:
    """The finding on one result (path, score, evaluations), or on a history of them."""
    expected = read_expected(call.expect)
    if call.function.returns == HISTORY:
        return _judge_history(call, expected, answer)
    if answer.is_history:
        return wrong(
            "It returned an AnytimeValue; this search returns a tuple "
            "(path, score, evaluations)."
        )
    result = answer.results[0]
    record = answer.record
    seen = record if record.watched else NOTHING_SEEN
    if call.again and record.total < expected.results[0].evaluations:
        seen = NOTHING_SEEN  # the search may remember scores of an earlier call
    finding = _judge_result(call, expected.results[0], result, seen)
    evaluated_nothing = record.watched and record.total == 0 and call.again
    if finding.credit < FULL and evaluated_nothing and isinstance(result, Result):
        return replace(finding, message=f"{finding.message} {EVALUATED_NOTHING}")
    return finding


def _judge_result(
    call: Call,
    expected: ExpectedResult,
    result: Result | NotAResult,
    seen: Evidence = NOTHING_SEEN,
) -> Finding:
    if isinstance(result, NotAResult):
        return wrong(_wrong_shape(result))
    if expected.allows(result):
        finding = judge_count(call, expected, result.evaluations, seen)
    else:
        finding = wrong(_what_is_wrong(call, expected, result))
    if finding.credit == FULL:
        return RIGHT
    message = _in_another_order(expected, result) or finding.message
    rows = (*_rows_of(call, expected, result), *finding.rows)
    return replace(finding, message=message, rows=rows)


def _wrong_shape(result: NotAResult) -> str:
    if result.length is None:
        return (
            f"It {returned(result.other)}; "
            "a search returns a tuple (path, score, evaluations)."
        )
    return (
        f"It returned {plural(result.length, 'thing')}; "
        "a search returns three: (path, score, evaluations)."
    )


# --- a history ----------------------------------------------------------------------


def _judge_history(call: Call, expected: Expected, answer: SearchAnswer) -> Finding:
    if not answer.is_history:
        result = answer.results[0]
        what = "returned a tuple or list"
        if isinstance(result, NotAResult) and result.length is None:
            what = returned(result.other)
        return wrong(f"It {what}; {call.function.name} returns an AnytimeValue.")
    history = answer.results
    if expected.is_last_alone:
        if history and expected.results[0].allows(history[-1]):
            return RIGHT
        return wrong(
            "The last result in the history is not that of a search to the end of the "
            "game."
        )
    if len(history) != len(expected.results):
        return _wrong_length(len(expected.results), len(history))
    findings = [
        _judge_result(call, right, result)
        for right, result in zip(expected.results, history, strict=True)
    ]
    depth, worst = min(
        enumerate(findings, start=1), key=lambda numbered: numbered[1].credit
    )
    if worst.credit == FULL:
        return RIGHT
    of_depth = _depth_that_finds(expected, history[depth - 1])
    message = worst.message
    if of_depth is not None:
        message = f"it is what a search to depth {of_depth} finds."
    return replace(
        worst, message=f"Result {depth} of the history, for depth {depth}: {message}"
    )


def _wrong_length(expected: int, length: int) -> Finding:
    depths = f"depth 1 to depth {expected}"
    if expected == 1:
        depths = "depth 1 only"
    return wrong(
        f"The history should hold one result for each depth, {depths}.",
        (("results in the history", str(expected), str(length)),),
    )


def _depth_that_finds(expected: Expected, result: Result | NotAResult) -> int | None:
    """The only depth to which a search finds this result; None if there is no such."""
    if isinstance(result, NotAResult):
        return None
    path = result.path
    if not path.problem and not path.indices and result.evaluations == 1:
        return 0  # only the given state was evaluated
    depths = [
        depth
        for depth, right in enumerate(expected.results, start=1)
        if right.is_met_by(result)
    ]
    return depths[0] if len(depths) == 1 else None


# --- what is said of a wrong result -------------------------------------------------


def _what_is_wrong(call: Call, expected: ExpectedResult, result: Result) -> str:
    """What to say of a wrong path or score."""
    path = result.path
    if not is_number(result.score):
        return _no_number(result.score)
    if expected.path is None:
        return (
            "The value lies outside the given window, "
            f"so the score should be {expected.score_in_words}."
        )
    nodes = Nodes(call)
    if path.problem:
        return f"The path {nodes.flaw(path)}.{nodes.advice(path)}"
    if path.indices == expected.path:
        return "The path is right, but the score is not."
    score_is_right = result.score == expected.lowest
    if path.indices == expected.path[: len(path.indices)]:
        score = "is right" if score_is_right else "is wrong"
        return (
            f"The path stops at {nodes.label(path.indices)}, "
            f"from where the expected path goes on; the score {score}."
        )
    if score_is_right:
        return "The score is right, but the path is not."
    return "Path and score are wrong."


def _no_number(score: Any) -> str:
    text = f"The score is {show_part(score)}; it should be a plain number."
    if isinstance(score, dict) and str(score.get("$other")).startswith("the function "):
        text += " To call a function or a method, write parentheses behind its name."
    return text


def _rows_of(call: Call, expected: ExpectedResult, result: Result) -> tuple[Row, ...]:
    """What is expected beside what came back."""
    nodes = Nodes(call)
    path = "not judged"
    if expected.path is not None:
        path = nodes.path(Path(expected.path))
    return (
        ("path", path, nodes.path(result.path)),
        ("score", expected.score_in_words, show_part(result.score)),
        ("evaluations", show(expected.evaluations), show_part(result.evaluations)),
    )


def _in_another_order(expected: ExpectedResult, result: Result) -> str:
    """What to say of a result whose three parts came in another order.

    Empty if that is not certain.
    """
    path = "path"
    others = [_part(expected, result.score), _part(expected, result.evaluations)]
    match result.path.problem, others:
        case "", ["evaluations", "score"]:
            pass
        case "type", ["path", number] | [number, "path"]:
            path = OTHERS.get(number, A_NUMBER)
        case _:
            return ""
    return (
        f"It returned ({', '.join([path, *others])}), "
        "and the order should be (path, score, evaluations)."
    )


def _part(expected: ExpectedResult, value: Any) -> str:
    """The part of the expected result that has this value, if it is only one."""
    if is_list_of_states(value):
        return "path"
    is_score = value == expected.lowest == expected.highest
    is_count = value == expected.evaluations
    if is_score == is_count:
        return A_NUMBER
    return "score" if is_score else "evaluations"
