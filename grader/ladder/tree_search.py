"""Monte Carlo tree search, which needs no heuristic.

Each playout walks down the tree of the search to a move that was not tried yet, and
adds a node for this move.  From that node, the playout plays at random to the end of
the game.  If the walk comes to the end of a game first, the playout adds no node.  The
walk prefers moves that have won many playouts, and moves that were seldom tried (UCB1).
In the end, the search chooses the move that was tried most.

In the tree and in the random moves, a player who can win in one move does so.
Otherwise, if the other player could win with the next move, the player blocks that
move.

    https://en.wikipedia.org/wiki/Monte_Carlo_tree_search
"""

import math
from dataclasses import dataclass
from random import Random

from grader.ladder.bits import COLUMNS, completing, drops, has_four, sensible

CURIOSITY = 1.0  # how much a move that was tried seldom is preferred


class Node:
    """A position in the tree."""

    __slots__ = ("children", "mine", "playouts", "points", "theirs", "untried")

    def __init__(self, mine: int, theirs: int) -> None:
        self.mine = mine
        self.theirs = theirs
        self.untried = 0 if has_four(theirs) else sensible(mine, theirs)
        self.children: list[
            tuple[int, Node]
        ] = []  # each child with the square of the move that leads to it
        self.playouts = 0
        # What the playouts through this node have earned the player who moved to this
        # position.
        self.points = 0.0

    def expand(self, chance: Random) -> "Node":
        """Add a child for a move that has not been tried yet, and return that child."""
        square = any_square(self.untried, chance)
        self.untried ^= square
        child = Node(self.theirs, self.mine | square)
        self.children.append((square, child))
        return child

    def best_child(self) -> "Node":
        """Return the child that UCB1 prefers."""
        curiosity = CURIOSITY * math.sqrt(math.log(self.playouts))

        def promise(child: Node) -> float:
            tried = child.playouts
            return child.points / tried + curiosity / math.sqrt(tried)

        return max((child for _, child in self.children), key=promise)


@dataclass(frozen=True)
class Found:
    """The move that a search chose, and how good it is."""

    # The square of the move.
    square: int
    # The share of its playouts that this move has won.  A draw counts as half a win.
    share: float
    # The depth of the deepest node of the tree, in moves.
    depth: int


def search(mine: int, theirs: int, playouts: int, chance: Random) -> Found:
    """Search with this number of playouts, and return the best move for the player to
    move.
    """
    root = Node(mine, theirs)
    depth = 0
    for _ in range(playouts):
        path = [root]
        while path[-1].children and not path[-1].untried:
            path.append(path[-1].best_child())
        if path[-1].untried:
            path.append(path[-1].expand(chance))
        depth = max(depth, len(path) - 1)
        points = play_on(path[-1].mine, path[-1].theirs, chance)
        for node in reversed(path):
            points = 1 - points
            node.playouts += 1
            node.points += points
    square, child = max(
        root.children, key=lambda pair: (pair[1].playouts, pair[1].points)
    )
    return Found(square, child.points / child.playouts, depth)


def play_on(mine: int, theirs: int, chance: Random) -> float:
    """Play from a position at random to the end of the game.

    Return how many points the game earns the player who is to move in this position: 1,
    a half, or 0.
    """
    if has_four(theirs):
        return 0.0
    my_wins = completing(mine)
    their_wins = completing(theirs)
    my_points = 1.0
    while squares := drops(mine | theirs):
        if my_wins & squares:
            return my_points
        square = any_square(their_wins & squares or squares, chance)
        mine, theirs = theirs, mine | square
        my_wins, their_wins = their_wins, completing(theirs)
        my_points = 1 - my_points
    return 0.5


def any_square(squares: int, chance: Random) -> int:
    """Return one of these squares at random.

    There must be at least one square, and no two squares may be in the same column.
    """
    while True:
        square = squares & COLUMNS[int(chance.random() * 7)]
        if square:
            return square
