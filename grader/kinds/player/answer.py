"""The answer to a call of a player, read and typed, and what it should be."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from grader.kinds.search.answer import Place
from grader.protocol.plain import read_as, value_of

UNKNOWN = "unknown"  # the value of a call that raised an exception


@dataclass(frozen=True)
class MethodCall:
    """A call of one of the methods of a player."""

    method: Literal["search", "evaluate", "next_move"]
    place: Place | None  # of the state, by indices of moves; None if it is not known
    depth: float | None  # None if the method takes none, or if it was no number
    requests: tuple["MethodCall", ...]  # the calls that this call made itself
    value: Any  # what came back, as plain data; UNKNOWN if it raised


@dataclass(frozen=True)
class Made:
    """The answer to a call that only makes a player."""

    refused: bool  # with a ValueError


@dataclass(frozen=True)
class Said:
    """The answer of a player that was asked something."""

    value: Any  # plain data
    estimates: int  # how many calls of estimators it took
    trace: MethodCall | None = None  # the call itself, if it was traced


PlayerAnswer = Made | Said


def read_answer(outcome: dict[str, Any]) -> PlayerAnswer:
    """The answer that the child sent.  Garbled if the child would not send that."""
    if "refused" in outcome:
        return Made(read_as(bool, outcome["refused"]))
    trace = None
    if "trace" in outcome:
        trace = read_as(MethodCall | None, outcome["trace"])
    return Said(value_of(outcome), read_as(int, outcome.get("estimates")), trace)


@dataclass(frozen=True)
class Expected:
    """What a call should give back; a part that is not judged is None."""

    refused: bool | None = None  # whether no player should be made
    move: int | str | None = None
    estimate: dict[str, Any] | None = None  # {"sure": outcome} or {"guess": score}
    estimates: int | None = None  # how many the reference takes; earns nothing


def read_expected(expect: Mapping[str, Any]) -> Expected:
    """What the `expect` of a case says."""
    names = ("refused", "move", "estimate", "estimates")
    return Expected(**{name: expect[name] for name in names if name in expect})
