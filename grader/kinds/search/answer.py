"""What came back from a search, read and typed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from grader.kinds.search.path import Path, Place, read_path, read_place
from grader.kinds.search.trace import Trace, read_trace
from grader.pipe.packed import unpack
from grader.pipe.plain import Garbled, is_count


@dataclass(frozen=True)
class Result:
    """(path, score, evaluations); the last two as plain data, whatever they are."""

    path: Path
    score: Any
    evaluations: Any


@dataclass(frozen=True)
class Odd:
    """What is no result: something else, or a tuple of another length."""

    other: Any = None
    length: int | None = None


@dataclass(frozen=True)
class Evidence:
    """What the recorder saw of a search: evaluations of `places`, all different and known for sure,
    `again` of the same ones, and `stray` ones that may have been of any place or of none.  `alike`
    are the other places with the same positions, whose scores a search may remember."""

    places: int
    again: int
    stray: int
    alike: int = 0

    @property
    def total(self) -> int:
        """All evaluations that were seen."""
        return self.places + self.again + self.stray


@dataclass(frozen=True)
class SearchAnswer:
    """One result, or a history of them.

    `seen` is None where the search was called in a way that cannot be watched; `order` has the places
    that were evaluated, each once, in their order.  `trace` is there where the call was traced, and `moves`
    where it was by rules of the lab: the columns that they gave for a board.
    """

    results: tuple[Result | Odd, ...]
    is_history: bool
    seen: Evidence | None
    estimated_when_over: bool
    order: tuple[Place, ...]
    trace: Trace | None = field(default=None, repr=False, compare=False)
    moves: Mapping[str, str] | None = None


def read_answer(outcome: dict[str, Any]) -> SearchAnswer:
    """The answer that the child sent.  Raises Garbled for what it would not send."""
    record = _dict(outcome.get("record"))
    over, order = record.get("estimated_when_over"), record.get("order")
    if type(over) is not bool or not isinstance(order, list):
        raise Garbled
    history = outcome.get("history", [outcome.get("result")])
    if not isinstance(history, list):
        raise Garbled
    results = tuple(_read_result(_dict(result)) for result in history)
    trace = read_trace(outcome["trace"]) if "trace" in outcome else None
    moves = _read_moves(outcome["moves"]) if "moves" in outcome else None
    return SearchAnswer(
        results, "history" in outcome, read_evidence(record), over, tuple(map(read_place, order)), trace, moves
    )


def _read_moves(text: Any) -> dict[str, str]:
    moves = _dict(unpack(text))
    if not all(isinstance(columns, str) and set(columns) <= set("0123456") for columns in moves.values()):
        raise Garbled
    return moves


def read_evidence(record: dict[str, Any]) -> Evidence | None:
    """The evidence in a record; None where the search was called in a way that cannot be watched.

    >>> read_evidence({"watched": True, "evaluated": 4, "repeated": 0, "unattributed": 1, "alike": 0})
    Evidence(places=4, again=0, stray=1, alike=0)
    """
    numbers = [record.get(key) for key in ("evaluated", "repeated", "unattributed", "alike")]
    if type(record.get("watched")) is not bool or not all(map(is_count, numbers)):
        raise Garbled
    return Evidence(*numbers) if record["watched"] else None  # type: ignore[arg-type]


def _read_result(result: dict[str, Any]) -> Result | Odd:
    if "other" in result:
        return Odd(result["other"])
    if "length" in result:
        if not is_count(result["length"]):
            raise Garbled
        return Odd(length=result["length"])
    if not {"path", "score", "evaluations"} <= result.keys():
        raise Garbled
    return Result(read_path(_dict(result["path"])), result["score"], result["evaluations"])


def _dict(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Garbled
    return value
