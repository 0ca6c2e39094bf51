"""A contestant that is a lab.py, in a process of its own in the sandbox."""

from pathlib import Path

from api import ConnectFourBoard
from grader.ladder.contestant import Limits
from grader.ladder.game import Move

# The functions that a submission needs.
NEEDED = (
    "is_game_over_connectfour",
    "next_boards_connectfour",
    "endgame_score_connectfour_faster",
    "heuristic_connectfour",
    "minimax_search_alphabeta",
    "progressive_deepening",
)


class Submission:
    """Plays by the functions of one lab.py.  `close` ends its processes.

    `fork` is False if every game gets a child of its own, as on Windows.  The
    environment variable GRADER_AROUND holds for it as for the grader's other children.
    The thread that begins its first game must outlive it.
    """

    def __init__(
        self,
        lab: Path,
        name: str = "lab.py",
        fork: bool | None = None,
        limits: Limits = Limits(),
    ) -> None:
        self.name = name

    def enter(self) -> None:
        """Import lab.py.  Raises KeptOut, OSError if lab.py cannot be read, and
        NeverStarted.
        """

    def begin(self, seed: int) -> None:
        """Start a process for a game.  Raises Loses."""

    def move(self, board: ConnectFourBoard, budget: int) -> Move:
        """Return the first move of the last result before the budget was spent.

        Raises Loses.
        """
        raise NotImplementedError

    def end(self) -> None:
        """End the process of the game."""

    def close(self) -> None:
        """End all processes."""
