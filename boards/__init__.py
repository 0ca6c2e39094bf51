"""Boards and trees by name, to try your functions on, and what else a case mentions.

    from boards import NEARLY_OVER, FOUR_BY_FOUR
    print(NEARLY_OVER)
    print(FOUR_BY_FOUR)

boards.yaml draws the boards, and trees.yaml draws the trees.  `from boards import *`
imports all of them, and the heuristics, estimators and games of the cases.
"""

from typing import Any

from api import parse_tree
from boards.built import board_of
from boards.estimators import corners, fewer_for_maxie, odd_is_lost
from boards.excerpts import read_excerpt
from boards.graph_games import GraphGame, Staircase
from boards.heuristics import edge_pieces, open_lines
from boards.reading import read_boards, read_trees
from boards.tree_game import TreeGame, TreeState

_FUNCTIONS = (
    corners,
    edge_pieces,
    fewer_for_maxie,
    odd_is_lost,
    open_lines,
    read_excerpt,
)
_CLASSES = (GraphGame, Staircase, TreeGame, TreeState)


def __getattr__(name: str) -> Any:
    """A board or a tree, or `__all__`, the list of all names.

    Python calls this function for a name that this module does not have yet.  So the
    files are read only when a program first uses a board or a tree.
    """
    boards = read_boards()
    trees = read_trees()
    if name == "__all__":
        others = [exported.__name__ for exported in (*_FUNCTIONS, *_CLASSES)]
        return [*boards, *trees, *others]
    if name not in boards and name not in trees:
        raise AttributeError(
            f"no board or tree has the name {name!r}; "
            "see boards/boards.yaml and boards/trees.yaml"
        )
    for board_name, board in boards.items():
        globals()[board_name] = board_of(board)
    for tree_name, tree in trees.items():
        globals()[tree_name] = parse_tree(tree["tree"], tree["negates"])
    return globals()[name]
