"""The one judge: a case and its answer go in, a verdict comes out.

`make test`, the workflow and the bundles all call `judge`.  It reads plain data only,
and whatever that data holds, it gives a verdict.  What an answer is worth is for its
kind to say.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from grader.bank.cases import Case
from grader.judging.sentences import sentence_for_ending, sentence_for_exception
from grader.judging.verdict import FULL, SLOW, Finding, Status, Verdict, wrong
from grader.kinds.kind import kind_of
from grader.protocol.answer import Answer, Ending
from grader.protocol.digests import fingerprint
from grader.protocol.limits import CALL_BEGINS
from grader.protocol.plain import Garbled
from grader.release import release_here

RAN_OUT = {"RecursionError", "MemoryError"}


def judge(case: Case, answer: Answer) -> Verdict:
    """The verdict on a case.

    The calls of a case stand or fall together: the worst decides, and the first of the
    worst is explained.
    """
    try:
        if answer.ending is not Ending.ANSWERED:
            return _judge_ending(case, answer)
        if answer.raised:
            return _judge_raised(case, answer)
        return _judge_outcomes(case, answer)
    except Garbled:
        return _judge_ending(
            case,
            Answer(
                Ending.GARBLED,
                printed=answer.printed,
                limit=answer.limit,
                seconds=answer.seconds,
            ),
        )


def _judge_ending(case: Case, answer: Answer) -> Verdict:
    status, message = sentence_for_ending(answer)
    at = min(len(answer.outcomes), len(case.calls) - 1)
    verdict = _verdict(
        case, answer, wrong(message, status=status), at, basis=answer.ending.value
    )
    return replace(
        verdict, ran_out=answer.ending in (Ending.CPU_TIME_UP, Ending.KILLED)
    )


def _judge_raised(case: Case, answer: Answer) -> Verdict:
    assert answer.raised
    kind, at = kind_of(case.graded), len(answer.outcomes) - 1
    status, message = sentence_for_exception(
        answer.raised, (case.function, *kind.methods)
    )
    about = re.findall(
        r"^'\w+' object", answer.raised.text
    )  # no two Pythons have the same words for other errors
    basis = " ".join([answer.raised.type, *about])
    kit = release_here()
    picture = (
        kit.stubs.get(case.function, "") if "NotWritten" in answer.raised.bases else ""
    )
    if picture:
        message = f"{case.function} is new in {kit.since[case.function]}: add this to your lab.py."
    verdict = _verdict(case, answer, wrong(message, status=status), at, picture, basis)
    return replace(verdict, ran_out=not RAN_OUT.isdisjoint(answer.raised.bases))


def _judge_outcomes(case: Case, answer: Answer) -> Verdict:
    kind = kind_of(case.graded)
    read, findings = list[Any](), list[Finding]()
    for call, outcome in zip(case.calls, answer.outcomes, strict=False):
        read.append(kind.read(outcome))
        findings.append(kind.judge(call, read[-1]))
    if len(answer.outcomes) != len(case.calls):
        raise Garbled
    worst = min(findings, key=lambda finding: finding.credit)
    at = findings.index(worst)
    together = list(kind.judge_together(case, read)) if worst.credit == FULL else []
    if together:
        at, worst = together[0]
    if worst.kind is Status.PASS:
        return _verdict(case, answer, worst, at)
    basis = _basis(case, findings, read) or "\n".join(
        _basis_of_pair(*pair) for pair in together
    )
    return _verdict(case, answer, worst, at, _picture(case, at, worst, read), basis)


def _verdict(
    case: Case,
    answer: Answer,
    finding: Finding,
    at: int,
    picture: str = "",
    basis: str = "",
) -> Verdict:
    status = finding.kind
    if status is not Status.PASS and not picture:
        picture = kind_of(case.graded).drawn(case.calls[at], None)
    facts = vars(finding) | {"status": status}
    return Verdict(
        case=case.id,
        **facts,
        call=at,
        picture=picture,
        printed=answer.printed.rpartition(CALL_BEGINS.format(at))[2].partition(
            CALL_BEGINS[0]
        )[0],
        frames=answer.raised.frames if answer.raised else answer.frames,
        columns=answer.raised.columns if answer.raised else (0, 0),
        fingerprint=SLOW if status is Status.TIME_OUT else fingerprint(basis),
        seconds=answer.cpu or answer.seconds,
    )


def _picture(case: Case, at: int, worst: Finding, read: Sequence[Any]) -> str:
    """The call that decides, drawn; and with it the one that it is compared with."""
    calls = [at] if worst.beside is None else sorted((at, worst.beside))
    return "\n\n".join(
        kind_of(case.graded).drawn(case.calls[index], read[index]) for index in calls
    )


def _basis_of_pair(at: int, finding: Finding) -> str:
    """The calls that are wrong beside each other, and whether their answers are the
    same.
    """
    return f"{finding.beside} {at} {len({yours for _, _, yours in finding.rows})}"


def _basis(case: Case, findings: Sequence[Finding], read: Sequence[Any]) -> str:
    """What labs with the same mistake have in common in their wrong answers to a case;
    empty if all are right.
    """
    kind, texts = kind_of(case.graded), list[str]()
    for finding, call, answer in zip(findings, case.calls, read, strict=True):
        texts.append("" if finding.credit == FULL else kind.fingerprint(call, answer))
    return "\n".join(texts) if any(texts) else ""
