"""TreeGame: a drawn tree as a two-player game, small enough to search on paper.

A leaf with a score above 0 is a win for Maxie, a leaf with a score below 0 is a win for
Minnie, and a leaf with score 0 is a draw.  The estimate of an inner node is a guess.  A
move is the name of a child.
"""

from typing import NamedTuple

from api import IN_PLAY, Guess, Player, TreeNode, TwoPlayerGame, draw_tree
from api.outcomes import Estimate, Side, Status, over


class TreeState(NamedTuple):
    """A node of the tree, and whose turn it is."""

    node: TreeNode
    player: Side


class TreeGame(TwoPlayerGame):
    """A drawn tree as a two-player game, in which `first` moves first.

    >>> from boards import NIM_4
    >>> game = TreeGame(NIM_4)
    >>> game.moves(game.start())
    ['take_1', 'take_2', 'take_3']
    >>> game.player(game.make_move(game.start(), "take_3"))
    Player.MINNIE
    """

    def __init__(self, root: TreeNode, first: Side = Player.MAXIE) -> None:
        self.root = root
        self.first = first

    def start(self) -> TreeState:
        return TreeState(self.root, self.first)

    def moves(self, state: TreeState) -> list[str]:
        return [child.name for child in state.node.children]

    def make_move(self, state: TreeState, move: str) -> TreeState:
        for child in state.node.children:
            if child.name == move:
                return TreeState(child, state.player.other)
        raise ValueError(f"no move {move!r} leads on from {state.node.name}")

    def status(self, state: TreeState) -> Status:
        if state.node.score is None:
            return IN_PLAY
        return over(state.node.score)

    def player(self, state: TreeState) -> Side:
        return state.player

    def estimate(self, state: TreeState) -> Estimate:
        return Guess(state.node.estimate)

    def state_to_string(self, state: TreeState) -> str:
        return draw_tree(state.node, maximize=state.player is Player.MAXIE)
