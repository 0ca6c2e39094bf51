"""What a contestant is, and how it loses a game other than by the rules."""

from dataclasses import dataclass
from typing import Protocol

from api import ConnectFourBoard
from grader.ladder.game import How, Move

BUDGET = 1000  # evaluations for a move, unless somebody says otherwise
LEAST_BUDGET = 50


@dataclass(frozen=True)
class Limits:
    """What a submission may use besides its evaluations, in seconds."""

    # The CPU time of one player in one game.
    cpu: float = 10.0
    # The CPU time in which a search has to return once its evaluations are spent.
    after_spent: float = 1.0
    # How long a player may do nothing in its turn.
    idle: float = 5.0


LIMITS = Limits()


class Contestant(Protocol):
    """Plays one game after the other, and one at a time."""

    # What people read.
    name: str

    def begin(self, seed: int) -> None:
        """Begin a new game.  The seed fixes whatever the contestant does by chance.

        Raises Loses.
        """

    def move(self, board: ConnectFourBoard, budget: int) -> Move:
        """Return a legal move for the player whose turn it is.  Raises Loses."""

    def end(self) -> None:
        """End the game, if there is one."""


class Loses(Exception):
    """Raised by a contestant that loses its game, whatever stands on the board."""

    def __init__(self, how: How, detail: str) -> None:
        """`detail` says why, in a sentence that may quote a student's text."""
        super().__init__(detail)
        self.how = how
        self.detail = detail


class KeptOut(Exception):
    """Raised for a lab.py that cannot play at all.  The text is a sentence that says
    which function is not written, or why lab.py cannot be imported.
    """
