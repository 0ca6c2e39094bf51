"""One mistake costs once (error carried forward): a failing case whose function may call a wrong one.

It runs once more, with reference answers in place of the wrong functions as far as they are known for its calls
(`may_call` in points.yaml).  If it comes out right now, it has its points.  If it relies on a wrong function for which
nothing is known, it waits for that one.  In both, the mistake is looked for in one place only.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from boards.cases import Case, Function
from grader.grading.judge import judge
from grader.grading.runs import Watch
from grader.judging.verdict import Status, Verdict
from grader.kinds.kind import kind_of
from grader.protocol.answer import Answer


def carried_forward(case: Case, wrong: Sequence[Function], run: Callable[[Watch], tuple[Case, Answer]]) -> Verdict:
    """The verdict on a case that has failed, and whose function may call these wrong ones.

    `run` runs the case with some functions watched, and with reference answers in place of others.
    """
    replaceable = [function for function in wrong if function.name in case.graded.may_call]
    answers = {}
    for function in replaceable:
        calls = [kind_of(function).stand_in(function, call) for call in case.calls]
        answers[function.name] = {"kind": function.kind, "calls": calls}
    timed, answer = run({"functions": [function.name for function in wrong], "answers": answers})
    verdict = judge(timed, answer)
    answered = reported(answer, "called") - reported(answer, "unknown")
    replaced = [function.name for function in replaceable if function.name in answered]
    if verdict.passed:
        with_answers = f"Right, with the reference answers in place of {' and '.join(replaced)}."
        return replace(verdict, message=with_answers) if replaced else verdict
    left = [function.name for function in wrong if function.name not in replaced]
    return waiting(verdict, left) if left else verdict


def waiting(verdict: Verdict, names: Sequence[str]) -> Verdict:
    """The verdict on a case that waits for these functions."""
    they_are = "that is" if len(names) == 1 else "these are"
    message = f"It uses {' and '.join(names)}, and earns nothing until {they_are} right."
    return replace(verdict, status=Status.WAITS, message=message, rows=())


def reported(answer: Answer, key: str) -> set[str]:
    """The names of functions that the worker reports under a key; it is the student's process that says so."""
    reports = [outcome.get(key) for outcome in answer.outcomes]
    return {name for report in reports if isinstance(report, list) for name in report if isinstance(name, str)}
