"""The contestants that ship, each a rung above the one before."""

from api import ConnectFourBoard
from grader.ladder.game import Move

RUNGS = 7
# The playouts of each rung that searches.
PLAYOUTS = {3: 10, 4: 40, 5: 160, 6: 640, 7: 2560}


class Rung:
    """A player of the kit, which uses no budget and never loses but by the rules."""

    def __init__(self, number: int, seed: int = 0) -> None:
        """`number` is from 1, the weakest, to RUNGS."""
        self.number = number
        self.seed = seed
        self.name = f"rung {number}"

    def begin(self, seed: int) -> None:
        """Begin a game; its chances depend on both seeds."""

    def move(self, board: ConnectFourBoard, budget: int) -> Move:
        """Return a move, whatever the budget of its opponent is."""
        raise NotImplementedError

    def end(self) -> None:
        """Do nothing: a rung has no process."""
