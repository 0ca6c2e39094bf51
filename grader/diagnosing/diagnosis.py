"""Diagnosis: where the failing cases of one function went wrong, and which known mistake that would be.

The smallest failing case is run once more and traced, and what its kind makes of the trace is a fact
or nothing; the answers to all cases are compared with those of known mistakes.  Of these boards/misconceptions/ has
a file for each function, which `make expectations` writes and which is read only where something has failed: for each
known mistake a digest of its answer to every case that it fails and of what is located in it, and none of its code.
No verdict hangs on any of this, and of a hidden case nothing is looked at.
"""

import contextlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from boards.cases import CASES, Bank, Case
from grader.judging.verdict import FULL, SLOW, Status, Verdict
from grader.kinds.kind import kind_of
from grader.protocol.answer import Answer
from grader.protocol.digests import fingerprint
from grader.protocol.words import show, visible

MISCONCEPTIONS = CASES.with_name("misconceptions")
MOST_TRACED = 3
RunAgain = Callable[[Case], tuple[Verdict, Answer] | None]
OTHERWISE = "Alone, in a new process, `{}` scores {}: does an earlier call leave something behind, or is it chance?"
ALONE = "This call alone, in a new process, is right: does an earlier one leave something behind, or is it chance?"
ANSWERED = (Status.FAIL, Status.PARTIAL)
CHANCE = "Run once more, this case gave another answer: is there chance in it?"
FAILED = (*ANSWERED, Status.CRASH, Status.TIME_OUT)
MOST_NAMES = 2
_SAYS_NOTHING = (Status.WAITS, Status.UNGRADED)


@dataclass(frozen=True)
class Misconception:
    """A mistake that many make: what the code does, what helps, and a question that leads on."""

    name: str
    hint: str = ""
    question: str = ""


def fitting(cases: Sequence[Case], verdicts: Mapping[str, Verdict], fact: str = "") -> tuple[Misconception, ...]:
    """The misconceptions that fit the verdicts on all cases of a function, if they are one or two.

    None where a case was not run or not begun.  A case that waits for another function, or could not be
    judged, says nothing.  `fact` is what was located: where it is known of other mistakes, and not of one,
    that one is contradicted by it.
    """
    found = [verdicts.get(case.id) for case in cases]
    if any(verdict is None or verdict.status is Status.NOT_STARTED or not verdict.ran for verdict in found):
        return ()
    gists = {each.case: each.gist for each in found if each and each.status not in _SAYS_NOTHING}
    stored = json.loads((MISCONCEPTIONS / f"{cases[0].function}.json").read_text("utf-8"))
    known = [(each, wrong) for each in stored["misconceptions"] for wrong in each["wrong"].values()]
    place = fingerprint(fact) if any(wrong["place"] == fingerprint(fact) for _, wrong in known) else ""
    fits = {
        Misconception(each["name"], each["hint"], each["question"]): None
        for each, wrong in known
        if place in ("", wrong["place"])
        and all(agree(wrong["cases"].get(case, ""), gist) for case, gist in gists.items())
    }
    return tuple(fits) if any(gists.values()) and len(fits) <= MOST_NAMES else ()


def agree(stored: str, found: str) -> bool:
    """Whether a mistake of which this is stored may give what was found.

    >>> agree("a1b2", "a1b2"), agree("a1b2", ""), agree(SLOW, "a1b2"), agree(SLOW, "")
    (True, False, True, False)
    """
    return stored == found or (stored == SLOW and found != "")


@dataclass(frozen=True)
class Diagnosis:
    """What is known of the mistake in a function.

    `sentence` is a fact about a call of `case`, `place` the same without what was asked for, and
    `picture` that call drawn anew, with the place marked; empty where nothing was located.  `names` are
    the misconceptions that fit the answers to all cases, one or two, and `explains` says how many of
    these fail by them.
    """

    case: str = ""
    sentence: str = ""
    place: str = ""
    picture: str = ""
    names: tuple[Misconception, ...] = ()
    explains: int = 0

    def __post_init__(self) -> None:
        for name in ("sentence", "place"):
            object.__setattr__(self, name, visible(getattr(self, name)))
        object.__setattr__(self, "picture", visible(self.picture, besides="\n"))


def diagnoses(bank: Bank, verdicts: Mapping[str, Verdict], run_again: RunAgain) -> dict[str, Diagnosis]:
    """What is known of each function with public cases that have failed.  A fault in this says nothing, of nobody.

    `run_again` gives the verdict on a case that runs once more, and the answer; None where there is no time for it.
    """
    found = {}
    cases = [case for case in bank.cases if not (case.hidden or case.advice)]
    failing = [case for case in cases if case.id in verdicts and verdicts[case.id].status in FAILED]
    for function in dict.fromkeys(case.function for case in failing):
        own = [case for case in failing if case.function == function]
        diagnosis, names = Diagnosis(), tuple[Misconception, ...]()
        with contextlib.suppress(Exception):
            diagnosis = _left_over(_diagnose(own, verdicts, run_again), own, verdicts, run_again)
        with contextlib.suppress(Exception):
            names = fitting([case for case in cases if case.function == function], verdicts, diagnosis.sentence)
        if diagnosis.sentence or names:
            found[function] = replace(diagnosis, names=names, explains=len(own) if names else 0)
    return found


def _diagnose(failing: list[Case], verdicts: Mapping[str, Verdict], run_again: RunAgain) -> Diagnosis:
    answered = [case for case in failing if verdicts[case.id].status in ANSWERED]
    for case in smallest_first(answered, verdicts)[:MOST_TRACED]:
        if kind_of(case.graded).most_traced and (found := _located(case, verdicts[case.id], run_again)):
            return found
    return Diagnosis()


def _left_over(known: Diagnosis, own: list[Case], verdicts: Mapping[str, Verdict], run_again: RunAgain) -> Diagnosis:
    """That the call that fails does not fail without those before it, and nothing besides, since that is the cause; of
    the smallest case, where nothing is known yet.  Else what is known."""
    case = next((case for case in own if case.id == known.case), smallest_first(own, verdicts)[0])
    verdict = verdicts[case.id]
    at, is_pair = max(verdict.call, verdict.beside or 0), verdict.beside is not None
    alone = replace(case, calls=(case.calls[at],), order=(), opposite=())
    may_be = at and verdict.status is not Status.TIME_OUT and known.sentence != CHANCE
    again = run_again(alone) if may_be else None
    if again is None or not again[0].passed:
        return known
    score = show(kind_of(case.graded).read(again[1].outcomes[0])) if is_pair else ""
    if is_pair and score in [yours for what, _, yours in verdict.rows if what == case.calls[at].name]:
        return known
    left = OTHERWISE.format(case.calls[at].name, score) if is_pair else ALONE
    return Diagnosis(case.id, left, left)


def smallest_first(cases: Sequence[Case], verdicts: Mapping[str, Verdict]) -> list[Case]:
    """The cases of a function in the order of how much there is to look at in the call that is explained."""
    return sorted(cases, key=lambda case: kind_of(case.graded).size(case.calls[verdicts[case.id].call]))


def traced(case: Case) -> Case:
    """The case with every call traced."""
    most = kind_of(case.graded).most_traced
    return replace(case, calls=tuple(replace(call, inputs=call.inputs | {"traced": most}) for call in case.calls))


def _located(case: Case, verdict: Verdict, run_again: RunAgain) -> Diagnosis | None:
    """Where a case went wrong; None where that is not known, or where it fails in another way now."""
    kind, at, again = kind_of(case.graded), verdict.call, run_again(traced(case))
    if again is None or again[0].gist != verdict.gist:
        is_chance = again and verdict.gist and again[0].status in (*ANSWERED, Status.PASS)
        return Diagnosis(case.id, CHANCE, CHANCE) if is_chance else None
    read = [kind.read(outcome) for outcome in again[1].outcomes]
    found = kind.locate(case, at, read[at]) if read else None
    if found is None:
        return None
    earlier = zip(case.calls[:at], read, strict=False)
    are_right = all(kind.judge(case.graded, call, one).credit == FULL for call, one in earlier)
    picture = kind.drawn(case, at, found.picture, are_right) if found.picture else ""
    return Diagnosis(case.id, found.sentence, found.place, picture)
