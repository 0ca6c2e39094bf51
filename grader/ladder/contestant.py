"""Says what a contestant of the ladder is, and how a contestant can lose although the
other player has no four in a line.
"""

from dataclasses import dataclass
from typing import Protocol

from api import ConnectFourBoard
from grader.ladder.game import How, Move

BUDGET = 1000  # evaluations for each move, unless somebody chooses another number
LEAST_BUDGET = 50


@dataclass(frozen=True)
class Limits:
    """How many seconds a submission may use.  Its evaluations have a limit of their
    own.
    """

    # The CPU time of one player in one game.
    cpu: float = 10.0
    # How much CPU time a search may still use after it has spent its evaluations.  In
    # this time it has to return.
    after_spent: float = 1.0
    # How many seconds a turn may take on the clock, beyond the CPU time that the player
    # may use.  Time in which the player waits for a processor does not count.
    idle: float = 5.0


LIMITS = Limits()


class Contestant(Protocol):
    """Somebody who plays Connect Four, one game at a time."""

    # The name that people read.
    name: str

    def begin(self, seed: int) -> None:
        """Begin a new game.

        The contestant uses `seed` for everything that it does at random in this game.
        """

    def move(self, board: ConnectFourBoard, budget: int) -> Move:
        """Return a legal move for the player whose turn it is.

        `budget` is the number of evaluations that a submission may make.  Raises Loses
        if the contestant loses the game instead of moving.
        """

    def end(self) -> None:
        """End the current game.  Do nothing if there is none."""


class Loses(Exception):
    """Raised by a contestant that loses its game at once, whatever is on the board."""

    def __init__(self, how: How, detail: str) -> None:
        """Note how the contestant loses.

        `detail` says why, in a sentence that may quote a text of a student.
        """
        super().__init__(detail)
        self.how = how
        self.detail = detail


class KeptOut(Exception):
    """Raised for a lab.py that cannot play at all.

    The text says why, in a sentence: a function is not written, or lab.py cannot be
    imported.
    """
