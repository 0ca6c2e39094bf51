"""The score sheet: adds up the verdicts on a fixed list of cases, in whole hundredths
of a point.

A case without a verdict counts as a fail.  If the grader could not judge a case, the
case is "ungraded".  Then the score is not final until a person has looked at that case.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from boards.reading import write_whole
from grader.bank.cases import Bank, Case
from grader.bank.points import Part
from grader.grading.diagnosis import Diagnosis
from grader.grading.source import is_unwritten
from grader.kinds.kind import kind_of
from grader.protocol.answer import NOTHING_HOLDS, Isolation
from grader.protocol.survey import QUESTIONS
from grader.release import MASTER, Release
from grader.verdicts.verdict import Status, Verdict

FORMAT = 1  # of results.json, as grader/results.schema.json describes it
NOT_RUN = "This case was not run."


def as_points(hundredths: int) -> str:
    """Return a number of hundredths as points, as a person reads them.

    >>> as_points(61), as_points(300)
    ('0.61', '3')
    """
    return f"{hundredths / 100:g}"


@dataclass(frozen=True)
class Points:
    """How many points some cases have earned and are worth.  All numbers are hundredths
    of a point.
    """

    score: int  # points that were earned
    out_of: int  # points that can be earned with these cases
    later: int = 0  # points that hidden cases decide at the deadline

    def __str__(self) -> str:
        return f"{as_points(self.score)} of {as_points(self.out_of)}"

    def as_data(self) -> dict[str, float]:
        """Return the fields as a dict, in points instead of hundredths."""
        return {name: hundredths / 100 for name, hundredths in asdict(self).items()}


@dataclass(frozen=True)
class ScoreSheet:
    """All verdicts on one lab.py, and the points that they earn."""

    bank: Bank
    verdicts: dict[str, Verdict]  # the key is the id of the case
    source: bytes  # the bytes of lab.py
    survey: dict[str, str] | None = None  # the answers; None if lab.py was not imported
    # A sentence that says why lab.py cannot be imported.  None if lab.py can be
    # imported, or if its import stalled.
    import_failure: str | None = None
    kit: Release = MASTER  # the release that graded this lab.py
    isolation: Isolation = NOTHING_HOLDS  # what confined lab.py
    # What the grader can say about the mistake in a function.  The key is the name of
    # the function.  No point depends on a diagnosis.
    diagnoses: Mapping[str, Diagnosis] = field(default_factory=dict)
    lab: str = ""  # the path of lab.py

    def verdict(self, case: Case) -> Verdict:
        """Return the verdict on a case.  A case without a verdict counts as a fail."""
        if case.id in self.verdicts:
            return self.verdicts[case.id]
        return Verdict(case.id, Status.FAIL, message=NOT_RUN)

    def points(self, *cases: Case) -> Points:
        """Return how many points these cases have earned together, and how many they
        are worth together.
        """
        return Points(sum(map(self._earned, cases)), sum(map(self.bank.worth, cases)))

    def _earned(self, case: Case) -> int:
        """Return how many hundredths of a point a case has earned, rounded down.

        A case that passes earns all that it is worth, and so does a void case.  Any
        other case earns less.
        """
        worth = self.bank.worth(case)
        verdict = self.verdict(case)
        if verdict.passed or case.void:
            return worth
        return max(0, min(int(worth * verdict.credit), worth - 1))

    def points_of_parts(self, *parts: Part) -> Points:
        """Return the points of these parts.

        The field `later` has the points of hidden cases that are not in this bank.
        """
        numbers = [part.number for part in parts]
        cases = [case for case in self.bank.cases if case.part in numbers]
        points = self.points(*cases)
        everything = sum(part.points for part in parts)
        return replace(points, later=everything - points.out_of)

    @cached_property
    def total(self) -> Points:
        """The points of all parts together.

        The field `later` has the points of hidden cases that are not in this bank.
        """
        return self.points_of_parts(*self.bank.parts)

    @property
    def is_full(self) -> bool:
        """Whether lab.py has earned every point that can be earned now.  Points that
        are decided later do not count, and no case may be ungraded.
        """
        return self.total.score == self.total.out_of and not self.ungraded

    @cached_property
    def to_begin_with(self) -> str:
        """The name of the function to begin with, if no graded function of lab.py is
        begun.

        Otherwise the text is empty.  The verdicts alone do not show whether a class is
        begun: a class with one written method gets the same verdicts as a class with no
        written method.  So this method also reads the source of lab.py.
        """
        # If a case needs other functions of lab.py, it waits for them.  So the status
        # of such a case does not say whether its own function is begun.
        of_lab = [case for case in self.graded if not case.graded.needs]
        statuses = {self.verdict(case).status for case in of_lab}
        if statuses != {Status.NOT_STARTED}:
            return ""
        code = {case.function for case in of_lab if kind_of(case.graded).is_code}
        return of_lab[0].function if is_unwritten(self.source, code) else ""

    @property
    def graded(self) -> list[Case]:
        """All cases but advice.  These cases decide the points."""
        return [case for case in self.bank.cases if not case.advice]

    @property
    def ungraded(self) -> list[Case]:
        """The graded cases that the grader could not judge, so that a person must look
        at them.

        Void cases are left out.
        """
        return [
            case
            for case in self.graded
            if self.verdict(case).status is Status.UNGRADED and not case.void
        ]

    @property
    def unfilled(self) -> tuple[str, ...]:
        """The questions of the survey that have no answer yet.

        The tuple is empty if lab.py could not be imported.
        """
        if self.survey is None:
            return ()
        return tuple(name for name in QUESTIONS if name not in self.survey)

    @cached_property
    def data(self) -> dict[str, Any]:
        """The content of results.json as plain data."""
        cases = [
            case
            for case in self.bank.cases
            if case.id in self.verdicts or not case.advice
        ]
        return {
            "format": FORMAT,
            "version": self.kit.version,
            "isolation": self.isolation.tier,
            "lab_sha256": hashlib.sha256(self.source).hexdigest(),
            "cases_sha256": self.bank.digest(),
            **self.total.as_data(),
            "ungraded": [case.id for case in self.ungraded],
            "import_failure": self.import_failure,
            "survey": self.survey or {},
            "parts": [
                {
                    "part": part.number,
                    "title": part.title,
                    **self.points_of_parts(part).as_data(),
                }
                for part in self.bank.parts
            ],
            "cases": [self._case_as_data(case) for case in cases],
        }

    def _case_as_data(self, case: Case) -> dict[str, Any]:
        verdict = self.verdict(case)
        points = self.points(case).as_data()
        return {
            "id": case.id,
            "part": case.part,
            "function": case.function,
            "says": case.says,
            "status": verdict.status.value,
            "advice": case.advice,
            "hidden": case.hidden,
            "score": points["score"],
            "out_of": points["out_of"],
            "message": verdict.message,
            "table": [list(row) for row in verdict.rows],
        }

    def write(self, file: Path) -> None:
        """Write the sheet as results.json into `file`.

        If writing fails, an older file stays as it was.
        """
        text = json.dumps(self.data, indent=1, ensure_ascii=False)
        write_whole(file, f"{text}\n".encode("utf-8", "backslashreplace"))
