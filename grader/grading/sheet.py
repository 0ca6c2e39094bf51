"""The score sheet: verdicts added up over a fixed list of cases, in whole hundredths of
a point.

A case without a verdict is a fail.  A case that could not be judged is "ungraded", and
then the whole score is open until a person has looked.
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
from grader.diagnosing.diagnosis import Diagnosis
from grader.grading.source import is_unwritten
from grader.judging.verdict import Status, Verdict
from grader.kinds.kind import kind_of
from grader.protocol.answer import NOTHING_HOLDS, Isolation
from grader.protocol.survey import unfilled
from grader.release import MASTER, Release

FORMAT = 1  # of results.json, as grader/results.schema.json describes it
NOT_RUN = "This case was not run."


def shown(hundredths: int) -> str:
    """Points as a person reads them.

    >>> shown(61), shown(300)
    ('0.61', '3')
    """
    return f"{hundredths / 100:g}"


@dataclass(frozen=True)
class Points:
    """Hundredths of a point: those earned, those that can be earned here, and those
    decided later, at the deadline.
    """

    score: int
    out_of: int
    later: int = 0

    def __str__(self) -> str:
        return f"{shown(self.score)} of {shown(self.out_of)}"

    def as_data(self) -> dict[str, float]:
        """The same in points."""
        return {name: hundredths / 100 for name, hundredths in asdict(self).items()}


@dataclass(frozen=True)
class ScoreSheet:
    """All verdicts on one lab.py.

    `survey` has the answers of the survey, and is None if lab.py was not imported;
    `kit` is the release that graded, and `isolation` is what held lab.py.  `diagnoses`
    has what is known of the mistakes in functions, by their names; no point depends on
    it.
    """

    bank: Bank
    verdicts: dict[str, Verdict]
    source: bytes
    survey: dict[str, str] | None = None
    import_failure: str | None = None
    kit: Release = MASTER
    isolation: Isolation = NOTHING_HOLDS
    diagnoses: Mapping[str, Diagnosis] = field(default_factory=dict)
    lab: str = ""

    def verdict(self, case: Case) -> Verdict:
        """The verdict on a case; a fail if there is none."""
        return self.verdicts.get(case.id) or Verdict(
            case.id, Status.FAIL, message=NOT_RUN
        )

    def points(self, *cases: Case) -> Points:
        """What these cases earned together, and what they are worth."""
        return Points(sum(map(self._earned, cases)), sum(map(self.bank.worth, cases)))

    def _earned(self, case: Case) -> int:
        """The hundredths that a case earned, rounded down.  Only one that passes, or is
        void, earns all.
        """
        worth, verdict = self.bank.worth(case), self.verdict(case)
        if verdict.passed or case.void:
            return worth
        return max(0, min(int(worth * verdict.credit), worth - 1))

    def points_of_part(self, part: Part) -> Points:
        """The points of all cases of a part."""
        points = self.points(
            *(case for case in self.bank.cases if case.part == part.number)
        )
        return replace(points, later=part.points - points.out_of)

    @cached_property
    def total(self) -> Points:
        """The points of all cases."""
        points = self.points(*self.bank.cases)
        return replace(
            points, later=sum(part.points for part in self.bank.parts) - points.out_of
        )

    @property
    def is_full(self) -> bool:
        """Whether every point was earned."""
        return self.total.score == self.total.out_of and not self.ungraded

    @cached_property
    def to_begin_with(self) -> str:
        """The first function of a lab.py in which no graded function is begun; empty if
        one is begun.

        A class with one method written gets the verdicts of a class with none, so
        lab.py itself is read as well.
        """
        if any(map(self._is_begun, self.graded)):
            return ""
        of_lab = [case for case in self.graded if not case.graded.needs]
        code = {case.function for case in of_lab if kind_of(case.graded).is_code}
        return of_lab[0].function if of_lab and is_unwritten(self.source, code) else ""

    def _is_begun(self, case: Case) -> bool:
        """Whether lab.py has something for a case, by its verdict.  What runs on other
        functions waits for them.
        """
        status = self.verdict(case).status
        waits_for_others = status is Status.WAITS and bool(case.graded.needs)
        return status is not Status.NOT_STARTED and not waits_for_others

    @property
    def graded(self) -> list[Case]:
        """The cases that points depend on."""
        return [case for case in self.bank.cases if not case.advice]

    @property
    def ungraded(self) -> list[Case]:
        """The cases that a person must look at."""
        return [
            case
            for case in self.graded
            if self.verdict(case).status is Status.UNGRADED and not case.void
        ]

    @property
    def unfilled(self) -> tuple[str, ...]:
        """The questions of the survey that are still open."""
        return () if self.survey is None else unfilled(self.survey)

    @cached_property
    def data(self) -> dict[str, Any]:
        """The whole sheet as plain data, for results.json."""
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
                    **self.points_of_part(part).as_data(),
                }
                for part in self.bank.parts
            ],
            "cases": [self._case_as_data(case) for case in cases],
        }

    def _case_as_data(self, case: Case) -> dict[str, Any]:
        verdict, points = self.verdict(case), self.points(case).as_data()
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
        """Write results.json, making its folder; what stands there stays whole until
        then.
        """
        text = json.dumps(self.data, indent=1, ensure_ascii=False)
        write_whole(file, f"{text}\n".encode("utf-8", "backslashreplace"))
