"""What a contestant is, and the ways in which it can lose apart from four in a line."""

from dataclasses import dataclass
from typing import Protocol

from api import ConnectFourBoard
from grader.ladder.game import How, Move

BUDGET = 1000  # evaluations for each move, unless somebody chooses another number
LEAST_BUDGET = 50


@dataclass(frozen=True)
class Limits:
    """What a submission may use besides its evaluations, in seconds."""

    # The CPU time of one player in one game.
    cpu: float = 10.0
    # How much CPU time a search has to return after it has spent its evaluations.
    after_spent: float = 1.0
    # How long a player may do nothing during its turn.
    idle: float = 5.0


LIMITS = Limits()


class Contestant(Protocol):
    """Plays one game at a time."""

    # The name that people read.
    name: str

    def begin(self, seed: int) -> None:
        """Begin a new game.  The seed decides everything that the contestant does at
        random.

        Raises Loses.
        """

    def move(self, board: ConnectFourBoard, budget: int) -> Move:
        """Return a legal move for the player whose turn it is.  Raises Loses."""

    def end(self) -> None:
        """End the game, if there is one."""


class Loses(Exception):
    """Raised by a contestant that loses its game, whatever the board says."""

    def __init__(self, how: How, detail: str) -> None:
        """`detail` says why the contestant loses, in a sentence that may quote a
        student's text.
        """
        super().__init__(detail)
        self.how = how
        self.detail = detail


class KeptOut(Exception):
    """Raised for a lab.py that cannot play at all.

    The text is a sentence.  It says which function is not written, or why lab.py cannot
    be imported.
    """
