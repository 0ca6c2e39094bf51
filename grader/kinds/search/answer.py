"""What came back from a search, read and typed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from grader.kinds.search.path import Path, Place
from grader.kinds.search.trace import Trace, read_trace
from grader.kinds.typed import read_as
from grader.pipe.packed import unpack
from grader.pipe.plain import Garbled


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
    """What the recorder saw of a search: evaluations of places that are `evaluated`, all different and known for sure,
    `repeated` ones of the same, and `unattributed` ones that may have been of any place or of none.

    `alike` are the other places with the same positions, whose scores a search may remember; `order` has the places
    that were evaluated, each once, in their order.  Nothing of that holds where the search was called in a way that
    cannot be `watched`.
    """

    watched: bool
    evaluated: int
    repeated: int
    unattributed: int
    alike: int
    order: tuple[Place, ...]

    @property
    def total(self) -> int:
        """All evaluations that were seen."""
        return self.evaluated + self.repeated + self.unattributed


@dataclass(frozen=True)
class SearchAnswer:
    """One result, or a history of them.

    `trace` is there where the call was traced, and `moves` where it was by rules of the lab: the columns that they
    gave for a board.
    """

    results: tuple[Result | Odd, ...]
    is_history: bool
    record: Evidence
    trace: Trace | None = field(default=None, repr=False, compare=False)
    moves: Mapping[str, str] | None = None

    @property
    def seen(self) -> Evidence | None:
        """What was seen of the search; None where it was called in a way that cannot be watched."""
        return self.record if self.record.watched else None


def read_answer(outcome: dict[str, Any]) -> SearchAnswer:
    """The answer that the child sent.  Raises Garbled for what it would not send."""
    history = outcome.get("history", [outcome.get("result")])
    if not isinstance(history, list) or not all(isinstance(result, dict) for result in history):
        raise Garbled
    results = tuple(read_as(Result if "path" in result else Odd, result) for result in history)
    record = read_as(Evidence, outcome.get("record"))
    trace = read_trace(outcome["trace"]) if "trace" in outcome else None
    moves = _read_moves(unpack(outcome["moves"])) if "moves" in outcome else None
    return SearchAnswer(results, "history" in outcome, record, trace, moves)


def _read_moves(moves: Any) -> dict[str, str]:
    match moves:
        case dict(moves) if all(isinstance(each, str) and set(each) <= set("0123456") for each in moves.values()):
            return moves
    raise Garbled
