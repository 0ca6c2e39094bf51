"""Judges the results of searches: path, score, and the count of static evaluations.

A result earns points only if its path and score are right.  If only the count is wrong,
the result earns half of its points, or a quarter if the search should prune.  If a
search should prune and prunes nothing although something can be pruned, the result
earns nothing, whatever count the search reports.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
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
from grader.kinds.search.nodes import Nodes
from grader.protocol.plain import is_number
from grader.protocol.text import plural, returned, show
from grader.verdicts.sentences import hint_for
from grader.verdicts.verdict import FULL, RIGHT, Finding, wrong

HALF = Fraction(1, 2)
QUARTER = Fraction(1, 4)
HISTORY = "history"
EVALUATED_NOTHING = (
    "Whatever its own count says, we saw this call evaluate no state. Did it use "
    "something that an earlier call stored?"
)
SEE = 'See "What a search returns" in the handout.'
NONE = "None"  # the type of a path that is None
A_NUMBER = "a number"  # which may be the score or the count
OTHERS = {"score": "evaluations", "evaluations": "score"}


def judge_search(call: Call, answer: SearchAnswer) -> Finding:
    """Return the finding on what a search returned: one result (path, score,
    evaluations), or a history of results.
    """
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
    nodes = Nodes(call)
    if expected.allows(result):
        finding = _judge_count(nodes, expected, result.evaluations, seen)
    else:
        finding = wrong(_what_is_wrong(nodes, expected, result))
    if finding.credit == FULL:
        return RIGHT
    path = "not judged"
    if expected.path is not None:
        path = nodes.path(Path(expected.path))
    rows = (
        ("path", path, nodes.path(result.path)),
        ("score", expected.score_in_words, show_part(result.score)),
        ("evaluations", show(expected.evaluations), show_part(result.evaluations)),
        *finding.rows,
    )
    message = _in_another_order(expected, result) or finding.message
    return replace(finding, message=message, rows=rows)


def _wrong_shape(result: NotAResult) -> str:
    if result.length is None:
        return (
            f"It {returned(result.other)}; "
            f"a search returns a tuple (path, score, evaluations). {SEE}"
        )
    return (
        f"It returned {plural(result.length, 'thing')}; "
        f"a search returns three: (path, score, evaluations). {SEE}"
    )


# --- a history ----------------------------------------------------------------------


def _judge_history(call: Call, expected: Expected, answer: SearchAnswer) -> Finding:
    if not answer.is_history:
        result = answer.results[0]
        what = "returned a tuple or list"
        if isinstance(result, NotAResult) and result.length is None:
            what = returned(result.other)
        return wrong(f"It {what}; {call.function.name} should return an AnytimeValue.")
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
        message = f"yours is what a search to depth {of_depth} finds."
    return replace(
        worst, message=f"Result {depth} of the history, for depth {depth}: {message}"
    )


def _wrong_length(expected: int, length: int) -> Finding:
    depths = f"for each depth from 1 to {expected}"
    if expected == 1:
        depths = "for depth 1"
    return wrong(
        f"The history should hold one result {depths}.",
        (("results in the history", str(expected), str(length)),),
    )


def _depth_that_finds(expected: Expected, result: Result | NotAResult) -> int | None:
    """Return the depth to which a search must go to find this result.

    Return None if no depth has this result, or if several depths have it.
    """
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


def _what_is_wrong(nodes: Nodes, expected: ExpectedResult, result: Result) -> str:
    """Say what is wrong with the path or with the score of a result."""
    path = result.path
    if not is_number(result.score):
        return _no_number(result.score)
    if expected.path is None:
        return (
            "The value is not strictly inside the given window, "
            f"so the score should be {expected.score_in_words}."
        )
    if path.problem:
        return f"The path {nodes.flaw(path)}. {nodes.advice(path)}".rstrip()
    if path.indices == expected.path:
        return "The path is right, but the score is not."
    score_is_right = result.score == expected.lowest
    if path.indices == expected.path[: len(path.indices)]:
        score = "is right" if score_is_right else "is wrong"
        return (
            f"The path stops at {nodes.label(path.indices)}, "
            f"but the expected path goes on from there; the score {score}."
        )
    if score_is_right:
        return "The score is right, but the path is not."
    return "Path and score are wrong."


def _no_number(score: Any) -> str:
    shown = show_part(score)
    text = f"The score is {shown}; it should be a plain number."
    return f"{text} {hint_for('numbers', shown)}".rstrip()


def _in_another_order(expected: ExpectedResult, result: Result) -> str:
    """Say in which wrong order the three parts of a result came; empty if their order
    may be right.
    """
    path = "path"
    others = [_part(expected, result.score), _part(expected, result.evaluations)]
    match result.path.problem, others:
        case "", ["evaluations", "score"]:
            pass
        case "type", ["path", number] | [number, "path"] if result.path.type != NONE:
            path = OTHERS.get(number, A_NUMBER)
        case _:
            return ""
    return (
        f"It returned ({', '.join([path, *others])}), "
        "and the order should be (path, score, evaluations)."
    )


def _part(expected: ExpectedResult, value: Any) -> str:
    """Say which part of a result this value is: "path", "score" or "evaluations".

    A list of states is the path.  The other two are recognized by the values that the
    case expects.  The answer is "a number" if the value is neither of these two values,
    or if they are the same.
    """
    if is_list_of_states(value):
        return "path"
    is_score = value == expected.lowest == expected.highest
    is_count = value == expected.evaluations
    if is_score == is_count:
        return A_NUMBER
    return "score" if is_score else "evaluations"


# --- the count of static evaluations ------------------------------------------------


def _judge_count(
    nodes: Nodes, expected: ExpectedResult, reported: Any, seen: Evidence
) -> Finding:
    """Return the finding on the count of a result whose path and score are right."""
    count = Count(nodes, expected, reported, seen)
    credit = HALF
    unpruned = expected.unpruned
    if unpruned is not None:
        credit = QUARTER
        if unpruned != expected.evaluations and count.shows_no_pruning(unpruned):
            return wrong(_no_pruning(count, unpruned))
    if count.number is None:
        shown = show_part(reported)
        text = f"The count of evaluations is {shown}; it should be a plain number."
        return Finding(credit, text)
    if count.is_refuted:
        row = ("evaluations seen", str(expected.evaluations), str(seen.evaluated))
        return Finding(credit, _another_was_seen(count), (row,))
    if count.number == expected.evaluations:
        return RIGHT
    return Finding(credit, _wrong_number(count, count.number))


@dataclass(frozen=True)
class Count:
    """The count that a search reports, beside what the recorder saw of the search."""

    nodes: Nodes
    expected: ExpectedResult
    reported: Any  # plain data, whatever came back
    seen: Evidence  # what the recorder saw; it proves nothing if `watched` is False

    @property
    def number(self) -> float | None:
        """The count that the search reports; None if it is not a number."""
        return self.reported if is_number(self.reported) else None

    @property
    def is_refuted(self) -> bool:
        """Whether what the recorder saw proves that the reported count is wrong."""
        seen = self.seen
        if not seen.watched or seen.unattributed:
            return False
        if self.reported == seen.evaluated + seen.repeated:
            return False
        most = seen.evaluated + seen.alike
        return self.number is None or not seen.evaluated <= self.number <= most

    # --- evidence that a search which could prune has pruned nothing ----------------

    def shows_no_pruning(self, unpruned: int) -> bool:
        """Whether there is evidence that the search has pruned nothing.

        `unpruned` is the number of evaluations that plain minimax makes.  There is
        evidence if the search reports this number, and what the recorder saw does not
        refute it.  There is also evidence if the recorder watched the search, and one
        of two things holds.  Either it saw the search evaluate at least `unpruned`
        known nodes, and `_leaves_out` is False.  Or it saw fewer, and
        `_hides_evaluations` is True.
        """
        if self.number == unpruned and not self.is_refuted:
            return True
        if not self.seen.watched:
            return False
        if self.seen.evaluated >= unpruned:
            return not self._leaves_out(unpruned)
        return self._hides_evaluations(unpruned)

    def _leaves_out(self, unpruned: int) -> bool:
        """Whether a search has pruned although it evaluated at least as many states as
        plain minimax.

        A search may evaluate some nodes only to order its moves.  If these nodes are
        inner nodes, the search has pruned if it evaluated fewer leaves than minimax.
        If these nodes are leaves, the search evaluates a leaf again when it comes to
        it.  Then the search has pruned if the number of repeated evaluations is at
        least the count that it reports, and below the count of minimax.
        """
        seen = self.seen
        if 0 < (self.number or 0) <= seen.repeated < unpruned:
            return True
        if len(seen.order) != seen.evaluated or seen.unattributed:
            return False
        return 0 < sum(map(self.nodes.is_leaf, seen.order)) < unpruned

    def _hides_evaluations(self, unpruned: int) -> bool:
        """Whether the recorder cannot find the evaluations of the search.

        If the reported count is right, that is so only if the recorder saw no
        evaluation.  If the count is wrong, there are three cases.  The recorder saw no
        evaluation.  Or it saw fewer than the search needs and fewer than the search
        reports.  Or it saw at least as many as plain minimax makes, but does not know
        to which nodes some of them belong.
        """
        seen = self.seen
        needed: float = self.expected.evaluations
        if self.number == needed and seen.total:
            return False
        if self.number is not None:
            needed = min(needed, self.number)
        has_all = seen.unattributed > 0 and seen.total >= unpruned
        return seen.total < max(1, needed) or has_all


# --- what is said -------------------------------------------------------------------


def _no_pruning(count: Count, unpruned: int) -> str:
    seen = count.seen
    report = f"You report {show_part(count.reported)}"
    if not seen.watched:
        return f"{report}; plain minimax makes {unpruned}."
    if seen.evaluated < unpruned:
        were_seen = plural(seen.total, "evaluation was", "evaluations were")
        return f"{report}, and {were_seen} seen; plain minimax makes {unpruned}."
    plain = f"plain minimax makes {plural(unpruned, 'evaluation')} too"
    if not (count.is_refuted or seen.unattributed):
        return f"Nothing was pruned: {plain}."
    if seen.evaluated > unpruned:
        plain = f"plain minimax makes {unpruned}"
    states = plural(seen.evaluated, "state")
    return f"{report}, but we saw your search evaluate {states}; {plain}."


def _another_was_seen(count: Count) -> str:
    seen = count.seen.evaluated
    states = plural(seen, "state")
    text = (
        f"You report {show(count.reported)}, but we saw your search evaluate {states}."
    )
    if seen > max(count.expected.evaluations, count.reported):
        text += (
            " Are some evaluations not counted, or made only to sort the children? "
            "Search the children in their given order."
        )
    return text


def _wrong_number(count: Count, number: float) -> str:
    seen = count.seen
    right = "The score is" if count.expected.path is None else "Path and score are"
    if seen.repeated and number == seen.evaluated + seen.repeated:
        states = plural(seen.evaluated, "state")
        return (
            f"{right} right. Your search makes {show(number)} evaluations of {states}: "
            "does it search some of them more than once?"
        )
    off = number - count.expected.evaluations
    excess = "many" if off > 0 else "few"
    there = f"there are {show(abs(off))} evaluations"
    if abs(off) == 1:
        there = "there is 1 evaluation"
    return f"{right} right, but {there} too {excess}."
