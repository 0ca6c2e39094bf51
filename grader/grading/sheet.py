"""The score sheet: verdicts added up over a fixed list of cases.

Points are as they are shown, in hundredths, so that cases add up to functions, parts and the score (rounding.py).
A case without a verdict is a fail.  A case that could not be judged is "ungraded", and then the
whole score is open until a person has looked.
"""

import hashlib
import json
import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from boards.cases import Bank, Case
from boards.reading import write_whole
from grader.diagnosing.diagnosis import Diagnosis
from grader.grading.rounding import as_shown, rounded_parts, total, two_decimals
from grader.judging.verdict import Status, Verdict
from grader.protocol.locks import NO_LOCKS, Locks
from grader.protocol.survey import unfilled
from grader.protocol.words import visible
from grader.release import MASTER, Release

NOT_RUN = "This case was not run."


@dataclass(frozen=True)
class ScoreSheet:
    """All verdicts on one lab.py.

    `survey` has the answers of the survey, and is None where lab.py was not imported; `kit` is the release that graded,
    and `locks` are what held lab.py.
    `diagnoses` has what is known of the mistakes in functions, by their names; no point hangs on it.
    """

    bank: Bank
    verdicts: dict[str, Verdict]
    source: bytes
    survey: dict[str, str] | None = None
    import_failure: str | None = None
    kit: Release = MASTER
    locks: Locks = NO_LOCKS
    diagnoses: Mapping[str, Diagnosis] = field(default_factory=dict)
    lab: str = ""

    def __post_init__(self) -> None:
        if self.import_failure:
            object.__setattr__(self, "import_failure", visible(self.import_failure))

    def verdict(self, case: Case) -> Verdict:
        """The verdict on a case; a fail where there is none."""
        return self.verdicts.get(case.id) or Verdict(case.id, Status.FAIL, message=NOT_RUN)

    @cached_property
    def _shown(self) -> dict[str, tuple[Fraction, Fraction]]:
        """What each case earned, and what it is worth; nothing for advice."""
        return as_shown(self.bank, {case.id: self.verdict(case).credit for case in self.bank.cases})

    def worth(self, case: Case) -> Fraction:
        """The points of a case."""
        return Fraction(0) if case.advice else self._shown[case.id][1]

    def points(self, case: Case) -> Fraction:
        """The points that a case earned."""
        return Fraction(0) if case.advice else self._shown[case.id][0]

    @cached_property
    def exactly(self) -> tuple[Fraction, Fraction]:
        """All points earned, and all that can be earned here, before they are rounded."""
        worths = {case.id: self.bank.worth(case) for case in self.bank.cases}
        return total(worths[case.id] * self.verdict(case).credit for case in self.bank.cases), total(worths.values())

    @cached_property
    def by_part(self) -> dict[int, tuple[Fraction, Fraction, Fraction]]:
        """The points of each part, by its number: earned, to be earned here, and decided at the deadline."""
        found = {}
        for part, points in rounded_parts(self.bank.parts).items():
            cases = [case for case in self.bank.cases if case.part == part]
            here = total(map(self.worth, cases))
            found[part] = total(map(self.points, cases)), here, total(points.values()) - here
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
    def ungraded(self) -> list[Case]:
        """The cases that a person must look at."""
        return [case for case in self.bank.cases if self.verdict(case).status is Status.UNGRADED and not case.advice]

    @property
    def not_run(self) -> list[Case]:
        """The cases for which there was no time, or not enough."""
        return [case for case in self.bank.cases if not self.verdict(case).ran and not case.advice]

    def slowest(self, most: int) -> list[tuple[str, float]]:
        """The functions that took longest, and the seconds that they took, as far as that is much beside the first."""
        seconds = dict.fromkeys((case.function for case in self.bank.cases), 0.0)
        for case in self.bank.cases:
            seconds[case.function] += self.verdict(case).seconds
        found = sorted(seconds.items(), key=lambda item: -item[1])[:most]
        return [item for item in found if item[1] >= found[0][1] / 10]

    @property
    def unfilled(self) -> tuple[str, ...]:
        """The questions of the survey that are still open."""
        return () if self.survey is None else unfilled(self.survey)

    @property
    def is_full(self) -> bool:
        """Whether every point was earned."""
        earned, out_of = self.exactly
        return earned == out_of and not self.ungraded

    def waiting(self) -> Fraction:
        """The points of the cases that wait for other functions."""
        return total(self.worth(case) for case in self.bank.cases if self.verdict(case).status is Status.WAITS)

    @cached_property
    def data(self) -> dict[str, Any]:
        """The whole sheet as plain data, for results.json."""
        told = [case for case in self.bank.cases if case.id in self.verdicts or not case.advice]
        return {
            "format": 1,
            "version": self.kit.version,
            "locks": self.locks.as_data(),
            "python": platform.python_version(),
            "lab": self.lab,
            "lab_sha256": hashlib.sha256(self.source).hexdigest(),
            "cases_sha256": self.bank.digest(),
            **_figures(self.score, self.out_of, self.later),
            "ungraded": [case.id for case in self.ungraded],
            "import_failure": self.import_failure,
            "survey": self.survey or {},
            "parts": [
                {"part": part.number, "title": part.title, **_figures(*self.by_part[part.number])}
                for part in self.bank.parts
            ],
            "cases": list(map(self._case_as_data, told)),
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
        """Write results.json, making its folder, in the place of what stands there, which else stays whole."""
        text = json.dumps(self.data, indent=1, ensure_ascii=False)
        write_whole(file, f"{text}\n".encode("utf-8", "backslashreplace"))  # where a path is no Unicode


def _figures(*amounts: Fraction) -> dict[str, float]:
    """What was earned, what can be, and, where that is told too, what is decided at the deadline."""
    return dict(zip(("score", "out_of", "later"), map(two_decimals, amounts), strict=False))
