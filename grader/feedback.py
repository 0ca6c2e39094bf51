"""How much a course tells its students: full, place or verdict.

full     what was wanted and what came back
place    which case fails, on which board or tree, and with which kind of failure
verdict  which case passes and which does not
"""

import dataclasses

from grader.sheet import ScoreSheet
from grader.status import Status
from grader.verdict import Verdict

LEVELS = ("full", "place", "verdict")
_OF_THE_STUDENTS_OWN = (Status.CRASH, Status.TIME_OUT, Status.NOT_STARTED, Status.WAITS, Status.UNGRADED)


def with_feedback(sheet: ScoreSheet, level: str) -> ScoreSheet:
    """The sheet as students see it at this level.  The points stay what they are.

    A sentence about the student's own code (it crashed, in this line) stays with `place`; one that
    could say what was wanted goes.
    """
    if level == "full":
        return sheet
    limit = _place if level == "place" else _verdict
    return dataclasses.replace(sheet, verdicts={case: limit(verdict) for case, verdict in sheet.verdicts.items()})


def _place(verdict: Verdict) -> Verdict:
    keeps = verdict.status in _OF_THE_STUDENTS_OWN
    return dataclasses.replace(verdict, message=verdict.message if keeps else "", rows=())


def _verdict(verdict: Verdict) -> Verdict:
    return dataclasses.replace(verdict, message="", rows=(), picture="", printed="")
