"""One mistake costs once: what a failing case is worth when the mistake is in another function that it calls.

A case that has failed runs once more with the other functions of its part watched.  Where one of
them is wrong or waits itself, and its asked answers are known for just the calls of this case (`may_call` in
points.yaml), they stand in its place: if the case calls it and comes out right now, the function is right, and has
its points.  Where nothing is known that could stand in, the case *waits* for the function that it
calls.  In both, the mistake is looked for in one place only.
"""

import dataclasses
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from boards.cases import Case, Function
from grader.grading.judge import judge
from grader.judging.verdict import Status, Verdict
from grader.kinds.kind import kind_of
from grader.protocol.answer import Answer, Ending

Watch = Mapping[str, Any]


def trace_back(
    case: Case,
    verdict: Verdict | None,
    callable_from: Sequence[Function],
    run: Callable[[Watch], Answer],
    failures: Callable[[str], set[Status]],
    at_once: Collection[str],
) -> Verdict:
    """The verdict on a case that has failed, once it is known whose mistake it is.

    `callable_from` are the functions that the case may call, `run` runs it with these watched, and
    `failures` says how the cases of a function fail, and may be asked of those `at_once` before the
    case runs again.  The verdict is None for a case that was not run, because a function that it may
    call hangs or waits.
    """
    others = [function.name for function in callable_from]
    standing_in = {name for name in can_be_stood_in(case) if name in others and name in at_once and failures(name)}

    def to_stand_in(answer: Answer) -> set[str]:
        """Who is called, fails and can be replaced; who is not called is not asked about, since that may lead here."""
        known = set(can_be_stood_in(case)) & set(others) - standing_in
        called = _seen(answer, "called") if answer.ending is Ending.ANSWERED else known
        return {name for name in known & called if failures(name)}

    def is_wrong(name: str) -> bool:
        """Whether a function has a mistake of its own."""
        return bool(failures(name) - {Status.WAITS})

    def watched(tripping: Collection[str] = ()) -> Answer:
        answers = answers_for(case, [function for function in callable_from if function.name in standing_in])
        return run({"functions": sorted(others), "answers": answers, "tripping": sorted(tripping)})

    def stopped_at_a_wrong_one() -> Answer:
        """A run that is stopped where it enters a wrong function: a process that has ended tells nothing."""
        tripping = set(others)
        while True:
            answer = watched(tripping)
            innocent = {name for name in tripping & _seen(answer, "called") if not is_wrong(name)}
            if not innocent:
                return answer
            tripping -= innocent

    hangs = verdict is not None and verdict.status is Status.TIME_OUT and not standing_in
    if verdict and hangs and verdict.inside in ("", case.function):
        return verdict
    answer = stopped_at_a_wrong_one() if hangs else watched()
    while not hangs and (more := to_stand_in(answer)):
        standing_in |= more
        answer = watched()
    again = verdict if verdict and hangs else judge(case, answer)
    if answer.ending is not Ending.ANSWERED and not hangs:
        answer = stopped_at_a_wrong_one()
    called, unknown = _seen(answer, "called"), _seen(answer, "unknown")
    guilty, replaced = {name for name in called & set(others) if is_wrong(name)}, called & standing_in
    beyond = (guilty - standing_in) | (guilty & unknown)
    if again.passed and replaced:
        names = " and ".join(name for name in others if name in replaced)
        return dataclasses.replace(again, message=f"Right, with the asked answers in place of {names}.")
    if beyond and not again.passed:
        waits_for = " and ".join(name for name in others if name in beyond)
        message = f"Waits for {waits_for}, which it calls and which is not right yet."
        return dataclasses.replace(again, status=Status.WAITS, message=message, rows=())
    return again if guilty | replaced or verdict is None else verdict


def can_be_stood_in(case: Case) -> tuple[str, ...]:
    """The functions whose asked answers are known for the calls of this case."""
    return () if case.advice else case.graded.may_call


def answers_for(case: Case, functions: Collection[Function]) -> dict[str, Any]:
    """For each of these functions, its kind, and what it should answer in each call of the case."""
    kinds = [(function, kind_of(function).stand_in) for function in functions]
    return {
        each.name: {"kind": each.kind, "calls": [known(each, call) for call in case.calls]} for each, known in kinds
    }


def _seen(answer: Answer, key: str) -> set[str]:
    """What the spies report, over all calls; the student's process says so, and may say nothing."""
    reports = [outcome.get(key) for outcome in answer.outcomes]
    return {name for names in reports if isinstance(names, list) for name in names if isinstance(name, str)}
