"""Diagnosis: where the failing cases of one function went wrong, and which known mistake that would be.

The smallest failing case is run once more and traced, and what its kind makes of the trace is a fact
or nothing; the answers to all cases are compared with those of known mistakes (names.py).  No verdict
hangs on it, and of a hidden case nothing is looked at.
"""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from boards.cases import Bank, Case
from grader.diagnosing.names import Misconception, fitting
from grader.judging.status import Status
from grader.judging.verdict import FULL, Verdict
from grader.kinds.known import kind_of
from grader.pipe.answer import Answer
from grader.pipe.words import visible

MOST_TRACED = 3
ANSWERED = (Status.FAIL, Status.PARTIAL)
FAILED = (*ANSWERED, Status.CRASH, Status.TIME_OUT)


@dataclass(frozen=True)
class Diagnosis:
    """What is known of the mistake in a function.

    `sentence` is a fact about a call of `case`, `place` the same without what was asked for, and
    `picture` that call drawn anew, with the place marked; empty where nothing was located.  `names` are
    the misconceptions that fit the answers to all cases, one or two, and `explains` says how many of
    these fail by them.
    """

    function: str
    case: str = ""
    call: int = 0
    sentence: str = ""
    place: str = ""
    picture: str = ""
    names: tuple[Misconception, ...] = ()
    explains: int = 0

    def __post_init__(self) -> None:
        for name in ("sentence", "place"):
            object.__setattr__(self, name, visible(getattr(self, name)))
        object.__setattr__(self, "picture", visible(self.picture, besides="\n"))


def diagnoses(
    bank: Bank, verdicts: Mapping[str, Verdict], run_traced: Callable[[Case], Answer | None]
) -> dict[str, Diagnosis]:
    """What is known of each function with public cases that have failed.  A fault in this says nothing, of nobody.

    `run_traced` gives the answer of a traced run, or None where there is no time for it, or where it
    fails in another way than the verdict says.
    """
    found = {}
    cases = [case for case in bank.cases if not (case.hidden or case.advice)]
    failing = [case for case in cases if case.id in verdicts and verdicts[case.id].status in FAILED]
    for function in dict.fromkeys(case.function for case in failing):
        own = [case for case in failing if case.function == function]
        diagnosis, names = Diagnosis(function), tuple[Misconception, ...]()
        with contextlib.suppress(Exception):
            diagnosis = _diagnose(own, verdicts, run_traced) or diagnosis
        with contextlib.suppress(Exception):
            names = fitting([case for case in cases if case.function == function], verdicts, diagnosis.sentence)
        if diagnosis.sentence or names:
            found[function] = replace(diagnosis, names=names, explains=len(own) if names else 0)
    return found


def _diagnose(
    failing: list[Case], verdicts: Mapping[str, Verdict], run_traced: Callable[[Case], Answer | None]
) -> Diagnosis | None:
    answered = [case for case in failing if verdicts[case.id].status in ANSWERED]
    for case in smallest_first(answered, verdicts)[:MOST_TRACED]:
        if kind_of(case.graded).most_traced and (found := _located(case, verdicts[case.id].call, run_traced)):
            return found
    return None


def smallest_first(cases: Sequence[Case], verdicts: Mapping[str, Verdict]) -> list[Case]:
    """The cases of a function in the order of how much there is to look at in the call that is explained."""
    return sorted(cases, key=lambda case: kind_of(case.graded).size(case.calls[verdicts[case.id].call]))


def traced(case: Case) -> Case:
    """The case with every call traced."""
    most = kind_of(case.graded).most_traced
    return replace(case, calls=tuple(replace(call, inputs=call.inputs | {"traced": most}) for call in case.calls))


def _located(case: Case, at: int, run_traced: Callable[[Case], Answer | None]) -> Diagnosis | None:
    """Where a call of a case went wrong; None where that is not known."""
    kind, answer = kind_of(case.graded), run_traced(case)
    read = [kind.read(outcome) for outcome in answer.outcomes] if answer else []
    found = kind.locate(case, at, read[at]) if read else None
    if found is None:
        return None
    earlier = zip(case.calls[:at], read, strict=False)
    are_right = all(kind.judge(case.graded, call, one).credit == FULL for call, one in earlier)
    picture = kind.drawn(case, at, found.picture, are_right) if found.picture else ""
    return Diagnosis(case.function, case.id, at, found.sentence, found.place, picture)
