"""Makes one mistake cost points only once (error carried forward).

Sometimes a case fails only because its function calls another function that is wrong.
So the case runs again by itself, and the grader watches which other graded functions
are called.  If a called function is wrong, the case may run again with reference
answers in place of that function.  The key `may_call` of points.yaml lists the
functions that can be replaced in this way.  If the case passes now, it earns its
points.  If the case relies on a wrong function and has no reference answers for it, the
case waits until that function is right.  Either way, the student has to look for the
mistake in only one place.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from grader.bank.cases import Case
from grader.bank.points import Function
from grader.kinds.kind import kind_of
from grader.protocol.answer import Answer, StandIn, Watch
from grader.verdicts.verdict import NO_REPROACH, Status, Verdict

Run = Callable[[Watch], tuple[Verdict, Answer]]


def verdict_alone(
    case: Case,
    others: Sequence[Function],
    run: Run,
    is_wrong: Callable[[Function], bool],
) -> Verdict:
    """Run a case by itself, watch which other functions are called, and return the
    verdict on the case.

    `others` are the functions that the function of the case may call.  `run` runs the
    case once and judges the answer.  `is_wrong` says whether a function fails in its
    own cases.  `is_wrong` is asked only about functions that the case has called.
    """
    wrong: list[Function] = []
    while True:
        verdict, answer = run(_watch(case, others, wrong))
        called = [other for other in others if other.name in answer.called]
        replaced = [
            other.name
            for other in wrong
            if other in called and other.name not in answer.unknown
        ]
        if verdict.passed and replaced:
            names = " and ".join(replaced)
            message = f"Right, with the reference answers in place of {names}."
            return replace(verdict, message=message)
        if verdict.status in NO_REPROACH:
            return verdict
        # With reference answers, the function of the case may get further than before.
        # It may then call another wrong function.
        wrong_too = [
            other for other in called if other not in wrong and is_wrong(other)
        ]
        wrong += wrong_too
        if not any(_is_replaceable(case, other) for other in wrong_too):
            break
    relied_on = [
        other.name for other in wrong if other in called and other.name not in replaced
    ]
    return waiting(verdict, relied_on) if relied_on else verdict


def _watch(case: Case, others: Sequence[Function], wrong: Sequence[Function]) -> Watch:
    """Return what the child should watch in a run of the case.

    The child watches the calls of `others`.  Reference answers take the place of each
    replaceable function in `wrong`.
    """
    stand_ins = {}
    for function in wrong:
        if _is_replaceable(case, function):
            kind = kind_of(function)
            answers = tuple(kind.stand_in(function, call) for call in case.calls)
            stand_ins[function.name] = StandIn(function.kind, answers)
    return Watch(tuple(other.name for other in others), stand_ins)


def _is_replaceable(case: Case, function: Function) -> bool:
    """Whether reference answers may take the place of `function` while this case runs.

    Even then, the answer to some call may be missing.
    """
    return function.name in case.graded.may_call


def waiting(verdict: Verdict, names: Sequence[str]) -> Verdict:
    """Return the verdict on a case that has to wait until the functions with these
    names are right.
    """
    message = f"It waits for {' and '.join(names)} to be right."
    return replace(verdict, status=Status.WAITS, message=message, rows=())
