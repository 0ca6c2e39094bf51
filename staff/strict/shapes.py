"""Checks that cases with answers yes and no do not give their answers away.

A submission can see how many calls a case has, and the number of the current call.  So
each case must have both answers, all cases of a function must have the same number of
calls, and no two cases may have the same answers in the same order.  Then a submission
that decides by these numbers passes at most one case.
"""

from collections.abc import Iterable

from staff.strict.cases import case_blocks
from staff.strict.reading import Block


def check_shapes(roots: Iterable[Block]) -> None:
    """Raise BadFile for the first case whose calls give its answers away.

    The number of the calls, or the order of their answers, may give the answers away.
    """
    earlier: dict[str, dict[tuple[bool, ...], str]] = {}
    for root in roots:
        for function, block, calls in case_blocks(root):
            expected = [
                call["expect"].get("value", call["expect"].get("refused"))
                for call in calls
            ]
            if block.get("advice") or not all(
                isinstance(answer, bool) for answer in expected
            ):
                continue
            answers = tuple(expected)
            others = earlier.setdefault(function, {})
            if problem := _problem(answers, others):
                block.fail(f"{block['id']}: {problem}")
            others[answers] = block["id"]


def _problem(answers: tuple[bool, ...], others: dict[tuple[bool, ...], str]) -> str:
    """Say how the calls of a case give its answers away; empty if they do not.

    `others` are the answers of earlier cases of the same function, each with the id of
    its case.
    """
    if len(set(answers)) == 1:
        word = "no"
        if answers[0]:
            word = "yes"
        return (
            f"every answer is {word}, which is right without looking; "
            "add a call with the other answer"
        )
    if answers in others:
        return (
            f"yes and no come in the same order as in {others[answers]}; "
            "put the calls in another one"
        )
    for other, case in others.items():
        if len(other) != len(answers):
            return (
                f"{len(answers)} calls, and {case} has {len(other)}: the number tells "
                "them apart; take equally many"
            )
    return ""
