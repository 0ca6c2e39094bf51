"""What a call of a search should give back, read from the case.

Expectations stay in the grader's process.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from api import INF
from grader.kinds.search.answer import NotAResult, Place, Result
from grader.protocol.plain import is_number
from grader.protocol.text import show


@dataclass(frozen=True)
class ExpectedResult:
    """One result as it should be.

    If the value lies outside the window that the search is given, any path is right,
    and so is any score on the right side of the window.
    """

    evaluations: int = 0  # static evaluations; not judged in the last of a history
    path: Place | None = None  # None if any path is right
    lowest: float = -INF  # the lowest score that is right
    highest: float = INF  # the highest score that is right; often the same
    unpruned: int | None = None  # evaluations without cut-offs; None if none are asked

    def allows(self, result: Result | NotAResult) -> bool:
        """Whether path and score of a result are right."""
        if isinstance(result, NotAResult) or not is_number(result.score):
            return False
        path = result.path
        if self.path is not None and (path.problem or path.indices != self.path):
            return False
        return bool(self.lowest <= result.score <= self.highest)

    def is_met_by(self, result: Result) -> bool:
        """Whether path, score and count of a result are right."""
        return self.allows(result) and bool(result.evaluations == self.evaluations)

    @property
    def score_in_words(self) -> str:
        """The score, or the side of the window on which it should be."""
        if self.lowest == self.highest:
            return show(self.lowest)
        if self.lowest == -INF:
            return f"at most {self.highest}"
        return f"at least {self.lowest}"


@dataclass(frozen=True)
class Expected:
    """What one call should give back."""

    # One for each depth of a history, from depth 1; otherwise one.
    results: tuple[ExpectedResult, ...]
    # A search that decides by itself when to end: of its history only the last result
    # is judged, and not by its count.
    is_last_alone: bool = False


def read_expected(expect: Mapping[str, Any]) -> Expected:
    """What the `expect` of a case says.

    >>> read_expected({"path": [1, 0], "score": 4, "evaluations": 13}).results[0].path
    (1, 0)
    >>> read_expected({"at_most": 4, "evaluations": 2}).results[0].highest
    4
    """
    if "last" in expect:
        return Expected((_read_result(expect["last"]),), is_last_alone=True)
    return Expected(tuple(map(_read_result, expect.get("history", [expect]))))


def _read_result(data: Mapping[str, Any]) -> ExpectedResult:
    return ExpectedResult(
        data.get("evaluations", 0),
        tuple(data["path"]) if "path" in data else None,
        lowest=data.get("score", data.get("at_least", -INF)),
        highest=data.get("score", data.get("at_most", INF)),
        unpruned=data.get("unpruned"),
    )
