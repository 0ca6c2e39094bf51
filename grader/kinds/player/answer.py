"""What came back from a player, read and typed."""

from dataclasses import dataclass
from typing import Any, Literal

from grader.pipe.plain import read_as, unpack, value_of

UNKNOWN = "unknown"  # what a call returned that raised something
Place = tuple[int, ...]


@dataclass(frozen=True)
class Estimated:
    """An estimate that was taken of a state: by an estimator with this name, or the game's, which has none."""

    by: str
    place: Place | None
    value: Any


@dataclass(frozen=True)
class Request:
    """A call of a method about a state, the calls and the estimates that it made itself, and what it returned."""

    method: Literal["search", "evaluate", "next_move"]
    place: Place | None
    depth: float | None
    requests: tuple["Request", ...]
    estimates: tuple[Estimated, ...]
    value: Any


@dataclass(frozen=True)
class Made:
    """Whether making a player was refused with a ValueError."""

    refused: bool


@dataclass(frozen=True)
class Said:
    """What a player answered, as plain data, how many estimates it took for that, and what it asked where that
    was traced."""

    value: Any
    estimates: int
    trace: Request | None = None


PlayerAnswer = Made | Said


def read_answer(outcome: dict[str, Any]) -> PlayerAnswer:
    """The answer that the child sent.  Raises Garbled for what it would not send."""
    if "refused" in outcome:
        return Made(read_as(bool, outcome["refused"]))
    trace = read_as(Request | None, unpack(outcome["trace"])) if "trace" in outcome else None
    return Said(value_of(outcome), read_as(int, outcome.get("estimates")), trace)
