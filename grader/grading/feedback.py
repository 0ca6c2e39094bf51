"""How much a course tells its students: full, place or verdict.

full     what was wanted and what came back
place    which case fails, on which board or tree, and with which kind of failure
verdict  which case passes and which fails, with its points, and no more
"""

import dataclasses

from boards.cases import Bank
from grader.diagnosing.diagnosis import Diagnosis
from grader.grading.sheet import ScoreSheet
from grader.judging.verdict import Status, Verdict

_KINDS = {
    Status.FAIL: "What it gives is wrong.",
    Status.PARTIAL: "What it gives is right in part.",
    Status.CRASH: "It raised an exception, or ended its process.",
    Status.TIME_OUT: "Its time was up.",
    Status.NOT_STARTED: "Not started.",
    Status.UNGRADED: "It could not be judged: a person must look.",
}
_WRONG = (Status.PARTIAL, Status.CRASH, Status.TIME_OUT)
_OF_THE_STUDENTS_OWN = (Status.CRASH, Status.TIME_OUT, Status.NOT_STARTED, Status.WAITS, Status.UNGRADED)


def with_feedback(sheet: ScoreSheet, level: str) -> ScoreSheet:
    """The sheet as students see it at this level.  The points stay what they are."""
    if level == "full":
        return sheet
    verdicts = {case: limited(verdict, level) for case, verdict in sheet.verdicts.items()}
    diagnoses = {name: _place_of(found) for name, found in sheet.diagnoses.items() if level == "place" and found.place}
    return dataclasses.replace(sheet, bank=told_of(sheet.bank, level), verdicts=verdicts, diagnoses=diagnoses)


def told_of(bank: Bank, level: str) -> Bank:
    """The cases with what students read of them at this level."""
    if level != "verdict":
        return bank
    return dataclasses.replace(bank, cases=tuple(dataclasses.replace(case, says="") for case in bank.cases))


def _place_of(diagnosis: Diagnosis) -> Diagnosis:
    """Where the mistake is, without what was asked for there."""
    return Diagnosis(diagnosis.case, diagnosis.place, diagnosis.place)


def limited(verdict: Verdict, level: str) -> Verdict:
    """A verdict as students see it at this level.

    A sentence about the student's own code (it crashed, in this line) stays with `place`; one that
    could say what was wanted goes.
    """
    if level == "full":
        return verdict
    if level == "verdict":
        status = Status.FAIL if verdict.status in _WRONG else verdict.status
        return dataclasses.replace(verdict, status=status, message="", rows=(), picture="", printed="", frames=())
    keeps = verdict.status in _OF_THE_STUDENTS_OWN
    return dataclasses.replace(verdict, message=verdict.message if keeps else "", rows=())


def concealed(verdict: Verdict) -> Verdict:
    """The verdict on a hidden case that was run: the kind of failure, and nothing that the student's code says.

    What it prints, raises or calls its functions could be what the case was about.
    """
    message = _KINDS.get(verdict.status, verdict.message) if verdict.ran else verdict.message
    rows = () if verdict.status in _KINDS else verdict.rows
    return dataclasses.replace(verdict, message=message, rows=rows, printed="", frames=(), gist="")
