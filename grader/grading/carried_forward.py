"""One mistake costs once (error carried forward): a failing case whose function may call a wrong one.

It runs once more, with reference answers in place of the wrong functions as far as they are known for its calls
(`may_call` in points.yaml).  If it comes out right now, it has its points.  If it relies on a wrong function for which
nothing is known, it waits for that one.  In both, the mistake is looked for in one place only.
"""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

from boards.cases import Case, Function
from grader.grading.judge import judge
from grader.grading.runs import Watch
from grader.judging.verdict import Status, Verdict
from grader.kinds.kind import kind_of
from grader.protocol.answer import Answer


def carried_forward(case: Case, wrong: Sequence[Function], run: Callable[[Watch], Answer]) -> Verdict:
    """The verdict on a case whose function may call these wrong ones.

    `run` runs the case with some functions watched, and with reference answers in place of others.
    """
    names = [function.name for function in wrong]
    known = [function for function in wrong if function.name in case.graded.may_call]
    answer = run({"functions": names, "answers": _reference_answers(case, known)})
    verdict = judge(case, answer)
    called, unknown = called_in(answer), _reported(answer, "unknown")
    stood_in = [function.name for function in known if function.name in called - unknown]
    if verdict.passed:
        message = f"Right, with the reference answers in place of {' and '.join(stood_in)}." if stood_in else ""
        return dataclasses.replace(verdict, message=message)
    to_blame = [name for name in names if name not in stood_in]
    return waiting(verdict, to_blame) if to_blame else verdict


def waiting(verdict: Verdict, names: Sequence[str]) -> Verdict:
    """The verdict on a case that waits for these functions."""
    are = "is" if len(names) == 1 else "are"
    message = f"Waits for {' and '.join(names)}, which it uses and which {are} not right yet."
    return dataclasses.replace(verdict, status=Status.WAITS, message=message, rows=())


def _reference_answers(case: Case, functions: Sequence[Function]) -> dict[str, Any]:
    """For each of these functions, its kind, and what it should answer in each call of the case."""
    found = {}
    for function in functions:
        calls = [kind_of(function).stand_in(function, call) for call in case.calls]
        found[function.name] = {"kind": function.kind, "calls": calls}
    return found


def called_in(answer: Answer) -> set[str]:
    """The watched functions that were called, as the worker reports; it is the student's process that says so."""
    return _reported(answer, "called")


def _reported(answer: Answer, key: str) -> set[str]:
    names = set[str]()
    for outcome in answer.outcomes:
        reported = outcome.get(key)
        if isinstance(reported, list):
            names |= {name for name in reported if isinstance(name, str)}
    return names
