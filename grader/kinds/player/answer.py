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
    # The place of the state: the index of each move that leads to it; None if not
    # known.
    place: Place | None
    # The depth that the method was given.  None if the method takes no depth, or if the
    # depth was not a number.
    depth: float | None
    requests: tuple["MethodCall", ...]  # the calls that this call made
    value: Any  # what came back, as plain data; UNKNOWN if the call raised


@dataclass(frozen=True)
class PlayerAnswer:
    """What came back when a player was made, or was asked something."""

    # What the player answered, as plain data.  If the case only makes a player, this is
    # True if ValueError was raised, and False otherwise.
    value: Any = None
    estimates: int = 0  # how often estimators were called for this answer
    trace: MethodCall | None = None  # the call itself, if it was traced


def read_answer(outcome: Data) -> PlayerAnswer:
    """The answer that the child sent.  Raises Garbled if the child would not send
    it.
    """
    answer: PlayerAnswer = read_as(PlayerAnswer, outcome)
    encoded(answer.value)
    return answer


@dataclass(frozen=True)
class Expected:
    """What the case expects.  A part that is not judged is None."""

    refused: bool | None = None  # whether no player should be made
    move: int | str | None = None
    estimate: Data | None = None  # {"sure": outcome} or {"guess": score}
    # How often the reference calls estimators; no point depends on it.
    estimates: int | None = None
