"""One mistake costs once (error carried forward): a failing case whose function was
seen to call a wrong one.

The case runs alone, and the other functions of its kind are watched.  If the case
fails, and a function that was seen to be called is wrong, the case runs again with
reference answers in place of that function, as far as they are known for its calls
(`may_call` in points.yaml).  If the case comes out right now, it has its points.  If it
relies on a wrong function for which nothing is known, it waits for that one.  In both,
the mistake is looked for in one place only.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from grader.bank.cases import Case
from grader.bank.points import Function
from grader.grading.judge import judge
from grader.judging.verdict import NO_REPROACH, Status, Verdict
from grader.kinds.kind import kind_of
from grader.protocol.answer import Answer, StandIn, Watch

Run = Callable[[Watch], Answer]


def verdict_alone(
    case: Case,
    others: Sequence[Function],
    run: Run,
    is_wrong: Callable[[Function], bool],
) -> Verdict:
    """The verdict on a case that runs alone.

    `others` are the functions that its function may call.  `run` runs the case with
    some functions watched, and with reference answers in place of others.  `is_wrong`
    says whether a function fails in its own cases; it is only asked of those that were
    seen to be called.
    """
    wrong: list[Function] = []
    while True:
        answer = run(_watch(case, others, wrong))
        verdict = judge(case, answer)
        replaced = [
            other.name
            for other in wrong
            if other.name in answer.called - answer.unknown
        ]
        if verdict.passed and replaced:
            return replace(
                verdict,
                message=f"Right, with the reference answers in place of {' and '.join(replaced)}.",
            )
        if verdict.status in NO_REPROACH:
            return verdict
        # With reference answers, the function may come further, and call another wrong
        # one.
        called = [
            other
            for other in others
            if other.name in answer.called and other not in wrong
        ]
        wrong_too = [other for other in called if is_wrong(other)]
        wrong += wrong_too
        if not any(_is_replaceable(case, other) for other in wrong_too):
            break
    relied_on = [
        other.name
        for other in wrong
        if other.name in answer.called and other.name not in replaced
    ]
    return waiting(verdict, relied_on) if relied_on else verdict


def _watch(case: Case, others: Sequence[Function], wrong: Sequence[Function]) -> Watch:
    """What a run is to watch, with the reference answers in place of those wrong
    functions for which there are some.
    """
    stand_ins = {}
    for function in wrong:
        if _is_replaceable(case, function):
            calls = tuple(
                kind_of(function).stand_in(function, call) for call in case.calls
            )
            stand_ins[function.name] = StandIn(function.kind, calls)
    return Watch(tuple(other.name for other in others), stand_ins)


def _is_replaceable(case: Case, function: Function) -> bool:
    """Whether reference answers to the calls of a function may be known in this
    case.
    """
    return function.name in case.graded.may_call


def waiting(verdict: Verdict, names: Sequence[str]) -> Verdict:
    """The verdict on a case that waits for these functions."""
    they_are = "that is" if len(names) == 1 else "these are"
    message = (
        f"It uses {' and '.join(names)}, and earns nothing until {they_are} right."
    )
    return replace(verdict, status=Status.WAITS, message=message, rows=())
