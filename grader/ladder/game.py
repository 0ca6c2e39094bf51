"""A game as data.  The data holds no measured times, because these would differ from
machine to machine.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from api import ConnectFourBoard
from grader.ladder.openings import opening_board

# If the absolute value of a score is at least this, the search was certain of the
# result of the game.
SURE = 1000
How = Literal[
    "four in a line",
    "full board",
    "no result",
    "illegal move",
    "exception",
    "CPU",
    "stall",
    "process ended",
]


@dataclass(frozen=True)
class Move:
    """A move that a player has made, and how good the player thought it was."""

    # The column of the move, from 0 to 6.
    column: int
    # The score that the player reported for the move, from this player's own point of
    # view.  None if the player reported none.  A rung that searches reports a number
    # from -999 (it lost all playouts) to 999 (it won all playouts).
    worth: float | None = None
    # How many evaluations were counted for this move.  A rung counts playouts instead.
    evaluations: int = 0
    # How many results the search had reported.  For a rung, this is the depth of the
    # tree that it has searched.
    depth: int = 0
    # True if none of the evaluations that the kit counted in this game has returned the
    # score `worth` or its negative.
    off_the_books: bool = False


@dataclass(frozen=True)
class Game:
    """A game that is over.

    The players are called 0 and 1.  Player 0 made the first move after the opening.
    """

    # The number of the opening.
    opening: int
    # How many evaluations each player was allowed for each move.
    budget: int
    # The moves after the opening, in order.  The players take turns, and player 0
    # begins.
    moves: tuple[Move, ...]
    # What ended the game.
    how: How
    # The player who won: 0 or 1; None for a draw.
    winner: int | None
    # Why the loser has lost, in a sentence that may quote a text of a student.  Empty
    # if the game ended by the rules of Connect Four.
    detail: str = ""

    def points(self, player: int) -> float:
        """Return what the game earns a player: 1 for a win, a half for a draw, and 0
        for a loss.

        >>> Game(1, 50, (), "full board", None).points(1)
        0.5
        """
        if self.winner is None:
            return 0.5
        return float(self.winner == player)

    def boards(self) -> Iterator[ConnectFourBoard]:
        """Yield the board after the opening, and the board after each move."""
        board = opening_board(self.opening)
        yield board
        for move in self.moves:
            board = board.add_piece(move.column)
            yield board
