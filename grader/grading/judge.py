"""The one judge: a case and its answer go in, a verdict comes out.

`make test`, the workflow and the bundles all call `judge`.  It reads plain data only,
and whatever that data holds, it gives a verdict.  What an answer is worth is for its kind to say.
"""

import re
from collections.abc import Sequence
from typing import Any

from boards.cases import Case
from grader.judging.sentences import sentence_for_ending, sentence_for_exception
from grader.judging.verdict import FULL, NOTHING, SLOW, Finding, Status, Verdict
from grader.kinds.kind import kind_of
from grader.protocol.answer import Answer, Ending
from grader.protocol.digests import fingerprint
from grader.protocol.limits import CALL_BEGINS
from grader.protocol.plain import PACKED, Garbled
from grader.protocol.words import show


def judge(case: Case, answer: Answer) -> Verdict:
    """The verdict on a case.

    The calls of a case stand or fall together: the worst decides, and the first of the worst is
    the one that is explained.
    """
    try:
        return _judge_outcomes(case, answer) if answer.ending is Ending.ANSWERED else _judge_ending(case, answer)
    except Garbled:
        return _judge_ending(case, Answer(Ending.GARBLED, printed=answer.printed, seconds=answer.seconds))


def _judge_ending(case: Case, answer: Answer) -> Verdict:
    status, message = sentence_for_ending(answer, case.seconds)
    at = min(len(answer.outcomes), len(case.calls) - 1)
    return _verdict(case, answer, Finding(NOTHING, message, status=status), at)


def _judge_outcomes(case: Case, answer: Answer) -> Verdict:
    kind, findings, read, last = kind_of(case.graded), list[Finding](), list[Any](), len(answer.outcomes) - 1
    if answer.missing:
        asked = kind.signature(case.graded, case.calls[last]).partition("(")[0]
        line, said = answer.outcomes[last]["missing"], f"lab.py has no {asked} any more."
        if type(line) is int and line > 0:
            said += f" Line {show(line)} begins one, but is indented: it belongs to what stands above it."
        return _verdict(case, answer, Finding(NOTHING, said, status=Status.NOT_STARTED), last)
    if answer.raised:
        is_shallow = not kind.is_deep(case.calls[last])
        status, message = sentence_for_exception(answer.raised, (case.function, *kind.methods), is_shallow)
        return _verdict(case, answer, Finding(NOTHING, message, status=status), last)
    for call, outcome in zip(case.calls, answer.outcomes, strict=False):
        sent = {key: part for key, part in outcome.items() if key not in PACKED or "traced" in call.inputs}
        read.append(kind.read(sent))
        findings.append(kind.judge(case.graded, call, read[-1]))
    if len(answer.outcomes) != len(case.calls):
        raise Garbled
    worst = min(findings, key=lambda finding: finding.credit)
    at = findings.index(worst)
    together = list(kind.judge_together(case, read)) if worst.credit == FULL else []
    at, worst = together[0] if together else (at, worst)
    if worst.kind is Status.PASS:
        return _verdict(case, answer, worst, at)
    picture = draw_call(case, at, read[at], all(finding.credit == FULL for finding in findings[:at]))
    if worst.beside is not None:
        pair = sorted((at, worst.beside))
        picture = "\n\n".join(draw_call(case, index, read[index]) for index in pair)
    return _verdict(case, answer, worst, at, picture, _gist(case, findings, read, together))


def _verdict(case: Case, answer: Answer, finding: Finding, call: int, picture: str = "", gist: str = "") -> Verdict:
    raised, status = answer.raised, finding.kind
    about = re.findall(r"^'\w+' object", raised.text) if raised else []  # of other texts no two Pythons have the same
    gist = gist or (" ".join([raised.type, *about]) if raised else answer.ending.value)
    return Verdict(
        case=case.id,
        call=call,
        picture="" if status is Status.PASS else picture or draw_call(case, call, None),
        printed=answer.printed.rpartition(CALL_BEGINS.format(call))[2].partition(CALL_BEGINS[0])[0],
        frames=raised.frames if raised else answer.frames,
        gist=SLOW if status is Status.TIME_OUT else "" if status is Status.PASS else fingerprint(gist),
        seconds=answer.seconds,
        **vars(finding) | {"status": status},
    )


def draw_call(case: Case, at: int, read: Any, earlier_are_right: bool = False) -> str:
    """A call of a case as text, with what it was given."""
    kind = kind_of(case.graded)
    return kind.drawn(case, at, kind.picture(case.graded, case.calls[at], read), earlier_are_right)


def _gist(case: Case, findings: Sequence[Finding], read: Sequence[Any], together: Sequence[tuple[int, Finding]]) -> str:
    """What labs with the same mistake have in common in their answers to a case."""
    kind = kind_of(case.graded)
    gists = [
        "" if finding.credit == FULL else kind.gist(case.graded, call, answer)
        for finding, call, answer in zip(findings, case.calls, read, strict=True)
    ]
    return "\n".join(gists if any(gists) else [finding.message for _, finding in together])
