"""The answer to a call of a player, read and typed, and what it should be."""

from dataclasses import dataclass
from typing import Any, Literal

from grader.kinds.kind import Place
from grader.protocol.plain import Data, encoded, read_as

UNKNOWN = "unknown"  # the value of a call that raised an exception


@dataclass(frozen=True)
class MethodCall:
    """A call of one of the methods of a player."""

    method: Literal["search", "evaluate", "next_move"]
    place: Place | None  # of the state, by indices of moves; None if that is not known
    depth: float | None  # None if the method takes none, or if it was no number
    requests: tuple["MethodCall", ...]  # the calls that this call made itself
    value: Any  # what came back, as plain data; UNKNOWN if the call raised


@dataclass(frozen=True)
class PlayerAnswer:
    """The answer of a player that was asked something, or to the making of a player."""

    # Plain data; whether no player was made, with a ValueError, if it is only made.
    value: Any = None
    estimates: int = 0  # how many calls of estimators the answer took
    trace: MethodCall | None = None  # the call itself, if it was traced


def read_answer(outcome: Data) -> PlayerAnswer:
    """The answer that the child sent.  Garbled if the child would not send that."""
    answer: PlayerAnswer = read_as(PlayerAnswer, outcome)
    encoded(answer.value)
    return answer


@dataclass(frozen=True)
class Expected:
    """The `expect` of a case; a part that is not judged is None."""

    refused: bool | None = None  # whether no player should be made
    move: int | str | None = None
    estimate: Data | None = None  # {"sure": outcome} or {"guess": score}
    estimates: int | None = None  # how many the reference takes; earns nothing
