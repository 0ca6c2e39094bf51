"""What came back from `solve` or `remoteness`, read and typed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from grader.pipe.plain import Garbled, is_count, value_of
from grader.pipe.words import pairs

VALUES = {"WIN", "TIE", "LOSE"}


@dataclass(frozen=True)
class Table:
    """A table that came back whole: what it holds by position.

    `of_many` says that it is the first odd entry of a large one.
    """

    entries: Mapping[str, Any]
    of_many: bool = False


@dataclass(frozen=True)
class Totals:
    """A large table: how many positions there are of each value, and the digest of all its lines."""

    numbers: Mapping[str, int]
    digest: str

    @property
    def size(self) -> int:
        """How many positions the table has."""
        return sum(self.numbers.values())


@dataclass(frozen=True)
class NoTable:
    """Something else than a dict."""

    value: Any


SolverAnswer = Table | Totals | NoTable


def read_answer(outcome: dict[str, Any]) -> SolverAnswer:
    """The answer that the child sent.  Raises Garbled for what it would not send."""
    if "totals" in outcome:
        numbers, digest = outcome["totals"], outcome.get("digest")
        sound = isinstance(numbers, dict) and numbers.keys() == VALUES and all(map(is_count, numbers.values()))
        if not sound or not isinstance(digest, str):
            raise Garbled
        return Totals(numbers, digest)
    value = value_of(outcome)
    if isinstance(value, dict) and "$dict" in value:
        return Table(pairs(value), "positions" in outcome)
    return NoTable(value)
