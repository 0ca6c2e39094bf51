"""Named boards and trees, on which you can try your functions.

    from boards import NEARLY_OVER, FOUR_BY_FOUR
    print(NEARLY_OVER)
    print(FOUR_BY_FOUR)

boards.yaml draws the boards, and trees.yaml draws the trees.  `from boards import *`
imports all of them, and also the heuristics, estimators and games of the cases.
"""

from collections.abc import Mapping
from typing import Any

from api import parse_tree
from api.nim import NimState
from boards.built import board_of
from boards.estimators import corners, fewer_for_maxie, odd_is_lost
from boards.excerpts import read_excerpt
from boards.graph_games import GraphGame, Staircase
from boards.heuristics import edge_pieces, open_lines, takes_the_flag_by_position
from boards.reading import Drawing, read_boards, read_trees
from boards.tree_game import TreeGame, TreeState

# What `from boards import *` imports besides the boards and the trees.
_OTHERS: tuple[Any, ...] = (
    corners,
    edge_pieces,
    fewer_for_maxie,
    odd_is_lost,
    open_lines,
    read_excerpt,
    takes_the_flag_by_position,
    GraphGame,
    NimState,
    Staircase,
    TreeGame,
    TreeState,
)


def define(boards: Mapping[str, Drawing], trees: Mapping[str, Drawing]) -> None:
    """Make the boards and trees from these drawings, and name them in this module."""
    names = globals()
    for name, board in boards.items():
        names[name] = board_of(board)
    for name, tree in trees.items():
        names[name] = parse_tree(tree["tree"], tree["negates"])
    others = [exported.__name__ for exported in _OTHERS]
    names["__all__"] = [*boards, *trees, *others]


def __getattr__(name: str) -> Any:
    """A board, a tree or `__all__`.

    Python calls this function for a name that this module does not have yet.  The first
    such name makes all boards and trees.
    """
    if "__all__" not in globals():
        define(read_boards(), read_trees())
    if name not in globals():
        raise AttributeError(
            f"no board or tree has the name {name!r}; "
            "see boards/boards.yaml and boards/trees.yaml"
        )
    return globals()[name]
