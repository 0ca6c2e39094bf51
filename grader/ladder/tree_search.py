"""Monte Carlo tree search, which knows no heuristic.

Each playout walks down a tree that the search keeps, adds a node to it, and plays on at
random from there to the end of the game.  The walk prefers moves that have won many
playouts, and moves that have been tried seldom (UCB1).  The move that was tried most is
the one to play.  Nowhere does a player miss a win in one move, or fail to block one.

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
        ] = []  # each with the square that leads there
        self.playouts = 0
        # What the playouts earned the player who moved here.
        self.points = 0.0

    def expand(self, chance: Random) -> "Node":
        """Return a new child, by a move that has not been tried."""
        square = any_square(self.untried, chance)
        self.untried ^= square
        child = Node(self.theirs, self.mine | square)
        self.children.append((square, child))
        return child

    def best_child(self) -> "Node":
        """Return the child to walk to, by UCB1."""
        curiosity = CURIOSITY * math.sqrt(math.log(self.playouts))

        def promise(child: Node) -> float:
            tried = child.playouts
            return child.points / tried + curiosity / math.sqrt(tried)

        return max((child for _, child in self.children), key=promise)


@dataclass(frozen=True)
class Found:
    """What a search has found."""

    # The square of the move.
    square: int
    # The share of its playouts that this move has won.
    share: float
    # How many moves deep the tree is.
    depth: int


def search(mine: int, theirs: int, playouts: int, chance: Random) -> Found:
    """Return the best move of the player to move, after so many playouts."""
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
    """Return what a game played on at random earns the player to move."""
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
    """Return one of some drops at random."""
    while True:
        square = squares & COLUMNS[int(chance.random() * 7)]
        if square:
            return square
