"""Boards and trees by name, to try your functions on, and whatever else a case
mentions.

    from boards import NEARLY_OVER, FOUR_BY_FOUR
    print(NEARLY_OVER)
    print(FOUR_BY_FOUR)

boards.yaml draws the boards, and trees.yaml the trees.  `from boards import *` imports
all of them, and the heuristics, estimators and games of the cases.
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
    """A board or a tree, read from its file when somebody first uses it; `__all__`
    lists all names.
    """
    boards, trees = read_boards(), read_trees()
    if name == "__all__":
        return [*boards, *trees, *(each.__name__ for each in (*_FUNCTIONS, *_CLASSES))]
    if name in boards or name in trees:
        drawn = {
            each: parse_tree(data["tree"], data["negates"])
            for each, data in trees.items()
        }
        globals().update(
            drawn | {each: board_of(data) for each, data in boards.items()}
        )
        return globals()[name]
    raise AttributeError(
        f"no board or tree has the name {name!r}; see boards/boards.yaml and boards/trees.yaml"
    )
