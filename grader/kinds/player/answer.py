"""What comes back from a call to a player, and what a case expects of the call."""

from dataclasses import dataclass
from typing import Any, Literal

from grader.kinds.kind import Place
from grader.protocol.plain import Data, encoded, read_as

UNKNOWN = "unknown"  # the value of a call that raised an exception


@dataclass(frozen=True)
class MethodCall:
    """A call of one of the methods of a player."""

    method: Literal["search", "evaluate", "next_move"]
    # Where the state is in the tree of the game: the index of each move from the given
    # state to this state.  None if that is not known.
    place: Place | None
    # The depth that the method was given.  None if it was given none, or if the depth
    # was not a whole number.
    depth: float | None
    requests: tuple["MethodCall", ...]  # the calls that this call made
    value: Any  # what came back, as plain data; UNKNOWN if the call raised


@dataclass(frozen=True)
class PlayerAnswer:
    """What came back after the grader made a player, or asked a player something."""

    # What the player answered, as plain data.  If the case only makes a player, this is
    # True if ValueError was raised, and False otherwise.
    value: Any = None
    estimates: int = 0  # how often estimators were called for this answer
    trace: MethodCall | None = None  # the call itself, if it was traced


def read_answer(outcome: Data) -> PlayerAnswer:
    """Return the answer that the child has sent.

    Raises Garbled for data that the child would never send.
    """
    answer: PlayerAnswer = read_as(PlayerAnswer, outcome)
    encoded(answer.value)
    return answer


@dataclass(frozen=True)
class Expected:
    """What the case expects.  A field is None if the case says nothing about it."""

    refused: bool | None = None  # whether making the player should raise ValueError
    move: int | str | None = None
    estimate: Data | None = None  # {"sure": outcome} or {"guess": score}
    # How often the reference calls estimators.  No point depends on this number.
    estimates: int | None = None
