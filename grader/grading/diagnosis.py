"""Diagnosis: what the grader can say about the mistake behind a function's failing
cases.

The grader compares the answers to all cases with the answers of known mistakes.  For
most functions, boards/misconceptions/ has a file that `make expectations` writes.  The
file holds no code.  For each known mistake, the file holds fingerprints of the wrong
answers that the mistake leads to.

The grader looks at no more than three failing cases of a function.  It may run each of
them again, with a trace if the kind of the function has traces.  The kind says where a
trace first differs from the reference trace.  No verdict depends on a diagnosis, and
there is no diagnosis of hidden cases.
"""

import contextlib
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

from grader.bank.cases import Bank, Case
from grader.bank.reading import CASES
from grader.grading.uncalled import question_about_parentheses
from grader.kinds.kind import kind_of
from grader.protocol.answer import Answer
from grader.protocol.text import visible
from grader.verdicts.verdict import SLOW, Status, Verdict

MISCONCEPTIONS = CASES.with_name("misconceptions")
MOST_TRACED = 3  # cases of a function
# If the mistakes that fit a function have more names than this, the report shows none
# of the names, because so many would help nobody.
MOST_NAMES = 2
ANSWERED = (Status.FAIL, Status.PARTIAL)
TRACED = (*ANSWERED, Status.CRASH)
FAILED = (*TRACED, Status.TIME_OUT)
SAYS_NOTHING = (Status.WAITS, Status.UNGRADED)
ALONE = (
    "Alone, in a new process, this call gives the right result: do earlier calls leave "
    "something behind, or is something random?"
)

_says = attrgetter("status", "rows", "message")  # what a verdict says about a call
# A function that runs a case once more by itself.  It returns None if the case may not
# be run any more.
RunAgain = Callable[[Case], tuple[Verdict, Answer] | None]


@dataclass(frozen=True)
class Misconception:
    """A mistake that many students make, in words."""

    name: str  # what the code does; the name of the function comes before it
    hint: str = ""  # what helps
    question: str = ""  # a question that leads the student to the mistake


@dataclass(frozen=True)
class Diagnosis:
    """What the grader can say about the mistake in a function of lab.py."""

    case: str = ""  # the id of the case that shows where the mistake is
    where: str = ""  # the place in a call of that case, in words
    yours: str = ""  # what the student's code does there
    expected: str = ""  # what the reference does there
    picture: str = ""  # the call as a drawing in which the place is marked
    note: str = ""  # a sentence about the case, if no place can be named
    # The ids of the known wrong submissions whose answers to all cases of the function
    # agree with the answers of lab.py.
    wrong_labs: tuple[str, ...] = ()
    # The mistakes that these wrong submissions make, in words.  Empty if the mistakes
    # have more than MOST_NAMES names.
    names: tuple[Misconception, ...] = ()

    def __post_init__(self) -> None:
        for name in ("where", "yours", "expected"):
            object.__setattr__(self, name, visible(getattr(self, name)))
        object.__setattr__(self, "picture", visible(self.picture, besides="\n"))


def diagnoses(
    bank: Bank, verdicts: Mapping[str, Verdict], run_again: RunAgain, source: bytes
) -> dict[str, Diagnosis]:
    """Return the diagnosis of each function that fails in a public graded case.

    The key is the name of the function.  If the grader can say nothing about a
    function, the function is left out.  If the code that makes a diagnosis fails, that
    failure is ignored.  `source` is the text of lab.py in UTF-8.
    """
    of_functions = {}
    for function in [graded.name for graded in bank.functions]:
        cases = [case for case in bank.of(function) if not (case.hidden or case.advice)]
        wrong = [
            case
            for case in cases
            if case.id in verdicts and verdicts[case.id].status in FAILED
        ]
        if not wrong:
            continue
        diagnosis = Diagnosis()
        with contextlib.suppress(Exception):
            diagnosis = _what_is_known(wrong, verdicts, run_again)
            question = question_about_parentheses(source, function)
            if question and diagnosis.note != ALONE:
                diagnosis = Diagnosis(wrong[0].id, note=question)
        with contextlib.suppress(Exception):
            ids = fitting(cases, verdicts)
            diagnosis = replace(diagnosis, wrong_labs=ids, names=named(function, ids))
        if diagnosis.case or diagnosis.wrong_labs:
            of_functions[function] = diagnosis
    return of_functions


def fitting(cases: Sequence[Case], verdicts: Mapping[str, Verdict]) -> tuple[str, ...]:
    """Return the ids of the known wrong submissions that fit the verdicts on all cases
    of a function.

    None of them fits if a case was not run, if the verdict on a case is "not started",
    or if no case has a wrong answer.  A case is ignored if it waits for another
    function or could not be judged.
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
    for known in _known_mistakes(cases[0].function):
        for id, wrong in known["wrong"].items():
            stored = wrong["cases"]
            if all(
                agree(stored.get(case, ""), fingerprints[case]) for case in fingerprints
            ):
                fits.append(id)
    return tuple(fits)


def named(function: str, ids: Collection[str]) -> tuple[Misconception, ...]:
    """Return the names, hints and questions of the mistakes that the wrong submissions
    with these ids make.

    Return an empty tuple if the mistakes have more than MOST_NAMES names.
    """
    if not ids:
        return ()
    names = [
        Misconception(known["name"], known["hint"], known["question"])
        for known in _known_mistakes(function)
        if not known["wrong"].keys().isdisjoint(ids)
    ]
    return tuple(names) if len(names) <= MOST_NAMES else ()


def _known_mistakes(function: str) -> list[dict[str, Any]]:
    """Read the known mistakes of a function from its file in boards/misconceptions/.

    Each mistake has a name, a hint and a question.  Each mistake also has the wrong
    submissions that make the mistake, with fingerprints of their wrong answers.
    """
    file = MISCONCEPTIONS / f"{function}.json"
    mistakes: list[dict[str, Any]] = json.loads(file.read_text("utf-8"))[
        "misconceptions"
    ]
    return mistakes


def agree(stored: str, fingerprint: str) -> bool:
    """Whether a known mistake may have given an answer with this fingerprint.

    `stored` is the fingerprint of the answer that the known mistake gave.  If the known
    mistake timed out, every wrong answer agrees with it.

    >>> agree("a1b2", "a1b2"), agree("a1b2", ""), agree(SLOW, "a1b2"), agree(SLOW, "")
    (True, False, True, False)
    """
    return stored == fingerprint or (stored == SLOW and fingerprint != "")


def traced(case: Case, most: int) -> Case:
    """Return a copy of the case in which all calls are traced.

    Each call of the copy has the input `traced`, which says how many events of the call
    the child may send.
    """
    calls = tuple(
        replace(call, inputs=call.inputs | {"traced": most}) for call in case.calls
    )
    return replace(case, calls=calls)


def _what_is_known(
    failing: list[Case], verdicts: Mapping[str, Verdict], run_again: RunAgain
) -> Diagnosis:
    """Return the first diagnosis that one of these failing cases of a function allows.

    Only the first case and a few others that can be traced are looked at.  The
    diagnosis is empty if none of them allows one.
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
    """Return the diagnosis that one case allows: the place of the mistake, or a note.

    The diagnosis is empty if nothing is known.  If the call at fault is right when it
    runs by itself, the diagnosis is a note.  The note asks whether earlier calls leave
    something behind, or whether something is random.
    """
    alone = _alone(case, verdict, run_again)
    if alone and alone[0].passed:
        return Diagnosis(case.id, note=ALONE)
    if not _can_be_traced(case, verdict):
        return Diagnosis()
    kind = kind_of(case.graded)
    call = case.calls[verdict.call]
    if alone and _says(alone[0]) == _says(verdict):
        # In this run, no earlier call has searched the same tree.
        call = replace(call, again=False)
        outcome = alone[1].outcomes[0]
    else:
        again = run_again(traced(case, kind.most_traced))
        if again is None or again[0].fingerprint != verdict.fingerprint:
            return Diagnosis()
        outcome = again[1].outcomes[call.index]
    answer = kind.read(outcome)
    # If the call raised an exception, the answer still has the events before the
    # exception.
    divergence = kind.divergence(call, answer)
    if divergence is None:
        return Diagnosis()
    return Diagnosis(
        case.id,
        divergence.where,
        divergence.yours,
        divergence.expected,
        picture=kind.drawn(call, answer, divergence.place),
    )


def _alone(
    case: Case, verdict: Verdict, run_again: RunAgain
) -> tuple[Verdict, Answer] | None:
    """Run the call at fault without the other calls of its case.

    The call is traced if its kind has traces.  Return None, without running the call,
    in three cases: the call is the first one of its case, the case ran out of time, or
    the call is wrong only in comparison with another call.  Return None also if the
    case may not be run any more.
    """
    needs_others = verdict.beside is not None or verdict.status is Status.TIME_OUT
    if verdict.call == 0 or needs_others:
        return None
    single = replace(case, calls=(case.calls[verdict.call],), order=(), opposite=())
    most = kind_of(case.graded).most_traced
    return run_again(traced(single, most) if most else single)
