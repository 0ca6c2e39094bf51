"""The score sheet: verdicts added up over a fixed list of cases, in whole hundredths.

A case without a verdict is a fail.  A case that could not be judged is "ungraded", and then the whole score is open
until a person has looked.
"""

import hashlib
import json
import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from boards.cases import Bank, Case
from boards.reading import write_whole
from grader.diagnosing.diagnosis import Diagnosis
from grader.judging.verdict import Status, Verdict
from grader.protocol.isolation import NOTHING_HOLDS, Isolation
from grader.protocol.survey import unfilled
from grader.protocol.words import visible
from grader.release import MASTER, Release

FORMAT = 1  # of results.json, as grader/results.schema.json describes it
NOT_RUN = "This case was not run."
HUNDREDTH = Fraction(1, 100)


def total(amounts: Iterable[Fraction]) -> Fraction:
    """The sum of amounts, exactly."""
    return sum(amounts, Fraction(0))


def shown(points: Fraction) -> str:
    """Points as a person reads them.

    >>> shown(Fraction(61, 100)), shown(Fraction(3))
    ('0.61', '3')
    """
    return f"{float(points):g}"


@dataclass(frozen=True)
class ScoreSheet:
    """All verdicts on one lab.py.

    `survey` has the answers of the survey, and is None if lab.py was not imported; `kit` is the release that graded,
    and `isolation` is what held lab.py.  `diagnoses` has what is known of the mistakes in functions, by their names; no
    point hangs on it.
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

    def __post_init__(self) -> None:
        if self.import_failure:
            object.__setattr__(self, "import_failure", visible(self.import_failure))

    def verdict(self, case: Case) -> Verdict:
        """The verdict on a case; a fail if there is none."""
        return self.verdicts.get(case.id) or Verdict(case.id, Status.FAIL, message=NOT_RUN)

    def worth(self, case: Case) -> Fraction:
        """The points of a case, in whole hundredths."""
        return self.bank.worth(case)

    def points(self, case: Case) -> Fraction:
        """The points that a case earned, rounded down to hundredths; one that does not pass never earns all."""
        worth, verdict = self.worth(case), self.verdict(case)
        if verdict.passed or not worth:
            return worth
        earned = int(worth * verdict.credit * 100) * HUNDREDTH
        return max(Fraction(0), min(earned, worth - HUNDREDTH))

    @cached_property
    def by_part(self) -> dict[int, tuple[Fraction, Fraction, Fraction]]:
        """The points of each part, by its number: earned, to be earned here, and decided at the deadline."""
        found = {}
        for part in self.bank.parts:
            cases = [case for case in self.bank.cases if case.part == part.number]
            here = total(map(self.worth, cases))
            found[part.number] = total(map(self.points, cases)), here, part.points - here
        return found

    @property
    def score(self) -> Fraction:
        """All points earned."""
        return total(earned for earned, _, _ in self.by_part.values())

    @property
    def out_of(self) -> Fraction:
        """All points that can be earned here."""
        return total(here for _, here, _ in self.by_part.values())

    @property
    def later(self) -> Fraction:
        """The points that are decided at the deadline, by cases that are not here."""
        return total(later for _, _, later in self.by_part.values())

    @property
    def is_full(self) -> bool:
        """Whether every point was earned."""
        return self.score == self.out_of and not self.ungraded

    @property
    def ungraded(self) -> list[Case]:
        """The cases that a person must look at."""
        return [case for case in self._graded if self.verdict(case).status is Status.UNGRADED]

    @property
    def not_run(self) -> list[Case]:
        """The cases for which there was no time."""
        return [case for case in self._graded if not self.verdict(case).ran]

    @property
    def unfilled(self) -> tuple[str, ...]:
        """The questions of the survey that are still open."""
        return () if self.survey is None else unfilled(self.survey)

    def waiting(self) -> Fraction:
        """The points of the cases that wait for other functions."""
        return total(self.worth(case) for case in self._graded if self.verdict(case).status is Status.WAITS)

    @property
    def _graded(self) -> list[Case]:
        return [case for case in self.bank.cases if not case.advice]

    @cached_property
    def data(self) -> dict[str, Any]:
        """The whole sheet as plain data, for results.json."""
        cases = [case for case in self.bank.cases if case.id in self.verdicts or not case.advice]
        parts = []
        for part in self.bank.parts:
            earned, here, later = self.by_part[part.number]
            parts.append({"part": part.number, "title": part.title, **_figures(earned, here), "later": float(later)})
        return {
            "format": FORMAT,
            "version": self.kit.version,
            "isolation": self.isolation.as_data(),
            "python": platform.python_version(),
            "lab": self.lab,
            "lab_sha256": hashlib.sha256(self.source).hexdigest(),
            "cases_sha256": self.bank.digest(),
            **_figures(self.score, self.out_of),
            "later": float(self.later),
            "ungraded": [case.id for case in self.ungraded],
            "import_failure": self.import_failure,
            "survey": self.survey or {},
            "parts": parts,
            "cases": [self._case_as_data(case) for case in cases],
        }

    def _case_as_data(self, case: Case) -> dict[str, Any]:
        verdict = self.verdict(case)
        return {
            "id": case.id,
            "part": case.part,
            "function": case.function,
            "says": case.says,
            "status": verdict.status.value,
            "advice": case.advice,
            "hidden": case.hidden,
            **_figures(self.points(case), self.worth(case)),
            "message": verdict.message,
            "table": [list(row) for row in verdict.rows],
            "seconds": round(verdict.seconds, 3),
        }

    def write(self, file: Path) -> None:
        """Write results.json, making its folder; what stands there stays whole until then."""
        text = json.dumps(self.data, indent=1, ensure_ascii=False)
        write_whole(file, f"{text}\n".encode("utf-8", "backslashreplace"))


def _figures(earned: Fraction, here: Fraction) -> dict[str, float]:
    """What was earned, and what can be earned here."""
    return {"score": float(earned), "out_of": float(here)}
