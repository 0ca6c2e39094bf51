"""The contestants that belong to the kit.  Each of them is a rung of the ladder."""

from random import Random

from api import ConnectFourBoard
from grader.ladder.bits import column_of, drops, position_of, sensible
from grader.ladder.game import SURE, Move
from grader.ladder.tree_search import any_square, search

RANDOM, CAREFUL = 1, 2
# How many playouts a rung makes for each move.  The key is the number of the rung.  The
# other rungs do not search.
PLAYOUTS = {3: 10, 4: 40, 5: 160, 6: 640, 7: 2560}
RUNGS = (RANDOM, CAREFUL, *PLAYOUTS)


class Rung:
    """A player of the kit.

    The number of evaluations for each move does not limit a rung.  A rung can lose only
    by the rules of Connect Four.
    """

    def __init__(self, number: int, seed: int = 0) -> None:
        """Make the rung with this number, which is one of RUNGS.  Rung 1 is the
        weakest.
        """
        self.number = number
        self.seed = seed
        self.name = f"rung {number}"
        self._chance = Random(seed)

    @property
    def about(self) -> str:
        """How the rung plays, in a few words.

        >>> Rung(1).about, Rung(7).about
        ('moves at random', 'tree search, 2,560 playouts')
        """
        if self.number == RANDOM:
            return "moves at random"
        if self.number == CAREFUL:
            return "takes a win, blocks a loss"
        return f"tree search, {PLAYOUTS[self.number]:,} playouts"

    def begin(self, seed: int) -> None:
        """Begin a game.  `seed` and the seed of the rung together decide the random
        moves.
        """
        self._chance = Random(f"{self.seed} {seed}")

    def move(self, board: ConnectFourBoard, budget: int) -> Move:
        """Return a move.

        `budget` limits only submissions, so a rung ignores it.
        """
        mine, theirs = position_of(board)
        if self.number not in PLAYOUTS:
            squares = drops(mine | theirs)
            if self.number == CAREFUL:
                squares = sensible(mine, theirs)
            return Move(column_of(any_square(squares, self._chance)))
        playouts = PLAYOUTS[self.number]
        found = search(mine, theirs, playouts, self._chance)
        # Even if all playouts were won, the absolute value of the score stays below
        # SURE, because playouts make no result certain.
        worth = round((SURE - 1) * (2 * found.share - 1))
        return Move(column_of(found.square), worth, playouts, found.depth)

    def end(self) -> None:
        """Do nothing: a rung has no process."""
