"""What came back from a player, read and typed."""

from dataclasses import dataclass
from typing import Any

from grader.kinds.player.trace import Request, read_trace
from grader.kinds.typed import read_as
from grader.pipe.plain import value_of


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
    trace = read_trace(outcome["trace"]) if "trace" in outcome else None
    return Said(value_of(outcome), read_as(int, outcome.get("estimates")), trace)
