"""Diagnosis: the known mistake behind the failing cases of a function, and the first
place where one goes wrong.

The answers to all cases are compared with those of known mistakes.  For each function
boards/misconceptions/ has a file that `make expectations` writes: for each known
mistake a fingerprint of its answer to every case, and none of its code.  The first
failing case is run once more and traced; its kind says where the trace leaves the
reference trace.  No verdict hangs on any of this, and of a hidden case nothing is
looked at.
"""

import contextlib
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from grader.bank.cases import Bank, Case
from grader.bank.reading import CASES
from grader.diagnosing.uncalled import question_about_parentheses
from grader.judging.verdict import SLOW, Status, Verdict
from grader.kinds.kind import kind_of
from grader.protocol.answer import Answer
from grader.protocol.words import visible

MISCONCEPTIONS = CASES.with_name("misconceptions")
MOST_TRACED = 3  # cases of a function
MOST_NAMES = 2
ANSWERED = (Status.FAIL, Status.PARTIAL)
TRACED = (*ANSWERED, Status.CRASH)
FAILED = (*TRACED, Status.TIME_OUT)
SAYS_NOTHING = (Status.WAITS, Status.UNGRADED)
ALONE = "Alone, in a new process, this call is right: do earlier calls leave something behind, or is something random?"

RunAgain = Callable[[Case], tuple[Verdict, Answer] | None]


@dataclass(frozen=True)
class Misconception:
    """A mistake that many make: what the code does, what helps, and a question that
    leads on.
    """

    name: str
    hint: str = ""
    question: str = ""


@dataclass(frozen=True)
class Diagnosis:
    """What is known of the mistake in a function.

    `where` is a place in a call of `case`: `yours` is what the student's code does
    there, `expected` what the reference does, and `picture` the call with the place
    marked.  `note` is what else is known of the case.  `wrong_labs` are the ids of the
    known mistakes that fit the answers to all cases of the function; `names` are what
    they are called, if that is one name or two.
    """

    case: str = ""
    where: str = ""
    yours: str = ""
    expected: str = ""
    picture: str = ""
    note: str = ""
    wrong_labs: tuple[str, ...] = ()
    names: tuple[Misconception, ...] = ()

    @property
    def sentence(self) -> str:
        """The place and the two facts, in one sentence."""
        return self.note or (
            f"{self.where}: yours {self.yours}; expected: {self.expected}."
            if self.where
            else ""
        )

    def __post_init__(self) -> None:
        for name in ("where", "yours", "expected"):
            object.__setattr__(self, name, visible(getattr(self, name)))
        object.__setattr__(self, "picture", visible(self.picture, besides="\n"))


def diagnoses(
    bank: Bank, verdicts: Mapping[str, Verdict], run_again: RunAgain, source: bytes
) -> dict[str, Diagnosis]:
    """What is known of each function with public cases that have failed.  A fault in
    this says nothing, of nobody.

    `run_again` gives the verdict on a case that runs once more, and the answer; None if
    there is no time for it.  `source` is lab.py in UTF-8.
    """
    of_functions = {}
    public = [case for case in bank.cases if not (case.hidden or case.advice)]
    failing = [
        case
        for case in public
        if case.id in verdicts and verdicts[case.id].status in FAILED
    ]
    for function in dict.fromkeys(case.function for case in failing):
        wrong = [case for case in failing if case.function == function]
        diagnosis, ids, names = (
            Diagnosis(),
            tuple[str, ...](),
            tuple[Misconception, ...](),
        )
        with contextlib.suppress(Exception):
            diagnosis = _what_is_known(wrong, verdicts, run_again)
            question = question_about_parentheses(source, function)
            if question and diagnosis.note != ALONE:
                diagnosis = Diagnosis(wrong[0].id, note=question)
        with contextlib.suppress(Exception):
            ids = fitting(
                [case for case in public if case.function == function], verdicts
            )
            names = named(function, ids)
        if diagnosis.case or ids:
            of_functions[function] = replace(diagnosis, wrong_labs=ids, names=names)
    return of_functions


def fitting(cases: Sequence[Case], verdicts: Mapping[str, Verdict]) -> tuple[str, ...]:
    """The ids of the known mistakes that fit the verdicts on all cases of a function.

    None if a case was not run or not begun.  A case that waits for another function, or
    could not be judged, says nothing.
    """
    fingerprints = {}
    for case in cases:
        verdict = verdicts.get(case.id)
        if verdict is None or verdict.status is Status.NOT_STARTED or not verdict.ran:
            return ()
        if verdict.status not in SAYS_NOTHING:
            fingerprints[case.id] = verdict.fingerprint
    if not any(fingerprints.values()):
        return ()
    fits = []
    for misconception in _known_mistakes(cases[0].function):
        for id, wrong in misconception["wrong"].items():
            if all(
                agree(wrong["cases"].get(case, ""), fingerprint)
                for case, fingerprint in fingerprints.items()
            ):
                fits.append(id)
    return tuple(fits)


def named(function: str, ids: Collection[str]) -> tuple[Misconception, ...]:
    """What the known mistakes with these ids are called; nothing if that is more than
    two names.
    """
    names = []
    for misconception in _known_mistakes(function) if ids else []:
        if not misconception["wrong"].keys().isdisjoint(ids):
            names.append(
                Misconception(
                    misconception["name"],
                    misconception["hint"],
                    misconception["question"],
                )
            )
    return tuple(names) if len(names) <= MOST_NAMES else ()


def _known_mistakes(function: str) -> list[dict[str, Any]]:
    """The file of a function's known mistakes: of each what it is called, and what the
    wrong labs with it answer.
    """
    stored: dict[str, list[dict[str, Any]]]
    stored = json.loads((MISCONCEPTIONS / f"{function}.json").read_text("utf-8"))
    return stored["misconceptions"]


def agree(stored: str, fingerprint: str) -> bool:
    """Whether a mistake with this stored fingerprint may give an answer with that one.

    >>> agree("a1b2", "a1b2"), agree("a1b2", ""), agree(SLOW, "a1b2"), agree(SLOW, "")
    (True, False, True, False)
    """
    return stored == fingerprint or (stored == SLOW and fingerprint != "")


def traced(case: Case, most: int) -> Case:
    """The case with every call traced, up to so many events of each."""
    calls = tuple(
        replace(call, inputs=call.inputs | {"traced": most}) for call in case.calls
    )
    return replace(case, calls=calls)


def _what_is_known(
    failing: list[Case], verdicts: Mapping[str, Verdict], run_again: RunAgain
) -> Diagnosis:
    """What is known of the mistake in the failing cases of a function, from the first
    that tells anything.
    """
    others = [case for case in failing[1:] if _can_be_traced(case, verdicts[case.id])]
    for case in (failing[0], *others[: MOST_TRACED - 1]):
        diagnosis = _in_one_case(case, verdicts[case.id], run_again)
        if diagnosis.case:
            return diagnosis
    return Diagnosis()


def _can_be_traced(case: Case, verdict: Verdict) -> bool:
    return kind_of(case.graded).most_traced > 0 and verdict.status in TRACED


def _in_one_case(case: Case, verdict: Verdict, run_again: RunAgain) -> Diagnosis:
    """Where a case went wrong, or what is to be asked about its code; nothing if that
    is not known.

    A call that is right alone fails through what other calls leave behind, so no place
    in it is looked for.
    """
    alone = _alone(case, verdict, run_again)
    if alone and alone[0].passed:
        return Diagnosis(case.id, note=ALONE)
    if not _can_be_traced(case, verdict):
        return Diagnosis()
    kind = kind_of(case.graded)
    call = case.calls[verdict.call]
    if alone and (alone[0].status, alone[0].rows, alone[0].message) == (
        verdict.status,
        verdict.rows,
        verdict.message,
    ):
        call = replace(call, again=False)  # it ran alone, so nothing is remembered
        outcome = alone[1].outcomes[0]
    else:
        again = run_again(traced(case, kind.most_traced))
        if again is None or again[0].fingerprint != verdict.fingerprint:
            return Diagnosis()
        outcome = again[1].outcomes[call.index]
    answer = kind.read(outcome)
    divergence = kind.divergence(
        call, answer
    )  # of a call that has raised something, before it did
    if divergence is None:
        return Diagnosis()
    picture = kind.drawn(call, answer, divergence.node)
    return Diagnosis(
        case.id, divergence.where, divergence.yours, divergence.expected, picture
    )


def _alone(
    case: Case, verdict: Verdict, run_again: RunAgain
) -> tuple[Verdict, Answer] | None:
    """The call that fails in a case, without the calls before it, and traced if its
    kind can be; None if it is the first, or if nothing is known of it alone.
    """
    if (
        verdict.call == 0
        or verdict.beside is not None
        or verdict.status is Status.TIME_OUT
    ):
        return None
    single = replace(case, calls=(case.calls[verdict.call],), order=(), opposite=())
    most = kind_of(case.graded).most_traced
    return run_again(traced(single, most) if most else single)
