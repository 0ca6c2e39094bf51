"""Limits what students see to the level that a course chooses: full, place or verdict.

full     everything
place    which cases fail, on which board or tree, and where the code goes wrong, but
         not what was expected
verdict  the status and the points of each case; a partly right answer, a crash and a
         time-out have the status of a fail
"""

from dataclasses import replace

from grader.bank.cases import Bank
from grader.grading.diagnosis import Diagnosis
from grader.grading.sheet import ScoreSheet
from grader.verdicts.verdict import Status, Verdict

# The level `verdict` shows each of these statuses as a fail.
_WRONG = (Status.PARTIAL, Status.CRASH, Status.TIME_OUT)
# If a verdict has one of these statuses, its message may tell what was expected.  With
# any other status, the message does not.
_ABOUT_WHAT_IS_EXPECTED = (Status.PASS, Status.PARTIAL, Status.FAIL)


def with_feedback(sheet: ScoreSheet, level: str = "") -> ScoreSheet:
    """Return the sheet as students see it at this level of feedback.

    Without `level`, the level of the release counts.  The points stay the same at every
    level.
    """
    level = level or sheet.kit.feedback
    if level == "full":
        return sheet
    verdicts = {
        case: limited(verdict, level) for case, verdict in sheet.verdicts.items()
    }
    places = {}
    if level == "place":
        for function, known in sheet.diagnoses.items():
            if known.where:
                places[function] = Diagnosis(known.case, known.where, known.yours)
    return replace(
        sheet,
        bank=bank_with_feedback(sheet.bank, level),
        verdicts=verdicts,
        diagnoses=places,
    )


def bank_with_feedback(bank: Bank, level: str) -> Bank:
    """Return the bank as students see it at this level of feedback.

    At the level `verdict`, the cases have no description.
    """
    if level != "verdict":
        return bank
    return replace(bank, cases=tuple(replace(case, says="") for case in bank.cases))


def limited(verdict: Verdict, level: str) -> Verdict:
    """Return the verdict as students see it at the level `place` or `verdict`.

    At the level `verdict`, every message is removed.  At the level `place`, a message
    is removed if it could tell what was expected.  Other messages stay, such as a
    message that names the line of a crash.
    """
    status = verdict.status
    if level == "verdict":
        if status in _WRONG:
            status = Status.FAIL
        return replace(
            verdict,
            status=status,
            message="",
            rows=(),
            picture="",
            printed="",
            frames=(),
        )
    message = "" if status in _ABOUT_WHAT_IS_EXPECTED else verdict.message
    return replace(verdict, message=message, rows=())


def concealed(verdict: Verdict) -> Verdict:
    """Return the verdict on a hidden case, without what student code has printed,
    raised or named.

    Such texts could tell what the hidden case is about.  The message stays only if it
    comes from the grader alone.
    """
    message = ""
    if verdict.status in (Status.PASS, Status.WAITS) or not verdict.ran:
        message = verdict.message  # this message was written by the grader alone
    return replace(
        verdict, message=message, rows=(), printed="", frames=(), fingerprint=""
    )
