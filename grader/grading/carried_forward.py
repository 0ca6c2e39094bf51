"""One mistake costs once (error carried forward).

A failing case may fail only because its function calls a wrong one.  So the case runs
alone, and the grader watches which other functions of its kind are called.  If a called
function is wrong, the case runs again with reference answers in place of that function,
as far as they are known for its calls (`may_call` in points.yaml).  If the case passes
now, it has its points.  If the case relies on a wrong function without reference
answers, it waits for that function.  Either way, the student looks for the mistake in
one place only.
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
    """The verdict on a case that runs alone.

    `others` are the functions that the function of the case may call.  `run` runs the
    case once and judges it.  `is_wrong` says whether a function fails in its own cases;
    it is only asked about functions that were seen to be called.
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
        # With reference answers, the function may get further and call another wrong
        # function.
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
    """What a run watches, and the reference answers in place of wrong functions."""
    stand_ins = {}
    for function in wrong:
        if _is_replaceable(case, function):
            kind = kind_of(function)
            answers = tuple(kind.stand_in(function, call) for call in case.calls)
            stand_ins[function.name] = StandIn(function.kind, answers)
    return Watch(tuple(other.name for other in others), stand_ins)


def _is_replaceable(case: Case, function: Function) -> bool:
    """Whether reference answers may be known for a function's calls in this case."""
    return function.name in case.graded.may_call


def waiting(verdict: Verdict, names: Sequence[str]) -> Verdict:
    """The verdict on a case that waits for these functions."""
    they_are = "that is" if len(names) == 1 else "these are"
    functions = " and ".join(names)
    message = f"It uses {functions}, and earns nothing until {they_are} right."
    return replace(verdict, status=Status.WAITS, message=message, rows=())
