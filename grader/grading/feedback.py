"""How much a course tells its students: full, place or verdict.

full     what was expected and what came back
place    which case fails, on which board or tree, and with which kind of failure
verdict  which case passes and which fails, with its points, and no more
"""

from dataclasses import replace

from grader.bank.cases import Bank
from grader.diagnosing.diagnosis import Diagnosis
from grader.grading.sheet import ScoreSheet
from grader.judging.verdict import Status, Verdict

_WRONG = (Status.PARTIAL, Status.CRASH, Status.TIME_OUT)
_ABOUT_THEIR_CODE = (
    Status.CRASH,
    Status.TIME_OUT,
    Status.NOT_STARTED,
    Status.WAITS,
    Status.UNGRADED,
)


def with_feedback(sheet: ScoreSheet, level: str) -> ScoreSheet:
    """The sheet as students see it at this level.  The points stay what they are."""
    if level == "full":
        return sheet
    verdicts = {
        case: limited(verdict, level) for case, verdict in sheet.verdicts.items()
    }
    places = {}
    for function, diagnosis in sheet.diagnoses.items() if level == "place" else ():
        if (
            diagnosis.where
        ):  # and what the student's code does there, but not what is expected
            places[function] = Diagnosis(
                diagnosis.case, diagnosis.where, diagnosis.yours
            )
    return replace(
        sheet,
        bank=bank_with_feedback(sheet.bank, level),
        verdicts=verdicts,
        diagnoses=places,
    )


def bank_with_feedback(bank: Bank, level: str) -> Bank:
    """The cases with what students read of them at this level."""
    if level != "verdict":
        return bank
    return replace(bank, cases=tuple(replace(case, says="") for case in bank.cases))


def limited(verdict: Verdict, level: str) -> Verdict:
    """A verdict as students see it at this level.

    A sentence about the student's own code (it crashed, in this line) stays with
    `place`; one that could say what was expected goes.
    """
    if level == "full":
        return verdict
    if level == "verdict":
        status = Status.FAIL if verdict.status in _WRONG else verdict.status
        return replace(
            verdict,
            status=status,
            message="",
            rows=(),
            picture="",
            printed="",
            frames=(),
        )
    message = verdict.message if verdict.status in _ABOUT_THEIR_CODE else ""
    return replace(verdict, message=message, rows=())


def concealed(verdict: Verdict) -> Verdict:
    """The verdict on a hidden case: its status, and nothing that the student's code
    says.

    What it prints, raises or calls its functions could be what the case was about.
    """
    says_nothing_of_theirs = (
        verdict.status in (Status.PASS, Status.WAITS) or not verdict.ran
    )
    message = verdict.message if says_nothing_of_theirs else ""
    return replace(
        verdict, message=message, rows=(), printed="", frames=(), fingerprint=""
    )
