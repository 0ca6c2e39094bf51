"""Judges the answer to a case, and returns a verdict.

Everything that grades calls `judge`.  `judge` reads only plain data, and returns a
verdict whatever that data holds.  The kind of the function decides what an answer is
worth.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from grader.bank.cases import Case
from grader.kinds.kind import kind_of
from grader.protocol.answer import Answer, Ending, Raised
from grader.protocol.digests import fingerprint
from grader.protocol.limits import CALL_BEGINS
from grader.protocol.plain import Garbled
from grader.release import MASTER, Release
from grader.verdicts.sentences import sentence_for_ending, sentence_for_exception
from grader.verdicts.verdict import FULL, SLOW, Finding, Status, Verdict, wrong

RAN_OUT = {"RecursionError", "MemoryError"}
_ANY_CALL_BEGINS = CALL_BEGINS[0]


def judge(case: Case, answer: Answer, kit: Release = MASTER) -> Verdict:
    """Return the verdict on a case.

    The worst call decides the verdict on the whole case.  If several calls are equally
    bad, the verdict explains the first of them.  `kit` is the release that grades.  If
    an older lab.py lacks the function, the verdict shows the stub of the function, if
    `kit` has that stub.
    """
    try:
        if answer.ending is not Ending.ANSWERED:
            return _judge_ending(case, answer)
        if answer.raised:
            return _judge_raised(case, answer, answer.raised, kit)
        return _judge_outcomes(case, answer)
    except Garbled:
        garbled = replace(answer, ending=Ending.GARBLED, outcomes=[], raised=None)
        return _judge_ending(case, garbled)


def _judge_ending(case: Case, answer: Answer) -> Verdict:
    status, message = sentence_for_ending(answer)
    at = min(len(answer.outcomes), len(case.calls) - 1)
    return _verdict(
        case, answer, wrong(message, status=status), at, in_common=answer.ending.value
    )


def _judge_raised(case: Case, answer: Answer, raised: Raised, kit: Release) -> Verdict:
    kind = kind_of(case.graded)
    status, message = sentence_for_exception(raised, (case.function, *kind.methods))
    picture = ""
    if raised.is_missing and case.function in kit.stubs:
        picture = kit.stubs[case.function]
        since = kit.since[case.function]
        message = f"{case.function} is new in {since}: add this to your lab.py."
    # Of the text of an AttributeError, only the type of the object is used.  The rest
    # differs from one version of Python to the next.
    about = re.findall(r"^'\w+' object", raised.text)
    in_common = " ".join([raised.type, *about])
    at = len(answer.outcomes) - 1
    return _verdict(case, answer, wrong(message, status=status), at, picture, in_common)


def _judge_outcomes(case: Case, answer: Answer) -> Verdict:
    kind = kind_of(case.graded)
    answers = []
    findings = []
    for call, outcome in zip(case.calls, answer.outcomes, strict=False):
        answers.append(kind.read(outcome))
        findings.append(kind.judge(call, answers[-1]))
    if len(answer.outcomes) != len(case.calls):
        raise Garbled
    worst = min(findings, key=lambda finding: finding.credit)
    at = findings.index(worst)
    in_common = _in_common(case, findings, answers)
    if worst.credit == FULL and (pairs := list(kind.judge_together(case, answers))):
        at, worst = pairs[0]
        in_common = "\n".join(_in_common_of_pair(*pair) for pair in pairs)
    if worst.kind is Status.PASS:
        return _verdict(case, answer, worst, at)
    picture = _picture(case, at, worst, answers)
    return _verdict(case, answer, worst, at, picture, in_common)


def _verdict(
    case: Case,
    answer: Answer,
    finding: Finding,
    at: int,
    picture: str = "",
    in_common: str = "",
) -> Verdict:
    """Return the verdict that follows from the finding on one call of the case.  `at`
    is the index of that call.

    `in_common` is what submissions with the same mistake have in common in their
    answers.
    """
    frames = answer.frames
    columns = (0, 0)
    if answer.raised:
        frames = answer.raised.frames
        columns = answer.raised.columns
    if finding.kind is not Status.PASS and not picture:
        picture = kind_of(case.graded).drawn(case.calls[at], None)
    return Verdict(
        case=case.id,
        status=finding.kind,
        credit=finding.credit,
        message=finding.message,
        rows=finding.rows,
        call=at,
        picture=picture,
        printed=printed_in_call(answer.printed, at),
        frames=frames,
        columns=columns,
        fingerprint=(
            SLOW if finding.kind is Status.TIME_OUT else fingerprint(in_common)
        ),
        seconds=answer.cpu or answer.seconds,
        ran_out=_has_run_out(answer),
        beside=finding.beside,
    )


def printed_in_call(printed: str, at: int) -> str:
    """Return what the call with this index printed.

    `printed` is what all calls of the case printed.

    >>> printed = CALL_BEGINS.format(0) + "first" + CALL_BEGINS.format(1) + "second"
    >>> printed_in_call(printed, 0), printed_in_call(printed, 1)
    ('first', 'second')
    """
    _, _, from_here_on = printed.rpartition(CALL_BEGINS.format(at))
    in_call, _, _ = from_here_on.partition(_ANY_CALL_BEGINS)
    return in_call


def _has_run_out(answer: Answer) -> bool:
    """Whether a call ran out of time or memory, or reached Python's recursion limit."""
    if answer.raised:
        return not RAN_OUT.isdisjoint(answer.raised.bases)
    return answer.ending in (Ending.CPU_TIME_UP, Ending.KILLED)


def _picture(case: Case, at: int, worst: Finding, answers: Sequence[Any]) -> str:
    """Draw the call that decides the verdict.

    If the finding compares this call with another call, draw the other call too.
    """
    indices = [at]
    if worst.beside is not None:
        indices = sorted((at, worst.beside))
    kind = kind_of(case.graded)
    return "\n\n".join(
        kind.drawn(case.calls[index], answers[index]) for index in indices
    )


def _in_common(case: Case, findings: Sequence[Finding], answers: Sequence[Any]) -> str:
    """Return what submissions with the same mistake have in common in their answers to
    a case.

    The text has a line for each call.  For a right answer the line is empty.  If all
    answers are right, the whole text is empty.
    """
    kind = kind_of(case.graded)
    lines = []
    for finding, call, answer in zip(findings, case.calls, answers, strict=True):
        lines.append("" if finding.credit == FULL else kind.fingerprint(call, answer))
    return "\n".join(lines) if any(lines) else ""


def _in_common_of_pair(at: int, finding: Finding) -> str:
    """Return what submissions with the same mistake have in common if two calls
    contradict each other.

    The text has the indices of the two calls, and says how many different answers they
    have.
    """
    answers = {yours for _, _, yours in finding.rows}
    return f"{finding.beside} {at} {len(answers)}"
